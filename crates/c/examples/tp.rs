//! x
fn main() { for f in std::env::args().skip(1) { if let Err(e) = raddle_c::try_parse(std::fs::read(&f).unwrap(), raddle_ir::DataModel::Ilp32) { println!("{f}: {e}"); } } }
