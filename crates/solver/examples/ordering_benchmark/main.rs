//! The ordering benchmark: growing families of problems, every solver in one run, raw numbers and curves.
//!
//! `cargo run --release --example ordering_benchmark -- OUTPUT-DIRECTORY [SECONDS [FAMILY…]]` writes `ordering.csv` and
//! `ordering.svg` into the directory and prints the ratios at the largest size each competitor finished. A
//! solver that reaches the time limit on a family is not asked for larger sizes of it. Times are
//! processor seconds, so that a busy machine changes them little. `--plot DIRECTORY` only draws the curves again.

mod backends;
mod plot;
mod scenario;

use raddle_solver::order::clocks::ChainClocks;
use raddle_solver::order::closure::BitClosure;
use raddle_solver::order::topological::TopologicalOrder;
use scenario::Scenario;
use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

type Family = (&'static str, Vec<Scenario>);

fn families() -> Vec<Family> {
    let counters = |threads: usize, sizes: &[usize], count: u32| {
        sizes
            .iter()
            .map(|&size| scenario::counters(threads, size, count))
            .collect::<Vec<_>>()
    };
    vec![
        (
            "counter, 2 threads",
            counters(2, &[2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32], 1),
        ),
        ("counter, 3 threads", counters(3, &[2, 3, 4, 6, 8, 12], 1)),
        (
            "two counters, 2 threads",
            counters(2, &[2, 3, 4, 5, 8, 12, 16], 2),
        ),
        (
            "store buffering ring",
            [8, 16, 32, 64, 128, 256]
                .map(|n| scenario::store_buffering(n, 2))
                .into(),
        ),
        (
            "message passing ring",
            [8, 16, 32, 64, 128, 256]
                .map(|n| scenario::message_passing(n, 3))
                .into(),
        ),
        (
            "lock chain, 1 round",
            (2..=7).map(|n| scenario::lock_chain(n, 1)).collect(),
        ),
        (
            "lock chain, 2 threads",
            (1..=7).map(|n| scenario::lock_chain(2, n)).collect(),
        ),
    ]
}

const SOLVERS: [&str; 11] = [
    "theory",
    "theory, no ranges",
    "theory, bit sets",
    "theory, topological",
    "7-bit clocks",
    "tight clocks",
    "z3, clocks",
    "z3, all integers",
    "7-bit clocks, ranges",
    "z3, clocks, ranges",
    "z3, all integers, ranges",
];

fn run(solver: &str, scenario: &mut Scenario, limit: Duration) -> Option<f64> {
    use backends::{bit_vector_clocks, theory, z3_clocks};
    match solver {
        "theory" => {
            theory::<ChainClocks>(scenario, limit, false, true)
                .0
                .seconds
        }
        "theory, no ranges" => {
            theory::<ChainClocks>(scenario, limit, false, false)
                .0
                .seconds
        }
        "theory, bit sets" => theory::<BitClosure>(scenario, limit, false, true).0.seconds,
        "theory, topological" => {
            theory::<TopologicalOrder>(scenario, limit, false, true)
                .0
                .seconds
        }
        "7-bit clocks" => bit_vector_clocks(scenario, limit, 7, false).seconds,
        "7-bit clocks, ranges" => bit_vector_clocks(scenario, limit, 7, true).seconds,
        "tight clocks" => bit_vector_clocks(scenario, limit, 1, false).seconds,
        "z3, clocks" => z3_clocks(scenario, limit, false, false)?.seconds,
        "z3, clocks, ranges" => z3_clocks(scenario, limit, false, true)?.seconds,
        "z3, all integers" => z3_clocks(scenario, limit, true, false)?.seconds,
        _ => z3_clocks(scenario, limit, true, true)?.seconds,
    }
}

/// Draws the curves of an existing `ordering.csv`, for instance one joined from several runs.
fn plot_only(directory: &std::path::Path) -> std::io::Result<()> {
    let text = std::fs::read_to_string(directory.join("ordering.csv"))?;
    let mut curves: Vec<plot::Curve> = Vec::new();
    for line in text.lines().skip(1) {
        // Names are quoted and contain commas: "family",scenario,events,"solver",seconds
        let parts: Vec<&str> = line.split('"').collect();
        let [_, family, middle, solver, seconds] = parts[..] else {
            continue;
        };
        let events = middle
            .trim_matches(',')
            .split(',')
            .nth(1)
            .and_then(|word| word.parse().ok());
        let (Some(events), Ok(seconds)) = (events, seconds.trim_matches(',').parse()) else {
            continue;
        };
        if !SOLVERS.contains(&solver) {
            continue;
        }
        match curves
            .iter_mut()
            .find(|curve| curve.family == family && curve.solver == solver)
        {
            Some(curve) => curve.points.push((events, seconds)),
            None => curves.push(plot::Curve {
                family: family.to_owned(),
                solver: solver.to_owned(),
                points: vec![(events, seconds)],
            }),
        }
    }
    std::fs::write(directory.join("ordering.svg"), plot::svg(&curves))
}

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    if std::env::args().nth(1).as_deref() == Some("--plot") {
        return plot_only(std::path::Path::new(
            &arguments
                .nth(1)
                .unwrap_or_else(|| "benchmarks/runs".to_owned()),
        ));
    }
    let directory = std::path::PathBuf::from(
        arguments
            .next()
            .unwrap_or_else(|| "benchmarks/runs".to_owned()),
    );
    let limit = Duration::from_secs(
        arguments
            .next()
            .and_then(|text| text.parse().ok())
            .unwrap_or(60),
    );
    std::fs::create_dir_all(&directory)?;
    let mut csv = "family,scenario,events,solver,seconds\n".to_owned();
    let mut curves: Vec<plot::Curve> = Vec::new();
    let only: Vec<String> = arguments.collect();
    let wanted =
        |name: &str| only.is_empty() || only.iter().any(|part| name.contains(part.as_str()));
    for (family, mut scenarios) in families().into_iter().filter(|(family, _)| wanted(family)) {
        let mut curve_of: BTreeMap<&str, Vec<(usize, f64)>> = BTreeMap::new();
        let mut theory_seconds: BTreeMap<usize, f64> = BTreeMap::new();
        let mut given_up: HashSet<&str> = HashSet::new();
        for scenario in &mut scenarios {
            let events = scenario.event_count();
            for solver in SOLVERS {
                if given_up.contains(solver) {
                    continue;
                }
                let seconds = run(solver, scenario, limit);
                let text = seconds.map_or("timeout".to_owned(), |seconds| format!("{seconds:.6}"));
                csv += &format!(
                    "\"{family}\",{},{events},\"{solver}\",{text}\n",
                    scenario.name
                );
                match seconds {
                    Some(seconds) => curve_of.entry(solver).or_default().push((events, seconds)),
                    None => {
                        given_up.insert(solver);
                    }
                }
                if let ("theory", Some(seconds)) = (solver, seconds) {
                    theory_seconds.insert(events, seconds);
                }
            }
            if let Some([solved, made, checked]) = backends::certified(scenario, limit) {
                for (what, seconds) in [
                    ("certified solve", solved),
                    ("certificate", made),
                    ("check", checked),
                ] {
                    csv += &format!(
                        "\"{family}\",{},{events},\"{what}\",{seconds:.6}\n",
                        scenario.name
                    );
                }
                if let Some(plain) = theory_seconds.get(&events) {
                    println!(
                        "{:24} certified solve {:.2}x plain, certificate {:.2}x, check {:.2}x",
                        scenario.name,
                        solved / plain,
                        made / plain,
                        checked / plain
                    );
                }
            }
            std::fs::write(directory.join("ordering.csv"), &csv)?;
        }
        for solver in SOLVERS {
            let Some(points) = curve_of.remove(solver) else {
                continue;
            };
            if let Some(&(events, seconds)) = points.last()
                && let Some(ours) = theory_seconds.get(&events)
            {
                println!(
                    "{family}: {solver} {seconds:.4}s, theory {ours:.4}s at {events} events: {:.1}x",
                    seconds / ours
                );
            }
            curves.push(plot::Curve {
                family: family.to_owned(),
                solver: solver.to_owned(),
                points,
            });
        }
        std::fs::write(directory.join("ordering.svg"), plot::svg(&curves))?;
    }
    Ok(())
}
