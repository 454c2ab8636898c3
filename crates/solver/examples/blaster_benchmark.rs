//! Throughput of the bit-blaster, memory per million clauses, and lazy against eager array lemmas.
//!
//! `cargo run --release --example blaster_benchmark -- OUTPUT-DIRECTORY` writes `blaster.csv`.

use raddle_solver::blast::ArrayMode;
use raddle_solver::term::{Op, Sort, TermId, TermPool};
use raddle_solver::{Answer, Limits, Solver};
use std::time::{Duration, Instant};

/// Resident memory of this process in bytes, where the system tells.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok())
        .map_or(0, |kilobytes| kilobytes * 1024)
}

#[repr(C)]
struct TimeSpec {
    seconds: i64,
    nanoseconds: i64,
}

unsafe extern "C" {
    fn clock_gettime(clock: i32, time: *mut TimeSpec) -> i32;
}

/// Seconds of processor time of this thread: machines that run benchmarks are rarely idle, and this does not
/// count the others.
fn processor_seconds() -> f64 {
    const THREAD_CPU_TIME: i32 = 3;
    let mut time = TimeSpec {
        seconds: 0,
        nanoseconds: 0,
    };
    // SAFETY: the structure has the layout of Linux's `timespec` on 64-bit machines and outlives the call.
    unsafe { clock_gettime(THREAD_CPU_TIME, &mut time) };
    time.seconds as f64 + time.nanoseconds as f64 / 1e9
}

/// Many different applications of one operator, each tied to a result variable.
fn workload(pool: &mut TermPool, op: Op, width: u32, count: u32) -> Vec<TermId> {
    (0..count)
        .map(|index| {
            let [a, b, r] = ["a", "b", "r"]
                .map(|name| pool.var(&format!("{name}{index}_{op:?}"), Sort::BitVec(width)));
            let result = pool.apply_op(op, &[a, b]);
            pool.eq(result, r)
        })
        .collect()
}

fn throughput(csv: &mut String, name: &str, op: Op, width: u32, count: u32) {
    let mut pool = TermPool::new();
    let terms = workload(&mut pool, op, width, count);
    let mut solver = Solver::new(false);
    let before = resident();
    let start = processor_seconds();
    for term in terms {
        solver
            .assert(&mut pool, term)
            .expect("only bit-vectors here");
    }
    let seconds = processor_seconds() - start;
    let memory = resident().saturating_sub(before) as f64;
    let (gates, clauses) = (
        solver.blaster().gate_count() as f64,
        solver.sat().clause_count() as f64,
    );
    let line = format!(
        "{name},{width},{count},{gates},{clauses},{seconds:.4},{:.0},{:.0},{:.1}\n",
        gates / seconds,
        clauses / seconds,
        memory / clauses // bytes per clause are megabytes per million clauses
    );
    print!("{line}");
    *csv += &line;
}

/// A memory with symbolic stores and reads; every read must agree with one of the stores or the start.
fn arrays(csv: &mut String, stores: u32, mode: ArrayMode) {
    let mut pool = TermPool::new();
    let mut solver = Solver::with_array_mode(false, mode);
    let start_memory = pool.var(
        "memory",
        Sort::Array {
            index: 32,
            element: 8,
        },
    );
    let mut memory = start_memory;
    let mut indices = Vec::new();
    for number in 0..stores {
        let index = pool.var(&format!("i{number}"), Sort::BitVec(32));
        let old = pool.select(memory, index);
        let one = pool.bits(8, 1);
        let new = pool.bv_add(old, one);
        memory = pool.store(memory, index, new);
        indices.push(index);
    }
    // The last element written cannot be what was there before any store.
    let last = indices[indices.len() - 1];
    let (now, before) = (pool.select(memory, last), pool.select(start_memory, last));
    let limit = pool.bits(8, u128::from(stores.min(255)));
    let growth = pool.bv_sub(now, before);
    let wrong = pool.bv_ult(limit, growth);
    let start = processor_seconds();
    solver
        .assert(&mut pool, wrong)
        .expect("only bit-vectors here");
    let limits = Limits {
        deadline: Some(Instant::now() + Duration::from_secs(60)),
        ..Limits::default()
    };
    let answer = solver
        .check(&mut pool, &[], &limits)
        .expect("only bit-vectors here");
    let word = match answer {
        Answer::Sat(_) => "sat",
        Answer::Unsat(_) => "unsat",
        Answer::Unknown(_) => "unknown",
    };
    let lemmas = solver.blaster().array_lemma_count();
    let line = format!(
        "arrays-{mode:?},{stores},{word},{lemmas},{:.4}\n",
        processor_seconds() - start
    );
    print!("{line}");
    *csv += &line;
}

const WORKLOADS: [(&str, Op, u32, u32); 5] = [
    ("add", Op::BvAdd, 32, 4000),
    ("multiply", Op::BvMul, 32, 200),
    ("divide", Op::BvUdiv, 32, 100),
    ("shift", Op::BvShl, 64, 800),
    ("multiply", Op::BvMul, 64, 100),
];

/// Runs one workload in a process of its own, so that memory is not blurred by what was freed before.
fn isolated(index: usize) -> std::io::Result<String> {
    let output = std::process::Command::new(std::env::current_exe()?)
        .args(["--workload", &index.to_string()])
        .output()?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [flag, index] = &arguments[..]
        && flag == "--workload"
        && let Some(&(name, op, width, count)) = index
            .parse()
            .ok()
            .and_then(|index: usize| WORKLOADS.get(index))
    {
        throughput(&mut String::new(), name, op, width, count);
        return Ok(());
    }
    let directory =
        std::path::PathBuf::from(arguments.first().map_or("benchmarks/runs", String::as_str));
    std::fs::create_dir_all(&directory)?;
    let mut csv = "operation,width,count,gates,clauses,seconds,gates per second,clauses per second,MB per million clauses\n".to_owned();
    print!("{csv}");
    for index in 0..WORKLOADS.len() {
        let line = isolated(index)?;
        print!("{line}");
        csv += &line;
    }
    csv += "mode,stores,answer,lemmas,seconds\n";
    for stores in [4, 6, 8, 10] {
        for mode in [ArrayMode::Lazy, ArrayMode::Eager] {
            arrays(&mut csv, stores, mode);
        }
    }
    std::fs::write(directory.join("blaster.csv"), csv)
}
