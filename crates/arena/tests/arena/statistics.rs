//! Ratings and tests against players of known strength: intervals cover the truth about 95 times in a
//! hundred, and the sequential test errs at most about 5 times.

use upstar_arena::{Counts, CrossTable, Hypothesis, Rating, Results, Sprt, ratings, score_of_elo};
use upstar_games::Random;

/// Half points of a player who is stronger by this much, where draws are as frequent as this.
fn game(elo: f64, draws: f64, random: &mut Random) -> u8 {
    let score = score_of_elo(elo);
    let draw = draws * 2.0 * score.min(1.0 - score);
    let win = score - draw / 2.0;
    let drawn = random.unit();
    if drawn < win {
        2
    } else {
        u8::from(drawn < win + draw)
    }
}

/// The score in a pair of games when openings favour one colour: the games depend on each other.
fn pair(elo: f64, bias: f64, draws: f64, random: &mut Random) -> [u8; 2] {
    let favour = if random.below(2) == 0 { bias } else { -bias };
    // The mean of the two chances must be that of the player's strength.
    let (up, down) = (score_of_elo(elo + favour), score_of_elo(elo - favour));
    let shift = score_of_elo(elo) - (up + down) / 2.0;
    [up, down].map(|score| {
        let score = (score + shift).clamp(0.001, 0.999);
        let elo = 400.0 * (score / (1.0 - score)).log10();
        game(elo, draws, random)
    })
}

fn results(elo: f64, draws: f64, games: u64, random: &mut Random) -> Results {
    let mut counts = Counts::default();
    (0..games).for_each(|_| counts.add(game(elo, draws, random)));
    counts.into()
}

fn results_of_pairs(elo: f64, draws: f64, pairs: u64, random: &mut Random) -> Results {
    let mut results = Results {
        counts: Counts::default(),
        pairs: Some([0; 5]),
    };
    (0..pairs).for_each(|_| add_pair(&mut results, pair(elo, 200.0, draws, random)));
    results
}

fn add_pair(results: &mut Results, points: [u8; 2]) {
    points
        .into_iter()
        .for_each(|points| results.counts.add(points));
    let pairs = results.pairs.as_mut().unwrap();
    pairs[usize::from(points[0] + points[1])] += 1;
}

#[test]
fn intervals_cover_the_truth() {
    let mut random = Random::new(1);
    let tries = 2000;
    for (elo, draws) in [(0.0, 0.0), (60.0, 0.3), (-150.0, 0.0), (150.0, 0.6)] {
        for pairs in [false, true] {
            let mut covered = 0;
            for _ in 0..tries {
                let results = if pairs {
                    results_of_pairs(elo, draws, 150, &mut random)
                } else {
                    results(elo, draws, 300, &mut random)
                };
                let estimate = results.estimate();
                let (low, high) = (estimate.low.unwrap(), estimate.high.unwrap());
                covered += u32::from(low <= elo && elo <= high);
            }
            // One standard deviation of the share is half a per cent.
            let share = f64::from(covered) / f64::from(tries);
            assert!(
                (0.93..0.97).contains(&share),
                "{elo} {draws} {pairs}: {share}"
            );
        }
    }
}

/// With biased openings, single games overstate the error and pairs do not.
#[test]
fn pairs_say_more_than_games() {
    let mut random = Random::new(2);
    let results = results_of_pairs(20.0, 0.3, 5000, &mut random);
    let games = Results::from(results.counts);
    let (narrow, wide) = (
        results.estimate().error.unwrap(),
        games.estimate().error.unwrap(),
    );
    assert!(narrow < 0.92 * wide, "{narrow} {wide}");
}

#[test]
fn superiority_is_as_likely_as_said() {
    // Of players that are equal, a fifth should look superior with more than 80 %.
    let mut random = Random::new(3);
    let sure = (0..2000).filter(|_| {
        let estimate = results(0.0, 0.2, 200, &mut random).estimate();
        estimate.los.unwrap() > 0.8
    });
    let share = sure.count() as f64 / 2000.0;
    assert!((0.16..0.24).contains(&share), "{share}");
}

#[test]
fn the_sequential_test_seldom_errs() {
    let mut random = Random::new(4);
    let sprt: Sprt = "0,40".parse().unwrap();
    let tries = 600;
    for pairs in [false, true] {
        for (elo, right) in [(0.0, Hypothesis::Elo0), (40.0, Hypothesis::Elo1)] {
            let mut wrong = 0;
            for _ in 0..tries {
                let mut results = Results {
                    counts: Counts::default(),
                    pairs: pairs.then_some([0; 5]),
                };
                let accepted = loop {
                    if pairs {
                        add_pair(&mut results, pair(elo, 200.0, 0.3, &mut random));
                    } else {
                        results.counts.add(game(elo, 0.3, &mut random));
                    }
                    if let Some(accepted) = sprt.state(&results).accepted {
                        break accepted;
                    }
                };
                wrong += u32::from(accepted != right);
            }
            // One standard deviation of the share is 0.9 %.
            let share = f64::from(wrong) / f64::from(tries);
            assert!(share < 0.07, "{pairs} {elo}: {share}");
        }
    }
}

#[test]
fn ratings_of_many_players_cover_the_truth() {
    let mut random = Random::new(5);
    let truth = [-180.0, -60.0, 0.0, 40.0, 200.0];
    let (tries, mut covered, mut anchored) = (600, 0, 0);
    for _ in 0..tries {
        let mut table = CrossTable::new(truth.len());
        for a in 0..truth.len() {
            for b in a + 1..truth.len() {
                (0..60).for_each(|_| table.add(a, b, game(truth[a] - truth[b], 0.0, &mut random)));
            }
        }
        let covers = |anchor: Option<usize>, base: f64| {
            let rated = ratings(&table, anchor);
            let within = |(rating, truth): (&Rating, &f64)| match rating {
                Rating::Known { elo, error } => (elo - (truth - base)).abs() <= *error,
                _ => false,
            };
            let rated = rated.iter().zip(&truth).enumerate();
            let others = rated.filter(|&(player, _)| Some(player) != anchor);
            others.filter(|&(_, both)| within(both)).count()
        };
        covered += covers(None, 0.0);
        anchored += covers(Some(2), 0.0);
    }
    let (share, anchored) = (
        covered as f64 / (5 * tries) as f64,
        anchored as f64 / (4 * tries) as f64,
    );
    assert!((0.935..0.965).contains(&share), "{share}");
    assert!((0.935..0.965).contains(&anchored), "{anchored}");
}
