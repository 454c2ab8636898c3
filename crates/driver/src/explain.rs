//! `raddle explain`, and what else is printed about the command itself.

use crate::Ending;
use crate::cli::{Cli, ExplainOptions};
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
    clap_complete::generate(shell, &mut Cli::described(), "raddle", &mut out);
    put(&out)
}

/// The manual page of the whole, or of one command.
pub fn man(name: Option<&str>) -> Ending {
    let mut all = Cli::described().disable_help_subcommand(true);
    all.build();
    let found = match name {
        None => Some(&all),
        Some(name) => all.find_subcommand(name),
    };
    let Some(command) = found else {
        let names: Vec<&str> = all.get_subcommands().map(|c| c.get_name()).collect();
        eprintln!(
            "error: there is no such command; known are {}",
            names.join(", ")
        );
        return Ending::Usage;
    };
    let title = command.get_display_name().unwrap_or("raddle").to_owned();
    let page = clap_mangen::Man::new(command.clone()).title(title);
    let mut out = Vec::new();
    match page.render(&mut out) {
        Ok(()) => put(&out),
        Err(_) => Ending::Unknown,
    }
}

fn put(text: &[u8]) -> Ending {
    match std::io::stdout().write_all(text) {
        Ok(()) => Ending::Fine,
        Err(_) => Ending::Unknown,
    }
}
