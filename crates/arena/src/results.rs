//! From records to what ratings are made of.

use std::collections::HashMap;

use upstar_games::Color;

use crate::elo::{Counts, Results};
use crate::ratings::CrossTable;
use crate::record::Record;

/// The most players that are rated together.
pub const MOST_PLAYERS: usize = 1000;

/// The results of a player against another in these records. Two games are a pair if they are of one run,
/// one position and one number of a pair, with exchanged colours.
pub fn results_between(
    records: impl IntoIterator<Item = Record>,
    player: &str,
    opponent: &str,
) -> Results {
    let mut counts = Counts::default();
    let mut pairs = [0; 5];
    // The first games of pairs whose second game is still to come.
    let mut open: HashMap<(u64, String, u64), (Color, u8)> = HashMap::new();
    for record in records {
        let side = match (record.black.as_str(), record.white.as_str()) {
            names if names == (player, opponent) => Color::Black,
            names if names == (opponent, player) => Color::White,
            _ => continue,
        };
        let Some(points) = record.half_points(side) else {
            continue;
        };
        counts.add(points);
        let key = (record.seed, record.position, record.pair);
        match open.get(&key) {
            Some(&(first, before)) if first != side => {
                open.remove(&key);
                pairs[usize::from(before + points)] += 1;
            }
            Some(_) => {}
            None => {
                open.insert(key, (side, points));
            }
        }
    }
    Results {
        counts,
        pairs: (pairs != [0; 5]).then_some(pairs),
    }
}

/// All players of these records, in the order in which they appear, and their results.
///
/// # Errors
/// If there are too many.
pub fn cross_table(
    records: impl IntoIterator<Item = Record>,
) -> Result<(Vec<String>, CrossTable), TooManyPlayers> {
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let mut results: HashMap<(usize, usize), Counts> = HashMap::new();
    for record in records {
        let points = record.half_points(Color::Black);
        let mut number = |name: String| {
            let next = numbers.len();
            *numbers.entry(name).or_insert(next)
        };
        let [black, white] = [number(record.black), number(record.white)];
        if numbers.len() > MOST_PLAYERS {
            return Err(TooManyPlayers);
        }
        if let Some(points) = points
            && black != white
        {
            results.entry((black, white)).or_default().add(points);
        }
    }
    let mut table = CrossTable::new(numbers.len());
    for ((black, white), counts) in results {
        table.add_all(black, white, counts);
    }
    let mut names = vec![String::new(); numbers.len()];
    for (name, number) in numbers {
        names[number] = name;
    }
    Ok((names, table))
}

/// There are more players than can be rated together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there are more than {MOST_PLAYERS} players in these records")]
pub struct TooManyPlayers;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::records::from_usual_transcripts;
    use crate::record::Winner;

    fn record(black: &str, white: &str, pair: u64, winner: Option<Winner>) -> Record {
        let mut record = from_usual_transcripts("f5").unwrap().remove(0);
        (record.black, record.white) = (black.to_owned(), white.to_owned());
        (record.pair, record.winner) = (pair, winner);
        record
    }

    #[test]
    fn games_and_pairs_are_found() {
        let (black, white, draw) = (Winner::Black, Winner::White, Winner::Draw);
        let records = [
            record("a", "b", 0, Some(black)),
            record("a", "c", 0, Some(black)),
            record("b", "a", 1, Some(draw)),
            record("b", "a", 0, Some(white)),
            record("a", "b", 1, Some(white)),
            record("a", "b", 2, Some(draw)),
            record("a", "b", 3, None),
        ];
        let results = results_between(records.clone(), "a", "b");
        assert_eq!(results.counts, "+2 -1 =2".parse().unwrap());
        assert_eq!(results.pairs, Some([0, 1, 0, 0, 1]));
        assert_eq!(results_between(records.clone(), "a", "c").pairs, None);
        let (names, table) = cross_table(records).unwrap();
        assert_eq!(names, ["a", "b", "c"]);
        assert_eq!(table.between(1, 0), "+1 -2 =2".parse().unwrap());
        assert_eq!(table.of(0).games(), 6);
        let many = (0..=1000u64).map(|index| record(&index.to_string(), "0", 0, None));
        assert_eq!(cross_table(many).unwrap_err(), TooManyPlayers);
    }
}
