//! `raddle ir`: the intermediate representation, printed.

use crate::Ending;
use crate::cli::IrOptions;
use crate::compile;
use raddle_c::Arguments;

/// Prints the program's IR; with `--check`, only says whether it is valid and survives its text form.
pub fn ir(options: &IrOptions) -> Ending {
    let program = match compile::program(&options.input, Arguments::Any) {
        Ok(program) => program,
        Err(complaint) => return complaint.say(),
    };
    let text = raddle_ir::print(&program);
    if !options.check {
        print!("{text}");
        return Ending::Fine;
    }
    match raddle_ir::read(&text) {
        Ok(again) if raddle_ir::print(&again) == text => {
            println!(
                "valid; {} functions; prints and reads back",
                program.functions.len()
            );
            Ending::Fine
        }
        Ok(_) => {
            eprintln!("error: the text form reads back as something else");
            Ending::BadInput
        }
        Err(error) => {
            eprintln!("error: the text form does not read back: {error}");
            Ending::BadInput
        }
    }
}
