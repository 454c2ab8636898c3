//! Evaluation of terms under an assignment.
//!
//! Evaluation is total on well-sorted terms except for integer overflow beyond 128 bits, which is an error
//! rather than a wrong number. Variables without a value are zero; a model therefore may leave out
//! variables that do not matter. An assignment may also give a value to a compound term, which is then not
//! looked into; the array decision procedure evaluates candidate models that way.

use super::value::{apply_bits, compare_bits};
use super::{ArrayValue, Op, Sort, Term, TermId, TermPool, Value};
use std::collections::HashMap;

/// Values for variables.
pub type Assignment = HashMap<TermId, Value>;

/// Why a term has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EvalError {
    /// An integer left the range of 128 bits.
    IntegerOverflow(TermId),
    /// The assignment gives a variable a value of another sort.
    SortMismatch(TermId),
}

impl std::fmt::Display for EvalError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            EvalError::IntegerOverflow(id) => {
                write!(f, "integer overflow while evaluating term {}", id.index())
            }
            EvalError::SortMismatch(id) => write!(
                f,
                "value of another sort while evaluating term {}",
                id.index()
            ),
        }
    }
}

impl std::error::Error for EvalError {}

impl TermPool {
    /// The value of one term.
    pub fn eval(&self, root: TermId, assignment: &Assignment) -> Result<Value, EvalError> {
        let values = self.eval_all(&[root], assignment)?;
        values
            .get(&root)
            .cloned()
            .ok_or(EvalError::SortMismatch(root))
    }

    /// The values of the roots and of all their sub-terms.
    pub fn eval_all(
        &self,
        roots: &[TermId],
        assignment: &Assignment,
    ) -> Result<HashMap<TermId, Value>, EvalError> {
        let mut values: HashMap<TermId, Value> = HashMap::new();
        for id in self.reachable_until(roots, |id| assignment.contains_key(&id)) {
            if let Some(value) = assignment.get(&id) {
                values.insert(id, value.clone());
                continue;
            }
            let value = match self.term(id) {
                Term::Bool(value) => Value::Bool(*value),
                Term::Bits { value, .. } => Value::Bits(*value),
                Term::Int(value) => Value::Int(*value),
                Term::Var(_) => Value::zero(self.sort(id)),
                Term::App { op, .. } => {
                    let args: Vec<&Value> = self.args(id).iter().map(|arg| &values[arg]).collect();
                    self.apply(id, *op, &args)?
                }
            };
            values.insert(id, value);
        }
        Ok(values)
    }

    fn apply(&self, id: TermId, op: Op, args: &[&Value]) -> Result<Value, EvalError> {
        let widths: Vec<u32> = self
            .args(id)
            .iter()
            .map(|&arg| {
                if let Sort::BitVec(width) = self.sort(arg) {
                    width
                } else {
                    0
                }
            })
            .collect();
        let overflow = EvalError::IntegerOverflow(id);
        let value = match (op, args) {
            (Op::Not, [Value::Bool(a)]) => Value::Bool(!a),
            (Op::And, [Value::Bool(a), Value::Bool(b)]) => Value::Bool(*a && *b),
            (Op::Or, [Value::Bool(a), Value::Bool(b)]) => Value::Bool(*a || *b),
            (Op::Xor, [Value::Bool(a), Value::Bool(b)]) => Value::Bool(a != b),
            (Op::Ite, [Value::Bool(c), a, b]) => {
                if *c {
                    (*a).clone()
                } else {
                    (*b).clone()
                }
            }
            (Op::Eq, [Value::Array(a), Value::Array(b)]) => Value::Bool(a.same(b)),
            (Op::Eq, [a, b]) => Value::Bool(a == b),
            (Op::Select, [Value::Array(array), Value::Bits(index)]) => {
                Value::Bits(array.get(*index))
            }
            (
                Op::Store,
                [
                    Value::Array(array),
                    Value::Bits(index),
                    Value::Bits(element),
                ],
            ) => {
                let mut array = array.clone();
                array.set(*index, *element);
                Value::Array(array)
            }
            (Op::ConstArray { index }, [Value::Bits(element)]) => {
                Value::Array(ArrayValue::constant(index, *element))
            }
            (Op::IntAdd, [Value::Int(a), Value::Int(b)]) => {
                Value::Int(a.checked_add(*b).ok_or(overflow)?)
            }
            (Op::IntSub, [Value::Int(a), Value::Int(b)]) => {
                Value::Int(a.checked_sub(*b).ok_or(overflow)?)
            }
            (Op::IntMul, [Value::Int(a), Value::Int(b)]) => {
                Value::Int(a.checked_mul(*b).ok_or(overflow)?)
            }
            (Op::IntLe, [Value::Int(a), Value::Int(b)]) => Value::Bool(a <= b),
            (Op::IntLt, [Value::Int(a), Value::Int(b)]) => Value::Bool(a < b),
            (_, [Value::Bits(a)]) => apply_bits(op, widths[0], &widths, &[*a])
                .map(Value::Bits)
                .ok_or(EvalError::SortMismatch(id))?,
            (_, [Value::Bits(a), Value::Bits(b)]) => match compare_bits(op, widths[0], *a, *b) {
                Some(truth) => Value::Bool(truth),
                None => apply_bits(op, widths[0], &widths, &[*a, *b])
                    .map(Value::Bits)
                    .ok_or(EvalError::SortMismatch(id))?,
            },
            _ => return Err(EvalError::SortMismatch(id)),
        };
        Ok(value)
    }

    /// Whether a Boolean term is true under the assignment.
    pub fn holds(&self, root: TermId, assignment: &Assignment) -> Result<bool, EvalError> {
        match self.eval(root, assignment)? {
            Value::Bool(truth) => Ok(truth),
            _ => Err(EvalError::SortMismatch(root)),
        }
    }
}
