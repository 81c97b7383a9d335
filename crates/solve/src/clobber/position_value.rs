//! The combinatorial value of a position: the canonical value of each component, and of their sum.
//!
//! Two threads are at work. One values components from the values of their options, which is exact and
//! quick up to some size; the other, once that takes long, proves by search who wins and whether a value is
//! one of the simplest. What neither finds within the budget stays open.

mod parts;
mod recognition;
mod valuation;

use std::collections::HashMap;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

use upstar_cgt::{Games, NumberUpStar, Outcome, Value};
use upstar_games::{Cells, Setup};

pub use self::parts::parts;
use self::recognition::Recognition;
pub(super) use self::valuation::Valuation;
use super::value_tables::ValueTables;
use crate::error::SolveError;
use upstar_jobs::{Budget, Ledger, ThreadError, Watch};

/// Values found sooner than this need no search.
const PATIENCE: Duration = Duration::from_millis(400);

/// How often the budget is looked at.
const BEAT: Duration = Duration::from_millis(10);

/// The stack of a thread: recursion goes as deep as there are stones, or plies in values.
const STACK: usize = 64 << 20;

/// The most memory for values and components, in bytes, the least to begin with, and what each takes.
const ROOM: usize = 10_000_000 * EACH_VALUE;
const LEAST_ROOM: usize = 16 << 20;
const EACH_VALUE: usize = 100;

/// The combinatorial value of a position, as far as it was found.
#[derive(Clone, Debug)]
pub struct PositionValue {
    /// The arena of all values here.
    pub games: Games,
    /// The components in which somebody can move, in the order of their first cells.
    pub components: Vec<Component>,
    /// The value of the whole position.
    pub value: Option<Value>,
    /// Who wins; may be known where the value is not.
    pub outcome: Option<Outcome>,
}

/// A connected set of stones.
#[derive(Clone, Debug)]
pub struct Component {
    /// The component alone: in its box on a grid, with its vertices on a graph.
    pub setup: Setup,
    /// Its value.
    pub value: Option<Value>,
}

impl PositionValue {
    /// The value of a position of Clobber, or of cannibal Clobber. If it takes long, value tables are looked
    /// for in `tables`, and small ones made there. The watch is told which share of the components is valued.
    /// All threads have ended when this returns.
    ///
    /// # Errors
    /// If there is no memory for the stacks, or no thread can be started.
    pub fn of(
        setup: &Setup,
        cannibal: bool,
        tables: &ValueTables,
        ledger: &Ledger,
        budget: &Budget,
        watch: &dyn Watch,
    ) -> Result<Self, SolveError> {
        let components = parts::components(setup, cannibal);
        let _stack = ledger.memory(STACK)?;
        // Others find something too: no more than half of what is free.
        let room = ROOM.min(ledger.free() / 2).max(LEAST_ROOM);
        let room = ledger.up_to(room, LEAST_ROOM)?;
        let inner = Budget::unlimited();
        let desk = Desk {
            known: Mutex::new(Known {
                games: Games::new(),
                values: vec![None; components.len()],
                sum: None,
                outcome: None,
                working: 0,
            }),
            changed: Condvar::new(),
            setup: setup.clone(),
            components,
            cannibal,
            room: room.bytes() / EACH_VALUE,
            budget: inner.clone(),
        };
        let begun = Instant::now();
        thread::scope(|scope| -> Result<(), SolveError> {
            desk.employ(scope, Desk::value_all)?;
            let mut waiting = true;
            let mut known = desk.known();
            while known.working > 0 && !known.is_complete() && !budget.is_over() {
                known = desk.changed.wait_timeout(known, BEAT).expect(NO_PANIC).0;
                watch.progress(known.share());
                if begun.elapsed() >= PATIENCE && waiting {
                    waiting = false;
                    drop(known);
                    // Without memory for a search the other way has to do.
                    if let Ok(stack) = ledger.memory(STACK) {
                        let (tables, ledger) = (tables.clone(), ledger.clone());
                        let mut recognition = Recognition::new(cannibal, tables, ledger);
                        desk.employ(scope, move |desk| {
                            desk.recognise_all(&mut recognition);
                            drop(stack);
                        })?;
                    }
                    known = desk.known();
                }
            }
            drop(known);
            inner.cancel();
            Ok(())
        })?;
        let Desk {
            known, components, ..
        } = desk;
        let known = known.into_inner().expect(NO_PANIC);
        let components = components.into_iter().zip(known.values);
        Ok(Self {
            outcome: known
                .sum
                .map(|sum| known.games.outcome(sum))
                .or(known.outcome),
            value: known.sum,
            components: components
                .map(|(setup, value)| Component { setup, value })
                .collect(),
            games: known.games,
        })
    }

    /// Whether the values of all components and of their sum were found.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.value.is_some()
            && self
                .components
                .iter()
                .all(|component| component.value.is_some())
    }
}

const NO_PANIC: &str = "a thread panicked";

/// Where the threads lay down what they have found.
struct Desk {
    setup: Setup,
    components: Vec<Setup>,
    cannibal: bool,
    /// The most values and components to hold.
    room: usize,
    /// Ends the work of both.
    budget: Budget,
    known: Mutex<Known>,
    changed: Condvar,
}

#[derive(Default)]
struct Known {
    games: Games,
    values: Vec<Option<Value>>,
    sum: Option<Value>,
    outcome: Option<Outcome>,
    /// How many threads are at work.
    working: usize,
}

impl Known {
    /// The share of the values that are found, the sum included.
    fn share(&self) -> f64 {
        let found = self.values.iter().chain([&self.sum]).flatten().count();
        found as f64 / (self.values.len() + 1) as f64
    }

    fn is_complete(&self) -> bool {
        self.sum.is_some() && self.values.iter().all(Option::is_some)
    }
}

impl Desk {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().expect(NO_PANIC)
    }

    /// Whether the value of a component is still sought.
    fn is_open(&self, index: usize) -> bool {
        !self.budget.is_over() && self.known().values.get(index).is_some_and(Option::is_none)
    }

    /// Lays something down, unless time is up.
    fn note(&self, note: impl FnOnce(&mut Known)) {
        let mut known = self.known();
        if !self.budget.is_over() {
            note(&mut known);
        }
        self.changed.notify_all();
    }

    /// Has a thread do this work.
    fn employ<'scope, 'env>(
        &'env self,
        scope: &'scope Scope<'scope, 'env>,
        work: impl FnOnce(&Self) + Send + 'scope,
    ) -> Result<(), ThreadError> {
        /// Leaves, even if by a panic.
        struct Leave<'a>(&'a Desk);
        impl Drop for Leave<'_> {
            fn drop(&mut self) {
                self.0.known().working -= 1;
                self.0.changed.notify_all();
            }
        }
        self.known().working += 1;
        let leave = Leave(self);
        upstar_jobs::thread::start(scope, STACK, move || {
            // The whole guard moves into the thread, not only what it refers to.
            let leave = leave;
            work(leave.0);
        })?;
        Ok(())
    }

    /// Values components by their options, small ones first, and the sum.
    fn value_all(&self) {
        let mut valuation = Valuation::new(self.cannibal, self.room);
        let mut order: Vec<usize> = (0..self.components.len()).collect();
        order.sort_by_key(|&index| stones(&self.components[index]));
        for index in order {
            let stop = || !self.is_open(index);
            match valuation.value(&self.components[index], &stop) {
                Some(value) => self.note(|known| {
                    known.values[index] = Some(copy(value, valuation.games(), &mut known.games));
                }),
                // The next may be easier, in fresh memory.
                None => valuation = Valuation::new(self.cannibal, self.room),
            }
        }
        self.add_all(&mut valuation);
    }

    /// Adds the values up, as soon as all are known.
    fn add_all(&self, valuation: &mut Valuation) {
        let mut known = self.known();
        while !self.budget.is_over() && known.sum.is_none() {
            let values: Option<Vec<Value>> = known.values.iter().copied().collect();
            if let Some(values) = values {
                let mut copied = |value| copy(value, &known.games, valuation.games());
                let mut values: Vec<Value> = values.into_iter().map(&mut copied).collect();
                drop(known);
                // Small values first; a value and its negative cancel before anything is added.
                values.sort_by_key(|&value| valuation.games().birthday(value));
                let stop = || self.budget.is_over() || self.known().sum.is_some();
                let sum = cancelled(values, valuation.games())
                    .into_iter()
                    .try_fold(Value::ZERO, |sum, value| valuation.sum(sum, value, &stop));
                if let Some(sum) = sum {
                    self.note(|known| {
                        known.sum = Some(copy(sum, valuation.games(), &mut known.games));
                    });
                }
                return;
            }
            if known.working < 2 {
                return;
            }
            known = self.changed.wait_timeout(known, BEAT).expect(NO_PANIC).0;
        }
    }

    /// Recognises values by search: of the whole, if that is easy, of components, small ones first, and of
    /// the whole again.
    fn recognise_all(&self, recognition: &mut Recognition) {
        const EASY: u64 = 100_000;
        self.recognise_sum(recognition, &self.budget.clone().with_nodes(EASY));
        let mut order: Vec<usize> = (0..self.components.len()).collect();
        order.sort_by_key(|&index| stones(&self.components[index]));
        if order.len() > 1 {
            for index in order {
                let component = &self.components[index];
                if self.is_open(index)
                    && let Some(outcome) = recognition.outcome(component, &self.budget)
                    && self.is_open(index)
                    && let Some(value) = recognition.value(component, outcome, &self.budget)
                {
                    self.note(|known| {
                        let value = Some(make(value, &mut known.games));
                        known.values[index] = known.values[index].or(value);
                    });
                }
            }
        }
        self.recognise_sum(recognition, &self.budget);
    }

    fn recognise_sum(&self, recognition: &mut Recognition, budget: &Budget) {
        if self.known().sum.is_some() {
            return;
        }
        let outcome = recognition.outcome(&self.setup, budget);
        self.note(|known| known.outcome = known.outcome.or(outcome));
        if let Some(outcome) = outcome
            && let Some(value) = recognition.value(&self.setup, outcome, budget)
        {
            self.note(|known| {
                let value = Some(make(value, &mut known.games));
                known.sum = known.sum.or(value);
                if let [only] = &mut known.values[..] {
                    *only = known.sum;
                }
            });
        }
    }
}

/// How many stones there are.
fn stones(setup: &Setup) -> u32 {
    setup.occupied().len()
}

fn make(value: NumberUpStar, games: &mut Games) -> Value {
    games
        .number_up_star(value)
        .expect("small numbers are in reach")
}

/// The values without pairs that are each other's negatives.
fn cancelled(values: Vec<Value>, games: &Games) -> Vec<Value> {
    let mut kept: Vec<Value> = Vec::new();
    for value in values {
        match kept
            .iter()
            .position(|&other| other == games.negative(value))
        {
            Some(place) => {
                kept.remove(place);
            }
            None => kept.push(value),
        }
    }
    kept
}

/// A value of one arena in another.
fn copy(value: Value, from: &Games, to: &mut Games) -> Value {
    fn copy(
        value: Value,
        from: &Games,
        to: &mut Games,
        known: &mut HashMap<Value, Value>,
    ) -> Value {
        if let Some(&copied) = known.get(&value) {
            return copied;
        }
        let mut sides = [from.left(value), from.right(value)].map(|options| {
            options
                .iter()
                .map(|&option| copy(option, from, to, known))
                .collect::<Vec<_>>()
        });
        for side in &mut sides {
            side.sort_unstable();
        }
        let copied = to.intern(&sides[0], &sides[1]);
        known.insert(value, copied);
        copied
    }
    copy(value, from, to, &mut HashMap::new())
}
