//! The tree to IR: globals, one function for each process, and an entry that starts them all.
//!
//! A statement is one step: if it touches shared variables more than once it becomes an atomic region. A property that always
//! has to hold becomes a process that looks once, at any time; one that holds finally is asserted when all processes have ended.

mod body;
mod data;
mod expr;
mod stmt;
mod sync;

use crate::ast::{Model, Name, Process, Type, When};
use crate::constants::{Const, constants, eval, not_constant};
use crate::diagnostic::Diagnostic;
use body::{Binding, Body};
use raddle_ir::{
    DataModel, FuncId, Function, GlobalId, Op, Operand, Program, Property, Span, SyncOp, Ty, TypeId,
};
use std::collections::HashMap;

type Result<T> = std::result::Result<T, Diagnostic>;

/// More processes than this are refused.
const MOST_PROCESSES: i128 = 64;

/// A shared variable.
#[derive(Clone, Copy, Debug)]
pub struct Shared {
    pub id: GlobalId,
    pub ty: Type,
    /// The number of elements of an array.
    pub count: Option<u64>,
}

/// What all functions are made in.
pub struct Lowering<'a> {
    pub text: &'a str,
    pub program: Program,
    pub constants: HashMap<String, Const>,
    pub shared: HashMap<String, Shared>,
    /// Types for display, by name.
    types: HashMap<String, TypeId>,
    /// Statements made so far, so that repetitions within repetitions end.
    pub made: u64,
}

/// Makes the program of a model.
pub fn lower(file: &str, text: &str, model: &Model, params: &[(String, i128)]) -> Result<Program> {
    let mut program = Program::new(DataModel::Lp64);
    program.files.push(file.into());
    let mut lowering = Lowering {
        text,
        program,
        constants: constants(model, params)?,
        shared: HashMap::new(),
        types: HashMap::new(),
        made: 0,
    };
    if model.processes.is_empty() {
        return Err(
            Diagnostic::general("the model has no process").help("add one: `process P { skip; }`")
        );
    }
    let mut late = Vec::new();
    for variable in &model.variables {
        lowering.declare(variable, &mut late)?;
    }
    let by_data = late.is_empty() && lowering.constant_init(&model.init)?;
    let mut threads: Vec<FuncId> = Vec::new();
    let mut names: HashMap<&str, Span> = HashMap::new();
    for process in &model.processes {
        if let Some(first) = names.insert(&process.name.text, process.name.span) {
            let message = format!("`{}` is declared twice", process.name.text);
            let help = format!("the first time in line {}", first.line);
            return Err(Diagnostic::at(process.name.span, message).help(help));
        }
        lowering.process(process, &mut threads)?;
    }
    for property in model.properties.iter().filter(|p| p.when == When::Always) {
        let name = format!("property {}", property.name.text);
        let mut body = Body::thread(&mut lowering, &name, property.name.span);
        body.begin(property.name.span, property.text);
        body.check(&property.holds, &name)?;
        threads.push(body.finish());
    }
    lowering.entry(model, &late, by_data, &threads)?;
    let mut program = lowering.program;
    program.assumptions.clear();
    Ok(program)
}

impl Lowering<'_> {
    /// A known number.
    pub fn number(&self, expr: &crate::ast::Expr, scope: &[(String, Const)]) -> Result<i128> {
        match self.known(expr, scope)? {
            Some(Const::Int(n)) => Ok(n),
            Some(Const::Bool(_)) => Err(Diagnostic::at(expr.span, "a number is needed here")),
            None => Err(not_constant(
                expr,
                self.constants.keys().map(String::as_str),
            )),
        }
    }

    /// The value of an expression, if it is known.
    pub fn known(
        &self,
        expr: &crate::ast::Expr,
        scope: &[(String, Const)],
    ) -> Result<Option<Const>> {
        eval(expr, &|name| {
            let inner = scope.iter().rev().find(|(n, _)| n == name);
            let outer = || self.constants.get(name).copied();
            inner.map(|(_, c)| *c).or_else(outer)
        })
    }

    /// One function for each instance, or one for all if they do the same.
    fn process(&mut self, process: &Process, threads: &mut Vec<FuncId>) -> Result<()> {
        let Some((number, first, last)) = &process.range else {
            let id = self.instance(process, None)?;
            threads.push(id);
            return Ok(());
        };
        let low = self.number(first, &[])?;
        let high = self.number(last, &[])?;
        if high - low > MOST_PROCESSES {
            let message = format!("{} processes are too many", high - low);
            return Err(Diagnostic::at(last.span, message)
                .help(format!("at most {MOST_PROCESSES} are possible")));
        }
        if high <= low {
            let message = "this range is empty, so the process never runs";
            return Err(
                Diagnostic::at(last.span, message).help("the upper end is not in the range")
            );
        }
        let mut all: Option<FuncId> = None;
        for i in low..high {
            let id = match all {
                Some(id) => id,
                None => self.instance(process, Some((number, i)))?,
            };
            threads.push(id);
            if number.text.is_empty() {
                all = Some(id);
            }
        }
        Ok(())
    }

    fn instance(&mut self, process: &Process, number: Option<(&Name, i128)>) -> Result<FuncId> {
        let name = match number {
            Some((n, i)) if !n.text.is_empty() => format!("{}[{i}]", process.name.text),
            _ => process.name.text.clone(),
        };
        let mut body = Body::thread(self, &name, process.name.span);
        if let Some((n, i)) = number {
            body.anonymous = n.text.is_empty();
            body.bind(&n.text, Binding::Const(Const::Int(i)));
        }
        body.statements(&process.body)?;
        Ok(body.finish())
    }

    /// The initial thread: initial values, all processes, then what holds finally.
    fn entry(
        &mut self,
        model: &Model,
        late: &[crate::ast::Stmt],
        by_data: bool,
        threads: &[FuncId],
    ) -> Result<()> {
        let mut body = Body::initial(self);
        if !by_data {
            body.statements(late)?;
            body.statements(&model.init)?;
        }
        let mut handles = Vec::new();
        for f in threads {
            let handle = body.local(Ty::I64);
            body.push(Op::Sync {
                dst: Some(handle),
                op: SyncOp::ThreadNew,
                args: vec![Operand::Function(*f), Operand::NULL],
            });
            // Started at once, as C's `pthread_create` does.
            body.push(Op::Sync {
                dst: None,
                op: SyncOp::ThreadStart,
                args: vec![Operand::Local(handle)],
            });
            handles.push(handle);
        }
        let finally: Vec<_> = model
            .properties
            .iter()
            .filter(|p| p.when == When::Finally)
            .collect();
        if !finally.is_empty() {
            for handle in &handles {
                let result = body.local(Ty::Ptr);
                body.push(Op::Sync {
                    dst: Some(result),
                    op: SyncOp::ThreadJoin,
                    args: vec![Operand::Local(*handle)],
                });
            }
        }
        for property in finally {
            body.begin(property.name.span, property.text);
            body.check(&property.holds, &format!("property {}", property.name.text))?;
        }
        body.push(Op::Sync {
            dst: None,
            op: SyncOp::ThreadExit,
            args: vec![Operand::NULL],
        });
        let id = body.finish();
        self.program.entry = id;
        Ok(())
    }

    /// Adds a function.
    pub fn add(&mut self, function: Function) -> FuncId {
        self.program.functions.push(function);
        FuncId(self.program.functions.len() as u32 - 1)
    }
}

/// The property that assertions of a model serve.
pub const ASSERTED: Property = Property::UnreachCall;
