//! `__attribute__` lists and `asm` labels.
//!
//! Only attributes that change layout, linkage or control are kept; the rest, warnings and hints, are read
//! and dropped.

use super::Parser;
use crate::ast::*;
use crate::diagnostic::Result;
use crate::token::Tok;
use std::rc::Rc;

impl Parser<'_> {
    /// Any number of attribute lists.
    pub(super) fn attributes(&mut self) -> Result<Attrs> {
        let mut attrs = Attrs::default();
        while self.eat(Tok::Attribute) {
            self.expect(Tok::LParen)?;
            self.expect(Tok::LParen)?;
            while !self.is(Tok::RParen) {
                if self.eat(Tok::Comma) {
                    continue;
                }
                self.attribute(&mut attrs)?;
            }
            self.expect(Tok::RParen)?;
            self.expect(Tok::RParen)?;
        }
        Ok(attrs)
    }

    fn attribute(&mut self, attrs: &mut Attrs) -> Result<()> {
        let token = self.bump();
        if matches!(token.kind, Tok::Eof | Tok::LParen | Tok::Semi) {
            self.at -= usize::from(token.kind != Tok::Eof);
            return self.unexpected("expected an attribute");
        }
        let name = String::from_utf8_lossy(self.text_of(token)).into_owned();
        if self.is(Tok::Colon) && self.kind_ahead(1) == Tok::Colon {
            self.bump();
            self.bump();
            self.bump();
        }
        let has_arguments = self.is(Tok::LParen);
        let name = name.strip_prefix("__").unwrap_or(&name);
        let name = name.strip_suffix("__").unwrap_or(name);
        match name {
            "packed" => attrs.packed = true,
            "transparent_union" => attrs.transparent_union = true,
            "noreturn" => attrs.noreturn = true,
            "weak" => attrs.weak = true,
            "gnu_inline" => attrs.gnu_inline = true,
            "constructor" | "destructor" => {
                let mut made = Constructor {
                    priority: None,
                    span: token.span(),
                };
                if self.eat(Tok::LParen) {
                    made.priority = Some(self.conditional()?);
                    self.expect(Tok::RParen)?;
                }
                match name {
                    "constructor" => attrs.constructor = Some(Rc::new(made)),
                    _ => attrs.destructor = Some(Rc::new(made)),
                }
                return Ok(());
            }
            "cleanup" if has_arguments => {
                self.bump();
                attrs.cleanup = Some(self.identifier()?);
                self.expect(Tok::RParen)?;
                return Ok(());
            }
            "aligned" if !has_arguments => attrs.aligned.push(AlignSpec::Biggest),
            "aligned" | "vector_size" => {
                self.expect(Tok::LParen)?;
                let value = Rc::new(self.conditional()?);
                self.expect(Tok::RParen)?;
                if name == "aligned" {
                    attrs.aligned.push(AlignSpec::Expr(value));
                } else {
                    attrs.vector_size = Some(value);
                }
                return Ok(());
            }
            "mode" if has_arguments => {
                self.bump();
                attrs.mode = Some(self.identifier()?.0);
                self.expect(Tok::RParen)?;
                return Ok(());
            }
            "weakref" => attrs.unsupported = Some((token.span(), "weakref")),
            "ifunc" => attrs.unsupported = Some((token.span(), "ifunc")),
            "ms_struct" => attrs.unsupported = Some((token.span(), "ms_struct")),
            "scalar_storage_order" if has_arguments && self.kind_ahead(1) == Tok::Str => {
                self.bump();
                let (units, _) = self.string()?;
                // All data models are little-endian.
                if !units
                    .iter()
                    .copied()
                    .eq("little-endian".chars().map(u32::from))
                {
                    attrs.unsupported = Some((token.span(), "scalar_storage_order"));
                }
                self.expect(Tok::RParen)?;
                return Ok(());
            }
            "alias" if has_arguments && self.kind_ahead(1) == Tok::Str => {
                self.bump();
                let (units, _) = self.string()?;
                attrs.alias = Some(units.iter().map(|&u| u as u8).collect());
                self.expect(Tok::RParen)?;
                return Ok(());
            }
            _ => {}
        }
        if self.is(Tok::LParen) {
            self.skip_parenthesised()?;
        }
        Ok(())
    }

    /// Skips a balanced parenthesis.
    pub(super) fn skip_parenthesised(&mut self) -> Result<()> {
        while matches!(self.kind(), Tok::Volatile | Tok::Inline | Tok::Goto) {
            self.bump();
        }
        let start = self.at;
        self.expect(Tok::LParen)?;
        let mut depth = 1u32;
        while depth > 0 {
            match self.kind() {
                Tok::LParen => depth += 1,
                Tok::RParen => depth -= 1,
                Tok::Eof => {
                    self.at = start;
                    return self.unexpected("unclosed parenthesis");
                }
                _ => {}
            }
            self.bump();
        }
        Ok(())
    }

    /// What may follow a declarator: an `asm` label and attributes, in any order.
    pub(super) fn declarator_suffix(&mut self, declarator: &mut Declarator) -> Result<()> {
        loop {
            if self.is(Tok::Asm) {
                self.bump();
                self.expect(Tok::LParen)?;
                let (units, _) = self.string()?;
                declarator.asm_label = Some(units.iter().map(|&u| u as u8).collect());
                self.expect(Tok::RParen)?;
            } else if self.is(Tok::Attribute) {
                let attrs = self.attributes()?;
                declarator.attrs.merge(attrs);
            } else {
                return Ok(());
            }
        }
    }

    /// An assembly statement, after the keyword.
    pub(super) fn asm_statement(&mut self) -> Result<Asm> {
        let mut jumps = false;
        while matches!(self.kind(), Tok::Volatile | Tok::Inline | Tok::Goto) {
            jumps |= self.is(Tok::Goto);
            self.bump();
        }
        let mut asm = Asm {
            is_barrier: false,
            template: String::new(),
            operands: None,
            clobbers_memory: true,
        };
        if self.is(Tok::LParen) && self.kind_ahead(1) == Tok::Str && !jumps {
            let start = self.at;
            self.bump();
            let (units, _) = self.string()?;
            asm.template = units.iter().filter_map(|&u| char::from_u32(u)).collect();
            // `asm("")`, `asm("" : : …)`: outputs would receive a value.
            asm.is_barrier = only_hints(&asm.template)
                && (self.is(Tok::RParen)
                    || self.is(Tok::Colon) && self.kind_ahead(1) == Tok::Colon);
            if !asm.is_barrier {
                asm.operands = Some(self.asm_operands()?);
                asm.clobbers_memory = self.clobbers_memory()?;
            }
            self.at = start;
        }
        self.skip_parenthesised()?;
        self.expect(Tok::Semi)?;
        Ok(asm)
    }

    /// Whether memory is among the clobbers, after the operands.
    fn clobbers_memory(&mut self) -> Result<bool> {
        let mut found = false;
        if self.eat(Tok::Colon) {
            while self.is(Tok::Str) {
                let (units, _) = self.string()?;
                found |= units.iter().copied().eq("memory".chars().map(u32::from));
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
        }
        Ok(found)
    }

    /// Outputs and inputs, after the template.
    fn asm_operands(&mut self) -> Result<Vec<AsmOperand>> {
        let mut operands = Vec::new();
        for output in [true, false] {
            if !self.eat(Tok::Colon) {
                break;
            }
            while matches!(self.kind(), Tok::Str | Tok::LBracket) {
                let mut name = None;
                if self.eat(Tok::LBracket) {
                    name = Some(self.identifier()?.0);
                    self.expect(Tok::RBracket)?;
                }
                let (units, _) = self.string()?;
                self.expect(Tok::LParen)?;
                let expr = self.expression()?;
                self.expect(Tok::RParen)?;
                operands.push(AsmOperand {
                    name,
                    constraint: units.iter().filter_map(|&u| char::from_u32(u)).collect(),
                    output,
                    expr,
                });
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
        }
        Ok(operands)
    }
}

/// Whether all instructions of a template change nothing that a sequentially consistent program could see.
pub(crate) fn only_hints(template: &str) -> bool {
    template.split([';', '\n']).all(is_hint)
}

/// Whether an instruction changes nothing that a sequentially consistent program could see: a pause while spinning, nothing at all, a fence.
fn is_hint(instruction: &str) -> bool {
    let words: Vec<&str> = instruction.split_whitespace().collect();
    matches!(
        words[..],
        [] | ["nop" | "pause" | "yield" | "isb" | "mfence" | "lfence" | "sfence"]
            | ["rep"]
            | ["rep", "nop"]
            | ["dmb" | "dsb", _]
    ) || matches!(words[..], [name, _] if name.starts_with("prefetch"))
}
