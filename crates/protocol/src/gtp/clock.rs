//! The clocks of both sides, with main time and Canadian byo-yomi, and how much of it one move may take.

use std::time::Duration;

use upstar_games::Color;

/// What is kept for the way of the answer to the referee.
const RESERVE: Duration = Duration::from_millis(50);

/// The clocks of both sides; none run until they are set.
#[derive(Clone, Debug, Default)]
pub(super) struct Clocks {
    settings: Option<Settings>,
    sides: [Option<Side>; 2],
}

#[derive(Clone, Copy, Debug)]
struct Settings {
    main: Duration,
    byo: Duration,
    stones: u32,
}

/// What a side has left: with stones, time for so many moves; without, main time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Side {
    time: Duration,
    stones: u32,
}

impl Clocks {
    /// So much main time, then `byo` for every `stones` moves.
    pub(super) fn set(&mut self, main: Duration, byo: Duration, stones: u32) {
        let unlimited = match (byo.is_zero(), stones) {
            (true, _) => main.is_zero(),
            (false, stones) => stones == 0,
        };
        self.settings = (!unlimited).then_some(Settings { main, byo, stones });
        self.wind_up();
    }

    /// Both sides have all their time again.
    pub(super) fn wind_up(&mut self) {
        self.sides = [self.settings.map(Settings::first); 2];
    }

    /// A side has so much left, as the referee says.
    pub(super) fn correct(&mut self, color: Color, time: Duration, stones: u32) {
        self.sides[color.index()] = Some(Side { time, stones });
    }

    /// How long a side may think about a move when so many plies may follow; `None` if no clock runs.
    pub(super) fn share(&self, color: Color, plies_left: u32) -> Option<Duration> {
        let Side { time, stones } = self.sides[color.index()]?;
        let share = match stones {
            // Games end before the last possible ply, and what is late in a game is soon decided.
            0 => time.div_f64(1.0 + 0.6 * f64::from(plies_left.div_ceil(2))),
            _ => time / stones,
        };
        let next = match self.settings {
            Some(Settings { byo, stones, .. }) if stones > 0 => byo / stones,
            _ => Duration::ZERO,
        };
        // With byo-yomi behind it no main time need be left, but what is left of it is no more.
        let share = share.max(next.min(time));
        let reserve = RESERVE.min(share / 4);
        Some((share - reserve).max(Duration::from_millis(1)))
    }

    /// A side has made a move after so long.
    pub(super) fn spend(&mut self, color: Color, spent: Duration) {
        let side = &mut self.sides[color.index()];
        let Some(Side { time, stones }) = *side else {
            return;
        };
        let time = time.saturating_sub(spent);
        let byo_yomi = self.settings.and_then(Settings::byo_yomi);
        *side = match (stones, byo_yomi) {
            (0, Some(byo_yomi)) if time.is_zero() => Some(byo_yomi),
            (1, Some(byo_yomi)) => Some(byo_yomi),
            (1, None) => Some(Side { time, stones }),
            (0, _) => Some(Side { time, stones }),
            (more, _) => Some(Side {
                time,
                stones: more - 1,
            }),
        };
    }
}

impl Settings {
    fn first(self) -> Side {
        match self.byo_yomi() {
            Some(byo_yomi) if self.main.is_zero() => byo_yomi,
            _ => Side {
                time: self.main,
                stones: 0,
            },
        }
    }

    fn byo_yomi(self) -> Option<Side> {
        (self.stones > 0 && !self.byo.is_zero()).then_some(Side {
            time: self.byo,
            stones: self.stones,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn clocks(main: u32, byo: u32, stones: u32) -> Clocks {
        let mut clocks = Clocks::default();
        clocks.set(main * SECOND, byo * SECOND, stones);
        clocks
    }

    #[test]
    fn without_limits_no_clock_runs() {
        for clocks in [
            Clocks::default(),
            clocks(0, 0, 0),
            clocks(5, 5, 0),
            clocks(0, 0, 3),
        ] {
            assert_eq!(clocks.share(Color::Black, 10), None);
        }
    }

    #[test]
    fn main_time_lasts_for_the_whole_game() {
        let mut clocks = clocks(60, 0, 0);
        let mut all = Duration::ZERO;
        for plies in (0..64).rev().step_by(2) {
            let share = clocks.share(Color::White, plies).unwrap();
            all += share;
            clocks.spend(Color::White, share);
        }
        assert!(all < 60 * SECOND && all > 45 * SECOND, "{all:?}");
        clocks.wind_up();
        assert!(clocks.share(Color::White, 64).unwrap() > SECOND);
    }

    #[test]
    fn byo_yomi_follows_and_begins_again() {
        let mut clocks = clocks(10, 6, 2);
        clocks.spend(Color::Black, 11 * SECOND);
        assert_eq!(clocks.share(Color::Black, 60), Some(3 * SECOND - RESERVE));
        clocks.spend(Color::Black, SECOND);
        assert_eq!(clocks.share(Color::Black, 60), Some(5 * SECOND - RESERVE));
        clocks.spend(Color::Black, SECOND);
        assert_eq!(clocks.share(Color::Black, 60), Some(3 * SECOND - RESERVE));
        clocks.correct(Color::Black, SECOND, 1);
        assert_eq!(clocks.share(Color::Black, 60), Some(SECOND - RESERVE));
    }
}
