//! Breakpoints, as the protocol sets them: all of one kind at once.

use super::Server;
use super::requests::Client;
use crate::breakpoints::Spot;
use crate::expression::{Expression, parse};
use raddle_interp::value::ObjectId;
use raddle_ir::FuncId;
use serde_json::{Value, json};
use std::collections::HashMap;

/// The numbers of breakpoints, by what set them.
#[derive(Clone, Debug, Default)]
pub struct Set {
    files: HashMap<String, Vec<u32>>,
    functions: Vec<u32>,
    data: Vec<u32>,
    filters: Vec<u32>,
}

impl Set {
    /// The protocol's name for having met these.
    pub fn reason(&self, ids: &[u32]) -> &'static str {
        let among = |set: &[u32]| ids.iter().any(|id| set.contains(id));
        match () {
            () if among(&self.data) => "data breakpoint",
            () if among(&self.functions) => "function breakpoint",
            () => "breakpoint",
        }
    }
}

fn condition(breakpoint: &Value) -> Result<Option<Expression>, String> {
    match breakpoint["condition"]
        .as_str()
        .filter(|t| !t.trim().is_empty())
    {
        None => Ok(None),
        Some(text) => parse(text)
            .map(Some)
            .map_err(|m| format!("in the condition: {m}")),
    }
}

fn refused(why: &str) -> Value {
    json!({"verified": false, "message": why})
}

impl Client<'_> {
    fn forget(&mut self, ids: &[u32]) {
        for id in ids {
            self.console.session.breakpoints.remove(*id);
        }
    }

    pub(super) fn set_breakpoints(
        &mut self,
        server: &Server<'_>,
        arguments: &Value,
    ) -> Result<Value, String> {
        let path = arguments["source"]["path"].as_str();
        let path = path.or(arguments["source"]["name"].as_str()).unwrap_or("");
        let old = self.set.files.remove(path).unwrap_or_default();
        self.forget(&old);
        let lines = self.console.session.lines();
        let full = |f: &String| std::path::absolute(f).is_ok_and(|f| f.as_os_str() == path);
        let files = &self.console.session.program().files;
        let exact = files.iter().position(full);
        let file = exact
            .map(|at| raddle_ir::FileId(at as u32))
            .or_else(|| lines.file(path));
        let wanted = arguments["breakpoints"].as_array().cloned();
        let wanted = wanted.unwrap_or_default();
        let Some(file) = file else {
            let all: Vec<Value> = wanted
                .iter()
                .map(|_| refused("this file is no part of the program"))
                .collect();
            return Ok(json!({"breakpoints": all}));
        };
        let mut ids = Vec::new();
        let mut all = Vec::new();
        for b in &wanted {
            let line = b["line"].as_i64().unwrap_or(0) + 1 - server.lines_from;
            let line = u32::try_from(line).unwrap_or(0);
            let Some(found) = self.console.session.lines().at_or_after(file, line) else {
                all.push(refused("there is no code here or behind"));
                continue;
            };
            let condition = match condition(b) {
                Ok(condition) => condition,
                Err(why) => {
                    all.push(refused(&why));
                    continue;
                }
            };
            let name = self.console.session.file(file);
            let short = name.rsplit('/').next().unwrap_or(name);
            let what = format!("{short}:{found}");
            let spot = Spot::Line(file, found);
            let id = self
                .console
                .session
                .breakpoints
                .add(spot, what, condition, None);
            ids.push(id);
            let line = i64::from(found) - 1 + server.lines_from;
            all.push(json!({"id": id, "verified": true, "line": line}));
        }
        self.set.files.insert(path.to_string(), ids);
        Ok(json!({"breakpoints": all}))
    }

    pub(super) fn set_function_breakpoints(&mut self, arguments: &Value) -> Result<Value, String> {
        let old = std::mem::take(&mut self.set.functions);
        self.forget(&old);
        let mut all = Vec::new();
        for b in arguments["breakpoints"].as_array().into_iter().flatten() {
            let name = b["name"].as_str().unwrap_or("");
            let program = self.console.session.program();
            let Some(at) = program.functions.iter().position(|f| f.name == name) else {
                all.push(refused("there is no such function"));
                continue;
            };
            match condition(b) {
                Ok(condition) => {
                    let spot = Spot::Function(FuncId(at as u32));
                    let what = format!("function {name}");
                    let breakpoints = &mut self.console.session.breakpoints;
                    let id = breakpoints.add(spot, what, condition, None);
                    self.set.functions.push(id);
                    all.push(json!({"id": id, "verified": true}));
                }
                Err(why) => all.push(refused(&why)),
            }
        }
        Ok(json!({"breakpoints": all}))
    }

    pub(super) fn set_data_breakpoints(&mut self, arguments: &Value) -> Result<Value, String> {
        let old = std::mem::take(&mut self.set.data);
        self.forget(&old);
        let mut all = Vec::new();
        for b in arguments["breakpoints"].as_array().into_iter().flatten() {
            let Some((object, offset, length, name)) = b["dataId"].as_str().and_then(place) else {
                all.push(refused("this is no place in memory"));
                continue;
            };
            match condition(b) {
                Ok(condition) => {
                    let spot = Spot::Write {
                        object,
                        offset,
                        length,
                    };
                    let what = format!("change of {name}");
                    let breakpoints = &mut self.console.session.breakpoints;
                    let id = breakpoints.add(spot, what, condition, None);
                    self.set.data.push(id);
                    all.push(json!({"id": id, "verified": true}));
                }
                Err(why) => all.push(refused(&why)),
            }
        }
        Ok(json!({"breakpoints": all}))
    }

    pub(super) fn set_exception_breakpoints(&mut self, arguments: &Value) -> Result<Value, String> {
        let old = std::mem::take(&mut self.set.filters);
        self.forget(&old);
        let mut all = Vec::new();
        for filter in arguments["filters"].as_array().into_iter().flatten() {
            let (spot, what) = match filter.as_str().unwrap_or("") {
                "lock" => (Spot::Lock(None), "any lock"),
                "thread-start" => (Spot::ThreadStart, "start of a thread"),
                "thread-end" => (Spot::ThreadEnd, "end of a thread"),
                _ => {
                    all.push(refused("there is no such filter"));
                    continue;
                }
            };
            let breakpoints = &mut self.console.session.breakpoints;
            let id = breakpoints.add(spot, what.into(), None, None);
            self.set.filters.push(id);
            all.push(json!({"id": id, "verified": true}));
        }
        Ok(json!({"breakpoints": all}))
    }
}

/// Reads what `dataBreakpointInfo` gave out.
fn place(text: &str) -> Option<(ObjectId, u64, u64, &str)> {
    let (place, name) = text.split_once(' ')?;
    let (object, rest) = place.split_once('+')?;
    let (offset, length) = rest.split_once('/')?;
    Some((
        ObjectId(object.parse().ok()?),
        offset.parse().ok()?,
        length.parse().ok()?,
        name,
    ))
}
