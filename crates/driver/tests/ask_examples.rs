//! On every example, each kind of question is answered from the start of the program within two seconds, or it is said that it is not known.
//!
//! `RADDLE_ASK_SHOW=1` prints all answers.

#[allow(dead_code)]
mod suite;

use raddle_debugger::ask::{Answer, Asker, Line};
use raddle_engine_fusion::FusionEngine;
use raddle_ir::{DebugType, Program, Property};
use raddle_verdict::{Beginning, Budget, Engine};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(2);

/// Lines of the user's functions that threads run, a few.
fn lines(program: &Program) -> Vec<u32> {
    let mut all = BTreeSet::new();
    for f in program.functions.iter().filter(|f| !f.library) {
        for block in &f.blocks {
            all.extend(block.instrs.iter().map(|i| i.span.line));
        }
    }
    let all: Vec<u32> = all.into_iter().filter(|l| *l != 0).collect();
    let step = (all.len() / 5).max(1);
    all.into_iter().step_by(step).collect()
}

#[test]
fn questions_on_the_examples_are_answered_in_time() {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut paths = Vec::new();
    suite::programs(&dir, &mut paths);
    paths.sort();
    let engines: Vec<Arc<dyn Engine>> = vec![
        Arc::new(FusionEngine::default()),
        Arc::new(raddle_engine_staged::StagedEngine::default()),
    ];
    let show = std::env::var("RADDLE_ASK_SHOW").is_ok();
    let (mut asked, mut decided, mut late) = (0, 0, Vec::new());
    let mut wrong = Vec::new();
    for path in paths {
        let name = path.file_name().map(|n| n.to_string_lossy().to_string());
        let name = name.unwrap_or_default();
        let program = suite::read_case(&path).compile().expect("a program");
        let beginning = Beginning::default();
        let mut ask = |kind: &str, question: &dyn Fn(&Asker<'_>) -> Answer| {
            let asker = Asker::new(&program, &beginning, &engines).expect("a state");
            let asker = asker.budget(Budget::with_timeout(PATIENCE - Duration::from_millis(300)));
            let began = Instant::now();
            let answer = question(&asker);
            let took = began.elapsed();
            asked += 1;
            let told = match &answer {
                Answer::Yes(told) => format!("yes, {} ({} switches)", told.what, told.switches),
                Answer::No { how, .. } => format!("no, {how}"),
                Answer::Unknown { why } => format!("unknown, {why}"),
            };
            decided += usize::from(!matches!(answer, Answer::Unknown { .. }));
            if told.contains("not replayed") || told.contains("repeated") {
                wrong.push(format!("{name}: {kind}: {told}"));
            }
            if took > PATIENCE {
                late.push(format!("{name}: {kind} took {took:?}"));
            }
            if show {
                eprintln!("{name}: {kind}: {told}, {took:.2?}");
            }
        };
        let lines = lines(&program);
        let line = |n: usize| Line::number(lines[n % lines.len()]);
        ask("fail", &|a| a.can_fail(None));
        ask("deadlock", &|a| a.can_deadlock());
        for n in 0..lines.len() {
            let (here, there) = (line(n), line(n + 1));
            ask(&format!("reach {here}"), &|a| a.can_reach(&here, None));
            ask(&format!("meet {here} and {there}"), &|a| {
                a.can_meet(&here, None, &there)
            });
            ask(&format!("race {here} and {there}"), &|a| {
                a.can_race(&here, &there)
            });
            ask(&format!("fail at {here}"), &|a| a.can_fail(Some(&here)));
        }
        let int = |g: &&raddle_ir::Global| {
            matches!(program.types[g.ty.0 as usize], DebugType::Int { .. }) && !g.constant
        };
        if let Some(g) = program.globals.iter().find(int) {
            let here = line(lines.len() - 1);
            ask(&format!("values of {} at {here}", g.name), &|a| {
                let values = a.values(&g.name, &here, None, 10);
                match values.complete {
                    Ok(how) => Answer::No {
                        how: format!("{} values, {how}", values.all.len()),
                        assumptions: Vec::new(),
                    },
                    Err(why) => Answer::Unknown { why },
                }
            });
        }
        ask("nearest failing", &|a| {
            a.nearest_failing(Property::UnreachCall)
        });
        ask("nearest passing", &|a| {
            a.nearest_passing(&[Property::UnreachCall])
        });
        ask("why", &|a| a.why_not(None).answer);
    }
    eprintln!(
        "{asked} questions, {decided} decided, {} late: {late:#?}",
        late.len()
    );
    assert!(wrong.is_empty(), "{wrong:#?}");
    // Machines are busy at times.
    assert!(late.len() * 20 < asked, "{late:#?}");
    assert!(decided * 2 > asked, "{decided} of {asked} are decided");
}
