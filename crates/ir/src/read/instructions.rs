//! Instructions and terminators of the text form.

use super::tokens::Token;
use super::{Read, Reader, find_in};
use crate::print::{BINARY, CAST, COMPARE, RMW};
use crate::*;

impl Reader {
    pub(super) fn terminator(&mut self) -> Read<Option<Terminator>> {
        if self.eat_word("goto") {
            return Ok(Some(Terminator::Goto(self.block_id()?)));
        }
        if self.eat_word("branch") {
            let cond = self.operand()?;
            self.expect(',')?;
            let then = self.block_id()?;
            self.expect(',')?;
            let otherwise = self.block_id()?;
            return Ok(Some(Terminator::Branch {
                cond,
                then,
                otherwise,
            }));
        }
        if self.eat_word("switch") {
            let ty = self.ty()?;
            let value = self.operand()?;
            self.expect_word("default")?;
            let default = self.block_id()?;
            self.expect('{')?;
            let mut cases = Vec::new();
            while !self.eat('}') {
                let word = self.word()?;
                let Some(v) = word.strip_suffix(':').and_then(|v| v.parse().ok()) else {
                    return self.fail("expected a case");
                };
                let block = self.block_id()?;
                self.expect(',')?;
                cases.push((v, block));
            }
            return Ok(Some(Terminator::Switch {
                ty,
                value,
                cases,
                default,
            }));
        }
        if self.eat_word("return") {
            let value = match self.peek() {
                Some(Token::Word(_)) => Some(self.operand()?),
                _ => None,
            };
            return Ok(Some(Terminator::Return(value)));
        }
        if self.eat_word("unreachable") {
            return Ok(Some(Terminator::Unreachable));
        }
        Ok(None)
    }

    pub(super) fn op(&mut self) -> Read<Op> {
        let starts_with_local = matches!(self.peek(), Some(Token::Word(w)) if w.starts_with('%'));
        if starts_with_local || self.is_word("_") {
            let first = self.optional_local()?;
            if self.eat(',') {
                let ok = self.optional_local()?;
                self.expect('=')?;
                return self.cas(first, ok);
            }
            self.expect('=')?;
            return match first {
                Some(dst) => self.assignment(dst),
                None => self.fail("expected a local"),
            };
        }
        let word = self.word()?;
        Ok(match word.as_str() {
            "store" => Op::Store {
                ty: self.ty()?,
                addr: self.operand()?,
                value: self.comma_operand()?,
                access: self.access()?,
            },
            "rmw" => self.rmw(None)?,
            "fence" => Op::Fence {
                order: self.memory_order()?,
            },
            "live" => Op::StorageLive { slot: self.slot()? },
            "dead" => Op::StorageDead { slot: self.slot()? },
            "free" => Op::Free {
                memory: self.memory()?,
                addr: self.operand()?,
            },
            "call" => self.call(None)?,
            "sync" => self.sync(None)?,
            "atomic_begin" => Op::AtomicBegin {
                kind: match self.word()?.as_str() {
                    "verifier" => AtomicKind::Verifier,
                    "fused" => AtomicKind::Fused,
                    _ => return self.fail("expected verifier or fused"),
                },
            },
            "atomic_end" => Op::AtomicEnd,
            "assert" => {
                let cond = self.operand()?;
                let name = self.text()?;
                let message = self.text()?;
                let [property] = Property::from_name(&name)[..] else {
                    return self.fail(format!("unknown property `{name}`"));
                };
                Op::Assert {
                    cond,
                    property,
                    message: self.program.intern(&message),
                }
            }
            "assume" => Op::Assume {
                cond: self.operand()?,
            },
            "output" => {
                let stream = self.operand()?;
                let format = self.text()?;
                let value = match self.peek() {
                    Some(Token::Word(_)) => Some((self.ty()?, self.operand()?)),
                    _ => None,
                };
                Op::Output {
                    stream,
                    format: self.program.intern(&format),
                    value,
                }
            }
            other => return self.fail(format!("unknown instruction `{other}`")),
        })
    }

    fn optional_local(&mut self) -> Read<Option<LocalId>> {
        match self.eat_word("_") {
            true => Ok(None),
            false => self.local().map(Some),
        }
    }

    fn memory(&mut self) -> Read<Memory> {
        match self.word()?.as_str() {
            "heap" => Ok(Memory::Heap),
            "stack" => Ok(Memory::Stack),
            _ => self.fail("expected heap or stack"),
        }
    }

    fn cas(&mut self, old: Option<LocalId>, ok: Option<LocalId>) -> Read<Op> {
        self.expect_word("cas")?;
        Ok(Op::Cas {
            old,
            ok,
            ty: self.ty()?,
            addr: self.operand()?,
            expected: self.comma_operand()?,
            desired: self.comma_operand()?,
            ordering: self.ordering()?,
            failure: self.memory_order()?,
            weak: self.eat_word("weak"),
        })
    }

    fn rmw(&mut self, dst: Option<LocalId>) -> Read<Op> {
        let name = self.word()?;
        let Some(op) = find_in(&RMW, &name) else {
            return self.fail("expected an operation");
        };
        Ok(Op::Rmw {
            dst,
            op,
            ty: self.ty()?,
            addr: self.operand()?,
            value: self.comma_operand()?,
            ordering: self.ordering()?,
        })
    }

    fn call(&mut self, dst: Option<LocalId>) -> Read<Op> {
        Ok(Op::Call {
            dst,
            callee: self.operand()?,
            args: self.operands()?,
        })
    }

    fn sync(&mut self, dst: Option<LocalId>) -> Read<Op> {
        let name = self.word()?;
        let Some(op) = SyncOp::from_name(&name) else {
            return self.fail(format!("unknown synchronisation `{name}`"));
        };
        Ok(Op::Sync {
            dst,
            op,
            args: self.operands()?,
        })
    }

    /// What stands behind `%x =`.
    fn assignment(&mut self, dst: LocalId) -> Read<Op> {
        let word = self.word()?;
        let value = match word.as_str() {
            "havoc" => return Ok(Op::Havoc { dst }),
            "nondet" => return Ok(Op::Nondet { dst }),
            "load" => {
                return Ok(Op::Load {
                    dst,
                    ty: self.ty()?,
                    addr: self.operand()?,
                    access: self.access()?,
                });
            }
            "rmw" => return self.rmw(Some(dst)),
            "call" => return self.call(Some(dst)),
            "sync" => return self.sync(Some(dst)),
            "alloc" => {
                let memory = self.memory()?;
                let size = self.operand()?;
                self.expect_word("align")?;
                return Ok(Op::Alloc {
                    dst,
                    memory,
                    size,
                    align: self.number()?,
                    zeroed: self.eat_word("zeroed"),
                });
            }
            "object_size" => {
                return Ok(Op::ObjectSize {
                    dst,
                    addr: self.operand()?,
                });
            }
            "use" => Rvalue::Use(self.operand()?),
            "ptradd" => {
                let base = self.operand()?;
                let index = self.comma_operand()?;
                self.expect('*')?;
                Rvalue::PtrAdd {
                    base,
                    index,
                    scale: self.number()?,
                    offset: self.number()?,
                }
            }
            "select" => Rvalue::Select {
                ty: self.ty()?,
                cond: self.operand()?,
                a: self.comma_operand()?,
                b: self.comma_operand()?,
            },
            "pure" => {
                let name = self.word()?;
                let Some(function) = PureFn::ALL.into_iter().find(|f| f.name() == name) else {
                    return self.fail(format!("unknown function `{name}`"));
                };
                Rvalue::Pure {
                    function,
                    ty: self.ty()?,
                    args: self.operands()?,
                }
            }
            _ => self.arithmetic(&word)?,
        };
        Ok(Op::Let { dst, value })
    }

    fn arithmetic(&mut self, word: &str) -> Read<Rvalue> {
        let (name, checked) = match word.strip_suffix('!') {
            Some(name) => (name, true),
            None => (word, false),
        };
        let unary = match name {
            "neg" => Some(UnaryOp::Neg),
            "not" => Some(UnaryOp::Not),
            _ => None,
        };
        if let Some(op) = unary {
            return Ok(Rvalue::Unary {
                op,
                ty: self.ty()?,
                a: self.operand()?,
                checked,
            });
        }
        if let Some(op) = find_in(&BINARY, name) {
            return Ok(Rvalue::Binary {
                op,
                ty: self.ty()?,
                a: self.operand()?,
                b: self.comma_operand()?,
                checked,
            });
        }
        if let Some(op) = find_in(&COMPARE, name) {
            return Ok(Rvalue::Compare {
                op,
                ty: self.ty()?,
                a: self.operand()?,
                b: self.comma_operand()?,
            });
        }
        if let Some(kind) = find_in(&CAST, name) {
            return Ok(Rvalue::Cast {
                kind,
                from: self.ty()?,
                to: self.ty()?,
                a: self.operand()?,
            });
        }
        self.fail(format!("unknown operation `{word}`"))
    }
}
