fn main() {
    let f = std::env::args().nth(1).unwrap();
    let program =
        raddle_c::compile(&[std::path::Path::new(&f)], &raddle_c::Options::default()).unwrap();
    let ccfg = raddle_ccfg::build(&program, &[raddle_ir::Property::UnreachCall]).unwrap();
    println!("{}", raddle_ccfg::print(&ccfg, &program));
    let s = raddle_actions::system::System::new(ccfg, 2).unwrap();
    for a in &s.actions {
        println!(
            "thread {} {:?} -> {:?} control {:?} acquires {:?} joins {:?}",
            a.thread.0, a.from, a.outcome, a.control, a.acquires, a.joins
        );
        println!("   guard {}", s.pool.display(a.guard));
        for (v, t) in &a.updates {
            println!(
                "   {} := {}",
                s.pool.display(s.variables[v.0 as usize].term),
                s.pool.display(*t)
            );
        }
    }
}
