//! Walls of thermographs: continuous functions of the temperature t ≥ −1 made of straight pieces
//! (Siegel, II.5; Winning Ways, chapter 6).
//!
//! All slopes are −1, 0 or 1, and all corners are dyadic. Arithmetic that leaves the range of [`Dyadic`] gives
//! `None`.

use crate::Dyadic;

/// Where walls begin: the temperature of integers, in which nobody ever wants to move.
pub(crate) const LOWEST: Dyadic = Dyadic::MINUS_ONE;

/// One side of a thermograph, from temperature −1 upwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wall {
    /// By temperature, the first from [`LOWEST`]; each has another slope than the one before.
    pieces: Vec<Piece>,
}

/// A straight piece, up to where the next begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    from: Dyadic,
    value: Dyadic,
    slope: i8,
}

impl Piece {
    fn at(self, temperature: Dyadic) -> Option<Dyadic> {
        let distance = temperature.checked_sub(self.from)?;
        match self.slope {
            0 => Some(self.value),
            1 => self.value.checked_add(distance),
            _ => self.value.checked_sub(distance),
        }
    }

    /// The same line, from a later temperature on.
    fn since(self, from: Dyadic) -> Option<Piece> {
        Some(Piece {
            from,
            value: self.at(from)?,
            ..self
        })
    }

    /// Where this piece meets one that begins at the same temperature, not greater but steeper.
    fn meets(self, steeper: Piece) -> Option<Dyadic> {
        let gap = self.value.checked_sub(steeper.value)?;
        let time = if steeper.slope - self.slope == 2 {
            gap.checked_half()?
        } else {
            gap
        };
        self.from.checked_add(time)
    }
}

impl Wall {
    /// The corners as (temperature, value), beginning at temperature −1; above the last the value stays.
    pub fn corners(&self) -> impl Iterator<Item = (Dyadic, Dyadic)> + '_ {
        self.pieces.iter().map(|piece| (piece.from, piece.value))
    }

    /// The value at a temperature; `None` below −1, or if out of range.
    pub fn at(&self, temperature: Dyadic) -> Option<Dyadic> {
        if temperature < LOWEST {
            None
        } else {
            self.piece(temperature).at(temperature)
        }
    }

    /// The vertical wall, a mast.
    pub(crate) fn mast(value: Dyadic) -> Wall {
        Wall {
            pieces: vec![Piece {
                from: LOWEST,
                value,
                slope: 0,
            }],
        }
    }

    /// With `slope` times the temperature added.
    pub(crate) fn tilted(&self, slope: i8) -> Option<Wall> {
        let tilt = |piece: &Piece| {
            let tax = if slope < 0 { -piece.from } else { piece.from };
            Some(Piece {
                value: piece.value.checked_add(tax)?,
                slope: piece.slope + slope,
                ..*piece
            })
        };
        Some(Wall {
            pieces: self.pieces.iter().map(tilt).collect::<Option<_>>()?,
        })
    }

    /// The greater of two walls, everywhere.
    pub(crate) fn max(&self, other: &Wall) -> Option<Wall> {
        let mut greatest = Wall { pieces: Vec::new() };
        let temperatures = self.temperatures_with(other);
        for (place, &from) in temperatures.iter().enumerate() {
            let a = self.piece(from).since(from)?;
            let b = other.piece(from).since(from)?;
            let a_first = (a.value, a.slope) >= (b.value, b.slope);
            let (high, low) = if a_first { (a, b) } else { (b, a) };
            greatest.push(high);
            if low.slope > high.slope {
                let meeting = high.meets(low)?;
                if temperatures
                    .get(place + 1)
                    .is_none_or(|&next| meeting < next)
                {
                    greatest.push(low.since(meeting)?);
                }
            }
        }
        Some(greatest)
    }

    /// The smaller of two walls, everywhere.
    pub(crate) fn min(&self, other: &Wall) -> Option<Wall> {
        Some(self.negated().max(&other.negated())?.negated())
    }

    /// The first temperature at which this wall, falling, is no more above another, rising.
    pub(crate) fn meets(&self, other: &Wall) -> Option<Dyadic> {
        let temperatures = self.temperatures_with(other);
        for (place, &from) in temperatures.iter().enumerate() {
            let high = self.piece(from).since(from)?;
            let low = other.piece(from).since(from)?;
            if high.value <= low.value {
                return Some(from);
            }
            if low.slope > high.slope {
                let meeting = high.meets(low)?;
                if temperatures
                    .get(place + 1)
                    .is_none_or(|&next| meeting < next)
                {
                    return Some(meeting);
                }
            }
        }
        None
    }

    /// The wall up to a temperature, and a mast above.
    pub(crate) fn topped(&self, temperature: Dyadic) -> Option<Wall> {
        let value = self.at(temperature)?;
        let below = self.pieces.iter().filter(|piece| piece.from < temperature);
        let mut wall = Wall {
            pieces: below.copied().collect(),
        };
        wall.push(Piece {
            from: temperature,
            value,
            slope: 0,
        });
        Some(wall)
    }

    /// Seen from the other side.
    #[must_use]
    pub(crate) fn negated(&self) -> Wall {
        let negate = |piece: &Piece| Piece {
            value: -piece.value,
            slope: -piece.slope,
            ..*piece
        };
        Wall {
            pieces: self.pieces.iter().map(negate).collect(),
        }
    }

    /// Adds a piece, unless it only continues the last.
    fn push(&mut self, piece: Piece) {
        if self
            .pieces
            .last()
            .is_none_or(|last| last.slope != piece.slope)
        {
            self.pieces.push(piece);
        }
    }

    fn piece(&self, temperature: Dyadic) -> Piece {
        let later = self
            .pieces
            .partition_point(|piece| piece.from <= temperature);
        self.pieces[later - 1]
    }

    /// Where a piece of either begins.
    fn temperatures_with(&self, other: &Wall) -> Vec<Dyadic> {
        let pieces = self.pieces.iter().chain(&other.pieces);
        let mut temperatures: Vec<Dyadic> = pieces.map(|piece| piece.from).collect();
        temperatures.sort_unstable();
        temperatures.dedup();
        temperatures
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corners(wall: &Wall) -> Vec<(String, String)> {
        wall.corners()
            .map(|(t, x)| (t.to_string(), x.to_string()))
            .collect()
    }

    #[test]
    fn the_greater_of_a_mast_and_a_slope() {
        let mast = Wall::mast(Dyadic::from(2));
        let slope = Wall::mast(Dyadic::ZERO).tilted(1).unwrap();
        let greater = slope.max(&mast).unwrap();
        assert_eq!(
            corners(&greater),
            [("-1".into(), "2".into()), ("2".into(), "2".into())]
        );
        assert_eq!(greater.at(Dyadic::from(5)), Some(Dyadic::from(5)));
        let smaller = slope.min(&mast).unwrap();
        assert_eq!(
            corners(&smaller),
            [("-1".into(), "-1".into()), ("2".into(), "2".into())]
        );
    }

    #[test]
    fn opposite_slopes_meet_half_way() {
        let left = Wall::mast(Dyadic::ONE).tilted(-1).unwrap();
        let right = Wall::mast(Dyadic::ZERO).tilted(1).unwrap();
        let meeting = left.meets(&right).unwrap();
        assert_eq!(meeting, Dyadic::new(1, 1).unwrap());
        assert_eq!(left.topped(meeting).unwrap().at(Dyadic::ONE), Some(meeting));
    }
}
