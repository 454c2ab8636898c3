//! The function the initial thread starts with: it calls `main` with its arguments and ends the process with the result.
//!
//! A program that looks at its arguments does different things with different ones, so unless they are given they are inputs: any number up to
//! [`MOST`], any characters up to [`LENGTH`]. More are cut off, which is noted as a limit of the program ([`ir::Program::limits`]): there is no `true` beyond it.

use super::Lower;
use super::build::FunctionBuilder;
use super::constructors::Constructors;
use super::entries::{empty, nothing};
use crate::Arguments;
use crate::diagnostic::Result;
use crate::sema::Entity;
use crate::source::Span;
use raddle_ir as ir;

/// So many arguments, beside the name of the program, if they are not given. One less than a power of two.
const MOST: u64 = 3;

/// So many characters in each of them.
const LENGTH: u64 = 7;

impl Lower<'_, '_> {
    /// The function the initial thread starts with.
    pub(super) fn entry(
        &mut self,
        main: ir::FuncId,
        arguments: &Arguments,
        constructors: &Constructors,
        span: Span,
    ) -> Result<()> {
        let model = self.model();
        // `return` from `main` runs exit handlers, if there can be any.
        let exit = match self.sema.external("exit") {
            Some(Entity::Function(id))
                if self.sema.functions[id.0 as usize].body.is_some()
                    && self.uses_exit_handlers() =>
            {
                Some(self.function(id, &[], span)?)
            }
            _ => None,
        };
        let body = nothing(span);
        let callee = &self.program.functions[main.0 as usize];
        let params: Vec<ir::Ty> = callee.locals[..callee.params as usize]
            .iter()
            .map(|l| l.ty)
            .collect();
        let ret = callee.ret;
        let named = ["program".to_owned()];
        let given = match arguments {
            Arguments::Given(list) if !list.is_empty() => list,
            _ => &named[..],
        };
        let any = *arguments == Arguments::Any && self.looks_at_arguments(main);
        let (argv, strings) = match (params.len() > 1, any) {
            (false, _) => (ir::Operand::NULL, Vec::new()),
            (true, false) => (self.argv(given, 0), Vec::new()),
            (true, true) => self.any_argv(&given[0]),
        };
        let environment = match params.len() > 2 {
            true => {
                self.assume("the environment is empty".to_owned(), span);
                let word = self.model().pointer_bytes();
                let id = self.characters("envp".to_owned(), word, word, Vec::new());
                ir::Operand::Global { id, offset: 0 }
            }
            false => ir::Operand::NULL,
        };
        if let Arguments::Given(list) = arguments
            && self.looks_at_arguments(main)
        {
            let what = match list.len() {
                0 | 1 => "`main` is called without arguments".to_owned(),
                _ => format!(
                    "`main` is called with the arguments {}",
                    list[1..].join(" ")
                ),
            };
            self.assume(what, span);
        }
        if any {
            let what = format!("up to {MOST} arguments of {LENGTH} characters");
            let span = self.ir_span(span);
            let kind = ir::LimitKind::Arguments;
            self.program.limits.push(ir::Limit { kind, what, span });
        }
        let mut builder = FunctionBuilder::new(self, &body, empty("(entry)", 0));
        let argc = match any {
            true => builder.any_arguments(argv, &strings),
            false => ir::Operand::int(ir::Ty::I32, given.len() as i128),
        };
        builder.construct(constructors);
        let mut args = Vec::new();
        for (index, &ty) in params.iter().enumerate() {
            let value = match index {
                0 => argc,
                1 => argv,
                _ => environment,
            };
            args.push(builder.coerce(value, ty));
        }
        let dst = ret.map(|ty| builder.local(ty));
        builder.emit(ir::Op::Call {
            dst,
            callee: ir::Operand::Function(main),
            args,
        });
        let status = match dst {
            Some(dst) => builder.coerce(ir::Operand::Local(dst), ir::Ty::I32),
            None => ir::Operand::int(ir::Ty::I32, 0),
        };
        match exit {
            Some(exit) => builder.emit(ir::Op::Call {
                dst: None,
                callee: ir::Operand::Function(exit),
                args: vec![status],
            }),
            None => {
                builder.sync(ir::SyncOp::Exit, vec![status]);
            }
        }
        builder.terminate(ir::Terminator::Unreachable);
        let function = builder.finish();
        let id = ir::FuncId(self.program.functions.len() as u32);
        self.program.functions.push(function);
        self.program.entry = id;
        debug_assert_eq!(self.program.model, model);
        Ok(())
    }

    fn uses_exit_handlers(&self) -> bool {
        ["atexit", "on_exit", "at_quick_exit"]
            .iter()
            .any(|name| match self.sema.external(name) {
                Some(Entity::Function(id)) => self.functions.contains_key(&id),
                _ => false,
            })
    }

    /// Whether a function uses any of its parameters.
    fn looks_at_arguments(&self, main: ir::FuncId) -> bool {
        let function = &self.program.functions[main.0 as usize];
        let is_param =
            |o: &ir::Operand| matches!(o, ir::Operand::Local(l) if l.0 < function.params);
        function.blocks.iter().any(|block| {
            let mut ops = block.instrs.iter().map(|i| i.op.clone());
            let mut end = block.terminator.clone();
            ops.any(|mut op| op.operands_mut().iter().any(|o| is_param(o)))
                || end.operand_mut().is_some_and(|o| is_param(o))
        })
    }

    /// `argv`: the name of the program and its arguments, and room for more.
    fn argv(&mut self, list: &[String], room: u64) -> ir::Operand {
        let word = self.model().pointer_bytes();
        let mut pointers = Vec::new();
        for (index, text) in list.iter().enumerate() {
            let init = match text.is_empty() {
                true => Vec::new(),
                false => vec![ir::Init {
                    offset: 0,
                    value: ir::InitValue::Bytes(text.as_bytes().to_vec()),
                }],
            };
            let size = text.len() as u64 + 1;
            let id = self.characters(format!("argv[{index}]"), size, 1, init);
            pointers.push(ir::Init {
                offset: index as u64 * word,
                value: ir::InitValue::Address {
                    target: ir::Target::Global(id),
                    addend: 0,
                },
            });
        }
        let size = (list.len() as u64 + 1 + room) * word;
        let id = self.characters("argv".to_owned(), size, word, pointers);
        ir::Operand::Global { id, offset: 0 }
    }

    /// `argv` with nothing but the name of the program in it, and the strings that may come behind.
    fn any_argv(&mut self, name: &String) -> (ir::Operand, Vec<ir::Operand>) {
        let argv = self.argv(std::slice::from_ref(name), MOST);
        let strings = (1..=MOST).map(|index| {
            let id = self.characters(format!("argv[{index}]"), LENGTH + 1, 1, Vec::new());
            ir::Operand::Global { id, offset: 0 }
        });
        let strings = strings.collect();
        (argv, strings)
    }

    fn characters(
        &mut self,
        name: String,
        size: u64,
        align: u64,
        init: Vec<ir::Init>,
    ) -> ir::GlobalId {
        let id = ir::GlobalId(self.program.globals.len() as u32);
        let ty = self.debug_type(crate::ast::Basic::Char.into());
        self.program.globals.push(ir::Global {
            name,
            size,
            align,
            ty,
            thread_local: false,
            constant: false,
            external: false,
            init,
            span: ir::Span::NOWHERE,
        });
        id
    }
}

impl FunctionBuilder<'_, '_, '_> {
    /// Fills in arguments of any number and with any characters; how many there are, with the name of the program.
    fn any_arguments(&mut self, argv: ir::Operand, strings: &[ir::Operand]) -> ir::Operand {
        let word = self.lower.model().pointer_bytes();
        let int = |n: u64| ir::Operand::int(ir::Ty::I32, n.into());
        let input = self.local(ir::Ty::I32);
        self.emit(ir::Op::Nondet { dst: input });
        let input = ir::Operand::Local(input);
        let more = self.binary(ir::BinaryOp::And, input, int(MOST), false);
        for (index, &string) in (1..).zip(strings) {
            for at in 0..LENGTH {
                let character = self.local(ir::Ty::I8);
                self.emit(ir::Op::Nondet { dst: character });
                let addr = self.offset(string, at as i64);
                self.emit(ir::Op::Store {
                    ty: ir::Ty::I8,
                    addr,
                    value: ir::Operand::Local(character),
                    access: ir::Access::PLAIN,
                });
            }
            let cond = self.compare(ir::CompareOp::ULe, int(index), more);
            let value = self.compute(
                ir::Ty::Ptr,
                ir::Rvalue::Select {
                    ty: ir::Ty::Ptr,
                    cond,
                    a: string,
                    b: ir::Operand::NULL,
                },
            );
            let addr = self.offset(argv, (index * word) as i64);
            self.emit(ir::Op::Store {
                ty: ir::Ty::Ptr,
                addr,
                value,
                access: ir::Access::PLAIN,
            });
        }
        self.binary(ir::BinaryOp::Add, more, int(1), false)
    }
}
