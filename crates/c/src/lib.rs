//! x
pub mod source; pub mod diagnostic; mod token; mod lexer; mod ast; mod literal; mod parser;
mod types { pub const BUILTIN_TYPEDEFS: &[(&str, crate::ast::Basic)] = &[("__uint128_t", crate::ast::Basic::UInt128)]; }
/// x
pub fn try_parse(text: Vec<u8>) -> Result<usize, String> {
    let mut map = source::SourceMap::default();
    let mut names = token::Interner::default();
    let base = map.add("x", text).unwrap();
    let r = lexer::lex(map.unit_text(base), base, &mut names).and_then(|t| parser::parse(&t, map.unit_text(base), base, &mut names));
    match r { Ok(u) => Ok(u.items.len()), Err(e) => Err(e.render(&map)) }
}
