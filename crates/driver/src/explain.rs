//! `raddle explain`, and what else is printed about the command itself.

use crate::Ending;
use crate::cli::{Cli, ExplainOptions};
use clap::CommandFactory;
use raddle_ir::Property;
use raddle_report::explain::explain;
use std::io::Write;

/// Describes a kind of violation, or lists the kinds.
pub fn describe(options: &ExplainOptions) -> Ending {
    let mut out = String::new();
    match &options.kind {
        None => {
            for p in Property::ALL {
                out += &format!("{:15} {}\n", p.name(), explain(p).title);
            }
        }
        Some(name) => {
            let kinds = Property::from_name(name);
            if kinds.is_empty() {
                let names: Vec<&str> = Property::ALL.iter().map(|p| p.name()).collect();
                let names = names.join(", ");
                eprintln!("error: there is no such kind of violation; known are {names}");
                return Ending::Usage;
            }
            let texts: Vec<String> = kinds.into_iter().map(text).collect();
            out += &texts.join("\n");
        }
    }
    put(out.as_bytes())
}

fn text(property: Property) -> String {
    let e = explain(property);
    let example: Vec<String> = e.example.lines().map(|l| format!("    {l}")).collect();
    format!(
        "{}: {}\n\n{}\n\nExample:\n\n{}\n\n{}\n",
        property.name(),
        e.title,
        filled(e.what),
        example.join("\n"),
        filled(e.remedy)
    )
}

/// A paragraph in lines of at most 80 characters.
fn filled(text: &str) -> String {
    let mut out = String::new();
    let mut column = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > 80 {
            out.push('\n');
            column = 0;
        } else if column > 0 {
            out.push(' ');
            column += 1;
        }
        out += word;
        column += length;
    }
    out
}

/// Completions for a shell.
pub fn completions(shell: clap_complete::Shell) -> Ending {
    let mut out = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "raddle", &mut out);
    put(&out)
}

/// The manual page, with all subcommands in it.
pub fn man() -> Ending {
    let mut out = Vec::new();
    let mut command = Cli::command();
    command.build();
    let page = |command: &clap::Command, out: &mut Vec<u8>| {
        let _ = clap_mangen::Man::new(command.clone()).render(out);
    };
    page(&command, &mut out);
    for sub in command.get_subcommands().filter(|c| c.get_name() != "help") {
        page(sub, &mut out);
    }
    put(&out)
}

fn put(text: &[u8]) -> Ending {
    match std::io::stdout().write_all(text) {
        Ok(()) => Ending::Fine,
        Err(_) => Ending::Unknown,
    }
}
