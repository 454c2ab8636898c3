//! Which branches are followed: all, or only those that runs have taken.
//!
//! A *way* is a branch of the unwound program: a thread, the calls and iterations around, the block that decides and the
//! block that comes next. With a set of ways ([`Ways`]) the unwinding follows a branch whose condition is not constant, and every
//! way back to the head of a loop, only if it is in the set or comes straight to an assertion; any other is an end, as a loop at
//! its bound is. If that end cannot be reached, nothing was lost. This is what the
//! papers on trace-driven verification (Yang and Sakallah) and on Fusion build on: the paths of executions as a
//! program, from which other interleavings leave where they take another branch.
//!
//! A [`Recorder`] finds the ways of a run. It names iterations as the unwinding does; an iteration that changes nothing is not unwound a
//! second time, so a run that waited longer leaves such a loop by another way than the unwinding, which is then one more way to open.

use crate::names::{Names, Path, ThreadNo};
use raddle_analysis::{LoopId, LoopNest};
use raddle_ir::{BlockId, FuncId, Location, Op, Program, SyncOp};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Where a state is, for the order of execution: for every loop around, the position of its header and the number of the
/// iteration, then the position of the block.
pub type Key = Vec<u32>;

/// A branch of the unwound program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Way {
    /// Whose.
    pub thread: ThreadNo,
    /// In which activation.
    pub path: Path,
    /// The block that decides, and its iterations.
    pub from: Key,
    /// The block that comes next.
    pub to: BlockId,
}

/// A set of ways, and where runs have been.
#[derive(Clone, Debug, Default)]
pub struct Ways(HashSet<Way>, HashSet<(ThreadNo, Path, Key)>);

impl Ways {
    /// Adds one; whether it is new.
    pub fn open(&mut self, way: Way) -> bool {
        self.0.insert(way)
    }

    /// Whether it is in the set.
    pub fn is_open(&self, way: &Way) -> bool {
        self.0.contains(way)
    }

    /// Whether a run was there.
    pub(crate) fn was_at(&self, thread: ThreadNo, path: Path, key: &Key) -> bool {
        self.1.contains(&(thread, path, key.clone()))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The key of a block that is reached from a block with another key. Entering a loop begins iteration 0; a back edge begins
/// the next one.
pub(crate) fn next_key(nest: &LoopNest, from: &[u32], source: BlockId, block: BlockId) -> Key {
    let position = |b: BlockId| nest.position[b.0 as usize].unwrap_or(0);
    let header = |l: LoopId| nest.loops[l.0 as usize].header;
    let mut key = Vec::new();
    for (i, &l) in nest.around[block.0 as usize].iter().enumerate() {
        let at = position(header(l));
        key.push(at);
        // The same loop at the same depth, and the same outer iterations so far: go on counting.
        let same = from.len() > 2 * i + 1
            && nest.around[source.0 as usize].get(i) == Some(&l)
            && from[..2 * i] == key[..2 * i];
        let back = same && header(l) == block && position(source) >= at && !from.is_empty();
        key.push(match (same, back) {
            (true, true) => from[2 * i + 1] + 1,
            (true, false) => from[2 * i + 1],
            (false, _) => 0,
        });
    }
    key.push(position(block));
    key
}

/// The numbers of the iterations in a key.
pub(crate) fn iterations(key: &[u32]) -> Vec<u32> {
    let pairs = key.chunks(2).filter(|c| c.len() == 2);
    pairs.map(|c| c[1]).collect()
}

/// An activation of a run.
struct Active {
    path: Path,
    nest: Rc<LoopNest>,
    key: Key,
    at: Location,
}

/// Finds the ways of one run.
pub struct Recorder<'a> {
    program: &'a Program,
    names: &'a mut Names,
    nests: HashMap<FuncId, Rc<LoopNest>>,
    threads: HashMap<u32, (ThreadNo, Vec<Active>)>,
    /// Threads that were made, by their maker, and are not known by number yet.
    fresh: Vec<(u32, ThreadNo)>,
}

impl<'a> Recorder<'a> {
    /// At the beginning of a run.
    pub fn new(program: &'a Program, names: &'a mut Names) -> Recorder<'a> {
        Recorder {
            program,
            names,
            nests: HashMap::new(),
            threads: HashMap::from([(0, (ThreadNo(0), Vec::new()))]),
            fresh: Vec::new(),
        }
    }

    /// A thread has made another; to be told before the other's first instruction.
    pub fn made(&mut self, maker: u32, new: u32) {
        if let Some(place) = self.fresh.iter().position(|(m, _)| *m == maker) {
            let (_, child) = self.fresh.remove(place);
            self.threads.insert(new, (child, Vec::new()));
        }
    }

    /// A thread executes an instruction or terminator. `stack` is where its activations stand, outermost first: each caller at its
    /// call, the last at the instruction.
    pub fn executes(&mut self, thread: u32, stack: &[Location], ways: &mut Ways) {
        let Some((number, mut active)) = self.threads.remove(&thread) else {
            return;
        };
        active.truncate(stack.len());
        for (depth, &at) in stack.iter().enumerate() {
            let Some(known) = active.get_mut(depth) else {
                let path = match depth.checked_sub(1).map(|d| &active[d]) {
                    None => Path(0),
                    Some(a) => self.names.path(a.path, a.at, &iterations(&a.key)),
                };
                let nest = self.nest(at.function);
                active.push(Active {
                    path,
                    key: next_key(&nest, &[], BlockId(0), BlockId(0)),
                    nest,
                    at,
                });
                continue;
            };
            let before = known.at;
            let function = self.program.function(before.function);
            let left = before.index as usize >= function.block(before.block).instrs.len();
            if left && at.index == 0 {
                ways.open(Way {
                    thread: number,
                    path: known.path,
                    from: known.key.clone(),
                    to: at.block,
                });
                known.key = next_key(&known.nest, &known.key, before.block, at.block);
                ways.1.insert((number, known.path, known.key.clone()));
            }
            known.at = at;
        }
        if let Some(a) = active.last() {
            let op = self.program.instr(a.at).map(|i| &i.op);
            if let Some(Op::Sync {
                op: SyncOp::ThreadNew,
                ..
            }) = op
            {
                let here = self.names.path(a.path, a.at, &iterations(&a.key));
                let child = self.names.thread(number, here);
                self.fresh.push((thread, child));
            }
        }
        self.threads.insert(thread, (number, active));
    }

    fn nest(&mut self, f: FuncId) -> Rc<LoopNest> {
        let program = self.program;
        let known = self.nests.entry(f);
        known
            .or_insert_with(|| Rc::new(LoopNest::new(program.function(f))))
            .clone()
    }
}
