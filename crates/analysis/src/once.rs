//! Abstract objects that stand for one concrete object.
//!
//! Only of those can it be said that two pointers to them point to the same thing: must-locksets and joins need it.

use crate::calls::CallGraph;
use crate::fold::reachable_blocks;
use crate::objects::{Object, ObjectId};
use crate::points_to::PointsTo;
use raddle_ir::{BlockId, FuncId, Location, Op, Program, SlotId};

/// Whether there is at most one concrete object of this kind in every run.
pub fn exists_once(
    program: &Program,
    points_to: &PointsTo,
    calls: &CallGraph,
    object: ObjectId,
) -> bool {
    match points_to.objects().get(object) {
        Object::Global(g) => !program.global(g).thread_local,
        Object::Slot(f, s) => match births(program, f, s).as_slice() {
            [at] => calls.runs_once(*at),
            _ => false,
        },
        Object::Allocated(at) | Object::Thread(at) => calls.runs_once(at),
        Object::Function(_) => true,
        Object::Unknown => false,
    }
}

/// The places where a slot gets a new object.
fn births(program: &Program, f: FuncId, slot: SlotId) -> Vec<Location> {
    let function = program.function(f);
    let reachable = reachable_blocks(function);
    let mut all = Vec::new();
    for (b, block) in function.blocks.iter().enumerate() {
        for (i, instr) in block.instrs.iter().enumerate() {
            if reachable[b] && instr.op == (Op::StorageLive { slot }) {
                all.push(Location {
                    function: f,
                    block: BlockId(b as u32),
                    index: i as u32,
                });
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_in_a_loop_is_many_objects() {
        let text = "int *q; int main(void) { int a; q = &a; for (int i = 0; i < 2; i++) { int b; q = &b; } return 0; }";
        let options = raddle_c::Options::default();
        let program = raddle_c::compile_text("t.i", text, &options).expect("valid C");
        let points_to = PointsTo::new(&program);
        let calls = CallGraph::new(&program, &points_to);
        let main = program.function_named("main").expect("main");
        let once = |name: &str| {
            let slots = &program.function(main).slots;
            let at = slots.iter().position(|s| s.name == name).expect("a slot");
            let object = Object::Slot(main, SlotId(at as u32));
            let id = points_to
                .objects()
                .id(object)
                .expect("its address is taken");
            exists_once(&program, &points_to, &calls, id)
        };
        assert!(once("a") && !once("b"));
    }
}
