//! Growth curves as an SVG of small multiples: one panel for each family, seconds on a logarithmic axis.

use std::fmt::Write;

/// One curve of one family: a solver's seconds by number of events.
pub struct Curve {
    pub family: String,
    pub solver: String,
    pub points: Vec<(usize, f64)>,
}

const COLOURS: [&str; 7] = [
    "#1b6ca8", "#d1495b", "#e8a33d", "#5b8e55", "#7d5ba6", "#7a7a7a", "#2a9d8f",
];
const PANEL: (f64, f64) = (360.0, 260.0);
const FLOOR: f64 = 1e-4;
const CEILING: f64 = 100.0;

pub fn svg(curves: &[Curve]) -> String {
    let mut families: Vec<&str> = curves.iter().map(|curve| curve.family.as_str()).collect();
    families.sort_unstable();
    families.dedup();
    let mut solvers: Vec<&str> = Vec::new();
    for curve in curves {
        if !solvers.contains(&curve.solver.as_str()) {
            solvers.push(&curve.solver);
        }
    }
    let rows = families.len().div_ceil(3) as f64;
    let (width, height) = (3.0 * PANEL.0, rows * PANEL.1 + 40.0);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    for (index, solver) in solvers.iter().enumerate() {
        let x = 20.0 + 150.0 * index as f64;
        let colour = COLOURS[index % COLOURS.len()];
        let _ = writeln!(
            out,
            "<rect x=\"{x}\" y=\"12\" width=\"14\" height=\"4\" fill=\"{colour}\"/><text x=\"{}\" y=\"18\">{solver}</text>",
            x + 18.0
        );
    }
    for (index, family) in families.iter().enumerate() {
        let left = (index % 3) as f64 * PANEL.0;
        let top = (index / 3) as f64 * PANEL.1 + 30.0;
        panel(&mut out, family, curves, &solvers, left, top);
    }
    out.push_str("</svg>\n");
    out
}

fn panel(out: &mut String, family: &str, curves: &[Curve], solvers: &[&str], left: f64, top: f64) {
    let (x0, y0, w, h) = (left + 45.0, top + 25.0, PANEL.0 - 65.0, PANEL.1 - 65.0);
    let mine: Vec<&Curve> = curves
        .iter()
        .filter(|curve| curve.family == family)
        .collect();
    let largest = mine
        .iter()
        .flat_map(|curve| &curve.points)
        .map(|point| point.0)
        .max()
        .unwrap_or(1) as f64;
    let x_of = |events: usize| x0 + w * events as f64 / largest;
    let y_of = |seconds: f64| {
        let share = (seconds.clamp(FLOOR, CEILING) / FLOOR).ln() / (CEILING / FLOOR).ln();
        y0 + h - h * share
    };
    let _ = writeln!(
        out,
        "<text x=\"{x0}\" y=\"{}\" font-weight=\"bold\">{family}</text>",
        top + 16.0
    );
    let mut tick = FLOOR;
    while tick <= CEILING * 1.01 {
        let y = y_of(tick);
        let _ = writeln!(
            out,
            "<line x1=\"{x0}\" x2=\"{}\" y1=\"{y}\" y2=\"{y}\" stroke=\"#e5e5e5\"/><text x=\"{}\" y=\"{}\" text-anchor=\"end\">{tick}s</text>",
            x0 + w,
            x0 - 4.0,
            y + 4.0
        );
        tick *= 10.0;
    }
    let _ = writeln!(
        out,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{largest} events</text>",
        x0 + w,
        y0 + h + 16.0
    );
    for curve in mine {
        let index = solvers
            .iter()
            .position(|solver| *solver == curve.solver)
            .unwrap_or(0);
        let colour = COLOURS[index % COLOURS.len()];
        let points: Vec<String> = curve
            .points
            .iter()
            .map(|&(n, s)| format!("{:.1},{:.1}", x_of(n), y_of(s)))
            .collect();
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            points.join(" ")
        );
        for &(n, s) in &curve.points {
            let _ = writeln!(
                out,
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"2.5\" fill=\"{colour}\"/>",
                x_of(n),
                y_of(s)
            );
        }
    }
}
