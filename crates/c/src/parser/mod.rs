//! Recursive descent over the token list.
//!
//! The only thing the grammar needs to know about names is whether they are typedef names, so the parser
//! keeps just that, by scope. It stops at the first error; nesting is bounded, since the input is untrusted
//! and every later pass recurses over the tree.
//!
//! Misses: error recovery.

mod attributes;
mod declarators;
mod expressions;
mod specifiers;
mod statements;

use crate::ast::*;
use crate::diagnostic::{Result, fail};
use crate::lexer::Tokens;
use crate::source::Span;
use crate::token::{Interner, Symbol, Tok, Token};
pub(crate) use attributes::only_hints;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// How deep parentheses, statements, declarators and initialisers may nest together.
const MAX_DEPTH: u32 = 1000;
/// How high the tree of one expression may be.
const MAX_HEIGHT: u32 = 10_000;

pub(crate) struct Parser<'a> {
    tokens: &'a Tokens,
    text: &'a [u8],
    base: u32,
    names: &'a mut Interner,
    at: usize,
    depth: u32,
    scopes: Vec<HashMap<Symbol, bool>>,
    used: HashSet<Symbol>,
}

/// Parses one unit whose text begins at `base`.
pub fn parse(tokens: &Tokens, text: &[u8], base: u32, names: &mut Interner) -> Result<Unit> {
    let mut parser = Parser {
        tokens,
        text,
        base,
        names,
        at: 0,
        depth: 0,
        scopes: vec![HashMap::new()],
        used: HashSet::new(),
    };
    for name in crate::types::BUILTIN_TYPEDEFS {
        let symbol = parser.names.intern(name);
        parser.scopes[0].insert(symbol, true);
    }
    let mut items = Vec::new();
    while !parser.is(Tok::Eof) {
        parser.item(&mut items)?;
    }
    Ok(Unit {
        items,
        used: parser.used,
        pragmas: tokens.pragmas.clone(),
    })
}

impl<'a> Parser<'a> {
    fn token(&self) -> Token {
        self.tokens.list[self.at]
    }

    fn kind(&self) -> Tok {
        self.tokens.list[self.at].kind
    }

    fn kind_ahead(&self, n: usize) -> Tok {
        let last = self.tokens.list.len() - 1;
        self.tokens.list[(self.at + n).min(last)].kind
    }

    fn symbol_ahead(&self, n: usize) -> Symbol {
        let last = self.tokens.list.len() - 1;
        self.tokens.list[(self.at + n).min(last)].symbol
    }

    fn span(&self) -> Span {
        self.token().span()
    }

    /// The span from a token's beginning to the end of the token read last.
    fn since(&self, start: Span) -> Span {
        let last = self.tokens.list[self.at.saturating_sub(1)];
        Span {
            lo: start.lo,
            hi: last.hi.max(start.lo),
        }
    }

    fn is(&self, kind: Tok) -> bool {
        self.kind() == kind
    }

    fn bump(&mut self) -> Token {
        let token = self.token();
        if self.at + 1 < self.tokens.list.len() {
            self.at += 1;
        }
        token
    }

    fn eat(&mut self, kind: Tok) -> bool {
        let found = self.is(kind);
        if found {
            self.bump();
        }
        found
    }

    fn expect(&mut self, kind: Tok) -> Result<Token> {
        if self.is(kind) {
            return Ok(self.bump());
        }
        self.unexpected(&format!("expected {}", kind.describe()))
    }

    fn unexpected<T>(&self, wanted: &str) -> Result<T> {
        let token = self.token();
        let found = match token.kind {
            Tok::Ident => format!("`{}`", self.names.name(token.symbol)),
            kind => kind.describe().to_owned(),
        };
        fail(token.span(), format!("{wanted}, found {found}"))
    }

    fn identifier(&mut self) -> Result<(Symbol, Span)> {
        let token = self.expect(Tok::Ident)?;
        Ok((token.symbol, token.span()))
    }

    fn text_of(&self, token: Token) -> &'a [u8] {
        &self.text[(token.lo - self.base) as usize..(token.hi - self.base) as usize]
    }

    /// Runs `parse` one level deeper.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= MAX_DEPTH {
            return fail(
                self.span(),
                format!("nested more than {MAX_DEPTH} levels deep"),
            );
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    fn is_typedef(&self, symbol: Symbol) -> bool {
        let found = self.scopes.iter().rev().find_map(|s| s.get(&symbol));
        found.copied().unwrap_or(false)
    }

    fn declare(&mut self, symbol: Symbol, is_typedef: bool) {
        // A name that never was a typedef need not be remembered as an ordinary one.
        if is_typedef || self.is_typedef(symbol) {
            let last = self.scopes.len() - 1;
            self.scopes[last].insert(symbol, is_typedef);
        }
    }

    fn item(&mut self, items: &mut Vec<Item>) -> Result<()> {
        match self.kind() {
            Tok::Semi => {
                self.bump();
                return Ok(());
            }
            Tok::Asm => {
                self.bump();
                self.skip_parenthesised()?;
                self.expect(Tok::Semi)?;
                return Ok(());
            }
            Tok::StaticAssert => {
                let assert = self.static_assert()?;
                items.push(Item::StaticAssert(Rc::new(assert)));
                return Ok(());
            }
            _ => {}
        }
        match self.declaration_or_function(true)? {
            DeclarationOrFunction::Declaration(d) => items.push(Item::Declaration(Rc::new(d))),
            DeclarationOrFunction::Function(f) => items.push(Item::Function(Rc::new(f))),
        }
        Ok(())
    }

    fn static_assert(&mut self) -> Result<StaticAssert> {
        let start = self.expect(Tok::StaticAssert)?.span();
        self.expect(Tok::LParen)?;
        let condition = self.conditional()?;
        let mut message = String::new();
        if self.eat(Tok::Comma) {
            let (units, _) = self.string()?;
            let bytes: Vec<u8> = units.iter().map(|&u| u as u8).collect();
            message = String::from_utf8_lossy(&bytes).into_owned();
        }
        self.expect(Tok::RParen)?;
        self.expect(Tok::Semi)?;
        Ok(StaticAssert {
            condition,
            message,
            span: self.since(start),
        })
    }

    /// A declaration, or at file scope (and as a GNU extension elsewhere) a function definition.
    fn declaration_or_function(&mut self, file_scope: bool) -> Result<DeclarationOrFunction> {
        let start = self.span();
        let specs = Rc::new(self.specifiers(file_scope)?);
        let is_typedef = specs.storage == Storage::Typedef;
        let mut declarators = Vec::new();
        if !self.is(Tok::Semi) {
            loop {
                let first = self.span();
                let before = self.attributes()?;
                let mut declarator = self.declarator(true)?;
                declarator.attrs.merge(before);
                let is_function = declarator_is_function(&declarator);
                if is_function && declarators.is_empty() && !is_typedef && self.begins_body() {
                    let function = self.function(specs, declarator, start)?;
                    return Ok(DeclarationOrFunction::Function(function));
                }
                self.declarator_suffix(&mut declarator)?;
                if let Some((name, _)) = declarator.name {
                    self.declare(name, is_typedef);
                }
                let init = if self.eat(Tok::Eq) {
                    Some(self.initialiser()?)
                } else {
                    None
                };
                declarators.push(InitDeclarator {
                    declarator,
                    init,
                    span: self.since(first),
                });
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
        }
        self.expect(Tok::Semi)?;
        Ok(DeclarationOrFunction::Declaration(Declaration {
            specs,
            declarators,
        }))
    }

    /// Whether what follows a function declarator makes it a definition: a brace, or the declarations of
    /// old-style parameters.
    fn begins_body(&self) -> bool {
        match self.kind() {
            Tok::LBrace => true,
            Tok::Attribute | Tok::Asm | Tok::Eq | Tok::Comma | Tok::Semi => {
                self.is(Tok::Attribute) && self.attributes_then_brace()
            }
            _ => self.begins_declaration(),
        }
    }

    fn attributes_then_brace(&self) -> bool {
        let mut ahead = 0;
        while self.kind_ahead(ahead) == Tok::Attribute {
            ahead += 1;
            let mut depth = 0;
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
        }
        self.kind_ahead(ahead) == Tok::LBrace
    }

    fn function(
        &mut self,
        specs: Rc<Specs>,
        mut declarator: Declarator,
        start: Span,
    ) -> Result<Function> {
        let attrs = self.attributes()?;
        declarator.attrs.merge(attrs);
        if let Some((name, _)) = declarator.name {
            self.declare(name, false);
        }
        self.scopes.push(HashMap::new());
        let result = self.function_inner(&mut declarator);
        self.scopes.pop();
        let body = result?;
        Ok(Function {
            specs,
            declarator,
            body,
            span: self.since(start),
        })
    }

    fn function_inner(&mut self, declarator: &mut Declarator) -> Result<Block> {
        let index = declarator
            .derived
            .iter()
            .rposition(|d| matches!(d, Derived::Function(_)));
        if let Some(index) = index
            && let Derived::Function(params) = &declarator.derived[index]
        {
            let mut params = params.clone();
            if !self.is(Tok::LBrace) {
                let list = self.old_style_parameters(&params)?;
                params = Rc::new(Params {
                    list,
                    variadic: false,
                    form: ParamForm::Names,
                });
                declarator.derived[index] = Derived::Function(params.clone());
            }
            for param in &params.list {
                if let Some((name, _)) = param.declarator.name {
                    self.declare(name, false);
                }
            }
        }
        self.block_in_scope()
    }

    /// The declarations between an old-style parameter list and the body.
    fn old_style_parameters(&mut self, params: &Params) -> Result<Vec<Param>> {
        let mut list: Vec<Param> = params.list.clone();
        while !self.is(Tok::LBrace) {
            let start = self.span();
            let specs = Rc::new(self.specifiers(false)?);
            while !self.is(Tok::Semi) {
                let mut declarator = self.declarator(false)?;
                self.declarator_suffix(&mut declarator)?;
                let Some((name, span)) = declarator.name else {
                    return self.unexpected("expected the name of a parameter");
                };
                let param = list
                    .iter_mut()
                    .find(|p| p.declarator.name.is_some_and(|(n, _)| n == name));
                match param {
                    Some(param) => {
                        *param = Param {
                            specs: specs.clone(),
                            declarator,
                            span: self.since(start),
                        };
                    }
                    None => return fail(span, "declaration of something that is not a parameter"),
                }
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
            self.expect(Tok::Semi)?;
        }
        Ok(list)
    }
}

#[allow(clippy::large_enum_variant)]
enum DeclarationOrFunction {
    Declaration(Declaration),
    Function(Function),
}

/// Whether the declared thing is a function: the last step of the derivation.
fn declarator_is_function(declarator: &Declarator) -> bool {
    declarator.name.is_some()
        && declarator
            .derived
            .iter()
            .last()
            .is_some_and(|d| matches!(d, Derived::Function(_)))
}
