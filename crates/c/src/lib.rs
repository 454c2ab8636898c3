//! x
pub mod source; pub mod diagnostic; mod token; mod lexer; mod ast; mod literal; mod parser; mod types; mod layout; mod hir; mod sema; mod lower;
/// x
pub fn try_parse(text: Vec<u8>, model: raddle_ir::DataModel) -> Result<raddle_ir::Program, String> {
    let mut map = source::SourceMap::default();
    let mut names = token::Interner::default();
    let base = map.add("x", text).unwrap();
    let r = lexer::lex(map.unit_text(base), base, &mut names).and_then(|t| parser::parse(&t, map.unit_text(base), base, &mut names));
    let r = r.and_then(|u| { let mut s = sema::Sema::new(model, &mut names); s.add_unit(&u, false)?; lower::lower_program(&mut s, &map, "main", &[]) });
    match r { Ok(u) => Ok(u), Err(e) => Err(e.render(&map)) }
}
