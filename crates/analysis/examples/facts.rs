//! Computes all facts of many programs and measures: `facts [--ilp32] [--dump] [--plain] FILES`, C or what `raddle ir` printed (.ir).
//!
//! Prints, over all files: the share of accesses whose address points to one object, the share of memory objects that
//! are private, and how long the facts took. `-` reads file names from standard input; `--plain` copies no functions.

use raddle_analysis::accesses::Kind;
use raddle_analysis::{Facts, PointsTo};
use std::collections::BTreeMap;
use std::io::BufRead;
use std::time::Duration;

#[derive(Default)]
struct Count {
    programs: usize,
    refused: usize,
    instructions: usize,
    copied: usize,
    accesses: usize,
    single: usize,
    exact: usize,
    unknown: usize,
    objects: usize,
    private: usize,
    shared_accesses: usize,
    guarded: usize,
    families: usize,
    several: usize,
    joins: usize,
    joins_known: usize,
    time: Duration,
    slowest: (Duration, String),
    times: BTreeMap<&'static str, Duration>,
}

fn size(program: &raddle_ir::Program) -> usize {
    let blocks = program.functions.iter().flat_map(|f| &f.blocks);
    blocks.map(|b| b.instrs.len() + 1).sum()
}

impl Count {
    fn add(&mut self, program: &raddle_ir::Program, facts: &Facts, file: &str) {
        self.programs += 1;
        self.instructions += size(program);
        self.copied += size(facts.program());
        let time = facts.total_time();
        self.time += time;
        if time > self.slowest.0 {
            self.slowest = (time, file.to_string());
        }
        for (what, t) in &facts.times {
            *self.times.entry(what).or_default() += *t;
        }
        let objects = facts.points_to.objects();
        let mut places: Vec<_> = facts
            .accesses
            .iter()
            .filter(|a| a.kind != Kind::End && facts.parallel.is_reached(a.at))
            .map(|a| a.at)
            .collect();
        places.sort_unstable();
        places.dedup();
        for at in places {
            let targets = facts.points_to.accessed(facts.program(), at);
            self.accesses += 1;
            let mut hit: Vec<_> = targets.iter().map(|t| t.object).collect();
            hit.dedup();
            self.unknown += usize::from(hit.contains(&raddle_analysis::ObjectId::UNKNOWN));
            if hit.len() == 1 && hit[0] != raddle_analysis::ObjectId::UNKNOWN {
                self.single += 1;
            }
            let one = PointsTo::single(targets).and_then(|t| t.offset.known());
            self.exact += usize::from(one.is_some());
            if targets.iter().any(|t| !facts.escape.is_private(t.object)) {
                self.shared_accesses += 1;
                self.guarded += usize::from(!facts.locks.held_at(at).is_empty());
            }
        }
        for o in objects.ids().filter(|o| objects.is_memory(*o)) {
            self.objects += 1;
            self.private += usize::from(facts.escape.is_private(o));
        }
        for id in facts.parallel.families().ids().skip(1) {
            self.families += 1;
            self.several += usize::from(facts.parallel.families().get(id).several);
        }
        for f in facts.points_to.reachable() {
            for (b, block) in facts.program().function(f).blocks.iter().enumerate() {
                for (i, instr) in block.instrs.iter().enumerate() {
                    let at = raddle_ir::Location {
                        function: f,
                        block: raddle_ir::BlockId(b as u32),
                        index: i as u32,
                    };
                    let join = matches!(&instr.op, raddle_ir::Op::Sync { op, .. } if *op == raddle_ir::SyncOp::ThreadJoin);
                    if join && facts.parallel.is_reached(at) {
                        self.joins += 1;
                        self.joins_known += usize::from(facts.parallel.joined_at(at).is_some());
                    }
                }
            }
        }
    }

    fn print(&self) {
        let share = |a: usize, b: usize| 100.0 * a as f64 / b.max(1) as f64;
        println!("{} programs ({} refused)", self.programs, self.refused);
        println!(
            "{} instructions, {} with copies",
            self.instructions, self.copied
        );
        println!(
            "{} accesses: {:.1} % to one object, {:.1} % to one offset of one object, {:.1} % perhaps unknown",
            self.accesses,
            share(self.single, self.accesses),
            share(self.exact, self.accesses),
            share(self.unknown, self.accesses)
        );
        println!(
            "{} memory objects: {:.1} % private",
            self.objects,
            share(self.private, self.objects)
        );
        println!(
            "{} accesses to shared objects: {:.1} % under a lock",
            self.shared_accesses,
            share(self.guarded, self.shared_accesses)
        );
        println!(
            "{} families, {} several; {} joins, {} certain",
            self.families, self.several, self.joins, self.joins_known
        );
        println!("{:?} in all, slowest {:?}", self.time, self.slowest);
        for (what, t) in &self.times {
            println!("  {what}: {t:?}");
        }
    }
}

fn main() {
    let mut options = raddle_c::Options::default();
    let (mut dump, mut plain) = (false, false);
    let mut files = Vec::new();
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--ilp32" => options.model = raddle_ir::DataModel::Ilp32,
            "--dump" => dump = true,
            "--plain" => plain = true,
            "-" => files.extend(std::io::stdin().lock().lines().map_while(Result::ok)),
            _ => files.push(argument),
        }
    }
    let mut count = Count::default();
    for file in &files {
        let program = match file.ends_with(".ir") {
            true => std::fs::read_to_string(file)
                .ok()
                .and_then(|text| raddle_ir::read(&text).ok()),
            false => raddle_c::compile(&[file], &options).ok(),
        };
        let Some(program) = program else {
            count.refused += 1;
            continue;
        };
        let facts = match plain {
            true => Facts::without_clones(&program),
            false => Facts::new(&program),
        };
        if dump {
            print!("{facts}");
        }
        count.add(&program, &facts, file);
    }
    count.print();
}
