//! Which variables may still be read at a place, computed when first asked for.

use raddle_analysis::Liveness;
use raddle_ir::{FuncId, Location, Program};
use std::collections::HashMap;
use std::rc::Rc;

pub(crate) struct Live<'a> {
    program: &'a Program,
    functions: HashMap<FuncId, Liveness>,
    places: HashMap<Location, Rc<[bool]>>,
}

impl<'a> Live<'a> {
    pub fn new(program: &'a Program) -> Live<'a> {
        Live {
            program,
            functions: HashMap::new(),
            places: HashMap::new(),
        }
    }

    /// For every local of the function, whether its value matters at a place.
    pub fn at(&mut self, at: Location) -> Rc<[bool]> {
        if let Some(known) = self.places.get(&at) {
            return known.clone();
        }
        let function = self.program.function(at.function);
        let all = self.functions.entry(at.function);
        let all = all.or_insert_with(|| Liveness::new(function));
        let here: Rc<[bool]> = all.before(function, at.block, at.index as usize).into();
        self.places.insert(at, here.clone());
        here
    }
}
