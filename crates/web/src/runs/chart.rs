//! A chart as data: what the page and the reports draw.

use serde::Serialize;

/// Lines over a common axis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Chart {
    /// What is shown; charts of two runs with the same title are laid over each other.
    pub title: String,
    /// The unit of the numbers, or what they are of.
    pub unit: String,
    /// What goes to the right: `step`, `games`, …
    pub right: String,
    /// How numbers are laid out.
    pub scale: Scale,
    /// The lines.
    pub lines: Vec<ChartLine>,
}

/// How the numbers of a chart are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// At equal distances.
    Linear,
    /// Powers of ten at equal distances.
    Logarithmic,
    /// From 0 to 1, shown in percent.
    Share,
}

/// A line of a chart.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChartLine {
    /// Its name; empty if it is the only one.
    pub name: String,
    /// The points, from left to right.
    pub points: Vec<[f64; 2]>,
    /// For each point where the number lies, with 95 % confidence or over seeds; none if that is not known.
    pub band: Vec<[f64; 2]>,
    /// What the band is, in words; empty without one.
    pub band_of: String,
}

/// A place to the right, and a number between its lower and its upper bound; nothing if it was not measured.
pub(crate) type BandedPoint = (f64, Option<[f64; 3]>);

impl Chart {
    /// A chart without lines yet.
    pub(crate) fn new(title: &str, unit: &str, right: &str, scale: Scale) -> Self {
        Self {
            title: title.to_owned(),
            unit: unit.to_owned(),
            right: right.to_owned(),
            scale,
            lines: Vec::new(),
        }
    }

    /// The same with another line, if it has a point.
    pub(crate) fn with(
        mut self,
        name: &str,
        points: impl IntoIterator<Item = (f64, Option<f64>)>,
    ) -> Self {
        let points = points.into_iter();
        let points =
            points.filter_map(|(right, up)| Some([right, up.filter(|up| up.is_finite())?]));
        self.push(ChartLine {
            name: name.to_owned(),
            points: points.collect(),
            band: Vec::new(),
            band_of: String::new(),
        });
        self
    }

    /// The same with another line, each point of which has a lower and an upper bound.
    pub(crate) fn with_band(
        mut self,
        name: &str,
        band_of: &str,
        points: impl IntoIterator<Item = BandedPoint>,
    ) -> Self {
        let (points, band): (Vec<[f64; 2]>, Vec<[f64; 2]>) = points
            .into_iter()
            .filter_map(|(right, numbers)| {
                let [low, up, high] = numbers?;
                Some(([right, up], [low, high]))
            })
            .unzip();
        self.push(ChartLine {
            name: name.to_owned(),
            points,
            band,
            band_of: band_of.to_owned(),
        });
        self
    }

    fn push(&mut self, line: ChartLine) {
        if !line.points.is_empty() {
            self.lines.push(line);
        }
    }
}

/// Those charts that have something to show.
pub(crate) fn drawn(charts: Vec<Chart>) -> Vec<Chart> {
    let mut charts = charts;
    charts.retain(|chart| !chart.lines.is_empty());
    charts
}
