//! Where control goes: thread operations and the ends of blocks.

use crate::graph::{Goal, Site, Step, What};
use crate::inline::{Ends, Inliner, RawEdge};
use crate::operands::access_of;
use crate::walk::{Key, Walk};
use raddle_ir::{
    BlockId, LocalId, Location, Op, Operand, Property, Rvalue, SyncOp, Terminator, Ty,
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
            SyncOp::ThreadNew => {
                let function = match args[0] {
                    Operand::Function(f) => Some(f),
                    _ => {
                        let mut all = facts.points_to.callees(copied);
                        all.next().filter(|_| all.next().is_none())
                    }
                };
                let span = facts.program().span_of(copied);
                let safe = matches!(args[0], Operand::Function(_))
                    || !inliner.properties.contains(&Property::ValidDeref);
                let body = |f: &raddle_ir::FuncId| facts.program().function(*f).has_body();
                let Some(function) = function.filter(|f| safe && body(f)) else {
                    let goal = inliner.refuse("a thread with an unknown function", span);
                    return self.edge(node, None, goal);
                };
                if inliner.raw.templates.len() >= TEMPLATES {
                    let goal = inliner.refuse("too many kinds of threads", span);
                    return self.edge(node, None, goal);
                }
                let passed = match args[1] {
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
                let what = What::New {
                    site,
                    handle: dst,
                    argument: args[1],
                };
                self.edge(node, step(what), goal);
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
            SyncOp::Unmodelled => {
                let program = inliner.facts.program();
                let what = program.instr(at).map_or("", |i| program.text(i.text));
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
                let access = access_of(facts, copied, &op);
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
