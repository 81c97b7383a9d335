//! Pictures of thermographs: temperature upwards from −1 and, as tradition has it, Left's values to the left.
//!
//! Both axes have the same scale, so that walls stand upright or lean by 45 degrees. Corners are joined to the
//! axes by dotted lines and labelled there.

use std::fmt::Write;

use crate::wall::LOWEST;
use crate::{Dyadic, Thermograph, Wall};

const PLOT: f64 = 320.0;
const MARGIN: f64 = 44.0;
/// Where the axis of temperatures stands, with room for labels to its left.
const AXIS: f64 = 60.0;
/// From the axis to the greatest value.
const GAP: f64 = 24.0;
/// How far the mast is drawn above the corners, in pixels.
const MAST: f64 = 60.0;

impl Thermograph {
    /// The thermograph as a picture in SVG.
    pub fn svg(&self) -> String {
        let frame = Frame::around(self);
        let mut svg = frame.open();
        frame.draw_axes(self, &mut svg);
        frame.draw_wall(self.left(), self.temperature(), "#1f6feb", &mut svg);
        frame.draw_wall(self.right(), self.temperature(), "#d1242f", &mut svg);
        frame.draw_mast(self, &mut svg);
        svg.push_str("</svg>\n");
        svg
    }
}

/// From values and temperatures to pixels.
struct Frame {
    /// The greatest value shown, at the left.
    greatest: f64,
    scale: f64,
    width: f64,
    height: f64,
}

impl Frame {
    fn around(thermograph: &Thermograph) -> Frame {
        let foot = |wall: &Wall| wall.at(LOWEST).expect("walls begin there").to_f64();
        let (left, right) = (foot(thermograph.left()), foot(thermograph.right()));
        // The temperature 0 is always in the picture.
        let top = thermograph.temperature().to_f64().max(0.0) - LOWEST.to_f64();
        let scale = PLOT / (left - right).max(top);
        // A thin thermograph stands in the middle of a picture that is not thin.
        let width = ((left - right) * scale).max(PLOT / 2.0);
        let greatest = (left + right) / 2.0 + width / scale / 2.0;
        Frame {
            greatest,
            scale,
            width: AXIS + GAP + width + MARGIN,
            height: top * scale + MAST + 2.0 * MARGIN,
        }
    }

    fn x(&self, value: Dyadic) -> f64 {
        AXIS + GAP + (self.greatest - value.to_f64()) * self.scale
    }

    fn y(&self, temperature: Dyadic) -> f64 {
        self.height - MARGIN - (temperature.to_f64() - LOWEST.to_f64()) * self.scale
    }

    fn open(&self) -> String {
        format!(
            concat!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w:.0} {h:.0}\" ",
                "width=\"{w:.0}\" height=\"{h:.0}\" font-family=\"sans-serif\" font-size=\"13\">\n",
                "<title>thermograph</title>\n",
                "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
            ),
            w = self.width,
            h = self.height,
        )
    }

    fn draw_axes(&self, thermograph: &Thermograph, svg: &mut String) {
        let (ground, right) = (self.y(LOWEST), self.width - MARGIN + GAP);
        let zero = self.y(Dyadic::ZERO);
        line(svg, [AXIS, ground, right, ground], "#57606a", "");
        line(svg, [AXIS, zero, right, zero], "#afb8c1", "");
        line(svg, [AXIS, ground, AXIS, MARGIN / 2.0], "#57606a", "");
        text(svg, AXIS, MARGIN / 2.0 - 8.0, "middle", "t");

        let corners = || {
            thermograph
                .left()
                .corners()
                .chain(thermograph.right().corners())
        };
        let mut values: Vec<Dyadic> = corners().map(|(_, value)| value).collect();
        values.sort_unstable();
        values.dedup();
        let mut last_label = f64::NEG_INFINITY;
        for &value in values.iter().rev() {
            let x = self.x(value);
            let top = corners()
                .filter(|&(_, v)| v == value)
                .map(|(t, _)| self.y(t));
            let top = top.fold(ground, f64::min);
            line(
                svg,
                [x, ground + 4.0, x, top],
                "#afb8c1",
                " stroke-dasharray=\"2 3\"",
            );
            // Labels that would run into each other take turns on two lines.
            let low = x - last_label < 26.0;
            text(
                svg,
                x,
                ground + if low { 34.0 } else { 20.0 },
                "middle",
                &value.to_string(),
            );
            last_label = if low { f64::NEG_INFINITY } else { x };
        }

        let mut temperatures: Vec<Dyadic> = corners().map(|(temperature, _)| temperature).collect();
        temperatures.push(Dyadic::ZERO);
        temperatures.sort_unstable();
        temperatures.dedup();
        let mut last_label = f64::INFINITY;
        for &temperature in &temperatures {
            let y = self.y(temperature);
            let reached = corners()
                .filter(|&(t, _)| t == temperature)
                .map(|(_, value)| self.x(value));
            let reached = reached.fold(AXIS, f64::max);
            line(
                svg,
                [AXIS - 4.0, y, reached, y],
                "#afb8c1",
                " stroke-dasharray=\"2 3\"",
            );
            if last_label - y >= 14.0 {
                text(svg, AXIS - 8.0, y + 4.0, "end", &temperature.to_string());
                last_label = y;
            }
        }
    }

    fn draw_wall(&self, wall: &Wall, top: Dyadic, color: &str, svg: &mut String) {
        let end = wall.at(top).map(|value| (top, value));
        let points: Vec<String> = wall
            .corners()
            .chain(end)
            .map(|(temperature, value)| format!("{:.1},{:.1}", self.x(value), self.y(temperature)))
            .collect();
        writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2.5\" \
             stroke-linejoin=\"round\" stroke-linecap=\"round\"/>",
            points.join(" "),
        )
        .expect("writing to a string");
    }

    fn draw_mast(&self, thermograph: &Thermograph, svg: &mut String) {
        let (x, foot) = (
            self.x(thermograph.mean()),
            self.y(thermograph.temperature()),
        );
        let top = foot - MAST;
        line(svg, [x, foot, x, top], "#24292f", " stroke-width=\"2.5\"");
        writeln!(
            svg,
            "<path d=\"M{:.1},{:.1} L{x:.1},{top:.1} L{:.1},{:.1}\" fill=\"none\" stroke=\"#24292f\" \
             stroke-width=\"2.5\"/>",
            x - 5.0,
            top + 9.0,
            x + 5.0,
            top + 9.0,
        )
        .expect("writing to a string");
        let label = format!(
            "mean {}, temperature {}",
            thermograph.mean(),
            thermograph.temperature()
        );
        text(svg, self.width / 2.0, top - 12.0, "middle", &label);
    }
}

fn line(svg: &mut String, [x1, y1, x2, y2]: [f64; 4], color: &str, more: &str) {
    writeln!(
        svg,
        "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{color}\"{more}/>"
    )
    .expect("writing to a string");
}

fn text(svg: &mut String, x: f64, y: f64, anchor: &str, text: &str) {
    writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"#24292f\">{text}</text>"
    )
    .expect("writing to a string");
}
