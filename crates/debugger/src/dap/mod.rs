//! A server for the Debug Adapter Protocol, so that editors can debug with a session.
//!
//! Messages come in on a thread of their own: a request to pause, or to end, has to get through while the session is on its way.
//! Everything else is answered in order. Who compiles programs and reads files is somebody else ([`Host`]).
//!
//! Besides what the protocol knows: `stepBack` and `reverseContinue` are always there, and the console of a debugger takes every
//! command of [`crate::console`], questions included.

mod breakpoints;
mod requests;
mod variables;
mod wire;

use crate::Engines;
use crate::background::Background;
use crate::console::Console;
use crate::convert::{config_of, history_of};
use crate::describe::Sources;
use crate::session::Session;
use raddle_interp::Config;
use raddle_interp::schedule::Schedule;
use raddle_ir::Program;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use wire::{read_message, write_message};

/// How often something that was found beside is looked for.
const TICK: Duration = Duration::from_millis(50);

/// A program to debug, with everything that belongs to it.
pub struct Loaded {
    /// The program.
    pub program: Program,
    /// The text of its files.
    pub sources: Sources,
    /// The names of its files, as they were given.
    pub files: Vec<String>,
    /// The arguments of its `main`.
    pub arguments: Vec<String>,
    /// How it is run, if there is no schedule.
    pub config: Config,
    /// A run to begin with.
    pub schedule: Option<Schedule>,
    /// The inputs it gets.
    pub inputs: Vec<i128>,
    /// Who answers questions.
    pub engines: Engines,
}

/// Compiles programs.
pub trait Host {
    /// What a `launch` request asks for.
    fn load(&mut self, arguments: &Value) -> Result<Loaded, String>;
}

/// What to do behind a response.
enum Then {
    /// Wait for the next request.
    Wait,
    /// Close the session.
    End,
}

/// The other side, and where we are.
pub(crate) struct Server<'w> {
    output: &'w mut dyn Write,
    sequence: i64,
    /// Files are told by their absolute paths.
    lines_from: i64,
}

impl Server<'_> {
    fn send(&mut self, mut message: Value) {
        self.sequence += 1;
        message["seq"] = json!(self.sequence);
        // Nobody is left to tell if this fails; the next read ends the session.
        let _ = write_message(self.output, &message);
    }

    fn event(&mut self, name: &str, body: Value) {
        self.send(json!({"type": "event", "event": name, "body": body}));
    }

    fn respond(&mut self, request: &Value, body: Result<Value, String>) {
        let mut response = json!({
            "type": "response",
            "request_seq": request["seq"],
            "command": request["command"],
            "success": body.is_ok(),
        });
        match body {
            Ok(body) => response["body"] = body,
            Err(why) => {
                response["message"] = json!(why);
                response["body"] = json!({"error": {"id": 1, "format": "{why}", "variables": {"why": why}, "showUser": true}});
            }
        }
        self.send(response);
    }
}

/// Serves one client until it leaves.
pub fn serve(input: impl Read + Send + 'static, output: &mut dyn Write, host: &mut dyn Host) {
    let interrupt: Arc<Mutex<Option<Arc<AtomicBool>>>> = Arc::default();
    let (sender, receiver) = channel();
    let listening = interrupt.clone();
    std::thread::spawn(move || {
        let mut input = std::io::BufReader::new(input);
        while let Some(message) = read_message(&mut input) {
            let command = message["command"].as_str().unwrap_or("");
            let stops = matches!(command, "pause" | "disconnect" | "terminate");
            if let (true, Ok(flag)) = (stops, listening.lock())
                && let Some(flag) = &*flag
            {
                flag.store(true, Ordering::SeqCst);
            }
            if sender.send(message).is_err() {
                break;
            }
        }
        // The client is gone: whatever is on its way may stop.
        if let Ok(flag) = listening.lock()
            && let Some(flag) = &*flag
        {
            flag.store(true, Ordering::SeqCst);
        }
    });
    let mut server = Server {
        output,
        sequence: 0,
        lines_from: 1,
    };
    before_launch(&mut server, &receiver, host, &interrupt);
}

fn before_launch(
    server: &mut Server<'_>,
    receiver: &Receiver<Value>,
    host: &mut dyn Host,
    interrupt: &Mutex<Option<Arc<AtomicBool>>>,
) {
    while let Ok(request) = receiver.recv() {
        match request["command"].as_str().unwrap_or("") {
            "initialize" => {
                let zero = request["arguments"]["linesStartAt1"] == json!(false);
                server.lines_from = i64::from(!zero);
                server.respond(&request, Ok(requests::capabilities()));
            }
            "launch" => {
                let arguments = request["arguments"].clone();
                match host.load(&arguments) {
                    Ok(loaded) => {
                        server.respond(&request, Ok(json!({})));
                        debug(server, receiver, &loaded, &arguments, interrupt);
                        return;
                    }
                    Err(why) => {
                        server.respond(&request, Err(why));
                        server.event("terminated", json!({}));
                    }
                }
            }
            "attach" => server.respond(
                &request,
                Err("raddle runs programs itself; use `launch`".into()),
            ),
            "disconnect" | "terminate" => {
                server.respond(&request, Ok(json!({})));
                return;
            }
            other => {
                let why = format!("`{other}` makes no sense before `launch`");
                server.respond(&request, Err(why));
            }
        }
    }
}

fn debug(
    server: &mut Server<'_>,
    receiver: &Receiver<Value>,
    loaded: &Loaded,
    arguments: &Value,
    interrupt: &Mutex<Option<Arc<AtomicBool>>>,
) {
    let program = &loaded.program;
    let config = match &loaded.schedule {
        Some(schedule) => config_of(schedule),
        None => loaded.config.clone(),
    };
    let mut session = Session::new(program, config);
    session.inputs = loaded.inputs.iter().map(|v| *v as u128).collect();
    if let Some(schedule) = &loaded.schedule {
        let run = history_of(program, schedule);
        let done = run.and_then(|run| session.load(&run, "schedule", None));
        if let Err(why) = done {
            let text = format!("the schedule was not loaded: {why}\n");
            server.event("output", json!({"category": "important", "output": text}));
        }
    }
    if let Ok(mut flag) = interrupt.lock() {
        *flag = Some(session.interrupt());
    }
    session.enter();
    let mut console = Console::new(session, loaded.sources.clone());
    console.files = loaded.files.clone();
    console.arguments = loaded.arguments.clone();
    console.engines = loaded.engines.clone();
    server.event("initialized", json!({}));
    let rules = console.session.branch().rules;
    let mut client = requests::Client::new(console, arguments["stopOnEntry"] == json!(true));
    std::thread::scope(|scope| {
        let properties = rules.checks.iter().collect();
        let inputs = loaded.inputs.clone();
        let beside = Background::start(scope, program, &loaded.engines, inputs, properties);
        loop {
            if client.console.warning.is_none()
                && let Some(warning) = beside.news()
            {
                let text = format!(
                    "another interleaving of this run goes wrong: {}; `jump` in the debug console goes there\n",
                    warning.told.what
                );
                server.event("output", json!({"category": "important", "output": text}));
                client.console.warning = Some(warning);
            }
            let request = match receiver.recv_timeout(TICK) {
                Ok(request) => request,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            match client.answer(server, &request) {
                Then::Wait => {}
                Then::End => return,
            }
        }
    });
}
