//! Random small ordering problems: threads, locations, blocks, conditional events, groups, clauses.

use super::order_case::{CaseEvent, OrderCase};
use super::random::Random;

/// A bound on orders times occurrence choices, which is what brute force has to try.
const BRUTE_FORCE_BUDGET: f64 = 12_000.0;

struct Draft {
    case: OrderCase,
    variables: i32,
    conditions: Vec<i32>,
}

impl Draft {
    fn fresh(&mut self) -> i32 {
        self.variables += 1;
        self.variables
    }
}

pub fn order_case(random: &mut Random) -> OrderCase {
    loop {
        let case = attempt(random);
        if cost(&case) <= BRUTE_FORCE_BUDGET {
            return case;
        }
    }
}

fn attempt(random: &mut Random) -> OrderCase {
    let mut draft = Draft {
        case: OrderCase::default(),
        variables: 0,
        conditions: Vec::new(),
    };
    for _ in 0..random.below(4) {
        let condition = draft.fresh();
        draft.conditions.push(condition);
    }
    let threads = random.range(2, 4);
    let locations = random.range(1, 3) as u32;
    let total = random.range(threads, 12);
    let initialised = random.percent(50);
    if initialised {
        for location in 0..locations {
            draft.case.events.push(CaseEvent {
                kind: 'w',
                location,
                occurs: 0,
                block: 0,
            });
        }
    }
    let first_of_threads = draft.case.events.len() as u32;
    let mut block = 0;
    for thread in 0..threads {
        let length = (total / threads + usize::from(thread < total % threads)).max(1);
        add_thread(random, &mut draft, length, locations, &mut block);
    }
    for event in first_of_threads..draft.case.events.len() as u32 {
        for initial in 0..first_of_threads {
            draft.case.fixed.push((initial, event));
        }
    }
    add_choices(random, &mut draft);
    add_extras(random, &mut draft);
    draft.case
}

fn add_thread(
    random: &mut Random,
    draft: &mut Draft,
    length: usize,
    locations: u32,
    block: &mut u32,
) {
    let mut in_block = false;
    let mut previous = None;
    for _ in 0..length {
        if !in_block && random.percent(20) {
            in_block = true;
            *block += 1;
        } else if in_block && random.percent(40) {
            in_block = false;
        }
        let occurs = match random.pick(&[0, 0, 1]) {
            1 if !draft.conditions.is_empty() => {
                let condition = *random.pick(&draft.conditions);
                if random.percent(50) {
                    condition
                } else {
                    -condition
                }
            }
            _ => 0,
        };
        let kind = *random.pick(&['r', 'r', 'r', 'w', 'w', 'w', 'o']);
        let location = random.below(locations as usize) as u32;
        let block = if in_block { *block } else { 0 };
        let id = draft.case.events.len() as u32;
        draft.case.events.push(CaseEvent {
            kind,
            location,
            occurs,
            block,
        });
        if let Some(previous) = previous {
            draft.case.fixed.push((previous, id));
        }
        previous = Some(id);
    }
}

fn add_choices(random: &mut Random, draft: &mut Draft) {
    let events = draft.case.events.clone();
    let complete = random.percent(70);
    for (read, event) in events
        .iter()
        .enumerate()
        .filter(|(_, event)| event.kind == 'r')
    {
        let mut clause = Vec::new();
        for (write, other) in events.iter().enumerate() {
            if other.kind == 'w'
                && other.location == event.location
                && (complete || random.percent(70))
            {
                let literal = draft.fresh();
                draft
                    .case
                    .choices
                    .push((literal, write as u32, read as u32));
                clause.push(literal);
            }
        }
        if event.occurs != 0 {
            clause.push(-event.occurs);
        }
        if random.percent(85) && !clause.is_empty() {
            draft.case.clauses.push(clause);
        }
    }
}

fn add_extras(random: &mut Random, draft: &mut Draft) {
    let count = draft.case.events.len();
    let distinct = |random: &mut Random| {
        let a = random.below(count);
        let b = (a + 1 + random.below(count - 1)) % count;
        (a as u32, b as u32)
    };
    for _ in 0..random.below(4) {
        let (a, b) = distinct(random);
        let literal = draft.fresh();
        draft.case.edges.push((literal, a, b));
        if random.percent(50) {
            draft.case.edges.push((-literal, b, a));
        } else if random.percent(70) {
            draft.case.clauses.push(vec![literal]);
        }
    }
    if random.percent(40) {
        for _ in 0..random.range(1, 2) {
            let (a, b) = distinct(random);
            let literal = draft.fresh();
            let mut members = vec![a, b];
            if random.percent(30) {
                let (c, _) = distinct(random);
                if !members.contains(&c) {
                    members.push(c);
                }
            }
            draft.case.groups.push((literal, members));
            if random.percent(60) {
                draft.case.clauses.push(vec![literal]);
            }
        }
    }
    let variables = draft.variables;
    if variables == 0 {
        return;
    }
    for _ in 0..random.below(6) {
        let length = random.range(1, 3);
        let clause = (0..length).map(|_| {
            let variable = random.range(1, variables as usize) as i32;
            if random.percent(50) {
                variable
            } else {
                -variable
            }
        });
        let clause: Vec<i32> = clause.collect();
        draft.case.clauses.push(clause);
    }
}

/// Roughly how many orders and occurrence choices there are.
fn cost(case: &OrderCase) -> f64 {
    // Threads are the runs of events linked by fixed edges between neighbours; blocks count once.
    let mut lengths: Vec<f64> = Vec::new();
    let mut last_block = 0;
    let initial = case.events.len() - chain_events(case);
    for (id, event) in case.events.iter().enumerate().skip(initial) {
        let linked = id > initial && case.fixed.contains(&(id as u32 - 1, id as u32));
        if !linked {
            lengths.push(0.0);
        }
        if event.block == 0 || event.block != last_block {
            *lengths.last_mut().expect("the first event opens a run") += 1.0;
        }
        last_block = event.block;
    }
    let mut orders = 1.0;
    let mut done = 0.0;
    for length in lengths {
        let mut k = 1.0;
        while k <= length {
            done += 1.0;
            orders *= done / k;
            k += 1.0;
        }
    }
    for k in 1..=initial {
        orders *= k as f64;
    }
    let mut conditions: Vec<i32> = case
        .events
        .iter()
        .map(|event| event.occurs.abs())
        .filter(|&c| c != 0)
        .collect();
    conditions.sort_unstable();
    conditions.dedup();
    orders * f64::from(1u32 << conditions.len())
}

fn chain_events(case: &OrderCase) -> usize {
    let initial = case.events.iter().enumerate().take_while(|(id, event)| {
        event.kind == 'w'
            && event.occurs == 0
            && event.block == 0
            && case.fixed.iter().all(|&(_, to)| to != *id as u32)
            && case
                .fixed
                .iter()
                .filter(|&&(from, _)| from == *id as u32)
                .count()
                >= case.events.len() / 2
    });
    case.events.len() - initial.count()
}
