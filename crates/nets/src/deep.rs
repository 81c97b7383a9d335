//! Large networks with two heads: a policy, a number per action, and a value, what the side to move
//! may hope for.
//!
//! A [`Design`] says what a network is made for and of, a [`DeepNetwork`] adds the parameters, and an
//! [`Evaluator`] is a network made ready for one board. [`DeepNetwork::plain`] is the same in plain
//! loops. A [`Learner`] teaches a network.
//!
//! ```
//! use upstar_games::{Clobber, Color, Grid, Random, Rules, clobber};
//! use upstar_nets::deep::{Acting, DeepNetwork, Design, Evaluator, Model, Planes};
//!
//! let design = Design {
//!     game: "clobber".parse()?,
//!     board: None,
//!     model: Model::Resnet,
//!     planes: Planes::Free,
//!     width: 32,
//!     depth: 2,
//! };
//! let network = DeepNetwork::random(design, &mut Random::new(1))?;
//!
//! let grid: Grid = "5x6".parse()?;
//! let game = Clobber::<u64>::new(grid);
//! let start = game.position(&clobber::checkerboard(grid), Color::Black).unwrap();
//! let mut evaluator = Evaluator::new(&network, &grid)?;
//! let (mut policy, mut value) = (vec![0.0; evaluator.actions()], [0.0]);
//! evaluator.evaluate(&[game.observe(&start)], &mut policy, &mut value);
//!
//! let logit = |mv| game.action(mv).map(|action| policy[action]);
//! assert!(game.moves(&start).all(|mv| logit(mv).is_some()));
//! assert!(value[0].abs() <= 1.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod anatomy;
mod conv;
mod dense;
mod design;
mod direct;
mod evaluator;
mod file;
mod gradient;
mod heads;
mod learner;
mod network;
mod observation;
mod plain;
mod stem;
mod tile;
mod trunk;
mod winograd;

pub use design::{
    Design, DesignError, MOST_DEPTH, MOST_NUMBERS, MOST_WIDTH, Model, NameError, Planes,
};
pub use evaluator::Evaluator;
pub use gradient::Gradient;
pub use learner::{Learner, Lessons, Losses, Settings};
pub use network::DeepNetwork;
pub use observation::{Acting, Observation};
