//! Terms as text, and back: operators by name before their arguments, variables by number.

use raddle_solver::term::{Op, Sort, Term, TermId, TermPool, result_sort};

/// How deep terms may be nested in a file.
const DEEP: u32 = 2_000;

const PLAIN: &[(&str, Op)] = &[
    ("not", Op::Not),
    ("and", Op::And),
    ("or", Op::Or),
    ("xor", Op::Xor),
    ("ite", Op::Ite),
    ("=", Op::Eq),
    ("bvnot", Op::BvNot),
    ("bvneg", Op::BvNeg),
    ("bvand", Op::BvAnd),
    ("bvor", Op::BvOr),
    ("bvxor", Op::BvXor),
    ("bvadd", Op::BvAdd),
    ("bvsub", Op::BvSub),
    ("bvmul", Op::BvMul),
    ("bvudiv", Op::BvUdiv),
    ("bvurem", Op::BvUrem),
    ("bvsdiv", Op::BvSdiv),
    ("bvsrem", Op::BvSrem),
    ("bvsmod", Op::BvSmod),
    ("bvshl", Op::BvShl),
    ("bvlshr", Op::BvLshr),
    ("bvashr", Op::BvAshr),
    ("bvult", Op::BvUlt),
    ("bvule", Op::BvUle),
    ("bvslt", Op::BvSlt),
    ("bvsle", Op::BvSle),
    ("concat", Op::Concat),
];

/// Prints a term.
pub fn print(pool: &TermPool, term: TermId, number: &dyn Fn(TermId) -> Option<u32>) -> String {
    match *pool.term(term) {
        Term::Bool(b) => b.to_string(),
        Term::Bits { width, value } => format!("#{width}:{value}"),
        Term::Int(_) => "?".into(),
        Term::Var(_) => match number(term) {
            Some(n) => format!("v{n}"),
            None => "?".into(),
        },
        Term::App { op, .. } => {
            let name = match op {
                Op::Extract { high, low } => format!("extract:{high}:{low}"),
                Op::ZeroExtend { by } => format!("zext:{by}:0"),
                Op::SignExtend { by } => format!("sext:{by}:0"),
                op => match PLAIN.iter().find(|(_, o)| *o == op) {
                    Some((name, _)) => name.to_string(),
                    None => "?".into(),
                },
            };
            let args: Vec<String> = pool
                .args(term)
                .iter()
                .map(|a| print(pool, *a, number))
                .collect();
            format!("({name} {})", args.join(" "))
        }
    }
}

/// Reads a truth value.
pub fn read(
    pool: &mut TermPool,
    text: &str,
    variable: &dyn Fn(u32) -> Option<TermId>,
) -> Option<TermId> {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let mut words = spaced.split_whitespace();
    let term = one(pool, &mut words, variable, 0)?;
    let whole = words.next().is_none() && pool.sort(term) == Sort::Bool;
    whole.then_some(term)
}

fn one<'t>(
    pool: &mut TermPool,
    words: &mut impl Iterator<Item = &'t str>,
    variable: &dyn Fn(u32) -> Option<TermId>,
    depth: u32,
) -> Option<TermId> {
    if depth > DEEP {
        return None;
    }
    let word = words.next()?;
    atom_or_list(pool, word, words, variable, depth)
}

fn atom_or_list<'t>(
    pool: &mut TermPool,
    word: &str,
    words: &mut impl Iterator<Item = &'t str>,
    variable: &dyn Fn(u32) -> Option<TermId>,
    depth: u32,
) -> Option<TermId> {
    if depth > DEEP {
        return None;
    }
    match word {
        "true" => return Some(pool.bool(true)),
        "false" => return Some(pool.bool(false)),
        "(" => {}
        _ => {
            if let Some(bits) = word.strip_prefix('#') {
                let (width, value) = bits.split_once(':')?;
                let (width, value): (u32, u128) = (width.parse().ok()?, value.parse().ok()?);
                let fits = (1..=128).contains(&width) && (width == 128 || value >> width == 0);
                return fits.then(|| pool.bits(width, value));
            }
            return variable(word.strip_prefix('v')?.parse().ok()?);
        }
    }
    let op = operator(words.next()?)?;
    let mut args = Vec::new();
    loop {
        match words.next()? {
            ")" => break,
            word => args.push(atom_or_list(pool, word, words, variable, depth + 1)?),
        }
    }
    let sorts: Vec<Sort> = args.iter().map(|a| pool.sort(*a)).collect();
    (args.len() <= 3).then_some(())?;
    result_sort(op, &sorts)?;
    Some(pool.apply_op(op, &args))
}

fn operator(name: &str) -> Option<Op> {
    if let Some((_, op)) = PLAIN.iter().find(|(n, _)| *n == name) {
        return Some(*op);
    }
    let mut parts = name.split(':');
    let kind = parts.next()?;
    let (a, b): (u32, u32) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    Some(match kind {
        "extract" => Op::Extract { high: a, low: b },
        "zext" => Op::ZeroExtend { by: a },
        "sext" => Op::SignExtend { by: a },
        _ => return None,
    })
}
