//! One instruction over terms. What it computes is `symbolic`'s business; here is where it reads, writes and goes.

use crate::access::Place;
use crate::allocate::Request;
use crate::calls::Caller;
use crate::event::Manner;
use crate::guard::Guard;
use crate::names::{ObjectKey, Path, Role};
use crate::state::{Flow, Inside, State};
use crate::unwind::{Step, Unwinder};
use raddle_ir::{
    Access, AtomicKind, ChoiceClass, Instr, LocalId, Location, Op, Operand, Property, RmwOp,
    Rvalue, Ty,
};
use raddle_solver::term::{Sort, TermId, TermPool};
use raddle_symbolic::{Computed, Operands, Unsupported, Value, rmw, rvalue};

/// Operands of one computation, looked up beforehand; arbitrary values are noted.
struct Looked {
    known: Vec<(Operand, Value)>,
    asked: Vec<TermId>,
    model: raddle_ir::DataModel,
}

impl Operands for Looked {
    fn operand(&mut self, pool: &mut TermPool, operand: Operand) -> Value {
        match self.known.iter().find(|(o, _)| *o == operand) {
            Some((_, v)) => v.clone(),
            None => Value::number(pool.bits(8, 0)),
        }
    }

    fn arbitrary(&mut self, pool: &mut TermPool, ty: Ty) -> TermId {
        let any = raddle_symbolic::fresh(pool, self.model, ty, "shift");
        self.asked.push(any);
        any
    }
}

impl Unwinder<'_> {
    /// Executes an instruction; false if the thread does not go on.
    pub(crate) fn instruction(
        &mut self,
        state: &mut State,
        instr: &Instr,
        at: Location,
        path: Path,
        iterations: &[u32],
    ) -> Step<bool> {
        let model = self.program.model;
        let regions = self.regions.len();
        self.block_now = None;
        self.plain = matches!(
            instr.op,
            Op::Load { .. } | Op::Store { .. } | Op::Rmw { .. } | Op::Cas { .. }
        );
        self.manner = Manner {
            atomic: is_atomic(&instr.op),
            region: state.flow.inside.as_ref().is_some_and(|i| i.user),
            plain: self.plain,
            held: self.exclusive(&state.flow.held),
        };
        self.locking = match &instr.op {
            Op::Sync { op, .. } if op.is_locking() => Some(op.class()),
            _ => None,
        };
        match &instr.op {
            Op::Let { dst, value } => {
                let value = self.compute(state, value, at);
                self.set(state, *dst, value);
            }
            Op::Havoc { dst } => {
                state.locals[dst.0 as usize] = None;
                state.open.remove(dst);
            }
            Op::Nondet { dst } => {
                let ty = self.program.function(at.function).local(*dst).ty;
                let mut any = self.input(&mut state.flow, ty, at, ChoiceClass::Input);
                if ty == Ty::Ptr {
                    any.targets = raddle_symbolic::Targets::Unknown;
                }
                self.set(state, *dst, any);
            }
            Op::Load {
                dst,
                ty,
                addr,
                access,
            } => {
                let entry = self.enter_log(at, state.flow.guard);
                let address = self.operand(state, *addr, at);
                let direct = self.is_direct(addr);
                let value = self.read_access(state, &address, *ty, access, at, entry, direct);
                self.set(state, *dst, value);
            }
            Op::Store {
                ty,
                addr,
                value,
                access,
            } => {
                let entry = self.enter_log(at, state.flow.guard);
                let address = self.operand(state, *addr, at);
                let value = self.operand(state, *value, at);
                let direct = self.is_direct(addr);
                self.write_access(state, &address, *ty, &value, access, at, entry, direct);
            }
            Op::Rmw {
                dst,
                op,
                ty,
                addr,
                value,
                ..
            } => {
                let entry = self.enter_log(at, state.flow.guard);
                let address = self.operand(state, *addr, at);
                let operand = self.operand(state, *value, at);
                let length = ty.bytes(model);
                let direct = self.is_direct(addr);
                let places =
                    self.places(&mut state.flow, &address, length, true, at, entry, direct);
                let block = self.access_block(entry);
                let old = self.load(&mut state.flow, &places, length, Some(block), entry);
                if *op != RmwOp::Exchange && self.is_mixture(&old, &operand) {
                    let what = "a computation with the number of an address";
                    self.unsupported(state.flow.guard, at, what);
                }
                let new = match rmw(&mut self.pool, *op, *ty, &old, &operand) {
                    Ok(new) => new,
                    Err(what) => self.untreated(state.flow.guard, at, what, *ty),
                };
                self.store(
                    &mut state.flow,
                    &places,
                    length,
                    &new,
                    None,
                    Some(block),
                    entry,
                );
                if let Some(dst) = dst {
                    self.set(state, *dst, old);
                }
            }
            Op::Cas {
                old,
                ok,
                ty,
                addr,
                expected,
                desired,
                weak,
                ..
            } => {
                let entry = self.enter_log(at, state.flow.guard);
                let address = self.operand(state, *addr, at);
                let expected = self.operand(state, *expected, at);
                let desired = self.operand(state, *desired, at);
                let length = ty.bytes(model);
                let direct = self.is_direct(addr);
                let places =
                    self.places(&mut state.flow, &address, length, true, at, entry, direct);
                let block = self.access_block(entry);
                let found = self.load(&mut state.flow, &places, length, Some(block), entry);
                let both = [
                    (Operand::NULL, found.clone()),
                    (Operand::NULL, expected.clone()),
                ];
                self.note_comparison(state.flow.guard, &both, at);
                let mut equal = self.pool.eq(found.bits, expected.bits);
                if *weak && self.is_constant(equal) != Some(false) {
                    let fails = self.fresh("weak", Sort::Bool);
                    let asked = self.and(state.flow.guard, equal);
                    let bit = self.pool.bool_to_bit(fails);
                    self.ask(at, asked, ChoiceClass::WeakCas, bit);
                    let works = self.pool.not(fails);
                    equal = self.pool.and(equal, works);
                }
                self.store(
                    &mut state.flow,
                    &places,
                    length,
                    &desired,
                    Some(equal),
                    Some(block),
                    entry,
                );
                if let Some(dst) = old {
                    self.set(state, *dst, found);
                }
                if let Some(dst) = ok {
                    self.set(state, *dst, Value::number(equal));
                }
            }
            Op::Fence { .. } | Op::Output { .. } => {}
            Op::StorageLive { slot } => {
                let here = self.names.path(path, at, iterations);
                let s = &self.program.function(at.function).slots[slot.0 as usize];
                let key = ObjectKey::Slot(self.current.thread, here, at.function, *slot);
                match self.names.object(key, s.size, s.align, false) {
                    Some(object) => {
                        self.note_birth(object);
                        // Coming back to a declaration ends what it declared before.
                        let old = state.slots[slot.0 as usize].replace(object);
                        if let Some(old) = old.filter(|old| *old != object) {
                            self.end_slots(&mut state.flow, &[old], at, None);
                        }
                        if !self.current.slots.contains(&object) {
                            self.current.slots.push(object);
                        }
                    }
                    None => {
                        self.unsupported(state.flow.guard, at, "more memory than addresses");
                        return Ok(false);
                    }
                }
            }
            Op::StorageDead { slot } => {
                if let Some(object) = state.slots[slot.0 as usize].take() {
                    self.end_slots(&mut state.flow, &[object], at, None);
                    self.current.slots.retain(|o| *o != object);
                    if state.flow.memory.contains_key(&object) {
                        std::rc::Rc::make_mut(&mut state.flow.memory).remove(&object);
                    }
                }
            }
            Op::Alloc {
                dst,
                memory,
                size,
                align,
                zeroed,
            } => {
                let size = self.operand(state, *size, at);
                let here = self.names.path(path, at, iterations);
                let request = Request {
                    memory: *memory,
                    size: size.bits,
                    align: *align,
                    zeroed: *zeroed,
                };
                let Some(value) = self.allocate(state, request, here, at) else {
                    return Ok(false);
                };
                self.set(state, *dst, value);
            }
            Op::Free { addr, memory } => {
                let address = self.operand(state, *addr, at);
                self.free(&mut state.flow, &address, *memory, at);
            }
            Op::ObjectSize { dst, addr } => {
                let address = self.operand(state, *addr, at);
                let entry = self.enter_log(at, state.flow.guard);
                let value = self.object_size(&mut state.flow, &address, at, entry);
                self.set(state, *dst, value);
            }
            Op::Call { dst, callee, args } => {
                return self.call(state, *dst, *callee, args, at, path, iterations);
            }
            Op::AtomicBegin { kind } => match &mut state.flow.inside {
                Some(inside) => {
                    inside.depth += 1;
                    inside.user |= *kind == AtomicKind::Verifier;
                }
                None => {
                    self.forget_unprotected(&mut state.flow);
                    let entry = self.enter_log(at, state.flow.guard);
                    let block = self.new_block(entry);
                    let here = self.names.path(path, at, iterations);
                    let mut entered = None;
                    let before = state.flow.guard;
                    if self.facts.is_refusing(self.current.thread, here) {
                        let e = self.fresh_as(Role::Granted, "entered", Sort::Bool);
                        entered = Some(e);
                        self.restrict(&mut state.flow, e);
                    }
                    state.flow.inside = Some(Inside {
                        depth: 1,
                        block,
                        path: here,
                        before,
                        entered,
                        wrote: false,
                        user: *kind == AtomicKind::Verifier,
                    });
                }
            },
            Op::AtomicEnd => {
                if let Some(inside) = &mut state.flow.inside {
                    inside.depth -= 1;
                    if inside.depth == 0 {
                        let block = inside.block as usize;
                        self.regions[block].done.push(state.flow.guard);
                        state.flow.inside = None;
                    }
                }
            }
            Op::Sync { dst, op, args } => {
                let alone = state.flow.inside.is_none();
                let goes_on = self.sync(state, *dst, *op, args, at, path, iterations)?;
                // A child that was started here has closed its own regions.
                let started = *op == raddle_ir::SyncOp::ThreadStart;
                if goes_on && alone && !started {
                    self.close(regions, state.flow.guard);
                }
                return Ok(goes_on);
            }
            Op::Assert { cond, property, .. } => {
                let cond = self.operand(state, *cond, at).bits;
                let violated = self.pool.not(cond);
                let stops = *property != Property::UnreachCall;
                self.check(&mut state.flow, at, *property, violated, stops);
            }
            Op::Assume { cond } => {
                let cond = self.operand(state, *cond, at).bits;
                self.wait_for(&mut state.flow, cond);
            }
        }
        let single = matches!(
            instr.op,
            Op::Load { .. }
                | Op::Store { .. }
                | Op::Rmw { .. }
                | Op::Cas { .. }
                | Op::ObjectSize { .. }
                | Op::Free { .. }
        );
        if single && state.flow.inside.is_none() {
            self.close(regions, state.flow.guard);
        }
        Ok(true)
    }

    /// Whether an operand names a variable of this thread that is certainly there.
    fn is_direct(&self, addr: &Operand) -> bool {
        match addr {
            Operand::Slot { .. } => true,
            Operand::Global { id, .. } => self.program.global(*id).thread_local,
            _ => false,
        }
    }

    /// The blocks made since then were gone through.
    fn close(&mut self, since: usize, guard: Guard) {
        for region in &mut self.regions[since..] {
            region.done.push(guard);
        }
    }

    /// The thread goes on only if a condition holds; inside an atomic region, the region is entered only if it holds.
    pub(crate) fn wait_for(&mut self, flow: &mut Flow, condition: TermId) {
        if self.is_constant(condition) == Some(true) {
            return;
        }
        if let Some(inside) = &flow.inside {
            self.regions[inside.block as usize].waits = true;
            if let Some(entered) = inside.entered {
                let g = self.guards.term(flow.guard);
                let here = self.pool.and(g, entered);
                let holds = self.pool.implies(here, condition);
                self.constraints.push(holds);
            } else if inside.wrote {
                let (thread, path) = (self.current.thread, inside.path);
                self.facts.refuse(thread, path);
            }
        }
        self.restrict(flow, condition);
    }

    fn compute(&mut self, state: &mut State, value: &Rvalue, at: Location) -> Value {
        let operands: Vec<Operand> = match value {
            Rvalue::Use(a) => return self.operand(state, *a, at),
            Rvalue::Unary { a, .. } | Rvalue::Cast { a, .. } => vec![*a],
            Rvalue::Binary { a, b, .. } | Rvalue::Compare { a, b, .. } => vec![*a, *b],
            Rvalue::PtrAdd { base, index, .. } => vec![*base, *index],
            Rvalue::Select { cond, a, b, .. } => vec![*cond, *a, *b],
            Rvalue::Pure { args, .. } => args.clone(),
        };
        let mut looked = Looked {
            known: Vec::with_capacity(3),
            asked: Vec::new(),
            model: self.program.model,
        };
        for o in operands {
            let v = self.operand(state, o, at);
            looked.known.push((o, v));
        }
        let placed = match self.depends_on_layout(value, &looked.known) {
            true => self.with_places(state.flow.guard, &looked.known, at),
            false => None,
        };
        let is_placed = placed.is_some();
        match placed {
            Some(placed) => looked.known = placed,
            None => {
                self.note_address_use(state.flow.guard, value, &looked.known, at);
                if let Rvalue::Compare { .. } = value {
                    self.note_comparison(state.flow.guard, &looked.known, at);
                    self.note_unknown_operand(state.flow.guard, &looked.known, at);
                }
            }
        }
        // What else has an address in it keeps its targets: an address moved by a number, a choice of two.
        let computes = matches!(
            value,
            Rvalue::Binary { .. } | Rvalue::Unary { .. } | Rvalue::Pure { .. }
        );
        let of_numbers = computes && looked.known.iter().any(|(_, v)| self.has_places(v));
        let model = self.program.model;
        match rvalue(&mut self.pool, model, value, &mut looked) {
            Ok(Computed { value, checks }) => {
                let pure = of_numbers && self.is_number(&value);
                let value = match is_placed || pure {
                    true => self.made_of_places(value),
                    false => value,
                };
                let bad = checks.iter().find(|c| c.property == Property::NoBadShift);
                if let Some(bad) = bad.map(|c| c.violated) {
                    let asked = self.and(state.flow.guard, bad);
                    for any in looked.asked {
                        self.ask(at, asked, ChoiceClass::BadShift, any);
                    }
                }
                for c in checks {
                    self.check(&mut state.flow, at, c.property, c.violated, c.stops);
                }
                value
            }
            Err(what) => {
                let ty = result_type(value);
                self.untreated(state.flow.guard, at, what, ty)
            }
        }
    }

    /// Goes on with an arbitrary value, and remembers that this is not the whole truth.
    pub(crate) fn untreated(
        &mut self,
        guard: Guard,
        at: Location,
        what: Unsupported,
        ty: Ty,
    ) -> Value {
        self.unsupported(guard, at, what.0);
        let sort = raddle_symbolic::sort_of(ty, self.program.model);
        Value::number(self.fresh("untreated", sort))
    }

    #[allow(clippy::too_many_arguments)]
    fn read_access(
        &mut self,
        state: &mut State,
        address: &Value,
        ty: Ty,
        access: &Access,
        at: Location,
        entry: u32,
        direct: bool,
    ) -> Value {
        let model = self.program.model;
        if let Some(b) = access.bits {
            let location = u64::from(b.location);
            let places = self.places(&mut state.flow, address, location, false, at, entry, direct);
            if self.tracks_writes() && access.keeps != u128::MAX {
                let (bytes, length) = bytes_of(&places, b);
                let used = (u128::MAX >> (128 - b.width)) << (b.offset % 8);
                self.note_unwritten_bytes(&mut state.flow, &bytes, length, !used, entry);
            }
            let whole = self.load_at(&mut state.flow, &places, location, None, entry);
            let field = self
                .pool
                .extract(b.offset + b.width - 1, b.offset, whole.bits);
            let width = ty.bits(model);
            return Value::number(match (b.signed, ty) {
                (_, Ty::I1) => {
                    let one = self.pool.bits(b.width, 0);
                    self.pool.ne(field, one)
                }
                (true, _) => self.pool.sign_extend_to(width, field),
                (false, _) => self.pool.zero_extend_to(width, field),
            });
        }
        let length = ty.bytes(model);
        let places = self.places(&mut state.flow, address, length, false, at, entry, direct);
        if self.tracks_writes() && access.keeps != u128::MAX {
            self.note_unwritten_bytes(&mut state.flow, &places, length, access.keeps, entry);
        }
        self.load_at(&mut state.flow, &places, length, None, entry)
    }

    #[allow(clippy::too_many_arguments)]
    fn write_access(
        &mut self,
        state: &mut State,
        address: &Value,
        ty: Ty,
        value: &Value,
        access: &Access,
        at: Location,
        entry: u32,
        direct: bool,
    ) {
        let model = self.program.model;
        let Some(b) = access.bits else {
            let length = ty.bytes(model);
            let places = self.places(&mut state.flow, address, length, true, at, entry, direct);
            let flow = &mut state.flow;
            self.note_reference(&places, length, value);
            if self.tracks_writes() {
                let keeps = access.keeps;
                self.note_written_bytes(flow, &places, length, keeps, None, None, entry);
            }
            self.store_at(flow, &places, length, value, None, None, entry);
            return;
        };
        let location = u64::from(b.location);
        let places = self.places(&mut state.flow, address, location, true, at, entry, direct);
        let block = self.access_block(entry);
        if self.tracks_writes() {
            let (bytes, length) = bytes_of(&places, b);
            let block = Some(block);
            let keeps = access.keeps;
            self.note_written_bytes(&mut state.flow, &bytes, length, keeps, None, block, entry);
        }
        let whole = self.load_at(&mut state.flow, &places, location, Some(block), entry);
        let total = b.location * 8;
        let bits = match ty {
            Ty::I1 => self.pool.bool_to_bit(value.bits),
            _ => value.bits,
        };
        let width = self.pool.width(bits);
        let field = match width > b.width {
            true => self.pool.extract(b.width - 1, 0, bits),
            false => self.pool.zero_extend_to(b.width, bits),
        };
        let mut new = field;
        if b.offset > 0 {
            let low = self.pool.extract(b.offset - 1, 0, whole.bits);
            new = self.pool.concat(new, low);
        }
        if b.offset + b.width < total {
            let high = self.pool.extract(total - 1, b.offset + b.width, whole.bits);
            new = self.pool.concat(high, new);
        }
        let new = Value::number(new);
        self.store_at(
            &mut state.flow,
            &places,
            location,
            &new,
            None,
            Some(block),
            entry,
        );
    }

    #[allow(clippy::too_many_arguments)]
    fn call(
        &mut self,
        state: &mut State,
        dst: Option<LocalId>,
        callee: Operand,
        args: &[Operand],
        at: Location,
        path: Path,
        iterations: &[u32],
    ) -> Step<bool> {
        let mut values = Vec::with_capacity(args.len());
        for a in args {
            values.push(self.operand(state, *a, at));
        }
        let here = self.names.path(path, at, iterations);
        let program = self.program;
        let result = match callee {
            Operand::Function(f) if !program.function(f).has_body() => {
                if let (Some(dst), Some(ty)) = (dst, program.function(f).ret) {
                    let any = self.input(&mut state.flow, ty, at, ChoiceClass::External);
                    let escaped = values.iter().any(|v| !v.targets.is_none());
                    let value = match ty == Ty::Ptr || escaped {
                        true => Value {
                            targets: raddle_symbolic::Targets::Unknown,
                            ..any
                        },
                        false => any,
                    };
                    self.set(state, dst, value);
                }
                return Ok(true);
            }
            Operand::Function(f) => self.call_function(f, values, state.flow.clone(), here)?,
            pointer => {
                let callee = self.operand(state, pointer, at);
                let wanted = dst.map(|d| program.function(at.function).local(d).ty);
                let caller = Caller::Function(wanted);
                self.call_pointer(&callee, values, caller, state.flow.clone(), here, at)?
            }
        };
        let Some((flow, value)) = result else {
            return Ok(false);
        };
        state.flow = flow;
        if let Some(dst) = dst {
            let ty = program.function(at.function).local(dst).ty;
            let sort = raddle_symbolic::sort_of(ty, program.model);
            state.locals[dst.0 as usize] = value.filter(|v| self.pool.sort(v.bits) == sort);
            state.open.remove(&dst);
            let library = program.function(at.function).library;
            if library
                && let Some(value) = &state.locals[dst.0 as usize]
                && self.is_uninitialised(value.bits)
            {
                let always = self.pool.bool(true);
                state.open.insert(dst, always);
            }
        }
        Ok(true)
    }
}

/// Whether an access counts as atomic: those of synchronisation do, but for making and destroying.
fn is_atomic(op: &Op) -> bool {
    match op {
        Op::Load { access, .. } | Op::Store { access, .. } => access.ordering.is_atomic(),
        Op::Rmw { .. } | Op::Cas { .. } => true,
        Op::Sync { op, .. } => !op.is_reset(),
        _ => false,
    }
}

fn result_type(value: &Rvalue) -> Ty {
    match value {
        Rvalue::Unary { ty, .. } | Rvalue::Binary { ty, .. } | Rvalue::Select { ty, .. } => *ty,
        Rvalue::Compare { .. } => Ty::I1,
        Rvalue::Cast { to, .. } => *to,
        Rvalue::PtrAdd { .. } => Ty::Ptr,
        Rvalue::Pure { function, ty, .. } => function.result(*ty),
        Rvalue::Use(_) => Ty::I32,
    }
}

/// The bytes of a bit-field, of those of its memory location.
fn bytes_of(location: &[Place], bits: raddle_ir::BitField) -> (Vec<Place>, u64) {
    let first = u64::from(bits.offset / 8);
    let end = u64::from((bits.offset + bits.width).div_ceil(8));
    let moved = |p: &Place| Place {
        offset: p.offset + first,
        ..*p
    };
    (location.iter().map(moved).collect(), end - first)
}
