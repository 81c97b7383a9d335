//! Pictures as text: coloured fields and lines over axes.

use std::fmt::Write;

use super::escape;

/// A grid of coloured fields with a number in each.
pub(super) struct Fields<'a> {
    pub(super) title: &'a str,
    pub(super) down: (&'a str, &'a [String]),
    pub(super) right: (&'a str, &'a [String]),
    /// Row by row: a share from 0 to 1 for the colour, and the text.
    pub(super) fields: &'a [Option<(f64, String)>],
}

impl Fields<'_> {
    pub(super) fn draw(&self) -> String {
        const WIDE: usize = 62;
        const HIGH: usize = 24;
        const LEFT: usize = 90;
        const TOP: usize = 58;
        let (rows, columns) = (self.down.1.len(), self.right.1.len());
        let (width, height) = (LEFT + columns * WIDE + 6, TOP + rows * HIGH + 6);
        let mut text = open(width, height);
        let _ = write!(
            text,
            "<text x=\"4\" y=\"16\" font-weight=\"bold\">{}</text><text x=\"4\" y=\"{}\">{}</text>\
             <text x=\"{LEFT}\" y=\"34\">{}</text>",
            escape(self.title),
            TOP - 6,
            escape(self.down.0),
            escape(self.right.0)
        );
        for (place, name) in self.right.1.iter().enumerate() {
            let x = LEFT + place * WIDE + WIDE / 2;
            let (y, name) = (TOP - 6, escape(name));
            let _ = write!(
                text,
                "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{name}</text>"
            );
        }
        for (row, name) in self.down.1.iter().enumerate() {
            let y = TOP + row * HIGH;
            let (x, base, name) = (LEFT - 6, y + 16, escape(name));
            let _ = write!(
                text,
                "<text x=\"{x}\" y=\"{base}\" text-anchor=\"end\">{name}</text>"
            );
            for column in 0..columns {
                let Some(Some((share, label))) = self.fields.get(row * columns + column) else {
                    continue;
                };
                let x = LEFT + column * WIDE;
                let (middle, label) = (x + WIDE / 2, escape(label));
                let ink = if *share < 0.55 { "#fff" } else { "#000" };
                let _ = write!(
                    text,
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{WIDE}\" height=\"{HIGH}\" fill=\"{}\"/>\
                     <text x=\"{middle}\" y=\"{base}\" text-anchor=\"middle\" fill=\"{ink}\">{label}</text>",
                    color(*share)
                );
            }
        }
        text + "</svg>\n"
    }
}

/// Lines over two axes.
pub(super) struct Lines<'a> {
    pub(super) title: &'a str,
    pub(super) right: &'a str,
    pub(super) up: &'a str,
    pub(super) lines: &'a [(String, Vec<(f64, f64)>)],
    pub(super) scale: Scale,
}

/// What goes up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scale {
    /// From the lowest number, or 0, to the highest.
    Linear,
    /// From 0 to 1.
    Share,
    /// Whole powers of ten, each as far from the next.
    Logarithmic,
}

/// What one of many things says about something, if it does.
pub(super) type Reading<'a, T> = Box<dyn Fn(&T) -> Option<f64> + 'a>;

/// A line for each reading of these things, over what is to the right; nothing for those that say nothing.
pub(super) fn gathered<T>(
    things: &[T],
    right: impl Fn(&T) -> f64,
    readings: Vec<(String, Reading<'_, T>)>,
) -> Vec<(String, Vec<(f64, f64)>)> {
    let lines = readings.into_iter().map(|(name, read)| {
        let points = things
            .iter()
            .filter_map(|thing| Some((right(thing), read(thing)?)));
        (name, points.collect::<Vec<_>>())
    });
    lines.filter(|(_, points)| !points.is_empty()).collect()
}

impl Lines<'_> {
    pub(super) fn draw(&self) -> String {
        const WIDTH: f64 = 420.0;
        const HEIGHT: f64 = 240.0;
        const LEFT: f64 = 60.0;
        const TOP: f64 = 30.0;
        let points = || self.lines.iter().flat_map(|(_, points)| points);
        let right_most = points().map(|point| point.0).fold(1.0, f64::max);
        let axis = Axis::of(points().map(|point| point.1), self.scale);
        let place = |&(x, y): &(f64, f64)| {
            (
                LEFT + WIDTH * x / right_most,
                TOP + HEIGHT * (1.0 - axis.share(y)),
            )
        };
        let mut text = open((LEFT + WIDTH) as usize + 190, (TOP + HEIGHT) as usize + 50);
        let bottom = TOP + HEIGHT;
        let _ = write!(
            text,
            "<text x=\"4\" y=\"16\" font-weight=\"bold\">{}</text>\
             <path d=\"M{LEFT} {TOP}V{bottom}H{}\" fill=\"none\" stroke=\"#888\"/>\
             <text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\
             <text x=\"{LEFT}\" y=\"{}\">{}</text>",
            escape(self.title),
            LEFT + WIDTH,
            LEFT + WIDTH,
            bottom + 36.0,
            escape(self.right),
            TOP - 4.0,
            escape(self.up)
        );
        // Games, steps and the like are whole.
        let step = round_step(right_most).max(1.0);
        for mark in (0..).map(|index| f64::from(index) * step) {
            if mark > right_most {
                break;
            }
            let _ = write!(
                text,
                "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                LEFT + WIDTH * mark / right_most,
                bottom + 18.0,
                short(mark)
            );
        }
        for (share, value) in axis.marks() {
            let _ = write!(
                text,
                "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{value}</text>",
                LEFT - 6.0,
                bottom - HEIGHT * share + 4.0
            );
        }
        for (number, (name, points)) in self.lines.iter().enumerate() {
            let hue = (number * 137) % 360;
            let path: Vec<String> = points
                .iter()
                .map(place)
                .map(|(x, y)| format!("{x:.1},{y:.1}"))
                .collect();
            let y = TOP + 14.0 * number as f64 + 8.0;
            // A line of one point could not be seen.
            if let [point] = points[..] {
                let (x, y) = place(&point);
                let _ = write!(
                    text,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"hsl({hue} 70% 40%)\"/>"
                );
            }
            let _ = write!(
                text,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"hsl({hue} 70% 40%)\" stroke-width=\"1.5\"/>\
                 <text x=\"{}\" y=\"{y}\" fill=\"hsl({hue} 70% 35%)\">{}</text>",
                path.join(" "),
                LEFT + WIDTH + 8.0,
                escape(name)
            );
        }
        text + "</svg>\n"
    }
}

/// From bottom to top.
struct Axis {
    low: f64,
    high: f64,
    /// From one mark to the next.
    step: f64,
    logarithmic: bool,
}

impl Axis {
    fn of(numbers: impl Iterator<Item = f64>, scale: Scale) -> Self {
        if scale != Scale::Logarithmic {
            let least = if scale == Scale::Share { 1.0 } else { 0.0 };
            let (low, high) = numbers.fold((0.0, least), |(low, high), number| {
                (f64::min(low, number), f64::max(high, number))
            });
            let high = if low < high { high } else { low + 1.0 };
            let step = round_step(high - low);
            return Self {
                low: (low / step).floor() * step,
                high: (high / step).ceil() * step,
                step,
                logarithmic: false,
            };
        }
        let powers = numbers.filter(|number| *number > 0.0).map(f64::log10);
        let (low, high) = powers.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), power| {
            (low.min(power.floor()), high.max(power.ceil()))
        });
        let low = if low.is_finite() { low } else { 0.0 };
        let high = high.max(low + 1.0);
        Self {
            low,
            high,
            step: ((high - low + 4.0) / 5.0).floor().max(1.0),
            logarithmic: true,
        }
    }

    /// How far up a number is, from 0 to 1.
    fn share(&self, number: f64) -> f64 {
        let number = if self.logarithmic {
            number.max(f64::MIN_POSITIVE).log10()
        } else {
            number
        };
        ((number - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    /// Places from 0 to 1 with what stands there.
    fn marks(&self) -> Vec<(f64, String)> {
        let count = ((self.high - self.low) / self.step + 1e-6) as u32;
        let mark = |index: u32| {
            let mark = self.low + f64::from(index) * self.step;
            let text = match self.logarithmic {
                true => format!("10<tspan dy=\"-4\" font-size=\"9\">{mark}</tspan>"),
                false => short(mark),
            };
            ((mark - self.low) / (self.high - self.low), text)
        };
        (0..=count).map(mark).collect()
    }
}

/// The beginning of a picture.
pub(super) fn open(width: usize, height: usize) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"system-ui,sans-serif\" font-size=\"12\">"
    )
}

/// From dark blue over green to yellow.
fn color(share: f64) -> String {
    const STOPS: [[f64; 3]; 4] = [
        [68.0, 1.0, 84.0],
        [49.0, 104.0, 142.0],
        [53.0, 183.0, 121.0],
        [253.0, 231.0, 37.0],
    ];
    let place = share.clamp(0.0, 1.0) * 3.0;
    let stop = (place as usize).min(2);
    let rest = place - stop as f64;
    let part = |channel: usize| {
        let (from, to) = (STOPS[stop][channel], STOPS[stop + 1][channel]);
        (from + (to - from) * rest).round()
    };
    format!("rgb({} {} {})", part(0), part(1), part(2))
}

/// A round number of which three to six make this length.
fn round_step(length: f64) -> f64 {
    let power = 10f64.powf((length / 4.0).log10().floor());
    let steps = [1.0, 2.0, 2.5, 5.0, 10.0].map(|step| step * power);
    let nearest = steps.into_iter().min_by(|a, b| {
        let distance = |step: &f64| (length / 4.0 / step).ln().abs();
        distance(a).total_cmp(&distance(b))
    });
    nearest.expect("there are some")
}

/// 1500000 as 1.5M.
pub(super) fn short(number: f64) -> String {
    let (value, mark) = match number.abs() {
        1e6.. => (number / 1e6, "M"),
        1e4.. => (number / 1e3, "k"),
        _ => (number, ""),
    };
    // Two digits behind the point, or what a small number needs.
    let text = match value.abs() {
        0.0 => "0".to_owned(),
        0.1.. => format!("{value:.2}"),
        1e-4.. => format!("{value:.5}"),
        _ => return format!("{value:e}"),
    };
    let text = match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => &text,
    };
    format!("{text}{mark}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(short(1_500_000.0), "1.5M");
        assert_eq!(short(97_955.0), "97.95k");
        assert_eq!(short(0.25), "0.25");
        assert_eq!(short(-0.125), "-0.12");
        assert_eq!(short(0.0025), "0.0025");
        assert_eq!(short(100.0), "100");
        assert_eq!(short(0.0), "0");
    }

    #[test]
    fn marks_are_round() {
        assert_eq!(round_step(1.0), 0.25);
        assert_eq!(round_step(6.0), 2.0);
        assert_eq!(round_step(86_000.0), 20_000.0);
        let axis = Axis::of([0.0033].into_iter(), Scale::Share);
        assert!(axis.share(0.0033) < 0.01);
        let marks = |numbers: &[f64]| {
            let axis = Axis::of(numbers.iter().copied(), Scale::Linear);
            let marks: Vec<String> = axis.marks().into_iter().map(|(_, text)| text).collect();
            marks.join(" ")
        };
        assert_eq!(marks(&[0.86]), "0 0.2 0.4 0.6 0.8 1");
        assert_eq!(marks(&[-1.0, 0.5]), "-1 -0.5 0 0.5");
        assert_eq!(marks(&[4311.0]), "0 1000 2000 3000 4000 5000");
    }

    #[test]
    fn powers_of_ten_are_equally_far_apart() {
        let axis = Axis::of([0.002, 30.0].into_iter(), Scale::Logarithmic);
        let shares = [0.001, 0.01, 0.1, 1.0, 10.0, 100.0].map(|number| axis.share(number));
        for pair in shares.windows(2) {
            assert!((pair[1] - pair[0] - 0.2).abs() < 1e-9, "{shares:?}");
        }
        assert_eq!((shares[0], axis.marks().len()), (0.0, 6));
        let axis = Axis::of([0.5, 2.0].into_iter(), Scale::Linear);
        assert_eq!((axis.share(1.0), axis.share(3.0)), (0.5, 1.0));
        let empty = Axis::of(std::iter::empty(), Scale::Logarithmic);
        assert!(empty.share(1.0).is_finite() && empty.marks().len() == 2);
    }
}
