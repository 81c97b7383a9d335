//! A game being played: who plays, what was played, what can be taken back, how it ended.
//!
//! It asks no agent. Whoever reads keys or lines and whoever asks agents tells it what happened.

use std::time::{Duration, Instant};

use upstar_agents::{AgentSpec, Choice, Fault, Playable, Resources};
use upstar_analysis::{Grade, Knowledge};
use upstar_arena::{
    Duel, Ending, Proved, Reason, Record, Thought, TimeControl, generators, micros,
};
use upstar_games::{AnyGame, Cell, Color, OVER, PlayError, Variant, with_game};
use upstar_jobs::Budget;
use upstar_solve::Outcome;

use crate::game_tree::{GameTree, Node};
use crate::refusal::Refusal;
use crate::seat::GameLine;

/// A game for two with its history and its players.
pub struct LiveGame {
    tree: GameTree,
    /// Who has Black and who has White.
    seats: [AgentSpec; 2],
    ending: Option<Ending>,
    begun: Instant,
}

/// A move that was made.
#[derive(Clone, Debug)]
pub struct PlayedMove {
    /// The move.
    pub mv: String,
    /// Who made it.
    pub side: Color,
    /// What that player thought of it.
    pub thought: Thought,
}

/// What a record needs to know beside the game itself.
#[derive(Clone)]
pub struct Heading {
    /// Where the game begins, as the user wrote it.
    pub position: String,
    /// The time that programs have.
    pub time: TimeControl,
    /// The seed of the run.
    pub seed: u64,
    /// The game's number in the run.
    pub index: u64,
}

/// What an agent answered, and how long it took.
pub struct MoveAnswer {
    /// The move, or why there is none.
    pub chosen: Result<Choice<String>, Fault>,
    /// How long it took.
    pub used: Duration,
    /// Whether it took more time than its side had.
    pub too_late: bool,
}

impl LiveGame {
    /// A game from this position, which must be of a game for two.
    #[must_use]
    pub fn new(start: AnyGame, seats: [AgentSpec; 2]) -> Self {
        let mut game = Self {
            tree: GameTree::new(start),
            seats,
            ending: None,
            begun: Instant::now(),
        };
        game.end_by_rules();
        game
    }

    /// The position now.
    #[must_use]
    pub fn game(&self) -> &AnyGame {
        self.tree.game()
    }

    /// The position at the beginning.
    #[must_use]
    pub fn start(&self) -> &AnyGame {
        self.tree.start()
    }

    /// The position now and how it came about.
    #[must_use]
    pub fn line(&self) -> GameLine {
        GameLine::of(&self.tree)
    }

    /// The side to move.
    #[must_use]
    pub fn side(&self) -> Color {
        color(self.game())
    }

    /// Who plays this side.
    #[must_use]
    pub fn player(&self, side: Color) -> &AgentSpec {
        &self.seats[side.index()]
    }

    /// Who has Black and who has White.
    #[must_use]
    pub fn players(&self) -> &[AgentSpec; 2] {
        &self.seats
    }

    /// Whether this side is played by hand.
    #[must_use]
    pub fn is_human(&self, side: Color) -> bool {
        *self.player(side) == AgentSpec::Human
    }

    /// Whether the game has ended, by the rules or otherwise.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.ending.is_some()
    }

    /// Whether it is a program's turn.
    #[must_use]
    pub fn waits_for_program(&self) -> bool {
        !self.is_over() && !self.is_human(self.side())
    }

    /// The legal moves; none once the game has ended, however it did.
    #[must_use]
    pub fn legal(&self) -> Vec<String> {
        if self.is_over() {
            return Vec::new();
        }
        self.game().legal()
    }

    /// Where a move goes from and to; `None` for a pass.
    #[must_use]
    pub fn path(&self, mv: &str) -> Option<(Cell, Cell)> {
        self.game().path(mv)
    }

    /// The moves that were made, and not taken back.
    #[must_use]
    pub fn moves(&self) -> Vec<PlayedMove> {
        let mut side = color(self.start());
        let nodes = self.tree.line().into_iter();
        let nodes = nodes.filter_map(|id| self.tree.node(id));
        let played = |node: &Node| {
            let mover = side;
            side = color(&node.game);
            PlayedMove {
                mv: node.mv.clone().unwrap_or_default(),
                side: mover,
                thought: node.thought.clone().unwrap_or_default(),
            }
        };
        nodes.map(played).collect()
    }

    /// The position after so many of them; `None` if fewer were made.
    #[must_use]
    pub fn position_after(&self, plies: usize) -> Option<&AnyGame> {
        if plies == 0 {
            return Some(self.start());
        }
        let id = self.tree.line().into_iter().nth(plies - 1)?;
        self.tree.node(id).map(|node| &node.game)
    }

    /// The last of them.
    #[must_use]
    pub fn last_move(&self) -> Option<PlayedMove> {
        self.moves().pop()
    }

    /// The legal move of this name, or a sentence why it is none.
    ///
    /// # Errors
    /// If the text names no legal move, or the game is over.
    pub fn named(&self, name: &str) -> Result<String, PlayError> {
        let mv = self.game().legal_move(name)?;
        match self.is_over() {
            true => Err(PlayError::Illegal(mv)),
            false => Ok(mv),
        }
    }

    /// How the game ended, in words.
    #[must_use]
    pub fn result(&self) -> Option<String> {
        let ending = self.ending.as_ref()?;
        if let (Reason::Rules, Some(specs)) = (ending.reason, self.game().result()) {
            return Some(format!("{OVER}{specs}"));
        }
        let winner = ending.winner.side()?;
        let loser = !winner;
        let why = match ending.reason {
            Reason::Time => format!("the time of {loser} was up"),
            Reason::Resigned => format!("{loser} resigned"),
            _ => format!("{loser} ({}) could not go on", self.player(loser)),
        };
        let text = ending.text.as_ref();
        let more = text.map_or(String::new(), |text| format!(" ({text})"));
        Some(format!("{OVER}{winner} wins, {why}{more}"))
    }

    /// What is written down of the game.
    #[must_use]
    pub fn record(&self, heading: &Heading) -> Record {
        let names = [Color::Black, Color::White].map(|side| self.player(side).to_string());
        let agent =
            |side: Color| Some(names[side.index()].clone()).filter(|_| !self.is_human(side));
        let variant = self.start().variant();
        let counts = matches!(variant, Variant::Othello(_) | Variant::Reversi);
        let ending = self.ending.as_ref();
        let moves = self.moves();
        Record {
            game: variant.to_string(),
            position: heading.position.clone(),
            black_agent: agent(Color::Black),
            white_agent: agent(Color::White),
            black_network: self.player(Color::Black).network_checksum(),
            white_network: self.player(Color::White).network_checksum(),
            time: heading.time,
            seed: heading.seed,
            index: heading.index,
            round: heading.index,
            pair: heading.index,
            opening: Vec::new(),
            start: self.start().to_string(),
            to_move: self.start().side_to_move().letter(),
            moves: moves.iter().map(|played| played.mv.clone()).collect(),
            thoughts: moves.into_iter().map(|played| played.thought).collect(),
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
}

/// What happens.
impl LiveGame {
    /// Makes a legal move.
    ///
    /// # Panics
    /// If it is not legal.
    pub fn play(&mut self, mv: &str, thought: Thought) {
        self.tree.play(mv).expect("only legal moves are made");
        self.tree.note(thought);
        self.end_by_rules();
    }

    /// Makes the move that an agent chose in this time, or ends the game if it made none.
    pub fn answered(&mut self, answer: MoveAnswer) {
        let side = self.side();
        self.ending = match answer.chosen {
            Err(fault) => Some(Ending::without_move(side, &fault)),
            Ok(_) if answer.too_late => Some(Ending::too_late(side, answer.used)),
            Ok(choice) if !self.legal().contains(&choice.mv) => {
                let text = format!("{} is not legal here", choice.mv);
                Some(Ending::lost(side, Reason::Illegal, Some(text)))
            }
            Ok(choice) => {
                let thought = Thought::new(&choice, answer.used.as_secs_f64());
                return self.play(&choice.mv, thought);
            }
        };
    }

    /// Two programs play the game to its end in the arena's game loop. The start is told once the agents
    /// are there, and then each move after it was made. Where the budget ends, the game stays unfinished.
    ///
    /// # Errors
    /// If an agent cannot be made or cannot begin.
    pub fn play_out(
        &mut self,
        heading: &Heading,
        resources: &Resources,
        budget: &Budget,
        told: &mut dyn FnMut(&Self),
    ) -> Result<(), Refusal> {
        let start = self.start().clone();
        with_game!(
            &start,
            |rules, start| self.duel(rules, start, heading, resources, budget, told),
            Err(Refusal::new("the game does not have two sides"))
        )
    }

    fn duel<G: Playable>(
        &mut self,
        rules: &G,
        start: &G::Position,
        heading: &Heading,
        resources: &Resources,
        budget: &Budget,
        told: &mut dyn FnMut(&Self),
    ) -> Result<(), Refusal> {
        let agent = |spec: &AgentSpec| spec.agent(rules, resources).map_err(Refusal::new);
        let [mut black, mut white] = [agent(&self.seats[0])?, agent(&self.seats[1])?];
        let duel = Duel {
            game: rules,
            start,
            opening: &[],
            time: heading.time,
            budget,
            // With thoughts their times are measured.
            thoughts: true,
        };
        told(self);
        let random = generators(heading.seed, heading.index);
        let played = duel.play_watched([&mut *black, &mut *white], random, |choice, used| {
            let thought = Thought::new(choice, used.as_secs_f64());
            self.play(&rules.move_name(choice.mv), thought);
            told(self);
        });
        let played = played.map_err(|cannot| {
            let player = self.player(cannot.side);
            Refusal(format!("{player}: {}", cannot.fault))
        })?;
        if let Some(played) = played {
            self.ending = Some(played.ending);
        }
        Ok(())
    }

    /// The side to move gives the game up.
    pub fn resign(&mut self) {
        self.ending = Some(Ending::lost(self.side(), Reason::Resigned, None));
    }

    /// Goes back to the last turn that was played by hand, and says how many moves that took back;
    /// `None` if there is nothing to take back.
    pub fn undo(&mut self) -> Option<usize> {
        let by_hand = self.is_human(self.side());
        let resigned = |ending: &mut Ending| by_hand && ending.reason == Reason::Resigned;
        if self.ending.take_if(resigned).is_some() {
            return Some(0);
        }
        let moves = self.moves();
        let last = moves
            .iter()
            .rposition(|played| self.is_human(played.side))?;
        let taken = moves.len() - last;
        self.take_back(taken);
        Some(taken)
    }

    /// Takes back the last moves, whoever made them, and with them what ended the game.
    pub fn take_back(&mut self, moves: usize) {
        for _ in 0..moves {
            self.tree.back();
        }
        self.ending = None;
    }

    /// The players change sides.
    pub fn swap(&mut self) {
        self.seats.swap(0, 1);
    }

    /// The same players begin again.
    pub fn renew(&mut self) {
        *self = Self::new(self.start().clone(), self.seats.clone());
    }

    fn end_by_rules(&mut self) {
        self.ending = with_game!(
            self.tree.game(),
            |rules, position| Ending::by_rules(rules, position),
            None
        );
    }
}

/// The side to move in a game for two.
fn color(game: &AnyGame) -> Color {
    let color = game.side_to_move().color();
    color.expect("the game is for two")
}

/// What an agent thinks of the game when this side has moved, in words. What is proved and what is
/// guessed read differently.
#[must_use]
pub fn opinion(thought: &Thought, side: Color) -> Option<String> {
    match (thought.proved, thought.expected) {
        (Some(Proved::Win), _) => Some(format!("{side} wins, proved")),
        (Some(Proved::Loss), _) => Some(format!("{} wins, proved", !side)),
        (Some(Proved::Draw), _) => Some("a draw, proved".to_owned()),
        (None, Some(mean)) => Some(format!("about {:.0} % for {side}", 50.0 * (mean + 1.0))),
        (None, None) => None,
    }
}

/// What an analysis knows of the result for this side, in words: what is proved says so. `None` if it
/// knows nothing.
#[must_use]
pub fn judgement(known: &Knowledge, side: Color) -> Option<String> {
    let won = |winner: Color| match known.score() {
        Some(score) => format!("{winner} wins by {}, proved", score.abs()),
        None => format!("{winner} wins, proved"),
    };
    match (known.outcome, &known.estimate) {
        (Some(Outcome::Win), _) => Some(won(side)),
        (Some(Outcome::Loss), _) => Some(won(!side)),
        (Some(Outcome::Draw), _) => Some("a draw, proved".to_owned()),
        (None, Some(guess)) => {
            let discs = guess.discs.and(known.discs());
            let discs = discs.map_or(String::new(), |discs| format!("{discs:+.1} discs, "));
            Some(format!(
                "about {discs}{:.0} % for {side}",
                100.0 * guess.win
            ))
        }
        (None, None) if known.grade() == Grade::Unknown => None,
        (None, None) => Some(format!("{known} for {side}, proved")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use upstar_analysis::Estimate;
    use upstar_arena::{Referee, Winner};

    fn live(game: &str, position: &str, black: &str, white: &str) -> LiveGame {
        let seats = [black, white].map(|spec| spec.parse().unwrap());
        LiveGame::new(AnyGame::parse(game, position).unwrap(), seats)
    }

    fn play(game: &mut LiveGame, names: &[&str]) {
        for name in names {
            let mv = game.named(name).unwrap();
            game.play(&mv, Thought::default());
        }
    }

    fn heading() -> Heading {
        Heading {
            position: "1x6".to_owned(),
            time: TimeControl::NONE,
            seed: 3,
            index: 0,
        }
    }

    #[test]
    fn proofs_and_guesses_read_differently() {
        let words = |known: &Knowledge| judgement(known, Color::White).unwrap_or_default();
        let mut known = Knowledge::default();
        assert_eq!(words(&known), "");
        known.estimate = Some(Estimate {
            win: 0.616,
            discs: None,
            by: "mcts",
            work: 100,
        });
        assert_eq!(words(&known), "about 62 % for o");
        known.estimate.as_mut().unwrap().discs = Some(3.24);
        assert_eq!(words(&known), "about +3.2 discs, 62 % for o");
        known.outcome = Some(Outcome::Loss);
        assert_eq!(words(&known), "x wins, proved");
        assert_eq!(words(&Knowledge::of_score(6)), "o wins by 6, proved");
        assert_eq!(words(&Knowledge::of_score(0)), "a draw, proved");
        let mut bounded = Knowledge::default();
        bounded.bound(Some(-4), None);
        assert_eq!(words(&bounded), "at least -4 for o, proved");
    }

    #[test]
    fn undo_goes_back_to_the_last_turn_by_hand() {
        let mut game = live("clobber", "1x6", "human", "random");
        assert_eq!(game.undo(), None);
        play(&mut game, &["a1b1", "d1c1"]);
        assert_eq!(game.undo(), Some(2));
        assert_eq!(game.game(), game.start());
        // A program that moved first is not asked to take its first move back.
        let mut game = live("clobber", "1x6", "random", "human");
        play(&mut game, &["a1b1"]);
        assert_eq!(game.undo(), None);
        play(&mut game, &["d1c1", "e1f1"]);
        assert_eq!(game.undo(), Some(2));
        assert_eq!(game.side(), Color::White);
        // Two people take back move by move.
        let mut game = live("clobber", "1x6", "human", "human");
        play(&mut game, &["a1b1", "d1c1"]);
        assert_eq!((game.undo(), game.undo()), (Some(1), Some(1)));
    }

    #[test]
    fn endings_are_recorded_and_can_be_taken_back() {
        let mut game = live("clobber", "xoxo", "human", "random");
        play(&mut game, &["a1b1", "d1c1", "b1c1"]);
        assert_eq!(game.result().as_deref(), Some("over: x wins"));
        let record = game.record(&heading());
        assert_eq!(record.winner, Some(Winner::Black));
        assert_eq!((record.reason, record.score), (Reason::Rules, None));
        assert_eq!(record.moves, ["a1b1", "d1c1", "b1c1"]);
        assert_eq!(record.black_agent, None);
        assert_eq!(record.white_agent.as_deref(), Some("random"));
        assert_eq!(game.undo(), Some(1));
        assert!(!game.is_over());
        game.resign();
        assert_eq!(game.result().as_deref(), Some("over: o wins, x resigned"));
        assert!(game.legal().is_empty());
        assert_eq!(game.undo(), Some(0));
        assert_eq!(game.record(&heading()).reason, Reason::Unfinished);
    }

    #[test]
    fn who_makes_no_legal_move_in_time_has_lost() {
        let answer = |chosen, too_late| MoveAnswer {
            chosen,
            used: Duration::from_millis(500),
            too_late,
        };
        let mut game = live("clobber", "xoxo", "random", "random");
        game.answered(answer(Err(Fault("it has ended".to_owned())), false));
        let said = "over: o wins, x (random) could not go on (it has ended)";
        assert_eq!(game.result().as_deref(), Some(said));
        game.renew();
        game.answered(answer(Ok(Choice::of("b1a1".to_owned())), false));
        assert_eq!(game.record(&heading()).reason, Reason::Illegal);
        game.renew();
        game.answered(answer(Ok(Choice::of("a1b1".to_owned())), true));
        assert_eq!(game.record(&heading()).reason, Reason::Time);
    }

    #[test]
    fn a_program_that_gives_up_has_resigned() {
        let mut game = live("clobber", "xoxo", "human", "random");
        play(&mut game, &["a1b1"]);
        game.answered(MoveAnswer {
            chosen: Err(Fault::resignation()),
            used: Duration::ZERO,
            too_late: false,
        });
        assert_eq!(game.result().as_deref(), Some("over: x wins, o resigned"));
        let record = game.record(&heading());
        assert_eq!(record.winner, Some(Winner::Black));
        assert_eq!((record.reason, &record.text), (Reason::Resigned, &None));
        assert_eq!(Referee::new().check(&record), Ok(()));
        // It would only give up again, so a move of the person is taken back.
        assert_eq!(game.undo(), Some(1));
        assert!(!game.is_over() && game.moves().is_empty());
    }

    #[test]
    fn bad_names_get_a_sentence() {
        let game = live("clobber", "1x6", "human", "human");
        let refused = |name| game.named(name).unwrap_err().to_string();
        assert_eq!(refused("b1a1"), "b1a1 is not legal here");
        assert_eq!(refused("z9"), "'z9' names no move on this board");
        let game = live("othello", "4x4", "human", "human");
        assert!(game.named("b1").is_ok() && game.named("pass").is_err());
    }

    #[test]
    fn two_programs_play_in_the_arena() {
        let mut game = live("othello", "4x4", "mcts:50", "greedy");
        let mut told = 0;
        let mut tell = |game: &LiveGame| {
            assert_eq!(game.moves().len(), told);
            told += 1;
        };
        let resources = Resources::default();
        let played = game.play_out(&heading(), &resources, &Budget::unlimited(), &mut tell);
        assert_eq!(played, Ok(()));
        assert!(game.is_over() && told == game.moves().len() + 1);
        let record = game.record(&Heading {
            position: "4x4".to_owned(),
            ..heading()
        });
        assert_eq!(Referee::new().check(&record), Ok(()));
    }
}
