//! Intervals of reads against all interleavings of small random programs, and against the evaluator.

mod support;

use raddle_solver::ranges::{Source, ranges, within};
use raddle_solver::term::{Assignment, Op, Sort, TermId, TermPool, Value, sign_extend};
use support::random::Random;

const WIDTH: u32 = 6;

/// One access of a small program.
#[derive(Clone, Debug)]
enum Access {
    /// A read of a location; the term that stands for it.
    Read(usize, TermId),
    /// A write of a term over earlier reads of the same thread.
    Write(usize, TermId),
}

struct Case {
    pool: TermPool,
    initial: Vec<u128>,
    threads: Vec<Vec<Access>>,
}

fn value(pool: &mut TermPool, random: &mut Random, reads: &[TermId]) -> TermId {
    let number = |pool: &mut TermPool, random: &mut Random| {
        let n = random.below(6) as u128;
        pool.bits(
            WIDTH,
            if random.below(5) == 0 {
                64 - n.max(1)
            } else {
                n
            },
        )
    };
    let Some(a) = reads.get(random.below(reads.len())).copied() else {
        return number(pool, random);
    };
    let b = match random.below(3) {
        0 => reads[random.below(reads.len())],
        _ => number(pool, random),
    };
    match random.below(14) {
        0 => number(pool, random),
        1 => a,
        2..=4 => pool.bv_add(a, b),
        5 => pool.bv_sub(a, b),
        6 => pool.bv_mul(a, b),
        7 => pool.bv_and(a, b),
        8 => pool.bv_or(a, b),
        9 => pool.bv_urem(a, b),
        10 => pool.bv_srem(a, b),
        11 => {
            let small = pool.bv_slt(a, b);
            let more = pool.bv_add(a, b);
            pool.ite(small, more, b)
        }
        12 => {
            let low = pool.extract(2, 0, a);
            match random.below(2) {
                0 => pool.zero_extend_to(WIDTH, low),
                _ => pool.sign_extend_to(WIDTH, low),
            }
        }
        _ => pool.bv_lshr(a, b),
    }
}

fn generate(seed: u64) -> Case {
    let mut random = Random::new(seed);
    let mut pool = TermPool::new();
    let locations = 1 + random.below(2);
    let initial = (0..locations).map(|_| random.below(3) as u128).collect();
    let threads = 2 + random.below(2);
    let accesses = if threads == 2 { 6 } else { 4 };
    let threads = (0..threads)
        .map(|_| {
            let mut reads = Vec::new();
            let length = 1 + random.below(accesses);
            (0..length)
                .map(|_| {
                    let location = random.below(locations);
                    if random.below(2) == 0 {
                        let found = pool.fresh_var("read", Sort::BitVec(WIDTH));
                        reads.push(found);
                        Access::Read(location, found)
                    } else {
                        let value = value(&mut pool, &mut random, &reads);
                        Access::Write(location, value)
                    }
                })
                .collect()
        })
        .collect();
    Case {
        pool,
        initial,
        threads,
    }
}

impl Case {
    /// Every read with every write of its location in another thread, the last one of its own before it, and the initial value.
    fn sources(&mut self) -> Vec<Source> {
        let mut all = Vec::new();
        for (t, thread) in self.threads.clone().iter().enumerate() {
            for (i, access) in thread.iter().enumerate() {
                let Access::Read(location, found) = access else {
                    continue;
                };
                let mut values = Vec::new();
                for (u, other) in self.threads.iter().enumerate() {
                    let seen = if t == u { &other[..i] } else { &other[..] };
                    let mut mine = seen.iter().filter_map(|a| match a {
                        Access::Write(l, value) if l == location => Some(*value),
                        _ => None,
                    });
                    match t == u {
                        true => values.extend(mine.next_back()),
                        false => values.extend(mine),
                    }
                }
                let own = thread[..i]
                    .iter()
                    .any(|a| matches!(a, Access::Write(l, _) if l == location));
                if !own {
                    values.push(self.pool.bits(WIDTH, self.initial[*location]));
                }
                all.push(Source {
                    found: *found,
                    values,
                });
            }
        }
        all
    }

    /// Runs all interleavings; `seen` hears every read.
    fn run(
        &self,
        at: &mut Vec<usize>,
        memory: &mut Vec<u128>,
        known: &mut Assignment,
        seen: &mut dyn FnMut(TermId, u128),
    ) {
        for t in 0..self.threads.len() {
            let Some(access) = self.threads[t].get(at[t]) else {
                continue;
            };
            at[t] += 1;
            match access {
                Access::Read(location, found) => {
                    let before = known.insert(*found, Value::Bits(memory[*location]));
                    seen(*found, memory[*location]);
                    self.run(at, memory, known, seen);
                    match before {
                        Some(v) => known.insert(*found, v),
                        None => known.remove(found),
                    };
                }
                Access::Write(location, value) => {
                    let Ok(Value::Bits(new)) = self.pool.eval(*value, known) else {
                        panic!("a write without a value");
                    };
                    let old = std::mem::replace(&mut memory[*location], new);
                    self.run(at, memory, known, seen);
                    memory[*location] = old;
                }
            }
            at[t] -= 1;
        }
    }
}

#[test]
fn intervals_contain_what_reads_find() {
    let count: u64 = std::env::var("RADDLE_FUZZ_RANGES")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(400);
    let (mut bounded, mut exact) = (0, 0);
    for seed in 0..count {
        let mut case = generate(seed);
        let sources = case.sources();
        let found = ranges(&case.pool, &sources);
        let mut least: std::collections::HashMap<TermId, (i128, i128)> = Default::default();
        let mut seen = |read: TermId, value: u128| {
            let n = sign_extend(WIDTH, value);
            let extent = least.entry(read).or_insert((n, n));
            *extent = (extent.0.min(n), extent.1.max(n));
        };
        let mut at = vec![0; case.threads.len()];
        case.run(
            &mut at,
            &mut case.initial.clone(),
            &mut Assignment::new(),
            &mut seen,
        );
        for (read, interval) in found {
            let (low, high) = least[&read];
            assert!(
                interval.contains(low) && interval.contains(high),
                "seed {seed}: a read finds {low} to {high}, not {interval:?}"
            );
            bounded += 1;
            exact += u32::from((low, high) == (interval.low, interval.high));
            let claim = within(&mut case.pool, read, interval);
            for n in -32..32i128 {
                let value = Value::Bits(n as u128 & 63);
                let is = case.pool.eval(claim, &Assignment::from([(read, value)]));
                assert_eq!(
                    is,
                    Ok(Value::Bool(interval.contains(n))),
                    "{n} in {interval:?}"
                );
            }
        }
    }
    println!("{count} programs, {bounded} reads with bounds, {exact} of them exact");
    assert!(bounded > 0 && exact > 0);
}

/// One read of a value that an operator makes of two others, each of which is one of two numbers.
#[test]
fn operators_contain_their_results() {
    let two = [
        Op::BvAdd,
        Op::BvSub,
        Op::BvMul,
        Op::BvAnd,
        Op::BvOr,
        Op::BvXor,
        Op::BvShl,
        Op::BvLshr,
        Op::BvAshr,
        Op::BvUdiv,
        Op::BvUrem,
        Op::BvSdiv,
        Op::BvSrem,
    ];
    let mut random = Random::new(7);
    let mut bounded = 0;
    for round in 0..6000 {
        let mut pool = TermPool::new();
        let mut any = || (random.below(64) as u128, random.below(64) as u128);
        let (a, b) = (any(), any());
        let constant = random.below(2) == 0;
        let b = if constant { (b.0 & 7, b.0 & 7) } else { b };
        let mut sources = Vec::new();
        let mut read = |pool: &mut TermPool, pair: (u128, u128)| {
            let found = pool.fresh_var("read", Sort::BitVec(WIDTH));
            let values = vec![pool.bits(WIDTH, pair.0), pool.bits(WIDTH, pair.1)];
            sources.push(Source { found, values });
            found
        };
        let x = read(&mut pool, a);
        let y = if constant {
            pool.bits(WIDTH, b.0)
        } else {
            read(&mut pool, b)
        };
        let term = match round % (two.len() + 6) {
            n if n < two.len() => match two[n] {
                Op::BvAdd => pool.bv_add(x, y),
                Op::BvSub => pool.bv_sub(x, y),
                Op::BvMul => pool.bv_mul(x, y),
                Op::BvAnd => pool.bv_and(x, y),
                Op::BvOr => pool.bv_or(x, y),
                Op::BvXor => pool.bv_xor(x, y),
                Op::BvShl => pool.bv_shl(x, y),
                Op::BvLshr => pool.bv_lshr(x, y),
                Op::BvAshr => pool.bv_ashr(x, y),
                Op::BvUdiv => pool.bv_udiv(x, y),
                Op::BvUrem => pool.bv_urem(x, y),
                Op::BvSdiv => pool.bv_sdiv(x, y),
                _ => pool.bv_srem(x, y),
            },
            n if n == two.len() => pool.bv_neg(x),
            n if n == two.len() + 1 => pool.bv_not(x),
            n if n == two.len() + 2 => pool.concat(x, y),
            n if n == two.len() + 3 => pool.extract(4, 1, x),
            n if n == two.len() + 4 => pool.zero_extend_to(WIDTH + 3, x),
            _ => pool.sign_extend_to(WIDTH + 3, x),
        };
        let width = pool.width(term);
        let found = pool.fresh_var("result", Sort::BitVec(width));
        sources.push(Source {
            found,
            values: vec![term],
        });
        let known = ranges(&pool, &sources);
        let Some((_, interval)) = known.iter().find(|(t, _)| *t == found) else {
            continue;
        };
        bounded += 1;
        for (p, q) in [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)] {
            let values = Assignment::from([(x, Value::Bits(p)), (y, Value::Bits(q))]);
            let Ok(Value::Bits(n)) = pool.eval(term, &values) else {
                panic!("no value");
            };
            let n = sign_extend(width, n);
            assert!(
                interval.contains(n),
                "{} is {n}, not in {interval:?}",
                pool.display(term)
            );
        }
    }
    assert!(bounded > 1000, "{bounded}");
}

#[test]
fn a_counter_without_a_lock_counts_no_further_than_its_increments() {
    let mut pool = TermPool::new();
    let one = pool.bits(32, 1);
    let zero = pool.bits(32, 0);
    let reads: Vec<TermId> = (0..10)
        .map(|_| pool.fresh_var("read", Sort::BitVec(32)))
        .collect();
    let writes: Vec<TermId> = reads.iter().map(|r| pool.bv_add(*r, one)).collect();
    let values: Vec<TermId> = writes.iter().copied().chain([zero]).collect();
    let sources: Vec<Source> = reads
        .iter()
        .map(|found| Source {
            found: *found,
            values: values.clone(),
        })
        .collect();
    for (_, interval) in ranges(&pool, &sources) {
        assert_eq!((interval.low, interval.high), (0, 9));
    }
    assert_eq!(ranges(&pool, &sources).len(), 10);
}

#[test]
fn what_takes_too_long_or_has_no_source_is_anything() {
    let mut pool = TermPool::new();
    let (zero, one) = (pool.bits(32, 0), pool.bits(32, 1));
    // A counter with so many increments that not one round is affordable.
    let read = |pool: &mut TermPool| pool.fresh_var("read", Sort::BitVec(32));
    let reads: Vec<TermId> = (0..700).map(|_| read(&mut pool)).collect();
    let mut values: Vec<TermId> = reads.iter().map(|r| pool.bv_add(*r, one)).collect();
    values.push(zero);
    let mut sources: Vec<Source> = Vec::new();
    for found in reads {
        let values = values.clone();
        sources.push(Source { found, values });
    }
    // A read of nothing but what comes from itself, and one of what comes from that.
    let (lonely, behind, flag) = (read(&mut pool), read(&mut pool), read(&mut pool));
    let next = pool.bv_add(lonely, one);
    sources.push(Source {
        found: lonely,
        values: vec![next],
    });
    sources.push(Source {
        found: behind,
        values: vec![lonely, zero],
    });
    sources.push(Source {
        found: flag,
        values: vec![zero, one],
    });
    let known = ranges(&pool, &sources);
    let terms: Vec<TermId> = known.iter().map(|k| k.0).collect();
    // A flag that is treated behind the counter may be lost with it, but nothing else is claimed.
    assert!(terms.iter().all(|t| *t == flag), "{known:?}");
    let few = ranges(&pool, &sources[700..]);
    assert_eq!(few.len(), 1);
    assert_eq!((few[0].1.low, few[0].1.high), (0, 1));
}
