//! The strongest invariants of the language, from below: whatever contradicts induction is joined, until nothing does.

use super::control::{Control, Flow, NodeId};
use super::domain::Frame;
use super::relevant::{comparisons, relevant, simple_guard, tests};
use super::split::Split;
use super::{Invariants, Where};
use crate::logic::{Logic, NoAnswer};
use crate::system::{ActionId, Origin, Status, System, VarId};
use raddle_ccfg::{InstanceId, ObjectId};
use raddle_ir::LocalId;
use raddle_solver::term::{Assignment, Op, Sort, Term, TermId, Value, mask, sign_extend};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Variables of one place at most.
const VARIABLES: usize = 26;
/// Questions that are asked if there is time.
pub const QUESTIONS: u64 = 12_000;
/// More conditions than this are not looked at.
const CONDITIONS: usize = 60_000;
/// Tests by which the states of one place are told apart.
const TESTS: usize = 3;
/// Numbers of one width that a variable may be known to differ from.
const APART: usize = 12;
/// Bounds of one width at most.
const STEPS: usize = 80;

/// One condition of the proof.
#[derive(Clone, Copy, Debug)]
enum Condition {
    /// The first thread at the start.
    Initial,
    /// A thread's own action.
    Own(Flow, NodeId),
    /// An action starts another thread.
    Starts(Flow, NodeId),
    /// An action of another thread.
    Disturbs(Flow, NodeId),
    /// An action stores to an object that is not divided into cells.
    Stores(Flow, NodeId, TermId),
    /// What such an object holds at the start.
    Holds(NodeId),
}

struct Inference<'a> {
    /// How many nodes are places of threads.
    places: usize,
    system: &'a mut System,
    logic: &'a mut Logic,
    control: Control,
    frame: Frame,
    known: Vec<Split>,
    #[allow(clippy::type_complexity)]
    conjuncts: Vec<Option<Vec<(TermId, Vec<VarId>)>>>,
    through: HashMap<(ActionId, TermId), TermId>,
    updates: HashMap<ActionId, HashMap<TermId, TermId>>,
    guards: HashMap<ActionId, TermId>,
}

/// Infers invariants, and finds the errors that they rule out; `None` if there are too many conditions, or
/// more questions than these.
pub fn infer(
    system: &mut System,
    logic: &mut Logic,
    questions: u64,
) -> Result<Option<(Invariants, BTreeSet<ActionId>)>, NoAnswer> {
    let relevant = relevant(system);
    let control = Control::new(system);
    let frame = frame(system, &relevant);
    let nodes = control.nodes.iter();
    let tests = tests(system);
    let mut known: Vec<Split> = nodes
        .map(|n| {
            let here = tests.iter().copied();
            let mine = here.filter(|(v, _)| system.owner(*v).is_none_or(|t| t == n.thread));
            let few: Vec<(VarId, u128)> = mine.take(TESTS).collect();
            Split::new(variables(system, &relevant, n), &few)
        })
        .collect();
    // Behind the places of threads: the contents of objects.
    let places = known.len();
    known.extend(system.contents.values().map(|v| Split::new(vec![*v], &[])));
    let mut inference = Inference {
        places,
        conjuncts: vec![None; known.len()],
        system,
        logic,
        control,
        frame,
        known,
        through: HashMap::new(),
        updates: HashMap::new(),
        guards: HashMap::new(),
    };
    match inference.run(questions)? {
        true => {
            let impossible = inference.impossible()?;
            Ok(Some((inference.result(), impossible)))
        }
        false => Ok(None),
    }
}

/// What is spoken of at a place.
fn variables(system: &System, relevant: &[VarId], place: &Where) -> Vec<VarId> {
    let children = &system.children()[place.thread.0 as usize];
    // The argument of a thread that was made and not started.
    let waiting = |t: InstanceId, l: LocalId| {
        let at = children.iter().position(|c| *c == t);
        let made = at.and_then(|i| place.children.get(i)) == Some(&Status::Made);
        let template = system.instances.get(t).template;
        made && system.ccfg.template(template).param == Some(l)
    };
    let template = system.instances.get(place.thread).template;
    let template = system.ccfg.template(template);
    let about = |v: &&VarId| match system.variables[v.0 as usize].origin {
        // One of any number of threads is known to itself only.
        Origin::Cell(_, Some(t)) if system.is_of_crowd(t) => t == place.thread,
        Origin::Identity(t) => t == place.thread,
        Origin::Changer(_) => true,
        Origin::Cell(..) => true,
        Origin::Local(t, l) => match place.at {
            _ if t != place.thread => waiting(t, l),
            Status::At(at) => template.live[at.0 as usize].contains(&l),
            _ => false,
        },
        Origin::Contents(_) | Origin::Sleep(_) => false,
        Origin::Result(t) => t == place.thread && place.at == Status::Finished,
    };
    let all = relevant.iter().filter(about).copied();
    let most = match system.crowds.is_empty() {
        true => VARIABLES,
        false => 2 * VARIABLES,
    };
    all.take(most).collect()
}

fn frame(system: &System, relevant: &[VarId]) -> Frame {
    let of_interest: HashSet<VarId> = relevant.iter().copied().collect();
    let mut terms: HashSet<TermId> = relevant
        .iter()
        .map(|v| system.variables[v.0 as usize].term)
        .collect();
    let loaded = system.actions.iter().flat_map(|a| &a.choices);
    terms.extend(loaded.filter(|c| c.object.is_some()).map(|c| c.term));
    let mut numbers: BTreeMap<u32, BTreeSet<i128>> = BTreeMap::new();
    let mut add = |width: u32, value: u128| {
        let n = sign_extend(width, value);
        let all = numbers.entry(width).or_default();
        all.extend([n - 1, n, n + 1]);
    };
    let mut unsigned = false;
    let mut apart: BTreeMap<u32, BTreeSet<u128>> = BTreeMap::new();
    let mut roots = Vec::new();
    for a in &system.actions {
        for c in comparisons(&system.pool, a.guard) {
            let free = system.pool.free_variables(&[c]);
            if free.iter().any(|t| terms.contains(t)) {
                roots.push(c);
                let op = system.pool.term(c);
                if let (Term::App { op: Op::Eq, .. }, false) = (op, system.crowds.is_empty()) {
                    for t in system.pool.args(c) {
                        if let Term::Bits { width, value } = *system.pool.term(*t) {
                            apart.entry(width).or_default().insert(value);
                        }
                    }
                }
                unsigned |= matches!(
                    op,
                    Term::App {
                        op: Op::BvUlt | Op::BvUle,
                        ..
                    }
                );
            }
        }
        for (v, t) in &a.updates {
            if of_interest.contains(v) {
                roots.push(*t);
            }
        }
        roots.extend(a.stored.iter().map(|s| s.1));
    }
    let mut last_bits = false;
    for t in system.pool.reachable(&roots) {
        match *system.pool.term(t) {
            Term::Bits { width, value } => add(width, value),
            Term::App { op, .. } => last_bits |= looks_at_last_bits(system, t, op),
            _ => {}
        }
    }
    for v in relevant.iter().chain(system.contents.values()) {
        let v = &system.variables[v.0 as usize];
        if let Sort::BitVec(w) = system.pool.sort(v.term) {
            add(w, 0);
            if let Some(n) = v.initial {
                add(w, n);
            }
        }
    }
    let steps = numbers.into_iter().map(|(width, all)| {
        let (least, greatest) = (
            sign_extend(width, 1 << (width - 1)),
            sign_extend(width, mask(width) >> 1),
        );
        let mut near: Vec<i128> = all.into_iter().collect();
        near.sort_by_key(|n| n.unsigned_abs());
        near.truncate(STEPS);
        near.retain(|n| *n > least && *n < greatest);
        near.extend([least, greatest]);
        near.sort_unstable();
        near.dedup();
        (width, near)
    });
    Frame {
        steps: steps.collect(),
        apart: apart
            .into_iter()
            .map(|(w, all)| (w, all.into_iter().take(APART).collect()))
            .collect(),
        unsigned,
        last_bits,
        locks: match system.crowds.is_empty() {
            true => BTreeSet::new(),
            false => system.locks.clone(),
        },
        alone: match system.crowds.is_empty() {
            true => system.locks.clone(),
            false => BTreeSet::new(),
        },
        names: match system.crowds.is_empty() {
            true => BTreeSet::new(),
            false => {
                let name = |v: &VarId| {
                    let origin = system.variables[v.0 as usize].origin;
                    matches!(origin, Origin::Identity(_) | Origin::Changer(_))
                };
                let all = (0..system.variables.len() as u32).map(VarId);
                all.filter(name)
                    .chain(system.locks.iter().copied())
                    .collect()
            }
        },
    }
}

/// A remainder, or some of the last bits of a variable.
fn looks_at_last_bits(system: &System, term: TermId, op: Op) -> bool {
    let pool = &system.pool;
    let of_variable = |t: &TermId| matches!(pool.term(*t), Term::Var(_));
    let number = |t: &TermId| matches!(pool.term(*t), Term::Bits { .. });
    let args = pool.args(term);
    match op {
        Op::Extract { high, low: 0 } => {
            args.iter().any(of_variable) && args.iter().all(|a| high + 1 < pool.width(*a))
        }
        Op::BvUrem | Op::BvSrem | Op::BvAnd => args.iter().any(number),
        _ => false,
    }
}

impl Inference<'_> {
    fn run(&mut self, questions: u64) -> Result<bool, NoAnswer> {
        let Some(conditions) = self.conditions() else {
            return Ok(false);
        };
        // By place: what has to be looked at again when it changes.
        let mut near: Vec<Vec<usize>> = vec![Vec::new(); self.known.len()];
        for (i, c) in conditions.iter().enumerate() {
            match c {
                Condition::Initial | Condition::Holds(_) => {}
                Condition::Own(f, n)
                | Condition::Starts(f, n)
                | Condition::Disturbs(f, n)
                | Condition::Stores(f, n, _) => {
                    near[f.from].push(i);
                    near[*n].push(i);
                    for over in self.joined(*f).into_iter().flatten() {
                        near[over].push(i);
                    }
                    for (_, object) in self.loaded(f.action) {
                        near[object].push(i);
                    }
                }
            }
        }
        // A thread's own steps first, one thread after the other: interference has to wait until its victim is known.
        let key = |inference: &Self, i: usize| {
            let (later, node) = match conditions[i] {
                Condition::Disturbs(_, n) => (1, n),
                Condition::Own(_, n) | Condition::Starts(_, n) | Condition::Stores(_, n, _) => {
                    (0, n)
                }
                Condition::Initial | Condition::Holds(_) => (0, 0),
            };
            let thread = inference.control.nodes.get(node).map_or(0, |w| w.thread.0);
            (later, thread, i)
        };
        let mut queue: BTreeSet<(u8, u32, usize)> =
            (0..conditions.len()).map(|i| key(self, i)).collect();
        let asked = self.logic.asked;
        while let Some((_, _, i)) = queue.pop_first() {
            if self.logic.asked - asked > questions {
                return Ok(false);
            }
            if let Condition::Starts(f, n) = conditions[i]
                && !self.known[n].reached
                && self.known[f.from].reached
            {
                for like in self.like_its_sibling(n) {
                    self.conjuncts[like] = None;
                    queue.extend(near[like].iter().map(|j| key(self, *j)));
                }
            }
            let Some(changed) = self.settle(conditions[i])? else {
                continue;
            };
            self.conjuncts[changed] = None;
            queue.extend(near[changed].iter().chain([&i]).map(|j| key(self, *j)));
            if let Some(twin) = self.like_its_twin(changed) {
                self.conjuncts[twin] = None;
                queue.extend(near[twin].iter().map(|j| key(self, *j)));
            }
        }
        Ok(true)
    }

    /// Of threads that are made at one place, the later ones begin with what is known of the first: most of it is true of them, too.
    /// Which places that concerns.
    fn like_its_sibling(&mut self, entry: NodeId) -> Vec<NodeId> {
        let thread = self.control.nodes[entry].thread;
        let made = self.system.instances.get(thread).maker;
        let mut siblings = self.system.instances.ids();
        let first = siblings.find(|t| self.system.instances.get(*t).maker == made);
        let Some(first) = first.filter(|f| *f != thread) else {
            return Vec::new();
        };
        let mut done = Vec::new();
        for n in 0..self.places {
            let place = &self.control.nodes[n];
            if place.thread != thread || self.known[n].reached {
                continue;
            }
            let there = Where {
                thread: first,
                ..place.clone()
            };
            let Some(from) = self.control.index.get(&there).copied() else {
                continue;
            };
            let like = self.known[from].renamed(self.system, &self.frame, first, thread);
            if let Some(like) = like.filter(|k| k.variables == self.known[n].variables) {
                self.known[n] = like;
                done.push(n);
            }
        }
        done
    }

    /// What holds for one of a crowd holds for the other. Which place that concerns.
    fn like_its_twin(&mut self, node: NodeId) -> Option<NodeId> {
        let place = self.control.nodes.get(node)?;
        let (from, to) = (place.thread, self.system.twin(place.thread)?);
        let there = Where {
            thread: to,
            ..place.clone()
        };
        let twin = *self.control.index.get(&there)?;
        self.known[twin] = self.known[node].of_twin(self.system, from, to)?;
        Some(twin)
    }

    fn conditions(&self) -> Option<Vec<Condition>> {
        let mut all = vec![Condition::Initial];
        all.extend((self.places..self.known.len()).map(Condition::Holds));
        for f in &self.control.flows {
            let thread = self.control.nodes[f.from].thread;
            if self.system.first_of(thread) != thread {
                continue;
            }
            for (object, value) in &self.system.get(f.action).stored {
                all.push(Condition::Stores(*f, self.contents(*object)?, *value));
            }
            let Some(to) = f.to else {
                continue;
            };
            all.push(Condition::Own(*f, to));
            let action = self.system.get(f.action);
            for (child, needed, after) in &action.control {
                if needed != after && matches!(after, Status::At(_)) {
                    all.push(Condition::Starts(*f, self.control.entry(*child)?));
                }
            }
            let thread = self.control.nodes[f.from].thread;
            let writes = |v: &VarId| action.updates.iter().any(|u| u.0 == *v);
            for (n, place) in self.control.nodes.iter().enumerate() {
                let touched = place.thread != thread && self.known[n].variables.iter().any(writes);
                if touched && self.control.together(f.from, n) {
                    all.push(Condition::Disturbs(*f, n));
                }
            }
            if all.len() > CONDITIONS {
                return None;
            }
        }
        Some(all)
    }

    /// Where the threads end that an action joins; `None` for one with several ends.
    fn joined(&self, flow: Flow) -> Vec<Option<NodeId>> {
        let action = self.system.get(flow.action);
        let joins = action.control.iter().filter(|c| c.1 == Status::Finished);
        let end = |t: InstanceId| {
            let over = |n: &Where| n.thread == t && n.at == Status::Finished;
            let mut all = (0..self.control.nodes.len()).filter(|n| over(&self.control.nodes[*n]));
            let first = all.next();
            first.filter(|_| all.next().is_none())
        };
        joins.map(|c| end(c.0)).collect()
    }

    /// The node of an object's contents.
    fn contents(&self, object: ObjectId) -> Option<NodeId> {
        let at = self.system.contents.keys().position(|o| *o == object)?;
        Some(self.places + at)
    }

    /// The elements an action loads, and of which objects.
    fn loaded(&self, id: ActionId) -> Vec<(TermId, NodeId)> {
        let choices = self.system.get(id).choices.iter();
        choices
            .filter_map(|c| Some((c.term, self.contents(c.object?)?)))
            .collect()
    }

    fn at(&mut self, node: NodeId) -> Vec<(TermId, Vec<VarId>)> {
        if self.conjuncts[node].is_none() {
            let new = self.known[node].conjuncts(self.system, &self.frame);
            self.conjuncts[node] = Some(new);
        }
        self.conjuncts[node].clone().unwrap_or_default()
    }

    /// Joins one state that contradicts a condition; which place has changed.
    fn settle(&mut self, condition: Condition) -> Result<Option<NodeId>, NoAnswer> {
        let never = self.system.pool.bool(false);
        let mut premises: Vec<TermId> = Vec::new();
        let mut map: HashMap<TermId, TermId> = HashMap::new();
        let node = match condition {
            Condition::Holds(n) => {
                let object = self.system.contents.keys().nth(n - self.places);
                let zero = object.is_some_and(|o| self.system.ccfg.object(*o).zero);
                let element = self.known[n].variables[0];
                let element = self.system.variables[element.0 as usize].term;
                if let (true, Sort::BitVec(w)) = (zero, self.system.pool.sort(element)) {
                    map.insert(element, self.system.pool.bits(w, 0));
                }
                n
            }
            Condition::Initial => {
                for v in self.system.variables.clone() {
                    if let (Some(n), Sort::BitVec(w)) = (v.initial, self.system.pool.sort(v.term)) {
                        map.insert(v.term, self.system.pool.bits(w, n));
                    }
                }
                0
            }
            Condition::Own(f, n)
            | Condition::Starts(f, n)
            | Condition::Disturbs(f, n)
            | Condition::Stores(f, n, _) => {
                if !self.known[f.from].reached {
                    return Ok(None);
                }
                if matches!(condition, Condition::Disturbs(..)) {
                    if !self.known[n].reached || self.known[f.from].excludes(&self.known[n]) {
                        return Ok(None);
                    }
                    premises.extend(self.at(n).iter().map(|c| c.0));
                }
                premises.extend(self.at(f.from).iter().map(|c| c.0));
                premises.extend(&self.system.axioms);
                for over in self.joined(f).into_iter().flatten() {
                    premises.extend(self.at(over).iter().map(|c| c.0));
                }
                let action = self.system.get(f.action).clone();
                premises.push(self.guard(f.action));
                for (term, object) in self.loaded(f.action) {
                    let element = self.known[object].variables[0];
                    let element = self.system.variables[element.0 as usize].term;
                    let map = HashMap::from([(element, term)]);
                    for (holds, _) in self.at(object) {
                        premises.push(self.system.pool.substitute(holds, &map));
                    }
                }
                if premises.contains(&never) {
                    return Ok(None);
                }
                if !self.updates.contains_key(&f.action) {
                    let all = action.updates.iter();
                    let all = all.map(|(v, t)| (self.system.variables[v.0 as usize].term, *t));
                    self.updates.insert(f.action, all.collect());
                }
                map = self.updates[&f.action].clone();
                // If it makes one of a crowd, it is another one.
                let thread = self.control.nodes.get(n).map(|w| w.thread);
                let thread = thread.filter(|t| self.system.is_of_crowd(*t));
                if let (Condition::Disturbs(..), Some(thread)) = (condition, thread) {
                    let system = &self.system;
                    map.retain(|v, _| {
                        let var = system.by_term.get(v);
                        var.is_none_or(|v| system.owner(*v) != Some(thread))
                    });
                }
                if let Condition::Stores(_, n, value) = condition {
                    let element = self.known[n].variables[0];
                    let element = self.system.variables[element.0 as usize].term;
                    map = HashMap::from([(element, value)]);
                }
                n
            }
        };
        let disturbs = matches!(condition, Condition::Disturbs(..));
        let mut fails = never;
        for (t, about) in self.at(node) {
            let term = |v: &VarId| self.system.variables[v.0 as usize].term;
            if disturbs && !about.iter().any(|v| map.contains_key(&term(v))) {
                continue;
            }
            let then = match condition {
                Condition::Initial | Condition::Holds(_) | Condition::Stores(..) => {
                    self.system.pool.substitute(t, &map)
                }
                Condition::Disturbs(..) if !self.system.crowds.is_empty() => {
                    self.system.pool.substitute(t, &map)
                }
                Condition::Own(f, _) | Condition::Starts(f, _) | Condition::Disturbs(f, _) => {
                    match self.through.get(&(f.action, t)) {
                        Some(x) => *x,
                        None => {
                            let x = self.system.pool.substitute(t, &map);
                            self.through.insert((f.action, t), x);
                            x
                        }
                    }
                }
            };
            if premises.contains(&then) {
                continue;
            }
            let not = self.system.pool.not(then);
            fails = self.system.pool.or(fails, not);
        }
        if fails == never {
            return Ok(None);
        }
        premises.push(fails);
        premises.sort_unstable();
        premises.dedup();
        let model = match self.logic.check(&mut self.system.pool, &premises)? {
            Ok(model) => model,
            Err(_) => return Ok(None),
        };
        let state = self.state(node, &map, model.values);
        let changed = self.known[node].join(self.system, &self.frame, &state);
        // A model that contradicts nothing would go on for ever.
        if changed {
            Ok(Some(node))
        } else {
            Err(NoAnswer)
        }
    }

    /// The values of a place's variables after an action.
    fn state(
        &self,
        node: NodeId,
        map: &HashMap<TermId, TermId>,
        mut model: Assignment,
    ) -> Vec<u128> {
        let pool = &self.system.pool;
        let term = |v: &VarId| self.system.variables[v.0 as usize].term;
        let variables = &self.known[node].variables;
        let after: Vec<TermId> = variables
            .iter()
            .map(|v| map.get(&term(v)).copied().unwrap_or(term(v)))
            .collect();
        for v in pool.free_variables(&after) {
            model.entry(v).or_insert_with(|| Value::zero(pool.sort(v)));
        }
        let number = |t: &TermId| match pool.eval(*t, &model) {
            Ok(Value::Bool(b)) => u128::from(b),
            Ok(Value::Bits(n)) => n,
            _ => 0,
        };
        after.iter().map(number).collect()
    }

    /// What an action's guard says of a few variables.
    fn guard(&mut self, id: ActionId) -> TermId {
        if let Some(g) = self.guards.get(&id) {
            return *g;
        }
        let guard = self.system.get(id).guard;
        let simple = simple_guard(self.system, guard);
        self.guards.insert(id, simple);
        simple
    }

    fn impossible(&mut self) -> Result<BTreeSet<ActionId>, NoAnswer> {
        let mut impossible: BTreeSet<ActionId> = self.system.errors().collect();
        for f in self.control.flows.clone() {
            if impossible.contains(&f.action) && self.known[f.from].reached {
                let mut all: Vec<TermId> = self.at(f.from).iter().map(|c| c.0).collect();
                all.extend(&self.system.axioms);
                all.push(self.guard(f.action));
                for (term, object) in self.loaded(f.action) {
                    let element = self.known[object].variables[0];
                    let element = self.system.variables[element.0 as usize].term;
                    let map = HashMap::from([(element, term)]);
                    for (holds, _) in self.at(object) {
                        all.push(self.system.pool.substitute(holds, &map));
                    }
                }
                for over in self.joined(f).into_iter().flatten() {
                    all.extend(self.at(over).iter().map(|c| c.0));
                }
                if self.logic.satisfiable(&mut self.system.pool, all)? {
                    impossible.remove(&f.action);
                }
            }
        }
        Ok(impossible)
    }

    fn result(&mut self) -> Invariants {
        let mut invariants = Invariants {
            detail: self.control.detail.clone(),
            ..Invariants::default()
        };
        for object in self.system.contents.clone().into_keys() {
            if let Some(n) = self.contents(object) {
                let all = self.at(n).into_iter().map(|c| c.0).collect();
                invariants.contents.insert(object, all);
            }
        }
        for n in 0..self.places {
            let thread = self.control.nodes[n].thread;
            if self.known[n].reached && self.system.first_of(thread) == thread {
                let all = self.at(n).into_iter().map(|c| c.0).collect();
                invariants.holds.insert(self.control.nodes[n].clone(), all);
            }
        }
        invariants
    }
}
