//! The questions a program asks: this assertion, this dereference, races on this variable, this wait.
//!
//! A question is a property at a place of the source, or, for races, of an object. Instructions at the same place ask one question
//! together. Code of the modelled library asks at the user's call, which is where the interpreter reports its violations.
//!
//! What it misses: a question exists for every place where a violation can *show*; whether the place can be reached is for the engines.

pub use raddle_ir::Subject;
use raddle_ir::{
    BinaryOp, FileId, FuncId, Function, Memory, ObjectOrigin, Op, Operand, Program, Property,
    Rvalue, Slot, Span, Terminator,
};
use std::collections::{BTreeSet, HashMap};

/// The number of a question among those of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct QuestionId(pub u32);

/// A property of a subject.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Question {
    /// The property.
    pub property: Property,
    /// What has it, or has it not.
    pub subject: Subject,
}

/// All questions of a program, in the order of its properties and of the source.
#[derive(Clone, Debug, Default)]
pub struct Questions {
    all: Vec<Question>,
    by_subject: HashMap<Question, QuestionId>,
}

impl Questions {
    /// The questions that these properties ask of a program.
    pub fn of(program: &Program, properties: &[Property]) -> Questions {
        let mut asked = Collector {
            program,
            library: HashMap::new(),
            found: BTreeSet::new(),
        };
        let own = |f: &Function| f.has_body() && !f.library;
        for (number, function) in program.functions.iter().enumerate() {
            if own(function) {
                asked.function(FuncId(number as u32), function);
            }
        }
        asked.globals();
        let mut questions = Questions::default();
        let found = asked.found.into_iter();
        for question in found.filter(|q| properties.contains(&q.property)) {
            questions.add(question);
        }
        // A property without a place still wants an answer.
        for property in properties {
            if questions.all.iter().all(|q| q.property != *property) {
                questions.add(Question {
                    property: *property,
                    subject: Subject::Program,
                });
            }
        }
        questions
    }

    /// The question, made if there is none like it.
    pub fn add(&mut self, question: Question) -> QuestionId {
        if let Some(id) = self.by_subject.get(&question) {
            return *id;
        }
        let id = QuestionId(self.all.len() as u32);
        self.all.push(question.clone());
        self.by_subject.insert(question, id);
        id
    }

    /// The question about a property of a subject, if there is one.
    pub fn find(&self, question: &Question) -> Option<QuestionId> {
        self.by_subject.get(question).copied()
    }

    /// A question.
    pub fn get(&self, id: QuestionId) -> &Question {
        &self.all[id.0 as usize]
    }

    /// All of them with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (QuestionId, &Question)> {
        let numbered = self.all.iter().enumerate();
        numbered.map(|(i, q)| (QuestionId(i as u32), q))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}

impl Question {
    /// Its name in source terms, the same in every output: `valid-deref@queue.c:12:9`, `no-data-race@counter`.
    pub fn name(&self, program: &Program) -> String {
        format!("{}@{}", self.property, self.subject_name(program))
    }

    /// What it is about, in source terms.
    pub fn subject_name(&self, program: &Program) -> String {
        let place = |span: Span| match program.files.get(span.file.0 as usize) {
            Some(file) if span.is_somewhere() => format!("{file}:{}:{}", span.line, span.column),
            _ => "program".to_string(),
        };
        match &self.subject {
            Subject::Place(span) => place(*span),
            Subject::Object(ObjectOrigin::Global(g)) => program.global(*g).name.clone(),
            Subject::Object(ObjectOrigin::Heap(span)) => format!("heap:{}", place(*span)),
            Subject::Object(ObjectOrigin::Slot { function, name }) => {
                format!("{}:{name}", program.function(*function).name)
            }
            Subject::Program => "program".to_string(),
        }
    }

    /// Where it is asked; nowhere for the program as a whole.
    pub fn span(&self, program: &Program) -> Span {
        match &self.subject {
            Subject::Place(span) | Subject::Object(ObjectOrigin::Heap(span)) => *span,
            Subject::Object(ObjectOrigin::Global(g)) => program.global(*g).span,
            Subject::Object(ObjectOrigin::Slot { function, .. }) => {
                program.function(*function).span
            }
            Subject::Program => Span::NOWHERE,
        }
    }
}

/// Which properties an instruction can violate by itself.
fn asked_by(op: &Op) -> Vec<Property> {
    match op {
        Op::Assert { property, .. } => vec![*property],
        Op::Load { addr, .. }
        | Op::Store { addr, .. }
        | Op::Rmw { addr, .. }
        | Op::Cas { addr, .. }
        | Op::ObjectSize { addr, .. } => match addr {
            // A variable by its name; an offset may be beyond its end.
            Operand::Global { offset: 0, .. } | Operand::Slot { offset: 0, .. } => Vec::new(),
            _ => vec![Property::ValidDeref],
        },
        Op::Free {
            memory: Memory::Heap,
            ..
        } => vec![Property::ValidFree],
        Op::Alloc {
            memory: Memory::Heap,
            ..
        } => vec![Property::ValidMemtrack, Property::ValidMemcleanup],
        Op::Call { callee, .. } => match callee {
            Operand::Function(_) => Vec::new(),
            _ => vec![Property::ValidDeref],
        },
        Op::Sync { op, .. } => {
            let mut all = vec![Property::ValidSync];
            if op.can_block() {
                all.push(Property::NoDeadlock);
            }
            all
        }
        Op::Let { value, .. } => computed(value),
        _ => Vec::new(),
    }
}

/// Which properties a computation can violate.
fn computed(value: &Rvalue) -> Vec<Property> {
    use BinaryOp::{AShr, LShr, Shl};
    let mut all = Vec::new();
    match value {
        Rvalue::Binary {
            op,
            ty,
            a,
            b,
            checked,
        } => {
            if op.may_lack_quotient(*ty, *a, *b) {
                all.push(Property::NoDivZero);
            }
            if matches!(op, Shl | LShr | AShr) && !matches!(b, Operand::Const { .. }) {
                all.push(Property::NoBadShift);
            }
            if *checked {
                all.push(Property::NoOverflow);
            }
        }
        Rvalue::Unary { checked: true, .. } => all.push(Property::NoOverflow),
        _ => {}
    }
    all
}

struct Collector<'a> {
    program: &'a Program,
    /// What calls of functions of the library can violate.
    library: HashMap<FuncId, BTreeSet<Property>>,
    found: BTreeSet<Question>,
}

impl Collector<'_> {
    fn ask(&mut self, property: Property, span: Span) {
        let subject = match span.is_somewhere() {
            true => Subject::Place(span),
            false => Subject::Program,
        };
        self.found.insert(Question { property, subject });
    }

    fn function(&mut self, id: FuncId, function: &Function) {
        for block in &function.blocks {
            for instr in &block.instrs {
                for property in asked_by(&instr.op) {
                    self.ask(property, instr.span);
                }
                if let Op::Call {
                    callee: Operand::Function(f),
                    ..
                } = &instr.op
                    && self.program.function(*f).library
                {
                    for property in self.of_library(*f) {
                        self.ask(property, instr.span);
                        if property == Property::ValidMemtrack {
                            let origin = ObjectOrigin::Heap(instr.span);
                            self.object(origin);
                        }
                    }
                }
            }
            if let Terminator::Branch { .. } | Terminator::Switch { .. } = block.terminator {
                self.ask(Property::NoUninit, block.terminator_span);
            }
        }
        let temporary = |s: &&Slot| s.name.is_empty() || s.name.starts_with("__");
        for slot in function.slots.iter().filter(|s| !temporary(s)) {
            self.object(ObjectOrigin::Slot {
                function: id,
                name: slot.name.clone(),
            });
        }
    }

    fn object(&mut self, origin: ObjectOrigin) {
        self.found.insert(Question {
            property: Property::NoDataRace,
            subject: Subject::Object(origin),
        });
    }

    fn globals(&mut self) {
        let program = self.program;
        let mut of_library: HashMap<FileId, bool> = HashMap::new();
        for (number, global) in program.globals.iter().enumerate() {
            let id = raddle_ir::GlobalId(number as u32);
            let library = *of_library
                .entry(global.span.file)
                .or_insert_with(|| program.is_library_global(id));
            if !library && !global.constant && !global.thread_local {
                self.object(ObjectOrigin::Global(id));
            }
        }
    }

    /// What a call of a function of the library can violate, in what it calls of the library too.
    fn of_library(&mut self, id: FuncId) -> BTreeSet<Property> {
        if let Some(known) = self.library.get(&id) {
            return known.clone();
        }
        let mut seen = BTreeSet::from([id]);
        let mut todo = vec![id];
        let mut all = BTreeSet::new();
        while let Some(f) = todo.pop() {
            let blocks = self.program.function(f).blocks.iter();
            for op in blocks.flat_map(|b| &b.instrs).map(|i| &i.op) {
                all.extend(asked_by(op));
                if let Op::Call {
                    callee: Operand::Function(g),
                    ..
                } = op
                    && self.program.function(*g).library
                    && seen.insert(*g)
                {
                    todo.push(*g);
                }
            }
        }
        self.library.insert(id, all.clone());
        all
    }
}
