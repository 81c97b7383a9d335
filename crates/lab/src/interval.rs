//! Intervals: where a printed number should be if the paper did what we do.
//!
//! All are 99 % intervals, so of a hundred cells about one is outside by chance.

/// The normal distribution's 99.5 % point.
const Z: f64 = 2.575_829_303_548_901;

/// Student's 99.5 % points for 1 to 30 degrees of freedom.
const T: [f64; 30] = [
    63.657, 9.925, 5.841, 4.604, 4.032, 3.707, 3.499, 3.355, 3.250, 3.169, 3.106, 3.055, 3.012,
    2.977, 2.947, 2.921, 2.898, 2.878, 2.861, 2.845, 2.831, 2.819, 2.807, 2.797, 2.787, 2.779,
    2.771, 2.763, 2.756, 2.750,
];

/// Student's 99.5 % point. Above 30 degrees the first terms of its expansion are exact enough.
fn student(degrees: usize) -> f64 {
    match T.get(degrees.wrapping_sub(1)) {
        Some(&point) => point,
        None => {
            let degrees = degrees as f64;
            let second = 5.0 * Z.powi(5) + 16.0 * Z.powi(3) + 3.0 * Z;
            Z + (Z.powi(3) + Z) / (4.0 * degrees) + second / (96.0 * degrees * degrees)
        }
    }
}

/// Wilson's score interval of a share.
pub(crate) fn wilson(wins: f64, games: f64) -> [f64; 2] {
    upstar_arena::wilson(wins, games, Z)
}

/// Where another share of `others` games may be that was printed as `printed`, if both are of the same
/// kind of games: Newcombe's interval for a difference (1998, method 10), turned into one for
/// the other share.
pub(crate) fn another_share(wins: f64, games: f64, printed: f64, others: f64) -> [f64; 2] {
    let share = wins / games.max(1.0);
    let [low, high] = wilson(wins, games);
    let [printed_low, printed_high] = wilson(printed * others, others);
    [
        (share - (share - low).hypot(printed_high - printed)).max(0.0),
        (share + (high - share).hypot(printed - printed_low)).min(1.0),
    ]
}

/// Where one more value may be, given these, if they are spread as a bell; and at least as far as
/// they themselves reach. `None` for a single one.
pub(crate) fn one_more(values: &[f64]) -> Option<[f64; 2]> {
    if values.len() < 2 {
        return None;
    }
    let count = values.len() as f64;
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let deviation = (squares / (count - 1.0)).sqrt();
    let half = student(values.len() - 1) * deviation * (1.0 + 1.0 / count).sqrt();
    let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    Some([(mean - half).min(lowest), (mean + half).max(highest)])
}

/// Where the difference of two means may be, by Welch's test, which lets both scatter in their own way. `None` if
/// there are fewer than two of either.
pub(crate) fn difference(a: &[f64], b: &[f64]) -> Option<[f64; 2]> {
    if a.len() < 2 || b.len() < 2 {
        return None;
    }
    let [a_error, b_error] = [a, b].map(|values| {
        let mean = mean(values);
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        squares / ((values.len() - 1) * values.len()) as f64
    });
    let difference = mean(a) - mean(b);
    let error = a_error + b_error;
    if error == 0.0 {
        return Some([difference; 2]);
    }
    let [a_rest, b_rest] = [a, b].map(|values| values.len() as f64 - 1.0);
    // Satterthwaite's degrees of freedom, rounded down to be on the safe side.
    let degrees = error.powi(2) / (a_error.powi(2) / a_rest + b_error.powi(2) / b_rest);
    let half = student(degrees as usize) * error.sqrt();
    Some([difference - half, difference + half])
}

/// The median; `None` of nothing.
pub(crate) fn median(values: &[f64]) -> Option<f64> {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => None,
        count if count % 2 == 1 => Some(values[middle]),
        _ => Some((values[middle - 1] + values[middle]) / 2.0),
    }
}

/// The mean.
pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[cfg(test)]
mod tests {
    use upstar_games::Random;

    use super::*;

    #[test]
    fn student_joins_the_normal_distribution() {
        assert!((student(15) - 2.947).abs() < 1e-9);
        assert!((student(31) - 2.744).abs() < 1e-3);
        assert!((student(1_000_000) - Z).abs() < 1e-4);
    }

    /// Shares and means of synthetic runs are outside as often as promised: 1 % of the time.
    #[test]
    fn intervals_hold_what_they_promise() {
        let mut random = Random::new(5);
        let mut wins =
            |games: u32, share: f64| (0..games).filter(|_| random.unit() < share).count() as f64;
        let mut outside = 0;
        for _ in 0..4000 {
            let (ours, theirs) = (wins(400, 0.3), wins(100, 0.3));
            let [low, high] = another_share(ours, 400.0, theirs / 100.0, 100.0);
            outside += u32::from(!(low..=high).contains(&(theirs / 100.0)));
        }
        assert!((15..=70).contains(&outside), "{outside} of 4000");
        let mut outside = 0;
        for _ in 0..4000 {
            let values: Vec<f64> = (0..17).map(|_| wins(100, 0.5)).collect();
            let [low, high] = one_more(&values[1..]).unwrap();
            outside += u32::from(!(low..=high).contains(&values[0]));
        }
        assert!((10..=70).contains(&outside), "{outside} of 4000");
        assert_eq!(one_more(&[1.0]), None);
        let mut outside = 0;
        for _ in 0..4000 {
            let a: Vec<f64> = (0..4).map(|_| wins(100, 0.5)).collect();
            let b: Vec<f64> = (0..8).map(|_| wins(100, 0.2)).collect();
            let [low, high] = difference(&a, &b).unwrap();
            outside += u32::from(!(low..=high).contains(&30.0));
        }
        assert!((10..=70).contains(&outside), "{outside} of 4000");
        assert_eq!(difference(&[1.0], &[1.0, 2.0]), None);
        assert_eq!(difference(&[2.0, 2.0], &[1.0, 1.0]), Some([1.0, 1.0]));
    }
}
