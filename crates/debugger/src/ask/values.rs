//! Which values a variable can have when a thread gets to a line: one after the other, until there is no other.

use crate::ask::goal::Goal;
use crate::ask::place::Places;
use crate::ask::{Answer, Asker, Line, Outcome, Question, Told, changed};
use raddle_interp::{End, Machine, ThreadId};
use raddle_ir::{Property, Ty};
use raddle_verdict::{Assumption, AssumptionKind};

/// The values of a variable.
#[derive(Clone, Debug)]
pub struct Values {
    /// Each with a run that ends where the variable has it.
    pub all: Vec<(u128, Told)>,
    /// The type of the values.
    pub ty: Option<Ty>,
    /// How it is known that there are no others; otherwise why there may be.
    pub complete: Result<String, String>,
}

impl Asker<'_> {
    /// Which values can a variable have when some thread, or this one, stands at the beginning of a line? At most so many are looked for. The
    /// variable is an integer or a pointer: one of the line's function, or a global one.
    pub fn values(
        &self,
        variable: &str,
        line: &Line,
        thread: Option<ThreadId>,
        most: usize,
    ) -> Values {
        let mut values = Values {
            all: Vec::new(),
            ty: None,
            complete: Err("nothing was looked for".into()),
        };
        values.complete = self.enumerate(variable, line, thread, most, &mut values);
        values
    }

    fn enumerate(
        &self,
        variable: &str,
        line: &Line,
        thread: Option<ThreadId>,
        most: usize,
        values: &mut Values,
    ) -> Result<String, String> {
        let places = Places::of(self.program, line)?;
        let handle = self.handle(thread)?;
        let goal = Goal::Reach(places.clone(), thread);
        loop {
            if values.all.len() >= most {
                return Err(format!("more than {most} values were not looked for"));
            }
            let known: Vec<u128> = values.all.iter().map(|(v, _)| *v).collect();
            let (edited, registers) =
                changed::other_value(self.program, &places, handle, variable, &known)?;
            values.ty = registers.values().next().map(|(_, ty)| *ty);
            let read = |machine: &Machine<'_>| {
                let Some(End::Violation(v)) = machine.end() else {
                    return None;
                };
                let frame = machine.thread(v.thread).stack().next_back()?;
                let (register, _) = registers.get(&frame.function)?;
                Some(frame.local(*register).bits)
            };
            let question = Question {
                goal: &goal,
                property: Property::UnreachCall,
                edited: Some(&edited),
                picky: false,
                most: 1,
                value: Some(&read),
            };
            match self.ask(&question) {
                Outcome::Caught(mut all) => {
                    let caught = all.pop().ok_or("what was found is lost")?;
                    let value = caught.value.ok_or("the value was not seen")?;
                    if known.contains(&value) {
                        return Err("the same value was found twice".into());
                    }
                    match self.tell(&caught) {
                        Answer::Yes(told) => values.all.push((value, *told)),
                        _ => return Err("a run that cannot be repeated".into()),
                    }
                }
                Outcome::Proved { how, assumptions } => {
                    // Where there was no variable to read the run has ended.
                    let cut = |a: &&Assumption| {
                        a.kind == AssumptionKind::Holds(Property::ValidDeref)
                            && a.span.line == line.line
                    };
                    return match assumptions.iter().find(cut) {
                        Some(_) => Err(format!("`{variable}` is not always there in {line}")),
                        None => Ok(how),
                    };
                }
                Outcome::Unknown(why) => return Err(why),
            }
        }
    }
}
