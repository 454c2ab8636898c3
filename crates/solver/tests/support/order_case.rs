//! An ordering problem with clauses as text that can be kept, read back and edited by the shrinker.
//!
//! One item per line: `event r|w|o LOCATION OCCURS BLOCK` (0 stands for "always" and "no block"),
//! `fixed A B`, `edge LITERAL A B`, `choice LITERAL WRITE READ`, `group LITERAL A B …`, `clause LITERAL …`.

use raddle_solver::Lit;
use raddle_solver::order::{BlockId, EventId, EventKind, LocationId, OrderProblem};
use std::collections::BTreeMap;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CaseEvent {
    pub kind: char,
    pub location: u32,
    pub occurs: i32,
    pub block: u32,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OrderCase {
    pub events: Vec<CaseEvent>,
    pub fixed: Vec<(u32, u32)>,
    pub edges: Vec<(i32, u32, u32)>,
    pub choices: Vec<(i32, u32, u32)>,
    pub groups: Vec<(i32, Vec<u32>)>,
    pub clauses: Vec<Vec<i32>>,
}

pub fn lit(number: i32) -> Lit {
    Lit::from_dimacs(number).expect("cases use no literal zero")
}

impl OrderCase {
    /// The number of the last variable that the case mentions.
    pub fn variables(&self) -> i32 {
        let occurs = self.events.iter().map(|event| event.occurs);
        let named = self.edges.iter().map(|edge| edge.0);
        let choices = self.choices.iter().map(|choice| choice.0);
        let groups = self.groups.iter().map(|group| group.0);
        let clauses = self.clauses.iter().flatten().copied();
        occurs
            .chain(named)
            .chain(choices)
            .chain(groups)
            .chain(clauses)
            .map(i32::abs)
            .max()
            .unwrap_or(0)
    }

    /// Adds the case to a problem.
    pub fn build(&self, problem: &mut OrderProblem) {
        self.build_part(problem, &mut BTreeMap::new(), 0, self.events.len() as u32);
    }

    /// Adds the events from `from` up to `to`, and everything that needs one of them and none after `to`.
    pub fn build_part(
        &self,
        problem: &mut OrderProblem,
        blocks: &mut BTreeMap<u32, BlockId>,
        from: u32,
        to: u32,
    ) {
        for event in &self.events[from as usize..to as usize] {
            let location = LocationId(event.location);
            let kind = match event.kind {
                'r' => EventKind::Read(location),
                'w' => EventKind::Write(location),
                _ => EventKind::Other,
            };
            let occurs = Lit::from_dimacs(event.occurs);
            if event.block == 0 {
                problem.add_event(kind, occurs);
            } else {
                let block = *blocks
                    .entry(event.block)
                    .or_insert_with(|| problem.add_block());
                problem.add_block_event(block, kind, occurs);
            }
        }
        let due = |last: u32| (from..to).contains(&last);
        for &(a, b) in self.fixed.iter().filter(|&&(a, b)| due(a.max(b))) {
            problem.add_order(EventId(a), EventId(b));
        }
        for &(literal, a, b) in self.edges.iter().filter(|&&(_, a, b)| due(a.max(b))) {
            problem.add_conditional_order(lit(literal), EventId(a), EventId(b));
        }
        for &(literal, write, read) in self.choices.iter().filter(|&&(_, a, b)| due(a.max(b))) {
            problem.add_reads_from(lit(literal), EventId(write), EventId(read));
        }
        for (literal, members) in &self.groups {
            if due(members.iter().copied().max().unwrap_or(0)) {
                let members: Vec<EventId> = members.iter().copied().map(EventId).collect();
                problem.add_group(lit(*literal), &members);
            }
        }
    }

    pub fn clause_literals(&self) -> Vec<Vec<Lit>> {
        self.clauses
            .iter()
            .map(|clause| clause.iter().copied().map(lit).collect())
            .collect()
    }

    pub fn text(&self) -> String {
        let mut out = String::new();
        for event in &self.events {
            out += &format!(
                "event {} {} {} {}\n",
                event.kind, event.location, event.occurs, event.block
            );
        }
        for (a, b) in &self.fixed {
            out += &format!("fixed {a} {b}\n");
        }
        for (literal, a, b) in &self.edges {
            out += &format!("edge {literal} {a} {b}\n");
        }
        for (literal, write, read) in &self.choices {
            out += &format!("choice {literal} {write} {read}\n");
        }
        for (literal, members) in &self.groups {
            let members: Vec<String> = members.iter().map(u32::to_string).collect();
            out += &format!("group {literal} {}\n", members.join(" "));
        }
        for clause in &self.clauses {
            let literals: Vec<String> = clause.iter().map(i32::to_string).collect();
            out += &format!("clause {}\n", literals.join(" "));
        }
        out
    }

    pub fn parse(text: &str) -> Option<OrderCase> {
        let mut case = OrderCase::default();
        for line in text
            .lines()
            .filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
        {
            let mut words = line.split_whitespace();
            let head = words.next()?;
            if head == "event" {
                let kind = words.next()?.chars().next()?;
                let numbers: Vec<i32> =
                    words.map(|word| word.parse().ok()).collect::<Option<_>>()?;
                let [location, occurs, block] = numbers[..] else {
                    return None;
                };
                case.events.push(CaseEvent {
                    kind,
                    location: location as u32,
                    occurs,
                    block: block as u32,
                });
                continue;
            }
            let numbers: Vec<i32> = words.map(|word| word.parse().ok()).collect::<Option<_>>()?;
            let unsigned = |from: usize| {
                numbers[from..]
                    .iter()
                    .map(|&n| n as u32)
                    .collect::<Vec<u32>>()
            };
            match (head, numbers.len()) {
                ("fixed", 2) => case.fixed.push((numbers[0] as u32, numbers[1] as u32)),
                ("edge", 3) => case
                    .edges
                    .push((numbers[0], numbers[1] as u32, numbers[2] as u32)),
                ("choice", 3) => {
                    case.choices
                        .push((numbers[0], numbers[1] as u32, numbers[2] as u32))
                }
                ("group", 2..) => case.groups.push((numbers[0], unsigned(1))),
                ("clause", _) => case.clauses.push(numbers),
                _ => return None,
            }
        }
        Some(case)
    }
}
