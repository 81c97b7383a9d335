//! Tree searches that can be watched, for a game named at run time: plain ones and those that a network
//! leads, with moves as texts.

use std::cmp::Reverse;

use upstar_games::{AnyGame, Random, with_game};
use upstar_jobs::Budget;
use upstar_solve::Outcome;

use crate::any::{not_for_two, position, same_rules};
use crate::playable::Playable;
use crate::puct::{AlphaZero, LedSearch};
use crate::resources::Resources;
use crate::spec::AgentSpecError;
use crate::uct::{Mcts, MoveStatistics, Uct};

/// A tree search for one game on one board: [`Uct`] or [`LedSearch`].
pub struct AnySearch {
    home: AnyGame,
    search: Box<dyn NamedSearch>,
}

/// What a tree search knows of a move, for the side that plays it.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchedMove {
    /// The move.
    pub mv: String,
    /// How many simulations began with it.
    pub visits: u64,
    /// Their mean result from −1 (lost) to 1 (won); 0 without visits.
    pub mean: f64,
    /// What it leads to, if that is proved.
    pub proved: Option<Outcome>,
    /// How the search thinks the game goes on, this move first.
    pub line: Vec<String>,
}

impl AnySearch {
    /// A plain search in this position, where the game must not be over. The limit of the options does not
    /// matter here.
    ///
    /// # Errors
    /// If the game does not have two sides, or there is no memory or no thread for the search.
    pub fn plain(
        game: &AnyGame,
        options: &Mcts,
        resources: &Resources,
    ) -> Result<Self, AgentSpecError> {
        let search: Box<dyn NamedSearch> = with_game!(
            game,
            |rules, _start| Box::new(PlainSearch {
                rules: rules.clone(),
                search: Uct::new(rules, options, resources)?,
            }),
            return Err(not_for_two(game))
        );
        Ok(Self::begun(game, search))
    }

    /// A search led by a network, likewise.
    ///
    /// # Errors
    /// If there is no network for this game and board, or no memory for the search.
    pub fn led(
        game: &AnyGame,
        options: &AlphaZero,
        resources: &Resources,
    ) -> Result<Self, AgentSpecError> {
        let search: Box<dyn NamedSearch> = with_game!(
            game,
            |rules, _start| Box::new(NetworkLed {
                rules: rules.clone(),
                search: rules.network_search(options, resources)?,
            }),
            return Err(not_for_two(game))
        );
        Ok(Self::begun(game, search))
    }

    fn begun(game: &AnyGame, search: Box<dyn NamedSearch>) -> Self {
        let mut search = Self {
            home: game.clone(),
            search,
        };
        search.begin(game);
        search
    }

    /// Whether it searches this game on this board.
    #[must_use]
    pub fn searches(&self, game: &AnyGame) -> bool {
        same_rules(&self.home, game)
    }

    /// Begins anew in another position, where the game must not be over.
    ///
    /// # Panics
    /// If the search was made for another game or board.
    pub fn begin(&mut self, game: &AnyGame) {
        assert!(self.searches(game), "a search stays on its board");
        self.search.begin(game);
    }

    /// What the network alone expects after each move, from −1 to 1 for the side that plays it, in the order of
    /// moves; nothing for a plain search.
    pub fn first_opinions(&mut self) -> Vec<(String, f64)> {
        self.search.first_opinions()
    }

    /// What the network alone says of the position: see [`LedSearch::judgement`]. `None` for a plain search.
    pub fn judgement(&mut self) -> Option<(f64, Vec<(String, f64)>)> {
        self.search.judgement()
    }

    /// Makes at most so many simulations, fewer if the budget is spent, the result is proved or there is no
    /// memory left. Returns how many. A network draws nothing from the generator.
    pub fn run(&mut self, simulations: u64, budget: &Budget, random: &mut Random) -> u64 {
        self.search.run(simulations, budget, random)
    }

    /// Whether it can make no simulation until others give memory back.
    #[must_use]
    pub fn lacks_memory(&self) -> bool {
        self.search.lacks_memory()
    }

    /// How many simulations the trees hold.
    #[must_use]
    pub fn simulations(&mut self) -> u64 {
        self.search.simulations()
    }

    /// The result of best play for the side to move, if that is proved.
    #[must_use]
    pub fn outcome(&mut self) -> Option<Outcome> {
        self.search.outcome()
    }

    /// The move to play; none before the first simulation.
    #[must_use]
    pub fn best(&mut self) -> Option<String> {
        self.search.best()
    }

    /// What is known of every move: the one to play first, then proved wins, most visits, proved losses.
    #[must_use]
    pub fn moves(&mut self) -> Vec<SearchedMove> {
        let rank = |proved: Option<Outcome>| match proved {
            Some(Outcome::Win) => 2,
            Some(Outcome::Loss) => 0,
            _ => 1,
        };
        let mut moves = self.search.moves();
        // The sort is stable: equally good moves stay in the order of moves.
        moves.sort_by_key(|found| Reverse((rank(found.proved), found.visits)));
        let best = self.search.best();
        moves.sort_by_key(|found| Some(&found.mv) != best.as_ref());
        moves
    }
}

trait NamedSearch: Send {
    fn begin(&mut self, game: &AnyGame);
    fn first_opinions(&mut self) -> Vec<(String, f64)>;
    fn judgement(&mut self) -> Option<(f64, Vec<(String, f64)>)>;
    fn run(&mut self, simulations: u64, budget: &Budget, random: &mut Random) -> u64;
    fn lacks_memory(&self) -> bool;
    fn simulations(&mut self) -> u64;
    fn outcome(&mut self) -> Option<Outcome>;
    fn best(&mut self) -> Option<String>;
    /// In the order of moves.
    fn moves(&mut self) -> Vec<SearchedMove>;
}

struct PlainSearch<G: Playable> {
    rules: G,
    search: Uct<G>,
}

impl<G: Playable> NamedSearch for PlainSearch<G> {
    fn begin(&mut self, game: &AnyGame) {
        let position = position::<G>(game).expect("the game is the search's own");
        self.search.begin(&position);
    }

    fn first_opinions(&mut self) -> Vec<(String, f64)> {
        Vec::new()
    }

    fn judgement(&mut self) -> Option<(f64, Vec<(String, f64)>)> {
        None
    }

    fn run(&mut self, simulations: u64, budget: &Budget, random: &mut Random) -> u64 {
        self.search.run(simulations, budget, random)
    }

    /// Where trees are full, random games begin at their leaves.
    fn lacks_memory(&self) -> bool {
        false
    }

    fn simulations(&mut self) -> u64 {
        self.search.simulations()
    }

    fn outcome(&mut self) -> Option<Outcome> {
        self.search.outcome()
    }

    fn best(&mut self) -> Option<String> {
        let best = self.search.best()?;
        Some(self.rules.move_name(best.mv))
    }

    fn moves(&mut self) -> Vec<SearchedMove> {
        let moves = self.search.moves().into_iter();
        let line = |mv| self.search.line(mv);
        moves
            .map(|found| named(&self.rules, found, line(found.mv)))
            .collect()
    }
}

struct NetworkLed<G: Playable> {
    rules: G,
    search: Box<dyn LedSearch<G>>,
}

impl<G: Playable> NamedSearch for NetworkLed<G> {
    fn begin(&mut self, game: &AnyGame) {
        let position = position::<G>(game).expect("the game is the search's own");
        self.search.tree().begin(&position);
    }

    fn first_opinions(&mut self) -> Vec<(String, f64)> {
        let position = *self.search.tree().position().expect("a search was begun");
        let found = self.search.first_opinions(&position).into_iter();
        found
            .map(|(mv, value)| (self.rules.move_name(mv), value))
            .collect()
    }

    fn judgement(&mut self) -> Option<(f64, Vec<(String, f64)>)> {
        let position = *self.search.tree().position().expect("a search was begun");
        let (value, shares) = self.search.judgement(&position);
        let named = |(mv, share)| (self.rules.move_name(mv), share);
        Some((value, shares.into_iter().map(named).collect()))
    }

    fn run(&mut self, simulations: u64, budget: &Budget, _: &mut Random) -> u64 {
        self.search.run(simulations, budget)
    }

    fn lacks_memory(&self) -> bool {
        self.search.lacks_memory()
    }

    fn simulations(&mut self) -> u64 {
        self.search.tree().visits().into()
    }

    fn outcome(&mut self) -> Option<Outcome> {
        self.search.tree().outcome()
    }

    fn best(&mut self) -> Option<String> {
        let best = self.search.tree().best()?;
        Some(self.rules.move_name(best.mv))
    }

    fn moves(&mut self) -> Vec<SearchedMove> {
        let (rules, tree) = (&self.rules, self.search.tree());
        let moves = tree.moves().into_iter();
        moves
            .map(|found| named(rules, found, tree.line(found.mv)))
            .collect()
    }
}

/// The same with names for moves.
fn named<G: Playable>(
    rules: &G,
    found: MoveStatistics<G::Move>,
    line: Vec<G::Move>,
) -> SearchedMove {
    SearchedMove {
        mv: rules.move_name(found.mv),
        visits: found.visits,
        mean: found.mean,
        proved: found.proved,
        line: line.into_iter().map(|mv| rules.move_name(mv)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Limit;
    use crate::puct::DEFAULT;

    #[test]
    fn a_search_tells_its_moves_best_first() {
        let game = |position: &str| AnyGame::parse("clobber", position).unwrap();
        let resources = Resources::default();
        let options = Mcts::new(Limit::Count(1));
        let plain = |game: &AnyGame| AnySearch::plain(game, &options, &resources).unwrap();
        let mut search = plain(&game("xoo"));
        search.run(10, &Budget::unlimited(), &mut Random::new(1));
        assert_eq!(search.outcome(), Some(Outcome::Loss));
        let moves = search.moves();
        assert_eq!(moves[0].line, ["a1b1"]);
        assert_eq!(moves[0].proved, Some(Outcome::Loss));
        let game = game("5x6");
        let network = AlphaZero::new(DEFAULT.into());
        let led = AnySearch::led(&game, &network, &resources).unwrap();
        for (mut search, opinions) in [(plain(&game), 0), (led, game.legal().len())] {
            assert_eq!(search.first_opinions().len(), opinions);
            search.run(500, &Budget::unlimited(), &mut Random::new(1));
            assert_eq!(search.simulations(), 500);
            let moves = search.moves();
            assert_eq!(moves.len(), game.legal().len());
            assert_eq!(Some(&moves[0].mv), search.best().as_ref());
            assert!(moves[1..].is_sorted_by_key(|found| Reverse(found.visits)));
            assert!(game.play_all(&moves[0].line).is_ok());
        }
    }
}
