//! What the fuzzers share: random numbers, and generator, oracle and shrinker as three separate things for
//! each kind of problem. Included by path from the tests and from the campaign example.
#![allow(dead_code)]

pub mod order_case;
pub mod order_generate;
pub mod order_oracle;
pub mod order_shrink;
pub mod random;
pub mod term_case;
pub mod term_generate;
pub mod term_oracle;
pub mod term_shrink;
