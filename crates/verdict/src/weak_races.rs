//! Data races of programs with weak memory orders, for engines that know sequential consistency only.
//!
//! Such a race is a matter of happens-before in the sense of C11, which these engines do not follow: two accesses may be ordered in every
//! interleaving and race all the same. They answer everything else, and leave this question open.

use crate::{Board, Request, Unknown, Verdict};
use raddle_ir::{Program, Property};

/// The request without races that weak atomics may hide, which are left open on the board.
pub fn leave_weak_races_open(
    program: &Program,
    request: &Request,
    board: &mut dyn Board,
) -> Request {
    let mut rest = request.clone();
    let weak = program.weak_accesses().next();
    if let Some(at) = weak
        && request.properties.contains(&Property::NoDataRace)
    {
        let what = "data races in the presence of memory orders weaker than seq_cst".into();
        let span = program.span_of(at);
        let open = Verdict::Unknown(Unknown::Unsupported { what, span });
        board.answer(&[Property::NoDataRace], open);
        rest.properties.retain(|p| *p != Property::NoDataRace);
    }
    rest
}
