//! The laws of the theory, over random games.

use std::cmp::Ordering;
use std::collections::HashMap;

use proptest::prelude::*;
use upstar_cgt::{Comparisons, Dyadic, Games, NumberUpStar, Outcome, Thermographs, Value};

use crate::tree::{Tree, all_small_trees, trees};

/// Three random values, which may be confused with everything.
fn three(a: &Tree, b: &Tree, c: &Tree) -> (Games, [Value; 3]) {
    let mut games = Games::new();
    let values = [a, b, c].map(|tree| tree.value(&mut games));
    (games, values)
}

/// The temperatures at which walls are looked at: from −1 to 7, finely enough for every corner of a small game.
const STEPS_OF_ONE: u32 = 6;
const STEPS: usize = 8 << STEPS_OF_ONE;

fn temperature_of(step: usize) -> Dyadic {
    let numerator = step as i64 - (1 << STEPS_OF_ONE);
    Dyadic::new(numerator, STEPS_OF_ONE).unwrap()
}

/// The left and the right stop of a game cooled by each temperature, straight from the definition: each
/// player takes the best of the other's stops less the tax, until that is no gain any more.
fn cooled_by_steps(
    games: &Games,
    value: Value,
    known: &mut HashMap<Value, Vec<(Dyadic, Dyadic)>>,
) -> Vec<(Dyadic, Dyadic)> {
    if let Some(found) = known.get(&value) {
        return found.clone();
    }
    let number = games.to_number(value);
    let found = if let Some(integer) = number.filter(|it| it.exponent() == 0) {
        vec![(integer, integer); STEPS]
    } else {
        let mut options = |values: &[Value]| -> Vec<Vec<(Dyadic, Dyadic)>> {
            let each = values.iter();
            each.map(|&option| cooled_by_steps(games, option, known))
                .collect()
        };
        let (left, right) = (options(games.left(value)), options(games.right(value)));
        let mut mast = None;
        let at = |step: usize| {
            if let Some(mast) = mast {
                return (mast, mast);
            }
            let tax = temperature_of(step);
            let high = left.iter().map(|option| option[step].1).max().unwrap();
            let low = right.iter().map(|option| option[step].0).min().unwrap();
            let high = high.checked_sub(tax).unwrap();
            let low = low.checked_add(tax).unwrap();
            if high <= low {
                assert_eq!(high, low, "walls meet at one of the steps");
                mast = Some(high);
            }
            (high, low)
        };
        (0..STEPS).map(at).collect()
    };
    known.insert(value, found.clone());
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn values_are_a_group(a in trees(3, 2), b in trees(3, 2), c in trees(2, 2)) {
        let (mut games, [x, y, z]) = three(&a, &b, &c);
        let xy = games.sum(x, y);
        prop_assert_eq!(games.sum(y, x), xy);
        let yz = games.sum(y, z);
        prop_assert_eq!(games.sum(xy, z), games.sum(x, yz));
        prop_assert_eq!(games.sum(x, Value::ZERO), x);
        prop_assert_eq!(games.difference(xy, y), x);
        prop_assert_eq!(games.negative(games.negative(x)), x);
        let (minus_x, minus_y) = (games.negative(x), games.negative(y));
        prop_assert_eq!(games.sum(minus_x, minus_y), games.negative(xy));
    }

    #[test]
    fn comparison_is_a_partial_order(a in trees(4, 3), b in trees(4, 3), c in trees(3, 3)) {
        let (mut games, [x, y, z]) = three(&a, &b, &c);
        prop_assert!(games.le(x, x));
        prop_assert_eq!(games.le(x, y) && games.le(y, x), x == y);
        prop_assert!(!(games.le(x, y) && games.le(y, z)) || games.le(x, z));
        prop_assert_eq!(games.compare(y, x), games.compare(x, y).map(Ordering::reverse));
        let (minus_x, minus_y) = (games.negative(x), games.negative(y));
        prop_assert_eq!(games.compare(minus_y, minus_x), games.compare(x, y));
    }

    #[test]
    fn order_and_sum_go_together(a in trees(3, 2), b in trees(3, 2), c in trees(2, 2)) {
        let (mut games, [x, y, z]) = three(&a, &b, &c);
        let (xz, yz) = (games.sum(x, z), games.sum(y, z));
        prop_assert_eq!(games.compare(xz, yz), games.compare(x, y));
        let difference = games.difference(x, y);
        let outcome = match games.compare(x, y) {
            Some(Ordering::Less) => Outcome::R,
            Some(Ordering::Equal) => Outcome::P,
            Some(Ordering::Greater) => Outcome::L,
            None => Outcome::N,
        };
        prop_assert_eq!(games.outcome(difference), outcome);
    }

    #[test]
    fn canonical_forms_stay_as_they_are(a in trees(4, 4)) {
        let mut games = Games::new();
        a.value(&mut games);
        let len = games.len();
        let mut comparisons = Comparisons::new();
        for value in games.values() {
            let (mut left, mut right) = (games.left(value).to_vec(), games.right(value).to_vec());
            games.simplify(&mut comparisons, &mut left, &mut right);
            prop_assert_eq!(games.left(value), &left);
            prop_assert_eq!(games.right(value), &right);
            prop_assert_eq!(games.canonical(&left, &right), value);
        }
        prop_assert_eq!(games.len(), len);
    }

    #[test]
    fn options_do_not_matter_twice_nor_their_order(a in trees(4, 3)) {
        let mut games = Games::new();
        let value = a.value(&mut games);
        let mut other = a.clone();
        other.left.reverse();
        other.right.extend(a.right.clone());
        prop_assert_eq!(other.value(&mut games), value);
    }

    #[test]
    fn the_same_calls_give_the_same_handles(a in trees(4, 3), b in trees(3, 2)) {
        let ((one, x), (two, y)) = (three(&a, &b, &a), three(&a, &b, &a));
        prop_assert_eq!(x, y);
        prop_assert_eq!(one.len(), two.len());
    }

    /// As a table of values in a file is read again.
    #[test]
    fn arenas_are_rebuilt_from_their_options(a in trees(5, 3), b in all_small_trees(5, 3)) {
        let (games, _) = three(&a, &b, &a);
        let mut again = Games::new();
        for value in games.values() {
            prop_assert_eq!(again.intern(games.left(value), games.right(value)), value);
            prop_assert_eq!(games.value(value.index()), Some(value));
        }
        prop_assert_eq!(games.value(games.len()), None);
    }

    #[test]
    fn sums_keep_within_their_budget(a in trees(4, 3), b in trees(4, 3), budget in 0usize..40) {
        let (mut games, [x, y, _]) = three(&a, &b, &a);
        let len = games.len();
        let sum = games.try_sum(x, y, budget);
        // Each sum makes a value and its negative; sums of numbers may need simpler numbers.
        prop_assert!(games.len() <= len + 2 * budget + 16);
        if let Some(sum) = sum {
            prop_assert_eq!(games.sum(x, y), sum);
        }
    }

    #[test]
    fn numbers_ups_and_nimbers_add_like_their_names(
        numerators in prop::array::uniform2(-40i64..40),
        exponents in prop::array::uniform2(0u32..4),
        ups in prop::array::uniform2(-5i32..6),
        stars in prop::array::uniform2(0u32..9),
    ) {
        let mut games = Games::new();
        let name = |i: usize| NumberUpStar {
            number: Dyadic::new(numerators[i], exponents[i]).unwrap(),
            ups: ups[i],
            star: stars[i],
        };
        let (x, y) = (name(0), name(1));
        let number = x.number.checked_add(y.number).unwrap();
        let sum = NumberUpStar { number, ups: x.ups + y.ups, star: x.star ^ y.star };
        let values = [x, y, sum].map(|name| games.number_up_star(name).unwrap());
        prop_assert_eq!(games.sum(values[0], values[1]), values[2]);
        prop_assert_eq!(games.to_number_up_star(values[2]), Some(sum));
        if x.number != y.number {
            let order = x.number.cmp(&y.number);
            prop_assert_eq!(games.compare(values[0], values[1]), Some(order));
        }
    }

    #[test]
    fn means_add_and_sums_are_not_hotter(a in trees(4, 2), b in trees(3, 2)) {
        let (mut games, [x, y, _]) = three(&a, &b, &a);
        let sum = games.sum(x, y);
        let mut thermographs = Thermographs::new();
        let mut of = |value| thermographs.of(&games, value).unwrap().clone();
        let (tx, ty, tsum) = (of(x), of(y), of(sum));
        prop_assert_eq!(tsum.mean(), tx.mean().checked_add(ty.mean()).unwrap());
        prop_assert!(tsum.temperature() <= tx.temperature().max(ty.temperature()));
        let negative = of(games.negative(x));
        prop_assert_eq!(negative.mean(), -tx.mean());
        prop_assert_eq!(negative.temperature(), tx.temperature());
        prop_assert_eq!(negative.left_stop(), -tx.right_stop());
    }

    #[test]
    fn walls_lean_towards_the_mast(a in trees(5, 3)) {
        let mut games = Games::new();
        let value = a.value(&mut games);
        let thermograph = games.thermograph(value).unwrap();
        prop_assert_eq!(games.is_number(value), thermograph.temperature() < Dyadic::ZERO);
        prop_assert!(thermograph.left_stop() >= thermograph.right_stop());
        let left: Vec<_> = thermograph.left().corners().collect();
        let right: Vec<_> = thermograph.right().corners().collect();
        prop_assert!(left.is_sorted_by(|a, b| a.0 < b.0 && a.1 >= b.1));
        prop_assert!(right.is_sorted_by(|a, b| a.0 < b.0 && a.1 <= b.1));
        let top = Dyadic::from(100);
        prop_assert_eq!(thermograph.left().at(top), Some(thermograph.mean()));
        prop_assert_eq!(thermograph.right().at(top), Some(thermograph.mean()));
        // A game is less than a number above its left stop.
        let above = thermograph.left_stop().checked_add(Dyadic::ONE).unwrap();
        let above = games.number(above).unwrap();
        prop_assert_eq!(games.compare(value, above), Some(Ordering::Less));
    }

    /// Beside the walls made of pieces: every game cooled by hand, temperature by temperature.
    #[test]
    fn walls_are_what_plain_cooling_gives(a in trees(4, 2)) {
        let mut games = Games::new();
        let value = a.value(&mut games);
        let thermograph = games.thermograph(value).unwrap();
        let mut cooled = HashMap::new();
        let plain = cooled_by_steps(&games, value, &mut cooled);
        for (step, &(left, right)) in plain.iter().enumerate() {
            let temperature = temperature_of(step);
            prop_assert_eq!(thermograph.left().at(temperature), Some(left), "{}", temperature);
            prop_assert_eq!(thermograph.right().at(temperature), Some(right), "{}", temperature);
        }
    }

    #[test]
    fn all_small_games_are_infinitesimal(a in all_small_trees(4, 3)) {
        let mut games = Games::new();
        let value = a.value(&mut games);
        prop_assert!(games.is_all_small(value));
        prop_assert_eq!(games.mean(value), Some(Dyadic::ZERO));
        let thermograph = games.thermograph(value).unwrap();
        prop_assert_eq!(thermograph.mean(), Dyadic::ZERO);
        prop_assert_eq!(games.temperature(value), Some(thermograph.temperature()));
        prop_assert_eq!((thermograph.left_stop(), thermograph.right_stop()), (Dyadic::ZERO, Dyadic::ZERO));
        let tiny_number = games.number(Dyadic::new(1, 20).unwrap()).unwrap();
        prop_assert_eq!(games.compare(value, tiny_number), Some(Ordering::Less));
    }

    #[test]
    fn atomic_weights_add(a in all_small_trees(3, 2), b in all_small_trees(3, 2)) {
        let (mut games, [x, y, _]) = three(&a, &b, &a);
        let sum = games.sum(x, y);
        let weights = [x, y, sum].map(|value| games.atomic_weight(value).unwrap());
        prop_assert_eq!(games.sum(weights[0], weights[1]), weights[2]);
        let negative = games.negative(x);
        prop_assert_eq!(games.atomic_weight(negative), Some(games.negative(weights[0])));
    }

    /// aw(G) ≥ 2 makes G positive, aw(G) ≥ 1 makes Left win when he begins (Siegel, II.7).
    #[test]
    fn who_is_two_ahead_wins(a in all_small_trees(5, 3), ups in -3i32..=3) {
        let mut games = Games::new();
        let (value, ups) = (a.value(&mut games), games.ups(ups));
        let value = games.sum(value, ups);
        let weight = games.atomic_weight(value).unwrap();
        let (one, two) = (games.integer(1), games.integer(2));
        let outcome = games.outcome(value);
        prop_assert!(!games.le(two, weight) || outcome == Outcome::L);
        prop_assert!(!games.le(one, weight) || matches!(outcome, Outcome::L | Outcome::N));
    }

    /// G is between −n·↑ and n·↑ for some n, and its weight says about which.
    #[test]
    fn weights_bound_games(a in all_small_trees(4, 3)) {
        let mut games = Games::new();
        let value = a.value(&mut games);
        let weight = games.atomic_weight(value).unwrap();
        let left_stop = games.thermograph(weight).unwrap().left_stop();
        let bound = i32::try_from(left_stop.floor() + 3).unwrap();
        let ups = games.ups(bound);
        prop_assert!(games.le(value, ups));
    }
}

#[test]
fn threads_simplify_through_one_arena() {
    let mut games = Games::new();
    let mut values = vec![Value::ZERO, games.nimber(2), games.ups(3), games.integer(2)];
    let (up, star) = (games.ups(1), games.nimber(1));
    values.extend([
        games.switch(up, star),
        games.negative(up),
        games.plus_minus(values[3]),
    ]);
    let pairs: Vec<[Value; 2]> = values
        .iter()
        .flat_map(|&a| values.iter().map(move |&b| [a, b]))
        .collect();
    let simplified = |games: &Games, pairs: &[[Value; 2]]| -> Vec<(Vec<Value>, Vec<Value>)> {
        let mut comparisons = Comparisons::new();
        let sides = pairs
            .iter()
            .flat_map(|left| pairs.iter().map(move |right| (left, right)));
        let mut simplify = |(left, right): (&[Value; 2], &[Value; 2])| {
            let (mut left, mut right) = (left.to_vec(), right.to_vec());
            games.simplify(&mut comparisons, &mut left, &mut right);
            (left, right)
        };
        sides.map(&mut simplify).collect()
    };
    let shared = &games;
    let results = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| simplified(shared, &pairs)))
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect::<Vec<_>>()
    });
    assert!(results.iter().all(|result| *result == results[0]));
    let mut forms = results[0].iter();
    for left in &pairs {
        for right in &pairs {
            let (canonical_left, canonical_right) = forms.next().unwrap();
            let value = games.intern(canonical_left, canonical_right);
            assert_eq!(games.canonical(left, right), value);
        }
    }
}
