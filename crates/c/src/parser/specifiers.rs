//! Declaration specifiers: storage, qualifiers, builtin types, `struct`, `union`, `enum`, `typeof`.

use super::Parser;
use crate::ast::*;
use crate::diagnostic::{Result, fail};
use crate::source::Span;
use crate::token::Tok;
use std::rc::Rc;

#[derive(Default)]
struct Words {
    void: bool,
    bool: bool,
    char: bool,
    int: bool,
    short: bool,
    longs: u8,
    signed: bool,
    unsigned: bool,
    float: bool,
    double: bool,
    complex: bool,
    int128: bool,
    special: Option<Basic>,
}

impl Words {
    fn any(&self) -> bool {
        self.void
            || self.bool
            || self.char
            || self.int
            || self.short
            || self.longs > 0
            || self.signed
            || self.unsigned
            || self.float
            || self.double
            || self.complex
            || self.int128
            || self.special.is_some()
    }

    fn basic(&self, span: Span) -> Result<Basic> {
        let integer_words = self.char || self.int || self.short || self.int128;
        let sign_or_size = self.signed || self.unsigned || self.short || self.longs > 0;
        let others = [self.void, self.bool, self.float, self.special.is_some()];
        let lone = others.iter().filter(|&&b| b).count();
        let conflict = lone > 1
            || lone == 1 && (integer_words || sign_or_size || self.double)
            || self.double && (integer_words || self.signed || self.unsigned || self.longs > 1)
            || self.char && (self.short || self.longs > 0 || self.int || self.int128)
            || self.short && self.longs > 0
            || self.signed && self.unsigned
            || self.int128 && (self.int || self.short || self.longs > 0)
            || self.longs > 2;
        if conflict {
            return fail(span, "these type specifiers do not go together");
        }
        if self.complex {
            return Ok(match (self.float, self.double, self.longs) {
                (true, ..) => Basic::ComplexFloat,
                (_, _, 1) if self.double => Basic::ComplexLongDouble,
                _ if integer_words || sign_or_size || self.special.is_some() => Basic::Exotic,
                _ => Basic::ComplexDouble,
            });
        }
        let sign = |signed, unsigned| if self.unsigned { unsigned } else { signed };
        Ok(if let Some(special) = self.special {
            special
        } else if self.void {
            Basic::Void
        } else if self.bool {
            Basic::Bool
        } else if self.float {
            Basic::Float
        } else if self.double {
            if self.longs > 0 {
                Basic::LongDouble
            } else {
                Basic::Double
            }
        } else if self.char {
            if self.signed {
                Basic::SChar
            } else {
                sign(Basic::Char, Basic::UChar)
            }
        } else if self.short {
            sign(Basic::Short, Basic::UShort)
        } else if self.int128 {
            sign(Basic::Int128, Basic::UInt128)
        } else {
            match self.longs {
                0 => sign(Basic::Int, Basic::UInt),
                1 => sign(Basic::Long, Basic::ULong),
                _ => sign(Basic::LongLong, Basic::ULongLong),
            }
        })
    }
}

impl Parser<'_> {
    /// Whether the token at hand can begin a declaration.
    pub(super) fn begins_declaration(&self) -> bool {
        match self.kind() {
            Tok::Typedef
            | Tok::Extern
            | Tok::Static
            | Tok::Auto
            | Tok::Register
            | Tok::Inline
            | Tok::Noreturn
            | Tok::ThreadLocal
            | Tok::Alignas
            | Tok::StaticAssert => true,
            Tok::Extension => {
                let mut ahead = 1;
                while self.kind_ahead(ahead) == Tok::Extension {
                    ahead += 1;
                }
                self.type_at(ahead)
                    || matches!(
                        self.kind_ahead(ahead),
                        Tok::Typedef | Tok::Extern | Tok::Static
                    )
            }
            _ => self.type_at(0),
        }
    }

    /// Whether the token at hand can begin a type name.
    pub(super) fn begins_type(&self) -> bool {
        let mut ahead = 0;
        while self.kind_ahead(ahead) == Tok::Extension {
            ahead += 1;
        }
        self.type_at(ahead)
    }

    pub(super) fn type_at(&self, ahead: usize) -> bool {
        match self.kind_ahead(ahead) {
            Tok::Ident => self.is_typedef(self.symbol_ahead(ahead)),
            Tok::KwChar
            | Tok::Const
            | Tok::Double
            | Tok::Enum
            | Tok::Float
            | Tok::Int
            | Tok::Long
            | Tok::Restrict
            | Tok::Short
            | Tok::Signed
            | Tok::Struct
            | Tok::Union
            | Tok::Unsigned
            | Tok::Void
            | Tok::Volatile
            | Tok::Atomic
            | Tok::Bool
            | Tok::Complex
            | Tok::Imaginary
            | Tok::Float128
            | Tok::Float64x
            | Tok::Float64
            | Tok::Float32
            | Tok::Float16
            | Tok::Decimal
            | Tok::Int128
            | Tok::Typeof
            | Tok::AutoType
            | Tok::VaList => true,
            Tok::Attribute => true,
            _ => false,
        }
    }

    /// Declaration specifiers; `file_scope` lets the type be left out altogether.
    pub(super) fn specifiers(&mut self, file_scope: bool) -> Result<Specs> {
        let start = self.span();
        let mut storage = Storage::None;
        let mut specs = Specs {
            storage,
            thread_local: false,
            inline: false,
            quals: Quals::NONE,
            ty: TypeSpec::ImplicitInt,
            alignas: Vec::new(),
            attrs: Attrs::default(),
            span: start,
        };
        let mut words = Words::default();
        let mut ty: Option<TypeSpec> = None;
        let mut seen_any = false;
        loop {
            let typed = ty.is_some() || words.any();
            let token = self.token();
            let class = match token.kind {
                Tok::Typedef => Some(Storage::Typedef),
                Tok::Extern => Some(Storage::Extern),
                Tok::Static => Some(Storage::Static),
                Tok::Auto => Some(Storage::Auto),
                Tok::Register => Some(Storage::Register),
                _ => None,
            };
            if let Some(class) = class {
                if storage != Storage::None && storage != class {
                    return fail(token.span(), "more than one storage class");
                }
                storage = class;
                self.bump();
                seen_any = true;
                continue;
            }
            let mut consumed = true;
            match token.kind {
                Tok::Const => specs.quals = specs.quals.with(Quals::CONST),
                Tok::Volatile => specs.quals = specs.quals.with(Quals::VOLATILE),
                Tok::Restrict => specs.quals = specs.quals.with(Quals::RESTRICT),
                Tok::Inline => specs.inline = true,
                Tok::Noreturn => specs.attrs.noreturn = true,
                Tok::ThreadLocal => specs.thread_local = true,
                Tok::Extension => {}
                Tok::Void => words.void = true,
                Tok::Bool => words.bool = true,
                Tok::KwChar => words.char = true,
                Tok::Int => words.int = true,
                Tok::Short => words.short = true,
                Tok::Long => words.longs = words.longs.saturating_add(1),
                Tok::Signed => words.signed = true,
                Tok::Unsigned => words.unsigned = true,
                Tok::Float => words.float = true,
                Tok::Double => words.double = true,
                Tok::Complex => words.complex = true,
                Tok::Float128 => words.special = Some(Basic::Float128),
                Tok::Float64x => words.special = Some(Basic::LongDouble),
                Tok::Float64 => words.special = Some(Basic::Double),
                Tok::Float32 => words.special = Some(Basic::Float),
                Tok::Float16 => words.special = Some(Basic::Float16),
                Tok::Decimal | Tok::Imaginary => words.special = Some(Basic::Exotic),
                Tok::Int128 => words.int128 = true,
                Tok::VaList if !typed => ty = Some(TypeSpec::VaList),
                Tok::AutoType if !typed => ty = Some(TypeSpec::AutoType),
                _ => consumed = false,
            }
            if consumed {
                self.bump();
                seen_any = true;
                continue;
            }
            match token.kind {
                Tok::Attribute => {
                    let attrs = self.attributes()?;
                    specs.attrs.merge(attrs);
                }
                Tok::Alignas => {
                    self.bump();
                    self.expect(Tok::LParen)?;
                    let align = if self.begins_type() {
                        AlignSpec::Type(Rc::new(self.type_name()?))
                    } else {
                        AlignSpec::Expr(Rc::new(self.conditional()?))
                    };
                    specs.alignas.push(align);
                    self.expect(Tok::RParen)?;
                }
                Tok::Atomic if self.kind_ahead(1) == Tok::LParen && !typed => {
                    self.bump();
                    self.bump();
                    ty = Some(TypeSpec::Atomic(Rc::new(self.type_name()?)));
                    self.expect(Tok::RParen)?;
                }
                Tok::Atomic => {
                    specs.quals = specs.quals.with(Quals::ATOMIC);
                    self.bump();
                }
                Tok::Struct | Tok::Union if !typed => {
                    let spec = self.nested(|p| p.record())?;
                    ty = Some(TypeSpec::Record(Rc::new(spec)));
                }
                Tok::Enum if !typed => {
                    let spec = self.nested(|p| p.enumeration())?;
                    ty = Some(TypeSpec::Enum(Rc::new(spec)));
                }
                Tok::Typeof if !typed => {
                    self.bump();
                    self.expect(Tok::LParen)?;
                    ty = Some(self.nested(|p| {
                        Ok(if p.begins_type() {
                            TypeSpec::TypeofType(Rc::new(p.type_name()?))
                        } else {
                            TypeSpec::TypeofExpr(Rc::new(p.expression()?))
                        })
                    })?);
                    self.expect(Tok::RParen)?;
                }
                Tok::Ident if !typed && self.is_typedef(token.symbol) => {
                    self.bump();
                    ty = Some(TypeSpec::Typedef(token.symbol));
                }
                _ => break,
            }
            seen_any = true;
        }
        specs.span = self.since(start);
        specs.ty = match ty {
            Some(_) if words.any() => {
                return fail(specs.span, "these type specifiers do not go together");
            }
            Some(ty) => ty,
            None if words.any() => TypeSpec::Basic(words.basic(specs.span)?),
            None => TypeSpec::ImplicitInt,
        };
        specs.storage = storage;
        if matches!(specs.ty, TypeSpec::ImplicitInt) {
            let plausible = match self.kind() {
                Tok::Ident => {
                    matches!(
                        self.kind_ahead(1),
                        Tok::LParen
                            | Tok::Semi
                            | Tok::Comma
                            | Tok::Eq
                            | Tok::LBracket
                            | Tok::RParen
                            | Tok::Asm
                            | Tok::Attribute
                    ) && (seen_any || file_scope)
                }
                _ => seen_any,
            };
            if !plausible {
                return match self.kind() {
                    Tok::Ident => {
                        let name = self.names.name(self.token().symbol);
                        fail(self.span(), format!("unknown type name `{name}`"))
                    }
                    _ => self.unexpected("expected a declaration"),
                };
            }
        }
        Ok(specs)
    }

    fn record(&mut self) -> Result<RecordSpec> {
        let start = self.span();
        let kind = match self.bump().kind {
            Tok::Union => RecordKind::Union,
            _ => RecordKind::Struct,
        };
        let mut attrs = self.attributes()?;
        let tag = if self.is(Tok::Ident) {
            Some(self.bump().symbol)
        } else {
            None
        };
        let more = self.attributes()?;
        attrs.merge(more);
        let mut members = None;
        let mut packing = 0;
        let span = self.since(start);
        if self.eat(Tok::LBrace) {
            let mut list = Vec::new();
            while !self.is(Tok::RBrace) {
                self.members(&mut list)?;
            }
            packing = self.tokens.packing_at(self.token().lo);
            self.bump();
            members = Some(list);
            let after = self.attributes()?;
            attrs.merge(after);
        } else if tag.is_none() {
            return self.unexpected("expected a tag or `{`");
        }
        Ok(RecordSpec {
            kind,
            tag,
            members,
            attrs,
            packing,
            span,
        })
    }

    fn members(&mut self, list: &mut Vec<Member>) -> Result<()> {
        if self.eat(Tok::Semi) {
            return Ok(());
        }
        if self.is(Tok::StaticAssert) {
            list.push(Member::StaticAssert(Rc::new(self.static_assert()?)));
            return Ok(());
        }
        let start = self.span();
        let specs = Rc::new(self.specifiers(false)?);
        if self.is(Tok::Semi) {
            let span = self.since(start);
            self.bump();
            list.push(Member::Field {
                specs,
                declarator: None,
                width: None,
                span,
            });
            return Ok(());
        }
        loop {
            let first = self.span();
            let before = self.attributes()?;
            let mut declarator = if self.is(Tok::Colon) {
                Declarator::default()
            } else {
                self.declarator(true)?
            };
            declarator.attrs.merge(before);
            let width = if self.eat(Tok::Colon) {
                Some(self.conditional()?)
            } else {
                None
            };
            self.declarator_suffix(&mut declarator)?;
            list.push(Member::Field {
                specs: specs.clone(),
                declarator: Some(declarator),
                width,
                span: self.since(first),
            });
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        if !self.is(Tok::RBrace) {
            self.expect(Tok::Semi)?;
        }
        Ok(())
    }

    fn enumeration(&mut self) -> Result<EnumSpec> {
        let start = self.expect(Tok::Enum)?.span();
        let mut attrs = self.attributes()?;
        let tag = if self.is(Tok::Ident) {
            Some(self.bump().symbol)
        } else {
            None
        };
        let span = self.since(start);
        let mut constants = None;
        if self.eat(Tok::LBrace) {
            let mut list = Vec::new();
            while !self.is(Tok::RBrace) {
                let (name, span) = self.identifier()?;
                self.attributes()?;
                let value = if self.eat(Tok::Eq) {
                    Some(self.conditional()?)
                } else {
                    None
                };
                self.declare(name, false);
                list.push((name, value, span));
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
            self.expect(Tok::RBrace)?;
            constants = Some(list);
            let after = self.attributes()?;
            attrs.merge(after);
        } else if tag.is_none() {
            return self.unexpected("expected a tag or `{`");
        }
        Ok(EnumSpec {
            tag,
            constants,
            attrs,
            span,
        })
    }
}
