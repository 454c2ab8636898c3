//! `raddle check-proof`: every step of a proof, once more.

use crate::cli::CheckProofOptions;
use crate::complaint::Complaint;
use crate::property;
use crate::{Ending, compile};
use raddle_verdict::Budget;

/// Checks a proof; the last line is `proof: accepted` or `proof: refused`.
pub fn check_proof(options: &CheckProofOptions) -> Ending {
    let properties = match property::parse(&options.property) {
        Ok(properties) => properties,
        Err(mistake) => return Complaint::from(mistake).say(),
    };
    let text = match std::fs::read_to_string(&options.proof) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("error: cannot read {}: {error}", options.proof.display());
            return Ending::BadInput;
        }
    };
    let program = match compile::program(&options.input, compile::any(&options.args)) {
        Ok(program) => program,
        Err(complaint) => return complaint.say(),
    };
    let budget = Budget::unlimited();
    match raddle_engine_refine::check_proof(&program, &properties, &text, &budget) {
        Ok(checked) => {
            if options.print {
                print!("{}", checked.readable);
            }
            for limit in &program.limits {
                println!("safe only for {}", limit.what);
            }
            println!("checked: {}\nproof: accepted", checked.size);
            Ending::Fine
        }
        Err(why) => {
            println!("wrong: {why}\nproof: refused");
            Ending::Violation
        }
    }
}
