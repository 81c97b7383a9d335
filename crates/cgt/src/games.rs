//! The arena: every value once, in canonical form (Siegel, *Combinatorial Game Theory*, II.2).
//!
//! A value is interned together with its negative, so that negation is a look-up, and after its options,
//! so that whatever is stored beside it follows from theirs.

use rustc_hash::FxHashMap;

use crate::comparison::Comparisons;
use crate::dyadic::Dyadic;
use crate::hash::mix;
use crate::landmarks::{self, Bearings, Landmarks};
use crate::option_sets::OptionSets;
use crate::{Outcome, Value};

/// How many pairs of option sets [`Games::canonical`] remembers before it begins anew.
const REMEMBERED: usize = 1 << 20;

/// An arena of short games in canonical form.
///
/// The same sequence of calls hands out the same handles. A shared reference serves any number of
/// threads; each thread that compares brings its own [`Comparisons`].
///
/// ```
/// use upstar_cgt::{Games, Value};
///
/// let mut games = Games::new();
/// let star = games.canonical(&[Value::ZERO], &[Value::ZERO]);
/// let up = games.canonical(&[Value::ZERO], &[star]);
/// // In {↑|↑} Left's option reverses through ∗ to 0: it is {0|↑}, which is ↑ + ↑ + ∗.
/// let value = games.canonical(&[up], &[up]);
/// assert_eq!(games.left(value), [Value::ZERO]);
/// let double_up = games.sum(up, up);
/// assert_eq!(games.sum(double_up, star), value);
/// ```
#[derive(Clone, Debug)]
pub struct Games {
    forms: OptionSets,
    facts: Vec<Facts>,
    pub(crate) landmarks: Landmarks,
    remembered: OptionSets,
    remembered_values: Vec<Value>,
    pub(crate) comparisons: Comparisons,
    pub(crate) sums: FxHashMap<(Value, Value), Value>,
    pub(crate) weights: FxHashMap<Value, Value>,
    pub(crate) number_of: FxHashMap<Value, Dyadic>,
    pub(crate) with_number: FxHashMap<Dyadic, Value>,
}

/// What is stored beside a value.
#[derive(Clone, Copy, Debug)]
struct Facts {
    bearings: Bearings,
    negative: Value,
    birthday: u32,
    signature: u64,
    is_number: bool,
    is_all_small: bool,
}

impl Games {
    /// An arena with a few dozen simple values, zero being the first.
    pub fn new() -> Games {
        let mut games = Games {
            forms: OptionSets::new(),
            facts: Vec::new(),
            landmarks: Landmarks::none(),
            remembered: OptionSets::new(),
            remembered_values: Vec::new(),
            comparisons: Comparisons::new(),
            sums: FxHashMap::default(),
            weights: FxHashMap::default(),
            number_of: FxHashMap::default(),
            with_number: FxHashMap::default(),
        };
        landmarks::found(&mut games);
        games.landmarks = Landmarks::of(&games);
        for index in 0..games.len() {
            let value = Value::from_index(index);
            games.facts[index].bearings = games.bearings_of(games.left(value), games.right(value));
        }
        games
    }

    /// The game {left|right} in canonical form: without dominated options, reversible ones bypassed.
    ///
    /// May take very long for games with many followers.
    ///
    /// # Panics
    /// Never: the number of comparisons is not limited here.
    pub fn canonical(&mut self, left: &[Value], right: &[Value]) -> Value {
        self.within_comparisons(u64::MAX, |games| games.try_canonical(left, right))
            .flatten()
            .expect("comparisons without end are not used up")
    }

    /// The same, unless the comparisons that are allowed run out: then nothing is added to the arena.
    pub(crate) fn try_canonical(&mut self, left: &[Value], right: &[Value]) -> Option<Value> {
        let (mut left, mut right) = (left.to_vec(), right.to_vec());
        sort(&mut left);
        sort(&mut right);
        if let Some(value) = self.find(&left, &right) {
            return Some(value);
        }
        if let Some(number) = self.remembered.find(&left, &right) {
            return Some(self.remembered_values[number]);
        }
        if self.remembered.len() == REMEMBERED {
            self.forget_simplifications();
        }
        self.remembered.push(&left, &right);

        let mut comparisons = std::mem::take(&mut self.comparisons);
        self.simplify(&mut comparisons, &mut left, &mut right);
        self.comparisons = comparisons;
        if self.comparisons.left == 0 {
            self.forget_simplifications();
            return None;
        }
        let value = self.intern(&left, &right);
        self.remembered_values.push(value);
        Some(value)
    }

    fn forget_simplifications(&mut self) {
        self.remembered.clear();
        self.remembered_values.clear();
    }

    /// The value with these canonical options, made if it is new; what [`Games::simplify`] leaves.
    ///
    /// Other options than sorted canonical ones would be a second form of the same value, and break
    /// the arena.
    pub fn intern(&mut self, left: &[Value], right: &[Value]) -> Value {
        if let Some(value) = self.find(left, right) {
            return value;
        }
        let negate = |options: &[Value]| {
            let mut options: Vec<Value> = options.iter().map(|&v| self.negative(v)).collect();
            options.sort_unstable();
            options
        };
        let (negative_left, negative_right) = (negate(right), negate(left));
        let value = self.push(left, right);
        if left != negative_left {
            let negative = self.push(&negative_left, &negative_right);
            self.facts[value.index()].negative = negative;
            self.facts[negative.index()].negative = value;
        }
        value
    }

    /// The value with these sorted canonical options, if the arena has it.
    pub fn find(&self, left: &[Value], right: &[Value]) -> Option<Value> {
        self.forms.find(left, right).map(Value::from_index)
    }

    /// Left's canonical options, in the order of their handles.
    pub fn left(&self, value: Value) -> &[Value] {
        self.forms.left(value.index())
    }

    /// Right's canonical options, in the order of their handles.
    pub fn right(&self, value: Value) -> &[Value] {
        self.forms.right(value.index())
    }

    /// The game with the players' parts exchanged.
    pub fn negative(&self, value: Value) -> Value {
        self.facts(value).negative
    }

    /// Who wins the game.
    pub fn outcome(&self, value: Value) -> Outcome {
        let bearings = self.bearings(value);
        match (bearings.above & 1, bearings.below & 1) {
            (0, 0) => Outcome::N,
            (0, _) => Outcome::R,
            (_, 0) => Outcome::L,
            _ => Outcome::P,
        }
    }

    /// The depth of the canonical form: the first day on which the value exists.
    pub fn birthday(&self, value: Value) -> u32 {
        self.facts(value).birthday
    }

    /// All positions of the canonical form, itself among them, in the order of their handles: the size
    /// of the value.
    pub fn followers(&self, value: Value) -> Vec<Value> {
        let mut found = vec![value];
        let mut seen: rustc_hash::FxHashSet<Value> = [value].into_iter().collect();
        let mut next = 0;
        while let Some(&follower) = found.get(next) {
            next += 1;
            for &option in self.left(follower).iter().chain(self.right(follower)) {
                if seen.insert(option) {
                    found.push(option);
                }
            }
        }
        found.sort_unstable();
        found
    }

    /// Whether the value is a number.
    pub fn is_number(&self, value: Value) -> bool {
        self.facts(value).is_number
    }

    /// Whether in every position either both players can move or neither can.
    pub fn is_all_small(&self, value: Value) -> bool {
        self.facts(value).is_all_small
    }

    /// How many values the arena holds.
    #[expect(clippy::len_without_is_empty, reason = "an arena is never empty")]
    pub fn len(&self) -> usize {
        self.facts.len()
    }

    /// The value at an index, as [`Value::index`] gave it.
    ///
    /// Interning the options of all values in order makes the same arena again, so indices may be kept in
    /// files.
    pub fn value(&self, index: usize) -> Option<Value> {
        (index < self.len()).then(|| Value::from_index(index))
    }

    /// All values, each after its options.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = Value> + ExactSizeIterator + use<> {
        (0..self.len()).map(Value::from_index)
    }

    /// A hash of the canonical form, which does not depend on what else the arena holds.
    pub(crate) fn signature(&self, value: Value) -> u64 {
        self.facts(value).signature
    }

    pub(crate) fn bearings(&self, value: Value) -> Bearings {
        self.facts(value).bearings
    }

    pub(crate) fn bearings_of(&self, left: &[Value], right: &[Value]) -> Bearings {
        let bearings = |&option: &Value| self.bearings(option);
        self.landmarks
            .bearings(left.iter().map(bearings), right.iter().map(bearings))
    }

    fn facts(&self, value: Value) -> &Facts {
        &self.facts[value.index()]
    }

    /// Stores a new value as its own negative.
    fn push(&mut self, left: &[Value], right: &[Value]) -> Value {
        assert!(
            left.is_sorted() && right.is_sorted(),
            "options are interned in order"
        );
        let options = || left.iter().chain(right).map(|&v| self.facts(v));
        let options_signed = |set: &[Value]| {
            set.iter()
                .map(|&v| mix(self.signature(v)))
                .fold(0, u64::wrapping_add)
        };
        let value = Value::from_index(self.len());
        let number = self.number_from(left, right);
        let facts = Facts {
            bearings: self.bearings_of(left, right),
            negative: value,
            birthday: options()
                .map(|option| option.birthday + 1)
                .max()
                .unwrap_or(0),
            signature: sign(options_signed(left), options_signed(right)),
            is_number: number.is_some(),
            is_all_small: left.is_empty() == right.is_empty()
                && options().all(|option| option.is_all_small),
        };
        self.forms.push(left, right);
        self.facts.push(facts);
        if let Some(number) = number {
            self.number_of.insert(value, number);
            self.with_number.insert(number, value);
        }
        value
    }
}

impl Default for Games {
    fn default() -> Games {
        Games::new()
    }
}

/// The signature of a game from the sums over its left and its right options.
fn sign(left: u64, right: u64) -> u64 {
    mix(left.wrapping_add(1)).wrapping_add(mix(mix(right)).rotate_left(17))
}

/// Makes a sorted set of a list of options.
pub(crate) fn sort(options: &mut Vec<Value>) {
    options.sort_unstable();
    options.dedup();
}
