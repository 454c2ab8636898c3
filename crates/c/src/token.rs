//! Tokens, keywords and interned names.
//!
//! Keywords occupy the first symbols of the interner, so that telling a keyword from an identifier is one
//! comparison. Alternative spellings (`__const`, `__const__`) share a token.

use std::collections::HashMap;
use std::rc::Rc;

/// An interned name.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Symbol(pub u32);

macro_rules! tokens {
    ($($name:ident $text:literal $($spelling:literal)*;)*) => {
        /// The kind of a token.
        #[derive(Copy, Clone, PartialEq, Eq, Debug, Hash)]
        #[allow(missing_docs)]
        #[repr(u8)]
        pub enum Tok { $($name),* }

        impl Tok {
            /// How the token is shown in a diagnostic.
            pub fn describe(self) -> &'static str {
                match self { $(Tok::$name => $text),* }
            }
        }

        const KEYWORDS: &[(&str, Tok)] = &[$($(($spelling, Tok::$name),)*)*];
    };
}

tokens! {
    Eof "end of file";
    Ident "identifier";
    Number "number";
    Char "character constant";
    Str "string literal";
    LParen "`(`"; RParen "`)`"; LBrace "`{`"; RBrace "`}`"; LBracket "`[`"; RBracket "`]`";
    Semi "`;`"; Comma "`,`"; Colon "`:`"; Question "`?`"; Dot "`.`"; Arrow "`->`"; Ellipsis "`...`";
    Plus "`+`"; Minus "`-`"; Star "`*`"; Slash "`/`"; Percent "`%`"; Amp "`&`"; Pipe "`|`"; Caret "`^`";
    Tilde "`~`"; Bang "`!`"; Less "`<`"; Greater "`>`"; LessEq "`<=`"; GreaterEq "`>=`"; EqEq "`==`";
    BangEq "`!=`"; AmpAmp "`&&`"; PipePipe "`||`"; Shl "`<<`"; Shr "`>>`"; Eq "`=`"; PlusEq "`+=`";
    MinusEq "`-=`"; StarEq "`*=`"; SlashEq "`/=`"; PercentEq "`%=`"; AmpEq "`&=`"; PipeEq "`|=`";
    CaretEq "`^=`"; ShlEq "`<<=`"; ShrEq "`>>=`"; PlusPlus "`++`"; MinusMinus "`--`";
    Auto "`auto`" "auto";
    Break "`break`" "break";
    Case "`case`" "case";
    KwChar "`char`" "char";
    Const "`const`" "const" "__const" "__const__";
    Continue "`continue`" "continue";
    Default "`default`" "default";
    Do "`do`" "do";
    Double "`double`" "double";
    Else "`else`" "else";
    Enum "`enum`" "enum";
    Extern "`extern`" "extern";
    Float "`float`" "float";
    For "`for`" "for";
    Goto "`goto`" "goto";
    If "`if`" "if";
    Inline "`inline`" "inline" "__inline" "__inline__";
    Int "`int`" "int";
    Long "`long`" "long";
    Register "`register`" "register";
    Restrict "`restrict`" "restrict" "__restrict" "__restrict__";
    Return "`return`" "return";
    Short "`short`" "short";
    Signed "`signed`" "signed" "__signed" "__signed__";
    Sizeof "`sizeof`" "sizeof";
    Static "`static`" "static";
    Struct "`struct`" "struct";
    Switch "`switch`" "switch";
    Typedef "`typedef`" "typedef";
    Union "`union`" "union";
    Unsigned "`unsigned`" "unsigned";
    Void "`void`" "void";
    Volatile "`volatile`" "volatile" "__volatile" "__volatile__";
    While "`while`" "while";
    Alignas "`_Alignas`" "_Alignas";
    Alignof "`_Alignof`" "_Alignof" "__alignof" "__alignof__";
    Atomic "`_Atomic`" "_Atomic";
    Bool "`_Bool`" "_Bool";
    Complex "`_Complex`" "_Complex" "__complex__" "__complex";
    Imaginary "`_Imaginary`" "_Imaginary";
    Generic "`_Generic`" "_Generic";
    Noreturn "`_Noreturn`" "_Noreturn";
    StaticAssert "`_Static_assert`" "_Static_assert";
    ThreadLocal "`_Thread_local`" "_Thread_local" "__thread";
    Float128 "`_Float128`" "_Float128" "__float128";
    Float64x "`_Float64x`" "_Float64x" "__float80";
    Float64 "`_Float64`" "_Float64" "_Float32x";
    Float32 "`_Float32`" "_Float32";
    Float16 "`_Float16`" "_Float16";
    Decimal "decimal floating type" "_Decimal32" "_Decimal64" "_Decimal128";
    Int128 "`__int128`" "__int128" "__int128_t";
    Typeof "`typeof`" "typeof" "__typeof" "__typeof__";
    AutoType "`__auto_type`" "__auto_type";
    Attribute "`__attribute__`" "__attribute__" "__attribute";
    Asm "`asm`" "asm" "__asm" "__asm__";
    Extension "`__extension__`" "__extension__";
    Label "`__label__`" "__label__";
    Real "`__real__`" "__real__" "__real";
    Imag "`__imag__`" "__imag__" "__imag";
    Offsetof "`__builtin_offsetof`" "__builtin_offsetof";
    VaArg "`__builtin_va_arg`" "__builtin_va_arg";
    TypesCompatible "`__builtin_types_compatible_p`" "__builtin_types_compatible_p";
    ChooseExpr "`__builtin_choose_expr`" "__builtin_choose_expr";
    VaList "`__builtin_va_list`" "__builtin_va_list";
    FuncName "`__func__`" "__func__" "__FUNCTION__" "__PRETTY_FUNCTION__";
}

/// A token with the place it stands at; `symbol` is meaningful for identifiers and keywords.
#[derive(Copy, Clone, Debug)]
pub struct Token {
    /// What it is.
    pub kind: Tok,
    /// Its name, if it has one.
    pub symbol: Symbol,
    /// First byte.
    pub lo: u32,
    /// One past the last byte.
    pub hi: u32,
}

impl Token {
    /// The bytes it covers.
    pub fn span(&self) -> crate::source::Span {
        crate::source::Span {
            lo: self.lo,
            hi: self.hi,
        }
    }
}

/// The set of names seen so far.
pub struct Interner {
    ids: HashMap<Rc<str>, Symbol>,
    names: Vec<Rc<str>>,
}

impl Default for Interner {
    fn default() -> Self {
        let mut interner = Interner {
            ids: HashMap::new(),
            names: Vec::new(),
        };
        for (spelling, _) in KEYWORDS {
            interner.intern(spelling);
        }
        interner
    }
}

impl Interner {
    /// The symbol of a name.
    pub fn intern(&mut self, name: &str) -> Symbol {
        if let Some(&symbol) = self.ids.get(name) {
            return symbol;
        }
        let symbol = Symbol(self.names.len() as u32);
        let name: Rc<str> = name.into();
        self.names.push(name.clone());
        self.ids.insert(name, symbol);
        symbol
    }

    /// The symbol of a name that was seen before.
    pub fn lookup(&self, name: &str) -> Option<Symbol> {
        self.ids.get(name).copied()
    }

    /// The name of a symbol.
    pub fn name(&self, symbol: Symbol) -> Rc<str> {
        self.names[symbol.0 as usize].clone()
    }

    /// The kind of token a word is: a keyword or an identifier.
    pub fn kind(&self, symbol: Symbol) -> Tok {
        KEYWORDS
            .get(symbol.0 as usize)
            .map_or(Tok::Ident, |&(_, kind)| kind)
    }
}
