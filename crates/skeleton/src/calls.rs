//! Calls: of a function, up to its return, and through a pointer, of every function it may be.

use crate::event::Reason;
use crate::graph::Activation;
use crate::names::{ObjectKey, Path, Role};
use crate::state::{Flow, State};
use crate::unwind::{RECURSION, Step, Unwinder};
use crate::ways::next_key;
use raddle_ir::{BlockId, FuncId, Location, Property, Ty};
use raddle_solver::term::Sort;
use raddle_symbolic::Value;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// Who calls through a pointer.
#[derive(Clone, Copy)]
pub(crate) enum Caller {
    /// A thread that starts: it takes any function, and the result for a pointer.
    Thread,
    /// An instruction whose result goes to a local of this type.
    Function(Option<Ty>),
}

impl Unwinder<'_> {
    /// Calls through a pointer: every function it may be, each under the condition that it is.
    pub(crate) fn call_pointer(
        &mut self,
        callee: &Value,
        args: Vec<Value>,
        caller: Caller,
        flow: Flow,
        path: Path,
        at: Location,
    ) -> Step<Option<(Flow, Option<Value>)>> {
        let candidates = match self.accessed(callee) {
            raddle_symbolic::Targets::These(all) => all,
            raddle_symbolic::Targets::Unknown => {
                self.unsupported(
                    flow.guard,
                    at,
                    "a call through an address of unknown origin",
                );
                return Ok(None);
            }
        };
        let program = self.program;
        let mut merged: Option<(Flow, Option<Value>)> = None;
        let mut any = self.pool.bool(false);
        for &object in candidates.iter() {
            let o = self.names.get(object);
            let ObjectKey::Function(f) = o.key else {
                continue;
            };
            let base = u128::from(o.base);
            let here = self.equals(callee.bits, base);
            any = self.pool.or(any, here);
            let mut taken = flow.clone();
            self.restrict(&mut taken, here);
            if self.guards.is_false(&self.pool, taken.guard) {
                continue;
            }
            let callee = program.function(f);
            if !callee.has_body() {
                let what = format!(
                    "a call of {}, which has no body, through a pointer",
                    callee.name
                );
                self.unsupported(taken.guard, at, what);
                continue;
            }
            let (wanted, fits) = match caller {
                Caller::Thread => (Some(Ty::Ptr), true),
                Caller::Function(wanted) => (wanted, callee.accepts(args.len(), wanted)),
            };
            if !fits {
                let always = self.pool.bool(true);
                self.check(&mut taken, at, Property::ValidDeref, always, true);
                continue;
            }
            self.current.waiting += 1;
            let result = self.call_function(f, args.clone(), taken, path)?;
            self.current.waiting -= 1;
            let result = result.map(|(flow, value)| {
                let value = match value {
                    // Whoever started a thread for the library, its result is anything.
                    None if program.function(at.function).library && wanted.is_some() => {
                        Some(self.no_result())
                    }
                    value => value,
                };
                let value = wanted.zip(value).map(|(ty, v)| self.fit(v, ty));
                (flow, value)
            });
            merged = match (merged, result) {
                (None, r) | (r, None) => r,
                (Some((a, x)), Some((b, y))) => {
                    let (flow, which) = match self.merger().flows(&a, &b) {
                        Ok(done) => done,
                        Err(m) => {
                            self.unsupported(b.guard, at, m.0);
                            merged = Some((a, x));
                            continue;
                        }
                    };
                    let value = match (x, y) {
                        (Some(x), Some(y)) => Some(x.choose(&mut self.pool, which, &y)),
                        (None, None) => None,
                        (x, y) => {
                            let what =
                                "a call through a pointer of functions with and without a result";
                            self.unsupported(flow.guard, at, what);
                            x.or(y)
                        }
                    };
                    Some((flow, value))
                }
            };
        }
        let mut rest = flow;
        let none = self.pool.not(any);
        self.check(&mut rest, at, Property::ValidDeref, none, true);
        Ok(merged)
    }

    /// What a function without a result is taken to return. It is settled where somebody looks at it.
    pub(crate) fn no_result(&mut self) -> Value {
        let width = self.program.model.pointer_bits();
        Value::number(self.fresh_as(Role::Unwritten, "uninit!result", Sort::BitVec(width)))
    }

    /// A value taken for one of another type: truncated, or extended with zeros.
    pub(crate) fn fit(&mut self, value: Value, ty: Ty) -> Value {
        let wanted = raddle_symbolic::sort_of(ty, self.program.model);
        let bits = raddle_symbolic::fit(&mut self.pool, value.bits, wanted);
        Value { bits, ..value }
    }

    /// Executes a call up to its return.
    pub(crate) fn call_function(
        &mut self,
        function: FuncId,
        args: Vec<Value>,
        flow: Flow,
        path: Path,
    ) -> Step<Option<(Flow, Option<Value>)>> {
        let program = self.program;
        let f = program.function(function);
        let here = Location {
            function,
            block: BlockId(0),
            index: 0,
        };
        // Nested activations of this function between which something was decided.
        let mut depth = 0;
        let mut last = flow.guard;
        for (other, guard) in self.current.stack.iter().rev() {
            if *other == function {
                depth += u32::from(*guard != last);
                last = *guard;
            }
        }
        let bound = self.bound(function, RECURSION);
        if depth > bound || self.current.stack.len() > 3000 {
            self.cut(flow, here, Reason::Recursion(bound));
            return Ok(None);
        }
        let nest = self.nest(function);
        if nest.irreducible.is_some() {
            self.unsupported(
                flow.guard,
                here,
                format!("a loop of {} that is entered in the middle (goto)", f.name),
            );
            return Ok(None);
        }
        self.current.stack.push((function, flow.guard));
        let mut locals: Vec<Option<Value>> = args.into_iter().map(Some).collect();
        locals.resize(f.locals.len(), None);
        for (i, local) in f.locals.iter().enumerate().take(f.params as usize) {
            // A call through a pointer of another type may pass something else than the function takes.
            locals[i] = locals[i].take().map(|v| self.fit(v, local.ty));
        }
        let state = State {
            flow,
            locals,
            open: BTreeMap::new(),
            slots: vec![None; f.slots.len()],
            arrays: Vec::new(),
        };
        let mut activation = Activation {
            function,
            nest,
            path,
            pending: BTreeMap::new(),
            exits: HashMap::new(),
            counted: HashMap::new(),
            reads: HashMap::new(),
            began: HashMap::new(),
            returned: None,
        };
        let key = next_key(&activation.nest, &[], BlockId(0), BlockId(0));
        activation.pending.insert(key, (BlockId(0), state));
        self.current.waiting += 1;
        while let Some((key, (block, state))) = activation.pending.pop_first() {
            self.current.waiting -= 1;
            self.block(&mut activation, key, block, state)?;
        }
        self.current.stack.pop();
        let Some((mut state, value)) = activation.returned else {
            return Ok(None);
        };
        self.current.waiting -= 1;
        let gone: Vec<_> = state.slots.iter().flatten().copied().collect();
        if !gone.is_empty() {
            self.current.slots.retain(|o| !gone.contains(o));
            let memory = Rc::make_mut(&mut state.flow.memory);
            for object in gone {
                memory.remove(&object);
            }
        }
        Ok(Some((state.flow, value)))
    }
}
