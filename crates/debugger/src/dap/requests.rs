//! The requests of a client, one by one.

use super::variables::Handles;
use super::{Server, Then};
use crate::console::Console;
use crate::evaluate::Frame;
use crate::walk::{Stop, Stride};
use raddle_interp::{End, ThreadId};
use serde_json::{Value, json};
use std::path::Path;

/// A client and its session.
pub struct Client<'p> {
    pub(super) console: Console<'p>,
    pub(super) handles: Handles,
    /// Stop before the first line.
    stop_on_entry: bool,
    /// The end of the program was told.
    pub(super) over: bool,
    /// Stop when something goes wrong.
    pub(super) exceptions: bool,
    /// Numbers of breakpoints, by what set them.
    pub(super) set: super::breakpoints::Set,
}

/// What a client can ask for.
pub fn capabilities() -> Value {
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsFunctionBreakpoints": true,
        "supportsConditionalBreakpoints": true,
        "supportsDataBreakpoints": true,
        "supportsStepBack": true,
        "supportsSetVariable": true,
        "supportsEvaluateForHovers": true,
        "supportsExceptionInfoRequest": true,
        "supportsTerminateRequest": true,
        "supportsSteppingGranularity": true,
        "supportsGotoTargetsRequest": false,
        "exceptionBreakpointFilters": [
            {"filter": "lock", "label": "Lock operations", "description": "Stop when any lock is taken or given back"},
            {"filter": "thread-start", "label": "Thread starts"},
            {"filter": "thread-end", "label": "Thread ends"},
        ],
    })
}

/// A thread's number for clients; some take 0 for none.
pub(super) fn id(t: ThreadId) -> i64 {
    i64::from(t.0) + 1
}

impl<'p> Client<'p> {
    /// At the beginning.
    pub fn new(console: Console<'p>, stop_on_entry: bool) -> Client<'p> {
        Client {
            console,
            handles: Handles::default(),
            stop_on_entry,
            over: false,
            exceptions: true,
            set: super::breakpoints::Set::default(),
        }
    }

    /// The thread a request is about.
    fn thread(&self, request: &Value) -> Result<ThreadId, String> {
        let number = request["arguments"]["threadId"].as_i64();
        let t = number.and_then(|n| u32::try_from(n - 1).ok()).map(ThreadId);
        let exists = |t: &ThreadId| self.console.session.machine().threads().any(|k| k == *t);
        t.filter(exists).ok_or("there is no such thread".into())
    }

    pub(super) fn answer(&mut self, server: &mut Server<'_>, request: &Value) -> Then {
        let command = request["command"].as_str().unwrap_or("");
        let arguments = &request["arguments"];
        match command {
            "configurationDone" => {
                server.respond(request, Ok(json!({})));
                match self.stop_on_entry {
                    true => self.stopped(server, "entry", None, None),
                    false => {
                        let stop = self.console.session.resume();
                        self.tell(server, &stop, "continue", 0);
                    }
                }
            }
            "threads" => {
                let session = &self.console.session;
                let line = |t: ThreadId| {
                    let name = format!("{} {} ({})", t.0, session.start_of(t), session.doing(t));
                    json!({"id": id(t), "name": name})
                };
                let all: Vec<Value> = session.machine().threads().map(line).collect();
                server.respond(request, Ok(json!({"threads": all})));
            }
            "continue" | "reverseContinue" => self.resume(server, request, command),
            "next" | "stepIn" | "stepOut" | "stepBack" => self.step(server, request, command),
            "pause" => {
                server.respond(request, Ok(json!({})));
                let session = &self.console.session;
                if !session
                    .interrupt()
                    .swap(false, std::sync::atomic::Ordering::SeqCst)
                {
                    return Then::Wait;
                }
                self.stopped(server, "pause", None, None);
            }
            "stackTrace" => {
                let body = self.stack_trace(server, request);
                server.respond(request, body);
            }
            "scopes" => {
                let body = self.scopes(arguments);
                server.respond(request, body);
            }
            "variables" => {
                let body = self.variables(arguments);
                server.respond(request, body);
            }
            "setVariable" => {
                let body = self.set_variable(arguments);
                server.respond(request, body);
            }
            "evaluate" => self.evaluate(server, request),
            "setBreakpoints" => {
                let body = self.set_breakpoints(server, arguments);
                server.respond(request, body);
            }
            "setFunctionBreakpoints" => {
                let body = self.set_function_breakpoints(arguments);
                server.respond(request, body);
            }
            "dataBreakpointInfo" => {
                let body = self.data_breakpoint_info(arguments);
                server.respond(request, body);
            }
            "setDataBreakpoints" => {
                let body = self.set_data_breakpoints(arguments);
                server.respond(request, body);
            }
            "setExceptionBreakpoints" => {
                let body = self.set_exception_breakpoints(arguments);
                server.respond(request, body);
            }
            "exceptionInfo" => {
                let body = self.exception_info();
                server.respond(request, body);
            }
            "loadedSources" => {
                let files = self.console.session.program().files.iter();
                let user = files.filter(|f| !f.starts_with('<'));
                let all: Vec<Value> = user.map(|f| source(f)).collect();
                server.respond(request, Ok(json!({"sources": all})));
            }
            "disconnect" | "terminate" => {
                server.respond(request, Ok(json!({})));
                if command == "terminate" {
                    server.event("terminated", json!({}));
                }
                return Then::End;
            }
            other => {
                let why = format!("`{other}` is not something this debugger does");
                server.respond(request, Err(why));
            }
        }
        Then::Wait
    }

    fn resume(&mut self, server: &mut Server<'_>, request: &Value, command: &str) {
        if let Ok(t) = self.thread(request) {
            self.console.session.select(t);
        }
        server.respond(request, Ok(json!({"allThreadsContinued": true})));
        let from = self.console.session.here();
        if command == "continue" {
            let ended = self.console.session.end().is_some() && !self.console.session.has_future();
            if ended && self.over {
                let status = match self.console.session.end() {
                    Some(End::Exit(status)) => *status,
                    _ => 1,
                };
                server.event("exited", json!({"exitCode": status}));
                server.event("terminated", json!({}));
                return;
            }
            let stop = self.console.session.resume();
            self.tell(server, &stop, "continue", from);
        } else {
            let stop = self.console.session.resume_back();
            self.tell(server, &stop, "continue", usize::MAX);
        }
    }

    fn step(&mut self, server: &mut Server<'_>, request: &Value, command: &str) {
        let t = match self.thread(request) {
            Ok(t) => t,
            Err(why) => {
                server.respond(request, Err(why));
                return;
            }
        };
        server.respond(request, Ok(json!({})));
        self.console.session.select(t);
        let from = self.console.session.here();
        let instruction = request["arguments"]["granularity"] == json!("instruction");
        let session = &mut self.console.session;
        let stop = match command {
            "stepBack" if instruction => session.step_back(Stride::Instruction),
            "stepBack" => session.step_back(Stride::Over),
            _ if instruction => session.step(Stride::Instruction),
            "next" => session.step(Stride::Over),
            "stepIn" => session.step(Stride::Line),
            _ => session.step(Stride::Out),
        };
        let from = if command == "stepBack" {
            usize::MAX
        } else {
            from
        };
        self.tell(server, &stop, "step", from);
    }

    /// Tells the client what was printed since a moment, and why it stopped.
    fn tell(&mut self, server: &mut Server<'_>, stop: &Stop, _: &str, from: usize) {
        let session = &self.console.session;
        for moment in from.saturating_add(1)..=session.here() {
            for (stream, bytes) in session.branch().output_at(moment) {
                let category = if *stream == 2 { "stderr" } else { "stdout" };
                let text = String::from_utf8_lossy(bytes).into_owned();
                server.event("output", json!({"category": category, "output": text}));
            }
        }
        let text = session.stop_line(stop);
        match stop {
            Stop::Step => self.stopped(server, "step", None, None),
            Stop::Breakpoints(ids) => {
                let reason = self.set.reason(ids);
                self.stopped(server, reason, Some(text), Some(ids));
            }
            Stop::Ended => {
                self.over = true;
                match session.end() {
                    Some(End::Violation(_)) if self.exceptions => {
                        self.stopped(server, "exception", Some(text), None);
                    }
                    _ => self.stopped(server, "end", Some(text), None),
                }
            }
            Stop::Interrupted => self.stopped(server, "pause", Some(text), None),
            _ => self.stopped(server, "step", Some(text), None),
        }
    }

    pub(super) fn stopped(
        &mut self,
        server: &mut Server<'_>,
        reason: &str,
        text: Option<String>,
        ids: Option<&[u32]>,
    ) {
        self.handles.clear();
        self.console.level = 0;
        let t = self.console.session.selected();
        let mut body = json!({
            "reason": reason,
            "threadId": id(t),
            "allThreadsStopped": true,
        });
        if let Some(text) = text.filter(|t| !t.is_empty()) {
            body["description"] = json!(text);
            body["text"] = json!(text);
        }
        if let Some(ids) = ids {
            body["hitBreakpointIds"] = json!(ids);
        }
        server.event("stopped", body);
    }

    fn stack_trace(&mut self, server: &Server<'_>, request: &Value) -> Result<Value, String> {
        let t = self.thread(request)?;
        let arguments = &request["arguments"];
        let first = arguments["startFrame"].as_u64().unwrap_or(0) as usize;
        let most = match arguments["levels"].as_u64() {
            None | Some(0) => usize::MAX,
            Some(n) => n as usize,
        };
        let session = &self.console.session;
        let stack = session.stack(t);
        let mut frames = Vec::new();
        for (level, (a, function)) in stack.iter().enumerate().skip(first).take(most) {
            let frame = Frame { thread: t, level };
            frames.push(json!({
                "id": self.handles.frame(frame),
                "name": function,
                "line": i64::from(a.span.line) - 1 + server.lines_from,
                "column": a.span.column,
                "source": source(session.file(a.span.file)),
            }));
        }
        Ok(json!({"stackFrames": frames, "totalFrames": stack.len()}))
    }

    fn exception_info(&self) -> Result<Value, String> {
        let session = &self.console.session;
        let Some(End::Violation(v)) = session.end() else {
            return Err("nothing has gone wrong".into());
        };
        let mut details = v.message.clone();
        for related in &v.related {
            let at = session.place(session.program().span_of(related.at));
            details.push_str(&format!(
                "\nthread {}, {at}: {}",
                related.thread.0, related.label
            ));
        }
        for note in &v.notes {
            details.push_str(&format!("\n{note}"));
        }
        Ok(json!({
            "exceptionId": v.property.name(),
            "description": v.message,
            "breakMode": "always",
            "details": {"message": details, "typeName": v.property.name()},
        }))
    }

    fn evaluate(&mut self, server: &mut Server<'_>, request: &Value) {
        let arguments = &request["arguments"];
        let text = arguments["expression"]
            .as_str()
            .unwrap_or("")
            .trim()
            .to_string();
        let frame = arguments["frameId"]
            .as_i64()
            .and_then(|id| self.handles.frame_of(id));
        let frame = frame.unwrap_or(self.console.frame());
        let meant = self.console.session.evaluate_text(frame, &text);
        let repl = arguments["context"] == json!("repl");
        match meant {
            Ok(thing) => {
                let body = self.described(&text, &thing);
                server.respond(request, Ok(body));
            }
            Err(_) if repl => {
                let session = &self.console.session;
                let before = (
                    session.branch().name.clone(),
                    session.here(),
                    session.selected(),
                );
                let reply = self.console.execute(&text);
                if let Some((path, text)) = &reply.save
                    && let Err(error) = std::fs::write(path, text)
                {
                    server.respond(request, Err(format!("cannot write {path}: {error}")));
                    return;
                }
                let body = match reply.mistake {
                    true => Err(reply.text.trim_end().to_string()),
                    false => Ok(json!({"result": reply.text, "variablesReference": 0})),
                };
                server.respond(request, body);
                let session = &self.console.session;
                let after = (
                    session.branch().name.clone(),
                    session.here(),
                    session.selected(),
                );
                if after != before {
                    self.over = false;
                    self.stopped(server, "goto", None, None);
                }
            }
            Err(why) => server.respond(request, Err(why)),
        }
    }
}

/// A file, as the protocol names it.
pub(super) fn source(file: &str) -> Value {
    let path = Path::new(file);
    let name = path
        .file_name()
        .map_or(file.into(), |n| n.to_string_lossy().into_owned());
    let full = std::path::absolute(path).unwrap_or(path.to_path_buf());
    match file.starts_with('<') {
        true => json!({"name": name, "presentationHint": "deemphasize"}),
        false => json!({"name": name, "path": full.display().to_string()}),
    }
}
