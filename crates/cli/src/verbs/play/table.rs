//! A game as it stands on the table: who plays, what was played, what can be taken back, how it ended.
//!
//! It knows no terminal and no agent. Whoever reads keys or lines and whoever asks agents tells it
//! what happened.

use std::time::{Duration, Instant};

use upstar_agents::{Choice, Fault, Word};
use upstar_arena::{Ending, Proved, Reason, Record, Thought, TimeControl, micros};
use upstar_games::{Color, Game, OVER, PlayError, Variant};

/// A game with its history.
pub(super) struct Table<G: Game> {
    pub(super) game: G,
    pub(super) start: G::Position,
    plies: Vec<Ply<G>>,
    /// Who has Black and who has White.
    seats: [Word; 2],
    ending: Option<Ending>,
    begun: Instant,
}

/// A move that was made.
pub(super) struct Ply<G: Game> {
    pub(super) mv: G::Move,
    pub(super) side: Color,
    pub(super) after: G::Position,
    pub(super) thought: Thought,
}

/// What a record needs to know beside the game itself.
#[derive(Clone)]
pub(super) struct Heading {
    pub(super) variant: Variant,
    pub(super) position: String,
    pub(super) time: TimeControl,
    pub(super) seed: u64,
    pub(super) index: u64,
}

/// What an agent is asked: the game so far, apart from the table so that the table can be looked at
/// meanwhile.
pub(super) struct Question<G: Game> {
    pub(super) start: G::Position,
    pub(super) moves: Vec<G::Move>,
    pub(super) position: G::Position,
}

impl<G: Game + Clone> Table<G> {
    pub(super) fn new(game: &G, start: &G::Position, seats: [Word; 2]) -> Self {
        let mut table = Self {
            game: game.clone(),
            start: *start,
            plies: Vec::new(),
            seats,
            ending: None,
            begun: Instant::now(),
        };
        table.end_by_rules();
        table
    }

    pub(super) fn position(&self) -> &G::Position {
        self.plies.last().map_or(&self.start, |ply| &ply.after)
    }

    /// The side to move.
    pub(super) fn side(&self) -> Color {
        self.game.to_move(self.position())
    }

    pub(super) fn word(&self, side: Color) -> &Word {
        &self.seats[side.index()]
    }

    /// Who has Black and who has White.
    pub(super) fn words(&self) -> &[Word; 2] {
        &self.seats
    }

    /// Whether somebody plays this side by hand.
    pub(super) fn is_human(&self, side: Color) -> bool {
        *self.word(side) == Word::Human
    }

    pub(super) fn is_over(&self) -> bool {
        self.ending.is_some()
    }

    /// Whether it is a program's turn.
    pub(super) fn waits_for_program(&self) -> bool {
        !self.is_over() && !self.is_human(self.side())
    }

    /// The legal moves; none once the game has ended, however it did.
    pub(super) fn legal(&self) -> Vec<G::Move> {
        if self.is_over() {
            return Vec::new();
        }
        self.game.moves(self.position()).collect()
    }

    pub(super) fn plies(&self) -> &[Ply<G>] {
        &self.plies
    }

    pub(super) fn question(&self) -> Question<G> {
        Question {
            start: self.start,
            moves: self.plies.iter().map(|ply| ply.mv).collect(),
            position: *self.position(),
        }
    }

    /// The legal move of this name, or a sentence why it is none.
    pub(super) fn named(&self, name: &str) -> Result<G::Move, String> {
        let legal = self.game.legal_move(self.position(), name);
        let mv = legal.map_err(|error| error.to_string())?;
        match self.is_over() {
            true => Err(PlayError::Illegal(self.game.move_name(mv)).to_string()),
            false => Ok(mv),
        }
    }

    /// Makes a legal move.
    ///
    /// # Panics
    /// If it is not legal.
    pub(super) fn play(&mut self, mv: G::Move, thought: Thought) {
        let side = self.side();
        let after = self.game.play(self.position(), mv);
        self.plies.push(Ply {
            mv,
            side,
            after: after.expect("only legal moves are made"),
            thought,
        });
        self.end_by_rules();
    }

    /// Makes the move that an agent chose in this time, or ends the game if it made none.
    pub(super) fn answered(&mut self, answer: Answer<G::Move>) {
        let side = self.side();
        self.ending = match answer.chosen {
            Err(fault) => Some(Ending::without_move(side, &fault)),
            Ok(_) if answer.too_late => Some(Ending::too_late(side, answer.used)),
            Ok(choice) if !self.legal().contains(&choice.mv) => {
                Some(Ending::illegal(side, &self.game, choice.mv))
            }
            Ok(choice) => {
                let thought = Thought::new(&choice, answer.used.as_secs_f64());
                return self.play(choice.mv, thought);
            }
        };
    }

    /// The side to move gives the game up.
    pub(super) fn resign(&mut self) {
        self.ending = Some(Ending::lost(self.side(), Reason::Resigned, None));
    }

    /// Goes back to the last turn that somebody had by hand, and says how many moves that took back.
    pub(super) fn undo(&mut self) -> Result<usize, String> {
        let by_hand = self.is_human(self.side());
        let resigned = |ending: &mut Ending| by_hand && ending.reason == Reason::Resigned;
        if self.ending.take_if(resigned).is_some() {
            return Ok(0);
        }
        let last = self.plies.iter().rposition(|ply| self.is_human(ply.side));
        let Some(last) = last else {
            return Err("there is nothing to take back".to_owned());
        };
        let taken = self.plies.len() - last;
        self.plies.truncate(last);
        self.ending = None;
        Ok(taken)
    }

    /// The players change sides.
    pub(super) fn swap(&mut self) {
        self.seats.swap(0, 1);
    }

    /// The same players begin again.
    pub(super) fn renew(&mut self) {
        *self = Self::new(&self.game, &self.start, self.seats.clone());
    }

    /// How the game ended, in words.
    pub(super) fn result(&self) -> Option<String> {
        let ending = self.ending.as_ref()?;
        let by_rules = self.game.result(self.position());
        if let (Reason::Rules, Some(words)) = (ending.reason, by_rules) {
            return Some(format!("{OVER}{words}"));
        }
        let winner = ending.winner.side()?;
        let loser = !winner;
        let why = match ending.reason {
            Reason::Time => format!("the time of {loser} was up"),
            Reason::Resigned => format!("{loser} resigned"),
            _ => format!("{loser} ({}) could not go on", self.word(loser)),
        };
        let text = ending.text.as_ref();
        let more = text.map_or(String::new(), |text| format!(" ({text})"));
        Some(format!("{OVER}{winner} wins, {why}{more}"))
    }

    pub(super) fn record(&self, heading: &Heading) -> Record {
        let names = [Color::Black, Color::White].map(|side| self.word(side).to_string());
        let agent =
            |side: Color| Some(names[side.index()].clone()).filter(|_| !self.is_human(side));
        let counts = matches!(heading.variant, Variant::Othello(_) | Variant::Reversi);
        let ending = self.ending.as_ref();
        let name = |ply: &Ply<G>| self.game.move_name(ply.mv);
        Record {
            game: heading.variant.to_string(),
            position: heading.position.clone(),
            black_agent: agent(Color::Black),
            white_agent: agent(Color::White),
            black_network: self.word(Color::Black).network_checksum(),
            white_network: self.word(Color::White).network_checksum(),
            time: heading.time,
            seed: heading.seed,
            index: heading.index,
            round: heading.index,
            pair: heading.index,
            opening: Vec::new(),
            start: self.game.setup(&self.start).to_string(),
            to_move: self.game.to_move(&self.start).letter(),
            moves: self.plies.iter().map(name).collect(),
            thoughts: self.plies.iter().map(|ply| ply.thought.clone()).collect(),
            winner: ending.map(|ending| ending.winner),
            // Clobber knows winners only.
            score: ending.and_then(|ending| ending.score).filter(|_| counts),
            reason: ending.map_or(Reason::Unfinished, |ending| ending.reason),
            text: ending.and_then(|ending| ending.text.clone()),
            seconds: micros(self.begun.elapsed().as_secs_f64()),
            black: names[0].clone(),
            white: names[1].clone(),
        }
    }

    fn end_by_rules(&mut self) {
        self.ending = Ending::by_rules(&self.game, self.position());
    }
}

/// What an agent answered, and how long it took.
pub(super) struct Answer<M> {
    pub(super) chosen: Result<Choice<M>, Fault>,
    pub(super) used: Duration,
    /// Whether it took more time than its side had.
    pub(super) too_late: bool,
}

/// What an agent thinks of the game when this side has moved, in words. What is proved and what is
/// guessed read differently.
pub(super) fn opinion(
    proved: Option<Proved>,
    expected: Option<f64>,
    side: Color,
) -> Option<String> {
    match (proved, expected) {
        (Some(Proved::Win), _) => Some(format!("{side} wins, proved")),
        (Some(Proved::Loss), _) => Some(format!("{} wins, proved", !side)),
        (Some(Proved::Draw), _) => Some("a draw, proved".to_owned()),
        (None, Some(mean)) => Some(format!("about {:.0} % for {side}", 50.0 * (mean + 1.0))),
        (None, None) => None,
    }
}

/// The same for what an agent has just said.
pub(super) fn opinion_of<M>(choice: &Choice<M>, side: Color) -> Option<String> {
    let thought = Thought::new(choice, 0.0);
    opinion(thought.proved, thought.expected, side)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use upstar_arena::{Referee, Winner};
    use upstar_games::{AnyGame, Clobber, Othello, Rules};

    pub(in super::super) fn clobber(
        position: &str,
        black: &str,
        white: &str,
    ) -> Table<Clobber<u64>> {
        let start = position.parse().unwrap();
        let any = AnyGame::open("clobber".parse().unwrap(), &start, None);
        let AnyGame::Clobber64(game, start) = any.unwrap() else {
            panic!("a small board");
        };
        let seats = [black, white].map(|word| word.parse().unwrap());
        Table::new(&game, &start, seats)
    }

    pub(in super::super) fn othello(
        position: &str,
        black: &str,
        white: &str,
    ) -> Table<Othello<u64>> {
        let start = position.parse().unwrap();
        let any = AnyGame::open("othello".parse().unwrap(), &start, None);
        let AnyGame::Othello64(game, start) = any.unwrap() else {
            panic!("a small board");
        };
        let seats = [black, white].map(|word| word.parse().unwrap());
        Table::new(&game, &start, seats)
    }

    pub(in super::super) fn play<G: Game + Clone>(table: &mut Table<G>, names: &[&str]) {
        for name in names {
            let mv = table.named(name).unwrap();
            table.play(mv, Thought::default());
        }
    }

    pub(in super::super) fn heading() -> Heading {
        Heading {
            variant: "clobber".parse().unwrap(),
            position: "1x6".to_owned(),
            time: TimeControl::NONE,
            seed: 3,
            index: 0,
        }
    }

    #[test]
    fn undo_goes_back_to_the_last_turn_by_hand() {
        let mut table = clobber("1x6", "human", "random");
        assert!(table.undo().is_err());
        play(&mut table, &["a1b1", "d1c1"]);
        assert_eq!(table.undo(), Ok(2));
        assert_eq!(table.position(), &table.start);
        // A program that moved first is not asked to take its first move back.
        let mut table = clobber("1x6", "random", "human");
        play(&mut table, &["a1b1"]);
        assert!(table.undo().is_err());
        play(&mut table, &["d1c1", "e1f1"]);
        assert_eq!(table.undo(), Ok(2));
        assert_eq!(table.side(), Color::White);
        // Two people take back move by move.
        let mut table = clobber("1x6", "human", "human");
        play(&mut table, &["a1b1", "d1c1"]);
        assert_eq!((table.undo(), table.undo()), (Ok(1), Ok(1)));
    }

    #[test]
    fn endings_are_recorded_and_can_be_taken_back() {
        let mut table = clobber("xoxo", "human", "random");
        play(&mut table, &["a1b1", "d1c1", "b1c1"]);
        assert_eq!(table.result().as_deref(), Some("over: x wins"));
        let record = table.record(&heading());
        assert_eq!(record.winner, Some(Winner::Black));
        assert_eq!((record.reason, record.score), (Reason::Rules, None));
        assert_eq!(record.moves, ["a1b1", "d1c1", "b1c1"]);
        assert_eq!(record.black_agent, None);
        assert_eq!(record.white_agent.as_deref(), Some("random"));
        assert_eq!(table.undo(), Ok(1));
        assert!(!table.is_over());
        table.resign();
        assert_eq!(table.result().as_deref(), Some("over: o wins, x resigned"));
        assert!(table.legal().is_empty());
        assert_eq!(table.undo(), Ok(0));
        assert_eq!(table.record(&heading()).reason, Reason::Unfinished);
    }

    #[test]
    fn who_makes_no_legal_move_in_time_has_lost() {
        let answer = |chosen, too_late| Answer {
            chosen,
            used: Duration::from_millis(500),
            too_late,
        };
        let mut table = clobber("xoxo", "random", "random");
        table.answered(answer(Err(Fault("it has ended".to_owned())), false));
        let said = "over: o wins, x (random) could not go on (it has ended)";
        assert_eq!(table.result().as_deref(), Some(said));
        table.renew();
        let mv = table.game.move_named("b1a1").unwrap();
        table.answered(answer(Ok(Choice::of(mv)), false));
        assert_eq!(table.record(&heading()).reason, Reason::Illegal);
        table.renew();
        let mv = table.game.move_named("a1b1").unwrap();
        table.answered(answer(Ok(Choice::of(mv)), true));
        assert_eq!(table.record(&heading()).reason, Reason::Time);
    }

    #[test]
    fn a_program_that_gives_up_has_resigned() {
        let given_up = || Answer {
            chosen: Err(Fault::resignation()),
            used: Duration::ZERO,
            too_late: false,
        };
        let mut table = clobber("xoxo", "human", "random");
        play(&mut table, &["a1b1"]);
        table.answered(given_up());
        assert_eq!(table.result().as_deref(), Some("over: x wins, o resigned"));
        let record = table.record(&heading());
        assert_eq!(record.winner, Some(Winner::Black));
        assert_eq!((record.reason, &record.text), (Reason::Resigned, &None));
        assert_eq!(Referee::new().check(&record), Ok(()));
        // It would only give up again, so a move of the person is taken back.
        assert_eq!(table.undo(), Ok(1));
        assert!(!table.is_over() && table.plies().is_empty());
    }

    #[test]
    fn bad_names_get_a_sentence() {
        let table = clobber("1x6", "human", "human");
        let refused = |name| table.named(name).unwrap_err();
        assert_eq!(refused("b1a1"), "b1a1 is not legal here");
        assert_eq!(refused("z9"), "'z9' names no move on this board");
        let table = othello("4x4", "human", "human");
        assert!(table.named("b1").is_ok() && table.named("pass").is_err());
    }
}
