//! Declarators, parameters, type names and initialisers.
//!
//! A declarator is kept as the list of steps that lead from the base type to the declared one, in the order
//! they apply: `int *a[3]` is pointer, then array.

use super::Parser;
use crate::ast::*;
use crate::diagnostic::{Result, fail};
use crate::token::Tok;
use std::collections::HashMap;
use std::rc::Rc;

/// How many steps one declarator may take.
const MAX_DERIVED: usize = 1000;

impl Parser<'_> {
    /// A declarator; a name is required if `named`, and optional otherwise.
    pub(super) fn declarator(&mut self, named: bool) -> Result<Declarator> {
        let declarator = self.nested(|p| p.declarator_inner())?;
        if named && declarator.name.is_none() {
            return self.unexpected("expected a name in the declarator");
        }
        if declarator.derived.len() > MAX_DERIVED {
            return fail(
                self.span(),
                format!("a declarator of more than {MAX_DERIVED} steps"),
            );
        }
        Ok(declarator)
    }

    fn qualifiers(&mut self) -> Result<(Quals, Attrs)> {
        let mut quals = Quals::NONE;
        let mut attrs = Attrs::default();
        loop {
            quals = quals.with(match self.kind() {
                Tok::Const => Quals::CONST,
                Tok::Volatile => Quals::VOLATILE,
                Tok::Restrict => Quals::RESTRICT,
                Tok::Atomic => Quals::ATOMIC,
                Tok::Attribute => {
                    let more = self.attributes()?;
                    attrs.merge(more);
                    continue;
                }
                Tok::Extension => Quals::NONE,
                _ => return Ok((quals, attrs)),
            });
            self.bump();
        }
    }

    fn declarator_inner(&mut self) -> Result<Declarator> {
        let mut derived = Vec::new();
        let mut attrs = Attrs::default();
        while self.eat(Tok::Star) {
            let (quals, more) = self.qualifiers()?;
            derived.push(Derived::Pointer(quals));
            attrs.merge(more);
        }
        if self.is(Tok::Attribute) {
            let more = self.attributes()?;
            attrs.merge(more);
        }
        let mut inner = Declarator::default();
        match self.kind() {
            Tok::Ident => inner.name = Some(self.identifier()?),
            Tok::LParen if self.parenthesis_is_declarator() => {
                self.bump();
                let more = self.attributes()?;
                inner = self.nested(|p| p.declarator_inner())?;
                attrs.merge(more);
                self.expect(Tok::RParen)?;
            }
            _ => {}
        }
        let mut suffixes = Vec::new();
        loop {
            match self.kind() {
                Tok::LBracket => suffixes.push(self.array_suffix()?),
                Tok::LParen => {
                    let params = self.nested(|p| p.parameters())?;
                    suffixes.push(Derived::Function(Rc::new(params)));
                }
                _ => break,
            }
            if suffixes.len() > MAX_DERIVED {
                return fail(
                    self.span(),
                    format!("a declarator of more than {MAX_DERIVED} steps"),
                );
            }
        }
        suffixes.reverse();
        derived.extend(suffixes);
        derived.extend(inner.derived);
        inner.attrs.merge(attrs);
        Ok(Declarator {
            name: inner.name,
            derived,
            attrs: inner.attrs,
            asm_label: None,
        })
    }

    /// Whether a `(` groups a declarator rather than opening the parameters of an abstract one.
    fn parenthesis_is_declarator(&self) -> bool {
        match self.kind_ahead(1) {
            Tok::Star | Tok::Caret | Tok::LParen | Tok::LBracket => true,
            Tok::Ident => !self.is_typedef(self.symbol_ahead(1)),
            // `(__attribute__((x)) *f)` groups, `(__attribute__((unused)) int a)` does not.
            Tok::Attribute => {
                let mut depth = 0;
                let mut ahead = 2;
                loop {
                    match self.kind_ahead(ahead) {
                        Tok::LParen => depth += 1,
                        Tok::RParen => depth -= 1,
                        Tok::Eof => return false,
                        _ => {}
                    }
                    ahead += 1;
                    if depth == 0 {
                        break;
                    }
                }
                match self.kind_ahead(ahead) {
                    Tok::Star | Tok::LParen => true,
                    Tok::Ident => !self.is_typedef(self.symbol_ahead(ahead)),
                    _ => false,
                }
            }
            _ => false,
        }
    }

    fn array_suffix(&mut self) -> Result<Derived> {
        self.expect(Tok::LBracket)?;
        self.eat(Tok::Static);
        self.qualifiers()?;
        self.eat(Tok::Static);
        let size = if self.is(Tok::RBracket) {
            ArraySize::None
        } else if self.is(Tok::Star) && self.kind_ahead(1) == Tok::RBracket {
            self.bump();
            ArraySize::Star
        } else {
            ArraySize::Expr(Rc::new(self.nested(|p| p.assignment())?))
        };
        self.expect(Tok::RBracket)?;
        Ok(Derived::Array(size))
    }

    fn parameters(&mut self) -> Result<Params> {
        self.expect(Tok::LParen)?;
        if self.eat(Tok::RParen) {
            return Ok(Params {
                list: Vec::new(),
                variadic: false,
                form: ParamForm::Empty,
            });
        }
        if self.is(Tok::Void) && self.kind_ahead(1) == Tok::RParen {
            self.bump();
            self.bump();
            return Ok(Params {
                list: Vec::new(),
                variadic: false,
                form: ParamForm::Prototype,
            });
        }
        if self.is(Tok::Ident)
            && !self.is_typedef(self.token().symbol)
            && matches!(self.kind_ahead(1), Tok::Comma | Tok::RParen)
        {
            return self.identifier_list();
        }
        self.scopes.push(HashMap::new());
        let result = self.parameter_list();
        self.scopes.pop();
        result
    }

    fn parameter_list(&mut self) -> Result<Params> {
        let mut list = Vec::new();
        let mut variadic = false;
        loop {
            if self.eat(Tok::Ellipsis) {
                variadic = true;
                break;
            }
            let start = self.span();
            let specs = Rc::new(self.specifiers(false)?);
            let mut declarator = self.declarator(false)?;
            self.declarator_suffix(&mut declarator)?;
            if let Some((name, _)) = declarator.name {
                self.declare(name, false);
            }
            list.push(Param {
                specs,
                declarator,
                span: self.since(start),
            });
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect(Tok::RParen)?;
        Ok(Params {
            list,
            variadic,
            form: ParamForm::Prototype,
        })
    }

    fn identifier_list(&mut self) -> Result<Params> {
        let mut list = Vec::new();
        loop {
            let (name, span) = self.identifier()?;
            list.push(Param {
                specs: Rc::new(Specs {
                    storage: Storage::None,
                    thread_local: false,
                    inline: false,
                    quals: Quals::NONE,
                    ty: TypeSpec::Basic(Basic::Int),
                    alignas: Vec::new(),
                    attrs: Attrs::default(),
                    span,
                }),
                declarator: Declarator {
                    name: Some((name, span)),
                    ..Declarator::default()
                },
                span,
            });
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect(Tok::RParen)?;
        Ok(Params {
            list,
            variadic: false,
            form: ParamForm::Names,
        })
    }

    /// A type name, as in a cast.
    pub(super) fn type_name(&mut self) -> Result<TypeName> {
        let start = self.span();
        let specs = Rc::new(self.specifiers(false)?);
        if specs.storage != Storage::None {
            return fail(specs.span, "a storage class in a type name");
        }
        let declarator = self.declarator(false)?;
        if let Some((_, span)) = declarator.name {
            return fail(span, "a name inside a type name");
        }
        Ok(TypeName {
            specs,
            derived: declarator.derived,
            span: self.since(start),
        })
    }

    /// An initialiser.
    pub(super) fn initialiser(&mut self) -> Result<Init> {
        if self.is(Tok::LBrace) {
            Ok(Init::List(self.nested(|p| p.initialiser_list())?))
        } else {
            Ok(Init::Expr(self.assignment()?))
        }
    }

    /// A braced initialiser.
    pub(super) fn initialiser_list(&mut self) -> Result<InitList> {
        let start = self.expect(Tok::LBrace)?.span();
        let mut items = Vec::new();
        while !self.is(Tok::RBrace) {
            let designators = self.designation()?;
            items.push((designators, self.initialiser()?));
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect(Tok::RBrace)?;
        Ok(InitList {
            items,
            span: self.since(start),
        })
    }

    fn designation(&mut self) -> Result<Vec<Designator>> {
        if self.is(Tok::Ident) && self.kind_ahead(1) == Tok::Colon {
            let (name, span) = self.identifier()?;
            self.bump();
            return Ok(vec![Designator::Field(name, span)]);
        }
        let list = self.designators()?;
        // `[1] value`, without `=`, is an old GNU form.
        if !list.is_empty() && !self.eat(Tok::Eq) && !matches!(list[..], [Designator::Index(_)]) {
            return self.unexpected("expected `=` after the designator");
        }
        Ok(list)
    }

    /// `.a[1].b`, possibly empty.
    pub(super) fn designators(&mut self) -> Result<Vec<Designator>> {
        let mut list = Vec::new();
        loop {
            if list.len() > MAX_DERIVED {
                return fail(self.span(), "too many designators");
            }
            if self.eat(Tok::Dot) {
                let (name, span) = self.identifier()?;
                list.push(Designator::Field(name, span));
            } else if self.eat(Tok::LBracket) {
                let first = self.expression()?;
                if self.eat(Tok::Ellipsis) {
                    let last = self.conditional()?;
                    list.push(Designator::Range(first, last));
                } else {
                    list.push(Designator::Index(first));
                }
                self.expect(Tok::RBracket)?;
            } else {
                return Ok(list);
            }
        }
    }
}
