//! `raddle dap`: a server for editors.

use crate::Ending;
use crate::cli::{DapOptions, DebugOptions};
use crate::complaint::Complaint;
use crate::debug::{Wanted, load};
use crate::property;
use clap::{Args, FromArgMatches};
use raddle_debugger::dap::{Host, Loaded, serve};
use serde_json::Value;
use std::net::{Ipv4Addr, TcpListener};
use std::time::Duration;

/// `raddle dap`.
pub fn dap(options: &DapOptions) -> Ending {
    let Some(port) = options.port else {
        serve(std::io::stdin(), &mut std::io::stdout(), &mut Compiler);
        return Ending::Fine;
    };
    // Whoever connects can have files read: nobody from another machine.
    let listener = match TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
        Ok(listener) => listener,
        Err(error) => {
            eprintln!("error: cannot listen on port {port}: {error}");
            return Ending::Usage;
        }
    };
    if let Ok(address) = listener.local_addr() {
        // In one piece, for whoever waits for it.
        let line = format!("listening on {address}\n");
        eprint!("{line}");
    }
    for stream in listener.incoming() {
        let Ok(stream) = stream else { continue };
        let Ok(mut output) = stream.try_clone() else {
            continue;
        };
        serve(stream, &mut output, &mut Compiler);
        let _ = output.shutdown(std::net::Shutdown::Both);
    }
    Ending::Fine
}

/// Compiles what a `launch` request names.
struct Compiler;

/// Texts of a value: one, or a list.
fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::String(one) => vec![one.clone()],
        Value::Array(all) => all
            .iter()
            .filter_map(|v| v.as_str())
            .map(str::to_string)
            .collect(),
        _ => Vec::new(),
    }
}

impl Host for Compiler {
    fn load(&mut self, arguments: &Value) -> Result<Loaded, String> {
        // The same words as on the command line, so that both are read alike.
        let mut words: Vec<String> = vec!["debug".into()];
        for (key, flag) in [
            ("includePaths", "-I"),
            ("defines", "-D"),
            ("undefines", "-U"),
        ] {
            for text in texts(&arguments[key]) {
                words.extend([flag.to_string(), text]);
            }
        }
        for (key, flag) in [
            ("dataModel", "--data-model"),
            ("std", "--std"),
            ("compileCommands", "--compile-commands"),
            ("entry", "--entry"),
            ("param", "--param"),
        ] {
            for text in texts(&arguments[key]) {
                words.extend([flag.to_string(), text]);
            }
        }
        words.extend(texts(&arguments["program"]));
        let command = DebugOptions::augment_args(clap::Command::new("debug"));
        let options = command
            .try_get_matches_from(&words)
            .and_then(|m| DebugOptions::from_arg_matches(&m))
            .map_err(|e| e.to_string())?;
        let list = match texts(&arguments["properties"]) {
            none if none.is_empty() => property::DEFAULT.to_string(),
            some => some.join(","),
        };
        let properties = property::parse(&[list]).map_err(|m| Complaint::from(m).text)?;
        let numbers = arguments["inputs"].as_array().into_iter().flatten();
        let inputs = numbers.filter_map(|n| n.as_i64()).map(i128::from).collect();
        let schedule = arguments["schedule"].as_str().map(std::path::PathBuf::from);
        let given = texts(&arguments["args"]);
        let seconds = arguments["timeout"].as_u64().unwrap_or(60);
        let find = arguments["find"] == Value::Bool(true);
        let wanted = Wanted {
            input: &options.input,
            schedule: schedule.as_deref(),
            find: find.then_some(Duration::from_secs(seconds)),
            properties,
            inputs,
            spurious_wakeups: arguments["spuriousWakeups"] == Value::Bool(true),
            arguments: &given,
        };
        load(&wanted).map_err(|complaint| complaint.text)
    }
}
