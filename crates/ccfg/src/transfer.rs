//! Where control goes: thread operations and the ends of blocks.

use crate::graph::{Ccfg, Goal, LocId, Site, Step, What};
use crate::inline::{Ends, Inliner, RawEdge};
use crate::operands::{access_of, is_never_joined, sleep_of};
use crate::walk::{CALLEES, Key, Walk};
use raddle_ir::{
    BlockId, FuncId, LocalId, Location, Op, Operand, Property, Rvalue, Span, SyncOp, Terminator, Ty,
};

/// Whether a join is evidently of a thread that can be joined.
fn facts_allow_join(inliner: &Inliner<'_>, copied: Location) -> bool {
    let uses = inliner.uses.as_ref();
    uses.is_some_and(|u| u.joins_well(inliner.facts, copied))
}

/// More templates than this are not made.
const TEMPLATES: usize = 64;

impl Walk {
    pub(crate) fn sync(
        &mut self,
        inliner: &mut Inliner<'_>,
        node: u32,
        next: Key,
        copied: Location,
        at: Location,
        (dst, op, args): (Option<LocalId>, SyncOp, &[Operand]),
    ) {
        let facts = inliner.facts;
        let step = |what: What| {
            Some(Step {
                what,
                at,
                cells: Vec::new(),
                elsewhere: Vec::new(),
                within: Vec::new(),
            })
        };
        match op {
            SyncOp::ThreadNew => self.thread_new(inliner, node, next, copied, at, (dst, args)),
            SyncOp::ThreadSelf => {
                let goal = self.goal(next);
                self.edge(node, dst.and_then(|d| step(What::Unknown(d))), goal);
            }
            SyncOp::ThreadDetach => {
                let asked = inliner.properties.contains(&Property::ValidSync);
                if asked || !is_never_joined(facts, copied) {
                    let span = facts.program().span_of(copied);
                    let goal = inliner.refuse("a detached thread", span);
                    return self.edge(node, None, goal);
                }
                let goal = self.goal(next);
                self.edge(node, dst.and_then(|d| step(What::Unknown(d))), goal);
            }
            SyncOp::ThreadStart => {
                let goal = self.goal(next);
                let handle = args[0];
                self.edge(node, step(What::Start { handle }), goal);
            }
            SyncOp::ThreadJoin => {
                let goal = self.goal(next);
                let asked = inliner.properties.contains(&Property::ValidSync);
                let what = What::Join {
                    doubtful: asked && !facts_allow_join(inliner, copied),
                    handle: args[0],
                    result: dst,
                };
                self.edge(node, step(what), goal);
            }
            SyncOp::ThreadJoinCode => {
                // Whatever else a join may answer is refused where it happens.
                let goal = self.goal(next);
                let zero = dst.map(|dst| Op::Let {
                    dst,
                    value: Rvalue::Use(Operand::int(Ty::I32, 0)),
                });
                self.edge(node, zero.and_then(|op| step(What::Instr(op))), goal);
            }
            SyncOp::ThreadExit => {
                self.edge(node, step(What::Result(args[0])), Goal::Finish);
                self.ends_at(copied, Some(Ends::Slots(0..u32::MAX)));
            }
            SyncOp::Exit | SyncOp::Abort => self.edge(node, None, Goal::End),
            SyncOp::Unmodelled | SyncOp::SetJump | SyncOp::LongJump => {
                let program = inliner.facts.program();
                let what = match op {
                    SyncOp::Unmodelled => program.instr(at).map_or("", |i| program.text(i.text)),
                    _ => "`setjmp`",
                };
                let goal = inliner.refuse(what, program.span_of(at));
                self.edge(node, None, goal);
            }
            SyncOp::Yield => {
                let goal = self.goal(next);
                self.edge(node, None, goal);
            }
            _ => {
                let op = Op::Sync {
                    dst,
                    op,
                    args: args.to_vec(),
                };
                let access = match inliner.raw.sleepers {
                    true => access_of(facts, copied, &op).or_else(|| sleep_of(facts, copied, &op)),
                    false => access_of(facts, copied, &op),
                };
                let goal = self.goal(next);
                self.template.edges.push(RawEdge {
                    copied: Some(copied),
                    mover: false,
                    ends: None,
                    from: node,
                    step: step(What::Instr(op)),
                    access,
                    goal,
                });
            }
        }
    }

    /// Makes a thread: with each function that it may start with, one site.
    fn thread_new(
        &mut self,
        inliner: &mut Inliner<'_>,
        node: u32,
        next: Key,
        copied: Location,
        at: Location,
        (dst, args): (Option<LocalId>, &[Operand]),
    ) {
        let facts = inliner.facts;
        let span = facts.program().span_of(copied);
        let step = |what: What| Step {
            what,
            at,
            cells: Vec::new(),
            elsewhere: Vec::new(),
            within: Vec::new(),
        };
        if let Operand::Function(f) = args[0] {
            return self.thread_of(inliner, node, next, at, (dst, f, args[1]), span);
        }
        let several: Vec<FuncId> = facts.points_to.callees(copied).collect();
        if several.is_empty() || several.len() > CALLEES {
            let goal = inliner.refuse("a thread with an unknown function", span);
            return self.edge(node, None, goal);
        }
        let address = |f: &FuncId| u128::from(Ccfg::function_address(*f));
        let is_one_of = |among: Vec<u128>, holds: bool| What::Case {
            ty: Ty::Ptr,
            value: args[0],
            among,
            holds,
        };
        let checked = inliner.properties.contains(&Property::ValidDeref);
        if checked {
            let none = is_one_of(several.iter().map(address).collect(), false);
            self.edge(
                node,
                Some(step(none)),
                Goal::Error(Property::ValidDeref, at),
            );
        }
        for (i, f) in several.iter().enumerate() {
            let last = i + 1 == several.len();
            let this = match last && !checked {
                // What is no function is taken to be the last one: otherwise the thread would have to stop here.
                true => is_one_of(several[..i].iter().map(address).collect(), false),
                false => is_one_of(vec![address(f)], true),
            };
            let to = self.template.atomic.len() as u32;
            self.template.atomic.push(next.depth > 0);
            self.edge(node, Some(step(this)), Goal::At(LocId(to)));
            self.thread_of(inliner, to, next, at, (dst, *f, args[1]), span);
        }
    }

    /// Makes a thread that starts with a known function.
    fn thread_of(
        &mut self,
        inliner: &mut Inliner<'_>,
        node: u32,
        next: Key,
        at: Location,
        (dst, function, argument): (Option<LocalId>, FuncId, Operand),
        span: Span,
    ) {
        if !inliner.facts.program().function(function).has_body() {
            let goal = inliner.refuse("a thread with an unknown function", span);
            return self.edge(node, None, goal);
        }
        if inliner.raw.templates.len() >= TEMPLATES {
            let goal = inliner.refuse("too many kinds of threads", span);
            return self.edge(node, None, goal);
        }
        let passed = match argument {
            o @ (Operand::Const { .. } | Operand::Global { .. }) => Some(o),
            _ => None,
        };
        let template = inliner.template(function, passed);
        let site = self.template.sites.len() as u32;
        self.template.sites.push(Site {
            at,
            template,
            repeats: true,
        });
        self.template.site_nodes.push(node);
        let goal = self.goal(next);
        let step = Step {
            what: What::New {
                site,
                handle: dst,
                argument,
            },
            at,
            cells: Vec::new(),
            elsewhere: Vec::new(),
            within: Vec::new(),
        };
        self.edge(node, Some(step), goal);
    }

    pub(crate) fn terminator(
        &mut self,
        inliner: &mut Inliner<'_>,
        node: u32,
        key: Key,
        terminator: &Terminator,
        at: Location,
    ) {
        let jump = |b: BlockId| Key {
            block: b.0,
            index: 0,
            ..key
        };
        let step = |what: What| {
            Some(Step {
                what,
                at,
                cells: Vec::new(),
                elsewhere: Vec::new(),
                within: Vec::new(),
            })
        };
        match terminator {
            Terminator::Goto(b) => {
                let goal = self.goal(jump(*b));
                self.edge(node, None, goal);
            }
            Terminator::Branch {
                cond,
                then,
                otherwise,
            } => {
                let cond = self.operand(key.activation, *cond);
                if let Operand::Const { bits, .. } = cond {
                    let to = if bits & 1 == 1 { then } else { otherwise };
                    let goal = self.goal(jump(*to));
                    return self.edge(node, None, goal);
                }
                for (to, holds) in [(then, true), (otherwise, false)] {
                    let goal = self.goal(jump(*to));
                    self.edge(node, step(What::Test(cond, holds)), goal);
                }
            }
            Terminator::Switch {
                ty,
                value,
                cases,
                default,
            } => {
                let value = self.operand(key.activation, *value);
                let mut others = Vec::new();
                for (bits, to) in cases {
                    let goal = self.goal(jump(*to));
                    let what = What::Case {
                        ty: *ty,
                        value,
                        among: vec![*bits],
                        holds: true,
                    };
                    self.edge(node, step(what), goal);
                    others.push(*bits);
                }
                let goal = self.goal(jump(*default));
                let what = What::Case {
                    ty: *ty,
                    value,
                    among: others,
                    holds: false,
                };
                self.edge(node, step(what), goal);
            }
            Terminator::Return(value) => {
                let value = value.map(|v| self.operand(key.activation, v));
                match self.activations[key.activation as usize].back {
                    Some((back, dst)) => {
                        let back = Key {
                            depth: key.depth,
                            ..back
                        };
                        let goal = self.goal(back);
                        let assign = dst.map(|dst| {
                            What::Instr(match value {
                                Some(v) => Op::Let {
                                    dst,
                                    value: Rvalue::Use(v),
                                },
                                None => Op::Havoc { dst },
                            })
                        });
                        self.edge(node, assign.and_then(step), goal);
                    }
                    None => {
                        let what = value.map(What::Result);
                        self.edge(node, what.and_then(step), Goal::Finish);
                    }
                }
            }
            Terminator::Unreachable => {
                let span = inliner.facts.program().span_of(at);
                let goal = inliner.refuse(
                    "control reaches what the compiler took for unreachable",
                    span,
                );
                self.edge(node, None, goal);
            }
        }
    }
}
