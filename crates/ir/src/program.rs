//! Programs, functions, blocks.

use crate::{DataModel, DebugType, Global, Instr, Span, Terminator, Ty, TypeId};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// A function, an index into [`Program::functions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FuncId(pub u32);

/// A global object, an index into [`Program::globals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct GlobalId(pub u32);

/// A block of a function, an index into [`Function::blocks`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(pub u32);

/// A local of a function, an index into [`Function::locals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocalId(pub u32);

/// A stack slot of a function, an index into [`Function::slots`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SlotId(pub u32);

/// An interned text of the program: a piece of source, a message. 0 is the empty text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct TextId(pub u32);

/// The place of an instruction. An index equal to the number of instructions means the terminator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location {
    /// The function.
    pub function: FuncId,
    /// The block.
    pub block: BlockId,
    /// The position in the block.
    pub index: u32,
}

/// Where an object of a running program comes from, in terms of the program.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ObjectOrigin {
    /// A global.
    Global(GlobalId),
    /// Allocated on the heap at this place of the user's code.
    Heap(Span),
    /// A variable or temporary of a function's activation.
    Slot {
        /// The function.
        function: FuncId,
        /// The variable; empty for a temporary.
        name: String,
    },
}

/// What a property is asked of.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Subject {
    /// What happens at a place of the source.
    Place(Span),
    /// An object that threads may share.
    Object(ObjectOrigin),
    /// The program as a whole: where a violation has no place in the source.
    Program,
}

/// Something the front end took for granted; printed with every answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumption {
    /// What was assumed, in a sentence without a full stop.
    pub what: String,
    /// Where it was needed.
    pub span: Span,
}

/// Inputs or behaviour that a program was made without.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Of what kind.
    pub kind: LimitKind,
    /// It completes "safe for …".
    pub what: String,
    /// Where it was needed.
    pub span: Span,
}

/// What was left out when a program was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitKind {
    /// Other arguments of `main` or of another entry.
    Arguments,
    /// Calls that functions without a model make.
    Callbacks,
    /// Executions that are not sequentially consistent.
    WeakOrders,
}

impl LimitKind {
    /// All of them.
    pub const ALL: [LimitKind; 3] = [
        LimitKind::Arguments,
        LimitKind::Callbacks,
        LimitKind::WeakOrders,
    ];

    /// The name in the text form.
    pub fn name(self) -> &'static str {
        match self {
            LimitKind::Arguments => "arguments",
            LimitKind::Callbacks => "callbacks",
            LimitKind::WeakOrders => "weak-orders",
        }
    }
}

/// A whole program, linked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The widths of its types.
    pub model: DataModel,
    /// The source files that spans refer to, as the user named them.
    pub files: Vec<String>,
    /// C types, for display.
    pub types: Vec<DebugType>,
    /// Objects with static storage.
    pub globals: Vec<Global>,
    /// The functions.
    pub functions: Vec<Function>,
    /// Where the initial thread starts: a function without parameters that calls `main` and ends the
    /// process with its result.
    pub entry: FuncId,
    /// What was assumed on the way from C.
    pub assumptions: Vec<Assumption>,
    /// What the program was made without: it is safe at most without that.
    pub limits: Vec<Limit>,
    texts: Vec<String>,
    text_ids: HashMap<String, TextId>,
}

impl Program {
    /// An empty program; the entry has to be set.
    pub fn new(model: DataModel) -> Program {
        Program {
            model,
            files: Vec::new(),
            types: Vec::new(),
            globals: Vec::new(),
            functions: Vec::new(),
            entry: FuncId(0),
            assumptions: Vec::new(),
            limits: Vec::new(),
            texts: vec![String::new()],
            text_ids: HashMap::from([(String::new(), TextId(0))]),
        }
    }

    /// The id of a text, made on first use.
    pub fn intern(&mut self, text: &str) -> TextId {
        if let Some(&id) = self.text_ids.get(text) {
            return id;
        }
        let id = TextId(self.texts.len() as u32);
        self.texts.push(text.to_string());
        self.text_ids.insert(text.to_string(), id);
        id
    }

    /// The text behind an id.
    pub fn text(&self, id: TextId) -> &str {
        &self.texts[id.0 as usize]
    }

    /// A function.
    pub fn function(&self, id: FuncId) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// A global object.
    pub fn global(&self, id: GlobalId) -> &Global {
        &self.globals[id.0 as usize]
    }

    /// Whether a global belongs to the modelled library: it is declared in a file that has functions, and these are the library's.
    pub fn is_library_global(&self, id: GlobalId) -> bool {
        let file = self.global(id).span.file;
        let here = |f: &&Function| f.has_body() && f.span.file == file;
        let mut functions = self.functions.iter().filter(here).peekable();
        functions.peek().is_some() && functions.all(|f| f.library)
    }

    /// The function of that name, if any.
    pub fn function_named(&self, name: &str) -> Option<FuncId> {
        let at = self.functions.iter().position(|f| f.name == name)?;
        Some(FuncId(at as u32))
    }

    /// How many bytes a function without a body may write through a parameter, if any: those of what the pointer's type points to, all of
    /// the object behind a `void *`. The front end gives such a parameter, and no other one of such a function, its C type.
    pub fn written_through(&self, function: FuncId, param: usize) -> Option<u64> {
        let function = self.function(function);
        if function.has_body() || param >= function.params as usize {
            return None;
        }
        let ty = |id: TypeId| self.types.get(id.0 as usize);
        match ty(function.locals[param].debug?)? {
            DebugType::Pointer { to } => match self.size_of(*to) {
                0 => Some(u64::MAX),
                size => Some(size),
            },
            _ => None,
        }
    }

    /// The size of a C type; 0 if it is not known.
    fn size_of(&self, id: TypeId) -> u64 {
        match self.types.get(id.0 as usize) {
            Some(
                DebugType::Int { size, .. }
                | DebugType::Float { size, .. }
                | DebugType::Enum { size, .. }
                | DebugType::Record { size, .. },
            ) => *size,
            Some(DebugType::Pointer { .. }) => self.model.pointer_bytes(),
            Some(DebugType::Array { of, count }) => self.size_of(*of).saturating_mul(*count),
            _ => 0,
        }
    }

    /// The instruction at a place; `None` for a terminator.
    pub fn instr(&self, at: Location) -> Option<&Instr> {
        self.function(at.function).blocks[at.block.0 as usize]
            .instrs
            .get(at.index as usize)
    }

    /// The source span of a place.
    pub fn span_of(&self, at: Location) -> Span {
        let block = &self.function(at.function).blocks[at.block.0 as usize];
        match block.instrs.get(at.index as usize) {
            Some(i) => i.span,
            None => block.terminator_span,
        }
    }

    /// A 64-bit fingerprint of the program's text form (FNV-1a), to recognise a changed program.
    pub fn fingerprint(&self) -> u64 {
        let mut shown = self.clone();
        shown.assumptions.clear();
        shown.limits.clear();
        shown.strengthen_orders();
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for byte in crate::print(&shown).bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        hash
    }
}

/// A function: a control-flow graph, or only a declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name in C; static functions of several files may share one.
    pub name: String,
    /// How many of the first locals are parameters.
    pub params: u32,
    /// The type of its result, if any.
    pub ret: Option<Ty>,
    /// Registers of an activation; the parameters come first.
    pub locals: Vec<Local>,
    /// Stack objects of an activation.
    pub slots: Vec<Slot>,
    /// The graph; block 0 is the entry. Empty if the function has no body and no model: a call
    /// returns any value.
    pub blocks: Vec<Block>,
    /// It belongs to the modelled library: stack traces may leave it out.
    pub library: bool,
    /// It has no body because it stands for inline assembly that is not modelled; its name is `asm` and the text.
    pub assembly: bool,
    /// Where it is defined, or declared.
    pub span: Span,
}

impl Function {
    /// Whether there is code to run.
    pub fn has_body(&self) -> bool {
        !self.blocks.is_empty()
    }

    /// Whether a call through a pointer with so many arguments, whose result goes to a local of type `result`, works.
    ///
    /// C leaves every call through a pointer of an incompatible type undefined. Compilers pass arguments and results in
    /// registers, and programs rely on it: a function may ignore arguments; an integer or a pointer can be taken for another
    /// one, truncated or extended with zeros; nobody need use a result, and that of a `void` function is indeterminate.
    pub fn accepts(&self, arguments: usize, result: Option<Ty>) -> bool {
        let result_fits = match (result, self.ret) {
            (Some(wanted), Some(given)) => {
                wanted == given || !wanted.is_float() && !given.is_float()
            }
            _ => true,
        };
        arguments >= self.params as usize && result_fits
    }

    /// A block.
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.0 as usize]
    }

    /// A local.
    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.0 as usize]
    }
}

/// A register of an activation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    /// The C variable it stands for; empty for a temporary.
    pub name: String,
    /// Its type.
    pub ty: Ty,
    /// Its C type, if it stands for a variable.
    pub debug: Option<TypeId>,
}

/// A stack object of an activation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The C variable it stands for; empty for a temporary.
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
    /// Its alignment in bytes, a power of two.
    pub align: u64,
    /// Its C type, if known.
    pub debug: Option<TypeId>,
}

/// Instructions in a row, then a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The instructions.
    pub instrs: Vec<Instr>,
    /// Where to go.
    pub terminator: Terminator,
    /// The source of the decision.
    pub terminator_span: Span,
}
