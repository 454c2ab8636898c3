//! Data races of programs with weak memory orders, for engines that know sequential consistency only.
//!
//! Such a race is a matter of happens-before in the sense of C11, which these engines do not follow: two accesses may be ordered in every
//! interleaving and race all the same. They answer everything else, and leave this question open.

use crate::{Request, Unknown, Verdict};
use raddle_ir::{Program, Property};

/// The answer of an engine that cannot judge races between accesses that weak atomics order: it gets the request without them.
pub fn leave_weak_races_open(
    program: &Program,
    request: &Request,
    check: impl FnOnce(&Request) -> Verdict,
) -> Verdict {
    let weak = program.weak_accesses().next();
    let Some(at) = weak.filter(|_| request.properties.contains(&Property::NoDataRace)) else {
        return check(request);
    };
    let open = Verdict::Unknown(Unknown::Unsupported {
        what: "data races in the presence of memory orders weaker than seq_cst".into(),
        span: program.span_of(at),
    });
    let mut rest = request.clone();
    rest.properties.retain(|p| *p != Property::NoDataRace);
    if rest.properties.is_empty() {
        return open;
    }
    match check(&rest) {
        Verdict::True(_) => open,
        other => other,
    }
}
