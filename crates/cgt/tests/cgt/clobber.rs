//! Rows of Clobber, worked out with nothing but their rules: a supply of all-small games. `oracles/`
//! uses this file too.

use std::collections::HashMap;

use upstar_cgt::{Games, Value};

/// A row such as `"xo.xx"`: Left moves the `x`, Right the `o`, onto a neighbouring stone of the other.
pub(crate) fn row_value(games: &mut Games, known: &mut HashMap<String, Value>, row: &str) -> Value {
    let parts: Vec<&str> = row.split('.').filter(|part| part.len() > 1).collect();
    if let [part] = parts[..] {
        return part_value(games, known, part);
    }
    parts.into_iter().fold(Value::ZERO, |sum, part| {
        let part = part_value(games, known, part);
        games.sum(sum, part)
    })
}

fn part_value(games: &mut Games, known: &mut HashMap<String, Value>, part: &str) -> Value {
    if let Some(&value) = known.get(part) {
        return value;
    }
    let [left, right] = options(part).map(|rows| -> Vec<Value> {
        let values = rows.iter().map(|row| row_value(games, known, row));
        values.collect()
    });
    let value = games.canonical(&left, &right);
    known.insert(part.to_owned(), value);
    value
}

/// The rows to which Left and Right can move.
pub(crate) fn options(row: &str) -> [Vec<String>; 2] {
    let stones = row.as_bytes();
    let [mut left, mut right] = [Vec::new(), Vec::new()];
    for from in 0..stones.len() {
        for to in [from.wrapping_sub(1), from + 1] {
            let rows = match (stones[from], stones.get(to)) {
                (b'x', Some(b'o')) => &mut left,
                (b'o', Some(b'x')) => &mut right,
                _ => continue,
            };
            let mut next = stones.to_vec();
            next[to] = stones[from];
            next[from] = b'.';
            rows.push(String::from_utf8(next).unwrap());
        }
    }
    [left, right]
}

/// All rows of `length` stones without gaps.
pub(crate) fn rows(length: usize) -> impl Iterator<Item = String> {
    (0..1u32 << length).map(move |bits| {
        (0..length)
            .map(|i| if bits >> i & 1 == 1 { 'x' } else { 'o' })
            .collect()
    })
}
