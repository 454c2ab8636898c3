//! The step-indexed encoding: states, and between two of them one selected action.
//!
//! Where a thread is, is one truth value for each of its locations; what is known to be false at a step is not encoded at all, so
//! the first steps, of which there are few kinds, are small. A step selects one thread, or none: such idle steps stand only at the
//! front. Everything else about a step is a function of that selection and of inputs: new values are choices between the
//! values that the selected action gives them and the old ones, which is what frame conditions are.

use crate::exclusive::ambiguous;
use crate::footprint::Footprints;
use crate::instantiate::Instantiation;
use crate::widths::widths;
use raddle_actions::system::{Action, ActionId, Outcome, Status, System, VarId};
use raddle_solver::Solver;
use raddle_solver::blast::BlastError;
use raddle_solver::term::{Op, Sort, Term, TermId};
use std::collections::{BTreeMap, HashMap, HashSet};

/// A state between two steps.
#[derive(Clone)]
pub struct State {
    /// By variable; `None` for those that do not matter.
    pub values: Vec<Option<TermId>>,
    /// By thread and number of a status ([`number_of`]).
    pub at: Vec<Vec<TermId>>,
}

/// A step.
pub struct Step {
    /// By thread: it is selected.
    pub run: Vec<TermId>,
    /// Actions that can be selected, each with the condition that it is.
    pub act: Vec<(ActionId, TermId)>,
    /// The inputs of the actions, one for each choice.
    pub choices: HashMap<ActionId, Vec<TermId>>,
    /// Nothing is selected.
    pub idle: TermId,
    /// The selected action violates something, or is not treated.
    pub bad: TermId,
    /// By thread: where it is matters to the step, and changes.
    pub touched: Vec<TermId>,
    /// Shared variables that are read, and when.
    pub reads: BTreeMap<VarId, TermId>,
    /// Shared variables that are written, and when.
    pub writes: BTreeMap<VarId, TermId>,
}

/// The number of a status.
pub fn number_of(status: Status) -> usize {
    match status {
        Status::Absent => 0,
        Status::Made => 1,
        Status::Finished => 2,
        Status::Joined => 3,
        Status::At(l) => 4 + l.0 as usize,
    }
}

/// Whether an action is what one looks for.
pub fn is_bad(action: &Action) -> bool {
    !matches!(action.outcome, Outcome::Next(_))
}

/// What is unrolled, how far it is, and the solver.
pub struct Unrolling {
    /// The program.
    pub system: System,
    /// What its actions touch.
    pub footprints: Footprints,
    /// The solver.
    pub solver: Solver,
    /// States; one more than there are steps.
    pub states: Vec<State>,
    /// Steps.
    pub steps: Vec<Step>,
    /// Steps may be idle, at the front.
    pub idle: bool,
    /// Read and write conditions are made.
    pub conditions: bool,
    /// Only this thread makes steps, and nobody holds it up: what it shares has any value at every step.
    pub alone: Option<usize>,
    /// Actions of one place that can be possible together.
    ambiguous: HashSet<ActionId>,
    /// By variable: how many bits it needs.
    widths: Vec<u32>,
}

impl Unrolling {
    /// From a state on.
    pub fn new(
        mut system: System,
        footprints: Footprints,
        start: State,
        idle: bool,
        conditions: bool,
    ) -> Unrolling {
        let ambiguous = ambiguous(&mut system);
        let widths = widths(&system);
        let mut solver = Solver::new(false);
        // Nothing happens unless something needs it: guesses that way leave few steps behind that projections would have to explain.
        solver.set_option("phase", 0);
        Unrolling {
            system,
            footprints,
            solver,
            states: vec![start],
            steps: Vec::new(),
            idle,
            conditions,
            alone: None,
            ambiguous,
            widths,
        }
    }

    /// Every variable may have any value at the start, so it has all its bits.
    pub fn start_anywhere(&mut self) {
        for (v, width) in self.widths.iter_mut().enumerate() {
            if let Sort::BitVec(w) = self.system.pool.sort(self.system.variables[v].term) {
                *width = w;
            }
        }
    }

    /// A variable that stands for a truth value, so that terms of later steps stay small.
    fn named(&mut self, name: &str, term: TermId) -> Result<TermId, BlastError> {
        if !matches!(self.system.pool.term(term), Term::App { op, .. } if *op != Op::Not) {
            return Ok(term);
        }
        let pool = &mut self.system.pool;
        let variable = pool.fresh_var(name, Sort::Bool);
        let same = pool.eq(variable, term);
        self.solver.assert(pool, same)?;
        Ok(variable)
    }

    /// The same for a value of a state variable, with as many bits as it needs.
    fn valued(&mut self, v: usize, term: TermId) -> Result<TermId, BlastError> {
        let pool = &mut self.system.pool;
        let Sort::BitVec(full) = pool.sort(term) else {
            return self.named("value", term);
        };
        if !matches!(pool.term(term), Term::App { .. }) {
            return Ok(term);
        }
        let width = self.widths[v].max(1);
        let short = pool.fresh_var(&format!("v{v}"), Sort::BitVec(width));
        let low = pool.extract(width - 1, 0, term);
        let same = pool.eq(short, low);
        self.solver.assert(pool, same)?;
        Ok(match width < full {
            true => pool.zero_extend_to(full, short),
            false => short,
        })
    }

    /// One more step.
    pub fn extend(&mut self) -> Result<(), BlastError> {
        let Some(mut before) = self.states.last().cloned() else {
            return Ok(());
        };
        if self.alone.is_some() {
            for v in &self.footprints.shared {
                let sort = self
                    .system
                    .pool
                    .sort(self.system.variables[v.0 as usize].term);
                let any = self.system.pool.fresh_var("any", sort);
                before.values[v.0 as usize] = Some(any);
            }
        }
        let mut terms = Instantiation::default();
        for (v, value) in before.values.iter().enumerate() {
            if let Some(value) = value {
                terms.set(self.system.variables[v].term, *value);
            }
        }
        let threads = before.at.len();
        let number = self.steps.len();
        let mut step = Step {
            run: Vec::with_capacity(threads),
            act: Vec::new(),
            choices: HashMap::new(),
            idle: self.system.pool.bool(false),
            bad: self.system.pool.bool(false),
            touched: Vec::new(),
            reads: BTreeMap::new(),
            writes: BTreeMap::new(),
        };
        for p in 0..threads {
            match self.alone.is_some_and(|only| only != p) {
                true => step.run.push(self.system.pool.bool(false)),
                false => self.select(p, number, &before, &mut terms, &mut step)?,
            }
        }
        self.one_thread(number, &mut step)?;
        self.touches(&mut step);
        if self.conditions {
            self.conditions_of(&mut terms, &mut step);
        }
        let mut after = self.after(&before, &mut terms, &step);
        for p in 0..after.at.len() {
            for s in 0..after.at[p].len() {
                after.at[p][s] = self.named("at", after.at[p][s])?;
            }
        }
        for v in 0..after.values.len() {
            if let Some(value) = after.values[v]
                && before.values[v] != Some(value)
            {
                after.values[v] = Some(self.valued(v, value)?);
            }
        }
        self.states.push(after);
        self.steps.push(step);
        Ok(())
    }

    /// What a thread can do at a step.
    fn select(
        &mut self,
        p: usize,
        number: usize,
        before: &State,
        terms: &mut Instantiation,
        step: &mut Step,
    ) -> Result<(), BlastError> {
        let never = self.system.pool.bool(false);
        let mut ways: Vec<(ActionId, TermId)> = Vec::new();
        for l in 0..self.system.outgoing[p].len() {
            let here = before.at[p][4 + l];
            if here == never {
                continue;
            }
            for id in self.system.outgoing[p][l].clone() {
                let inputs = self.inputs(id, number);
                let action = &self.system.actions[id.0 as usize];
                for (choice, input) in action.choices.iter().zip(&inputs) {
                    terms.set(choice.term, *input);
                }
                let (guard, control) = (action.guard, action.control.clone());
                let pool = &mut self.system.pool;
                let mut possible = terms.term(pool, guard);
                possible = pool.and(possible, here);
                let waits = if self.alone.is_some() {
                    Vec::new()
                } else {
                    control
                };
                for (q, needed, then) in waits {
                    let now = &before.at[q.0 as usize];
                    let fine = match (needed, then) {
                        (Status::Absent, Status::Absent) => pool.not(now[0]),
                        _ => now[number_of(needed)],
                    };
                    possible = pool.and(possible, fine);
                }
                if possible != never {
                    step.choices.insert(id, inputs);
                    ways.push((id, possible));
                }
            }
        }
        if ways.is_empty() {
            step.run.push(never);
            return Ok(());
        }
        let pool = &mut self.system.pool;
        let run = pool.fresh_var(&format!("run{p}@{number}"), Sort::Bool);
        let mut acts = Vec::new();
        let mut picks: Vec<(ActionId, TermId)> = Vec::new();
        for (id, possible) in ways {
            let pool = &mut self.system.pool;
            let mut act = pool.and(run, possible);
            if self.ambiguous.contains(&id) {
                let pick = pool.fresh_var(&format!("pick{}@{number}", id.0), Sort::Bool);
                act = pool.and(act, pick);
                picks.push((id, pick));
            }
            let act = self.named("act", act)?;
            acts.push(act);
            step.act.push((id, act));
        }
        for (i, (a, x)) in picks.iter().enumerate() {
            let from = self.system.get(*a).from;
            for (b, y) in &picks[..i] {
                if self.system.get(*b).from == from {
                    let (x, y) = (
                        self.solver.literal(&mut self.system.pool, *x)?,
                        self.solver.literal(&mut self.system.pool, *y)?,
                    );
                    self.solver.add_clause(&[!x, !y]);
                }
            }
        }
        // Who is selected does something.
        let some = self.system.pool.or_all(acts);
        let done = self.system.pool.implies(run, some);
        self.solver.assert(&mut self.system.pool, done)?;
        step.run.push(run);
        Ok(())
    }

    fn inputs(&mut self, id: ActionId, number: usize) -> Vec<TermId> {
        let action = &self.system.actions[id.0 as usize];
        let choices: Vec<(&str, TermId)> = action
            .choices
            .iter()
            .map(|c| (c.kind.name(), c.term))
            .collect();
        let pool = &mut self.system.pool;
        let make = choices.into_iter().map(|(kind, term)| {
            let sort = pool.sort(term);
            pool.fresh_var(&format!("{kind}@{number}"), sort)
        });
        make.collect()
    }

    /// At most one thread; if none, none before.
    fn one_thread(&mut self, number: usize, step: &mut Step) -> Result<(), BlastError> {
        let pool = &mut self.system.pool;
        let never = pool.bool(false);
        let runs: Vec<TermId> = step.run.iter().copied().filter(|r| *r != never).collect();
        let mut literals = Vec::new();
        for r in &runs {
            literals.push(self.solver.literal(pool, *r)?);
        }
        for (i, x) in literals.iter().enumerate() {
            for y in &literals[..i] {
                self.solver.add_clause(&[!*x, !*y]);
            }
        }
        let some = pool.or_all(runs);
        match self.idle {
            true => {
                step.idle = pool.not(some);
                if let Some(last) = number.checked_sub(1) {
                    let front = pool.implies(step.idle, self.steps[last].idle);
                    self.solver.assert(pool, front)?;
                }
            }
            false => self.solver.assert(pool, some)?,
        }
        let bad = step.act.iter();
        let bad: Vec<TermId> = bad
            .filter(|(a, _)| is_bad(&self.system.actions[a.0 as usize]))
            .map(|(_, t)| *t)
            .collect();
        step.bad = self.system.pool.or_all(bad);
        Ok(())
    }

    /// A thread's place is read and written by itself, by who makes or starts it, and by who joins it.
    fn touches(&mut self, step: &mut Step) {
        let mut touched = step.run.clone();
        for (id, act) in &step.act {
            let control = self.system.actions[id.0 as usize].control.clone();
            for (q, ..) in control {
                let q = q.0 as usize;
                touched[q] = self.system.pool.or(touched[q], *act);
            }
        }
        step.touched = touched;
    }

    fn conditions_of(&mut self, terms: &mut Instantiation, step: &mut Step) {
        let pool = &mut self.system.pool;
        for (id, act) in &step.act {
            let footprint = &self.footprints.list[id.0 as usize];
            for (of, all) in [
                (&footprint.reads, &mut step.reads),
                (&footprint.writes, &mut step.writes),
            ] {
                for (v, when) in of {
                    let when = terms.term(pool, *when);
                    let when = pool.and(*act, when);
                    let before = all.get(v).copied();
                    let either = match before {
                        Some(before) => pool.or(before, when),
                        None => when,
                    };
                    all.insert(*v, either);
                }
            }
        }
    }

    fn after(&mut self, before: &State, terms: &mut Instantiation, step: &Step) -> State {
        let pool = &mut self.system.pool;
        let mut after = before.clone();
        let mut arriving: HashMap<(usize, usize), Vec<TermId>> = HashMap::new();
        for (id, act) in &step.act {
            let action = &self.system.actions[id.0 as usize];
            if let Outcome::Next(status) = action.outcome {
                let to = (action.thread.0 as usize, number_of(status));
                arriving.entry(to).or_default().push(*act);
            }
            for (q, needed, then) in &action.control {
                if (*needed, *then) != (Status::Absent, Status::Absent) {
                    let to = (q.0 as usize, number_of(*then));
                    arriving.entry(to).or_default().push(*act);
                }
            }
        }
        // Who is only looked at ("was made") stays where it is.
        let mut moved = step.run.clone();
        for (id, act) in &step.act {
            for (q, needed, then) in &self.system.actions[id.0 as usize].control {
                if (*needed, *then) != (Status::Absent, Status::Absent) {
                    let q = q.0 as usize;
                    moved[q] = pool.or(moved[q], *act);
                }
            }
        }
        for (p, statuses) in after.at.iter_mut().enumerate() {
            let still = pool.not(moved[p]);
            for (s, at) in statuses.iter_mut().enumerate() {
                let stays = pool.and(still, *at);
                let arrives = arriving.remove(&(p, s)).unwrap_or_default();
                let arrives = pool.or_all(arrives);
                *at = pool.or(stays, arrives);
            }
        }
        // Only one action happens, so what gives a variable the same value is one case.
        let mut changes: BTreeMap<VarId, BTreeMap<TermId, Vec<TermId>>> = BTreeMap::new();
        for (id, act) in &step.act {
            for (v, cases) in &self.footprints.list[id.0 as usize].updates {
                for (condition, value) in cases {
                    let condition = terms.term(pool, *condition);
                    let when = pool.and(*act, condition);
                    let value = terms.term(pool, *value);
                    let values = changes.entry(*v).or_default();
                    values.entry(value).or_default().push(when);
                }
            }
        }
        for (v, values) in changes {
            let slot = &mut after.values[v.0 as usize];
            let mut new = slot.unwrap_or(self.system.variables[v.0 as usize].term);
            for (value, when) in values {
                let when = pool.or_all(when);
                new = pool.ite(when, value, new);
            }
            *slot = Some(new);
        }
        after
    }
}
