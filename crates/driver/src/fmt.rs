//! `raddle fmt`: models laid out anew, in place.

use crate::cli::FmtOptions;
use crate::{Ending, compile};

/// Formats the files, or says which are not formatted.
pub fn fmt(options: &FmtOptions) -> Ending {
    let mut differs = false;
    for file in &options.files {
        let name = file.display().to_string();
        let text = match compile::read_model(file) {
            Ok(text) => text,
            Err(complaint) => return complaint.say(),
        };
        let laid_out = match raddle_model::format(&text) {
            Ok(laid_out) => laid_out,
            Err(diagnostic) => {
                eprint!("{}", diagnostic.render(&name, &text));
                return Ending::BadInput;
            }
        };
        if laid_out == text {
            continue;
        }
        differs = true;
        if options.check {
            println!("{name}");
        } else if let Err(error) = std::fs::write(file, laid_out) {
            eprintln!("error: {name}: {error}");
            return Ending::BadInput;
        }
    }
    match differs && options.check {
        true => Ending::Violation,
        false => Ending::Fine,
    }
}
