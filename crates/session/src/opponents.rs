//! The programs at a live game: the agents of both sides with their clocks, and an analyser that grades
//! every move and gives hints. All of them can be told to stop.

use std::time::{Duration, Instant};

use upstar_agents::puct::DEFAULT;
use upstar_agents::{
    AgentSpec, AgentSpecError, AlphaZero, AnyAgent, AnySearch, Fault, Playable, Resources,
};
use upstar_analysis::{Analyser, Analysis, AnalysisError, GradedMove};
use upstar_arena::{Clocks, TimeControl, generators};
use upstar_games::{AnyGame, Color, Random, with_game};
use upstar_jobs::Budget;

use crate::live_game::{LiveGame, MoveAnswer};
use crate::seat::GameLine;

/// All programs that have to do with a game.
pub struct Opponents {
    resources: Resources,
    /// `None` for a side that is played by hand.
    agents: [Option<AnyAgent>; 2],
    random: [Random; 2],
    seed: u64,
    time: TimeControl,
    clocks: Clocks,
}

/// How long a hint takes.
const HINT: Duration = Duration::from_secs(1);

/// The strongest agent that comes with the program for this game and board, and takes about so long for a
/// move: the solver where the first moves can be proved in that time, or else those soon after; then the
/// engine for Othello, `best` for Clobber, plain tree search.
///
/// # Panics
/// If the text is not a time.
#[must_use]
pub fn strong_agent(start: &AnyGame, time: &str) -> AgentSpec {
    /// What is left to play, and with how much of it the solver plays from the first move.
    fn left<G: Playable>(rules: &G, start: &G::Position) -> (u32, u32) {
        (rules.left(start), if G::HAS_DISCS { 20 } else { 30 })
    }
    let (left, small) = with_game!(start, |rules, start| left(rules, start), (0, 0));
    let network = || {
        let options = AlphaZero::new(DEFAULT.into());
        AnySearch::led(start, &options, &Resources::default()).is_ok()
    };
    let spec = if left <= small {
        format!("solver:{time}")
    } else if matches!(start, AnyGame::Othello64(..)) {
        format!("ab:{time}")
    } else if network() {
        format!("best:{time}")
    } else {
        format!("mcts:{time}")
    };
    spec.parse().expect("the time is one")
}

impl Opponents {
    /// The agents of a game.
    ///
    /// # Errors
    /// If one of them cannot be made.
    pub fn new(
        game: &LiveGame,
        resources: &Resources,
        seed: u64,
        time: TimeControl,
    ) -> Result<Self, AgentSpecError> {
        let agent = |side: Color| match game.player(side) {
            AgentSpec::Human => Ok(None),
            spec => AnyAgent::new(spec, game.start(), resources).map(Some),
        };
        Ok(Self {
            resources: resources.clone(),
            agents: [agent(Color::Black)?, agent(Color::White)?],
            random: generators(seed, 0),
            seed,
            time,
            clocks: Clocks::new(time),
        })
    }

    /// The game with this number begins: agents forget the last one.
    ///
    /// # Errors
    /// If an agent cannot begin anew.
    pub fn renew(&mut self, index: u64) -> Result<(), Fault> {
        self.random = generators(self.seed, index);
        self.clocks = Clocks::new(self.time);
        let mut agents = self.agents.iter_mut().flatten();
        agents.try_for_each(AnyAgent::begin_game)
    }

    /// The players change sides.
    pub fn swap(&mut self) {
        self.agents.swap(0, 1);
    }

    /// What is left of the time that a side has for the whole game; `None` without such a clock.
    #[must_use]
    pub fn time_left(&self, side: Color) -> Option<Duration> {
        self.clocks.left(side)
    }

    /// Asks the agent whose turn it is.
    ///
    /// # Panics
    /// If that side is played by hand.
    pub fn choose(&mut self, asked: &GameLine, budget: &Budget) -> MoveAnswer {
        let side = asked.game.side_to_move().color();
        let side = side.expect("the game is for two");
        let budget = match self.clocks.allotment(side, asked.game.plies_left()) {
            Some(time) => &budget.clone().with_time(time),
            None => budget,
        };
        let begun = Instant::now();
        let agent = self.agents[side.index()].as_mut();
        let agent = agent.expect("a program is asked only when it is its turn");
        let random = &mut self.random[side.index()];
        let chosen = agent.choose(&asked.start, &asked.moves, budget, random);
        let used = begun.elapsed();
        MoveAnswer {
            chosen,
            used,
            too_late: !self.clocks.spend(side, used),
        }
    }

    /// The best move that an analysis finds in a second, which contradicts no proof. Hints change nothing in
    /// the game.
    ///
    /// # Errors
    /// As for [`Opponents::analyse`].
    ///
    /// # Panics
    /// Never: a game that is not over has a move.
    pub fn hint(&self, game: &AnyGame, budget: &Budget) -> Result<GradedMove, AnalysisError> {
        let analysis = self.analyse(game, &budget.within(HINT), &mut |_| {})?;
        let best = analysis.moves.into_iter().next();
        Ok(best.expect("the game is not over"))
    }

    /// Grades every move until all are proved or the budget is spent, and tells what is known on the way.
    ///
    /// # Errors
    /// If the game is over, there is no memory, or a value table cannot be used.
    pub fn analyse(
        &self,
        game: &AnyGame,
        budget: &Budget,
        told: &mut dyn FnMut(&Analysis),
    ) -> Result<Analysis, AnalysisError> {
        let analyser = Analyser {
            resources: self.resources.clone(),
            seed: self.seed,
            ..Analyser::default()
        };
        analyser.run(game, budget, told)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use upstar_jobs::Unwatched;
    use upstar_solve::{Algorithm, Outcome, Query, Solver, classic};

    fn live(game: &str, position: &str, black: &str, white: &str) -> LiveGame {
        let seats = [black, white].map(|spec| spec.parse().unwrap());
        LiveGame::new(AnyGame::parse(game, position).unwrap(), seats)
    }

    fn opponents(game: &LiveGame, time: TimeControl) -> Opponents {
        Opponents::new(game, &Resources::default(), 1, time).unwrap()
    }

    /// All moves with their proved results.
    fn proved(game: &LiveGame, budget: &Budget) -> Vec<(String, Outcome)> {
        let programs = opponents(game, TimeControl::NONE);
        let analysis = programs.analyse(game.game(), budget, &mut |_| {}).unwrap();
        let moves = analysis.moves.into_iter();
        let moves = moves.filter_map(|graded| Some((graded.mv, graded.known.outcome?)));
        let mut found: Vec<_> = moves.collect();
        found.sort_by(|a, b| a.0.cmp(&b.0));
        found
    }

    fn plainly(game: &LiveGame) -> Vec<(String, Outcome)> {
        let query = Query {
            algorithm: Some(Algorithm::Classic(classic::Algorithm::Negamax)),
            ..Query::winner()
        };
        let outcome = |mv: String| {
            let next = game.game().play(&mv).unwrap();
            let answer = Solver::default().solve(&next, &query, &Budget::unlimited(), &Unwatched);
            (mv, answer.unwrap().outcome.unwrap().reversed())
        };
        let mut all: Vec<_> = game.legal().into_iter().map(outcome).collect();
        all.sort_by(|a, b| a.0.cmp(&b.0));
        all
    }

    #[test]
    fn every_move_is_graded_as_negamax_does() {
        for position in ["xoxo", "3x3", "2x5", "xo.ox|oxxo."] {
            let game = live("clobber", position, "human", "human");
            let found = proved(&game, &Budget::unlimited());
            assert_eq!(found, plainly(&game), "{position}");
        }
        let game = live("othello", "xxo.|ooxo|xoo.|xo..", "human", "human");
        assert_eq!(proved(&game, &Budget::unlimited()), plainly(&game));
    }

    #[test]
    fn who_is_told_to_stop_moves_now_and_proves_nothing() {
        let budget = Budget::unlimited();
        budget.cancel();
        let mut game = live("clobber", "8x8", "mcts:1000000000", "solver");
        assert_eq!(proved(&game, &budget), []);
        for _ in 0..2 {
            let answer = opponents(&game, TimeControl::NONE).choose(&game.line(), &budget);
            game.answered(answer);
        }
        assert_eq!(game.moves().len(), 2);
    }

    #[test]
    fn the_clock_of_a_program_runs() {
        let game = live("clobber", "8x8", "mcts:100", "human");
        let mut programs = opponents(&game, "1h".parse().unwrap());
        let share = |programs: &Opponents, side| programs.clocks.allotment(side, 40);
        let full = share(&programs, Color::Black);
        let answer = programs.choose(&game.line(), &Budget::unlimited());
        assert!(answer.chosen.is_ok() && !answer.too_late);
        assert!(share(&programs, Color::Black) < full);
        assert!(programs.time_left(Color::Black) < programs.time_left(Color::White));
        assert_eq!(share(&programs, Color::White), full);
        programs.renew(1).unwrap();
        assert_eq!(share(&programs, Color::Black), full);
        let mut programs = opponents(&game, "1ms".parse().unwrap());
        while !programs.choose(&game.line(), &Budget::unlimited()).too_late {}
    }

    #[test]
    fn hints_never_contradict_a_proof() {
        for position in ["xoxo", "2x5", "xo.ox|oxxo."] {
            let game = live("clobber", position, "human", "human");
            let programs = opponents(&game, TimeControl::NONE);
            let budget = Budget::unlimited();
            // Then the value tables are there, and a second is enough.
            programs.analyse(game.game(), &budget, &mut |_| {}).unwrap();
            let hint = programs.hint(game.game(), &budget).unwrap();
            let all = plainly(&game);
            let of = |mv: &str| all.iter().find(|(other, _)| other == mv).unwrap().1;
            let best = all.iter().map(|(_, outcome)| *outcome).max();
            assert_eq!(Some(of(&hint.mv)), best, "{position}");
            assert_eq!(hint.known.outcome, best, "{position}");
        }
    }

    #[test]
    fn every_move_has_an_estimate_at_once() {
        let budget = Budget::unlimited();
        budget.cancel();
        let cannibal = "clobber:cannibal";
        for (game, position) in [("clobber", "6x6"), (cannibal, "5x6"), ("othello", "8x8")] {
            let game = live(game, position, "human", "human");
            let programs = opponents(&game, TimeControl::NONE);
            let analysis = programs.analyse(game.game(), &budget, &mut |_| {}).unwrap();
            let unknown = analysis
                .moves
                .iter()
                .filter(|graded| graded.known.win().is_none());
            assert_eq!(unknown.count(), 0, "{position}");
        }
    }

    #[test]
    fn the_strongest_agent_goes_by_game_and_board() {
        for (game, position, agent) in [
            ("clobber", "5x6", "solver:1s"),
            ("clobber", "6x6", "best"),
            ("clobber", "10x10", "best"),
            ("clobber:cannibal", "6x6", "mcts:1s"),
            ("othello", "4x6", "solver:1s"),
            ("othello", "8x8", "ab:1s"),
            ("othello:reversi", "8x8", "mcts:1s"),
        ] {
            let start = AnyGame::parse(game, position).unwrap();
            let spec = strong_agent(&start, "1s");
            assert_eq!(spec.to_string(), agent, "{game} {position}");
            assert!(AnyAgent::new(&spec, &start, &Resources::default()).is_ok());
        }
    }
}
