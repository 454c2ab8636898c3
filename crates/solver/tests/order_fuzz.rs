//! Random small ordering problems against brute force. `RADDLE_FUZZ_ORDER` sets how many, `RADDLE_FUZZ_SEED`
//! where to start; a failure is shrunk to a file under `tests/regressions/` that is replayed from then on.

mod support;

use std::path::PathBuf;
use support::order_case::OrderCase;
use support::{order_generate, order_oracle, order_shrink, random::Random};

fn regressions() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/regressions")
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

#[test]
fn random_problems_agree_with_brute_force() {
    let count = setting("RADDLE_FUZZ_ORDER", 600);
    let first = setting("RADDLE_FUZZ_SEED", 1);
    let mut satisfiable = 0;
    for seed in first..first + count {
        let case = order_generate::order_case(&mut Random::new(seed));
        let with_twins = seed % 8 == 0;
        if let Some(why) = order_oracle::disagreement(&case, with_twins) {
            let fails = |case: &OrderCase| order_oracle::disagreement(case, with_twins).is_some();
            let small = order_shrink::shrink(&case, &fails);
            let path = regressions().join(format!("order-{seed}.case"));
            let reason = order_oracle::disagreement(&small, with_twins).unwrap_or(why);
            std::fs::write(&path, format!("# {reason}\n{}", small.text()))
                .expect("the tests directory is writable");
            panic!("seed {seed}: {reason}; shrunk to {}", path.display());
        }
        satisfiable += u64::from(order_oracle::brute_force_answer(&case));
    }
    let branched = order_oracle::ORDER_LITERALS.load(std::sync::atomic::Ordering::Relaxed);
    println!("{count} problems, {satisfiable} satisfiable, {branched} branching literals");
    assert!(
        satisfiable * 10 > count && satisfiable * 10 < 9 * count,
        "the generator is lopsided: {satisfiable}"
    );
}

#[test]
fn regressions_stay_fixed() {
    for entry in std::fs::read_dir(regressions()).expect("the directory exists") {
        let path = entry.expect("readable").path();
        if path
            .file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with("order-"))
        {
            let text = std::fs::read_to_string(&path).expect("readable");
            let case = OrderCase::parse(&text)
                .unwrap_or_else(|| panic!("{} does not parse", path.display()));
            assert_eq!(OrderCase::parse(&case.text()).as_ref(), Some(&case));
            assert_eq!(
                order_oracle::disagreement(&case, true),
                None,
                "{}",
                path.display()
            );
        }
    }
}
