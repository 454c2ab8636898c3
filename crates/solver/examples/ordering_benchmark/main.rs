//! Runs the ordering benchmark family.

mod backends;
mod scenario;

use std::time::Duration;

fn main() {
    let l = Duration::from_secs(
        std::env::args()
            .nth(1)
            .and_then(|s| s.parse().ok())
            .unwrap_or(20),
    );
    let list: Vec<fn() -> scenario::Scenario> = vec![
        || scenario::counters(2, 2, 1),
        || scenario::counters(2, 3, 1),
        || scenario::counters(2, 4, 1),
        || scenario::counters(2, 5, 1),
        || scenario::counters(2, 6, 1),
        || scenario::counters(2, 7, 1),
        || scenario::counters(2, 2, 2),
        || scenario::counters(2, 3, 2),
        || scenario::counters(2, 4, 2),
        || scenario::counters(3, 2, 1),
        || scenario::counters(3, 3, 1),
        || scenario::store_buffering(8, 1),
        || scenario::store_buffering(32, 2),
        || scenario::store_buffering(32, 4),
        || scenario::message_passing(8, 2),
        || scenario::message_passing(32, 3),
        || scenario::message_passing(32, 6),
        || scenario::lock_chain(2, 2),
        || scenario::lock_chain(2, 3),
        || scenario::lock_chain(2, 4),
        || scenario::lock_chain(2, 6),
        || scenario::lock_chain(3, 1),
        || scenario::lock_chain(4, 1),
        || scenario::lock_chain(5, 1),
        || scenario::lock_chain(6, 1),
    ];
    for make in list {
        let mut s = make();
        let t = backends::theory(&mut s, l, false).0;
        let c = backends::bit_vector_clocks(&mut s, l);
        let z = backends::z3_clocks(&mut s, l, false).map(|o| o.seconds);
        let p = backends::z3_clocks(&mut s, l, true).map(|o| o.seconds);
        println!(
            "{:24} {:4} theory {:?} ({}) clocks {:?} ({}) z3 {:?} pure {:?}",
            s.name,
            s.event_count(),
            t.seconds,
            t.conflicts,
            c.seconds,
            c.conflicts,
            z,
            p
        );
    }
}
