//! Frames, scopes and variables: numbers that clients are given for things, until the session moves.

use super::requests::Client;
use crate::evaluate::{Frame, Place, Thing};
use crate::show::Part;
use serde_json::{Value, json};

/// What a number stands for.
#[derive(Clone, Debug)]
enum Handle {
    Locals(Frame),
    Globals(Frame),
    Parts(Thing),
}

/// Numbers that were given out.
#[derive(Clone, Debug, Default)]
pub struct Handles {
    all: Vec<Handle>,
    frames: Vec<Frame>,
}

impl Handles {
    /// Nothing that was given out counts any longer.
    pub fn clear(&mut self) {
        self.all.clear();
        self.frames.clear();
    }

    /// A number for a frame.
    pub fn frame(&mut self, frame: Frame) -> i64 {
        let at = self.frames.iter().position(|f| *f == frame);
        let at = at.unwrap_or_else(|| {
            self.frames.push(frame);
            self.frames.len() - 1
        });
        at as i64 + 1
    }

    /// The frame of a number.
    pub fn frame_of(&self, id: i64) -> Option<Frame> {
        let at = usize::try_from(id - 1).ok()?;
        self.frames.get(at).copied()
    }

    fn add(&mut self, handle: Handle) -> i64 {
        self.all.push(handle);
        self.all.len() as i64
    }

    fn get(&self, id: Option<i64>) -> Result<Handle, String> {
        let at = id.and_then(|id| usize::try_from(id - 1).ok());
        let found = at.and_then(|at| self.all.get(at)).cloned();
        found.ok_or("these variables are of another moment".into())
    }
}

impl Client<'_> {
    pub(super) fn scopes(&mut self, arguments: &Value) -> Result<Value, String> {
        let frame = arguments["frameId"].as_i64();
        let frame = frame.and_then(|id| self.handles.frame_of(id));
        let frame = frame.ok_or("this frame is of another moment")?;
        let locals = self.handles.add(Handle::Locals(frame));
        let globals = self.handles.add(Handle::Globals(frame));
        Ok(json!({"scopes": [
            {"name": "Locals", "presentationHint": "locals", "variablesReference": locals, "expensive": false},
            {"name": "Globals", "variablesReference": globals, "expensive": false},
        ]}))
    }

    fn members(&self, arguments: &Value) -> Result<Vec<Part>, String> {
        let session = &self.console.session;
        let handle = self.handles.get(arguments["variablesReference"].as_i64())?;
        Ok(match handle {
            Handle::Locals(frame) => session.locals(frame),
            Handle::Globals(frame) => session.globals(frame.thread),
            Handle::Parts(thing) => session.parts(&thing),
        })
    }

    pub(super) fn variables(&mut self, arguments: &Value) -> Result<Value, String> {
        let parts = self.members(arguments)?;
        let first = arguments["start"].as_u64().unwrap_or(0) as usize;
        let most = match arguments["count"].as_u64() {
            None | Some(0) => usize::MAX,
            Some(n) => n as usize,
        };
        let mut all = Vec::new();
        for part in parts.iter().skip(first).take(most) {
            let mut one = self.described(&part.name, &part.thing);
            one["name"] = json!(part.name);
            one["value"] = one["result"].take();
            if let Some(map) = one.as_object_mut() {
                map.remove("result");
            }
            all.push(one);
        }
        Ok(json!({"variables": all}))
    }

    /// A thing as an answer to `evaluate`.
    pub(super) fn described(&mut self, _: &str, thing: &Thing) -> Value {
        let session = &self.console.session;
        let text = session.show(thing);
        let has_parts = !session.parts(thing).is_empty();
        let ty = thing.ty.map(|t| session.type_name(t));
        let reference = match has_parts {
            true => self.handles.add(Handle::Parts(*thing)),
            false => 0,
        };
        let mut answer = json!({"result": text, "variablesReference": reference});
        if let Some(ty) = ty {
            answer["type"] = json!(ty);
        }
        answer
    }

    fn member(&self, arguments: &Value) -> Result<Thing, String> {
        let name = arguments["name"].as_str().unwrap_or("");
        let parts = self.members(arguments)?;
        let found = parts.iter().find(|p| p.name == name);
        found
            .map(|p| p.thing)
            .ok_or(format!("there is no `{name}`"))
    }

    pub(super) fn set_variable(&mut self, arguments: &Value) -> Result<Value, String> {
        let thing = self.member(arguments)?;
        let text = arguments["value"].as_str().unwrap_or("");
        let frame = self.console.frame();
        let value = self.console.session.evaluate_text(frame, text)?;
        self.console.session.assign(&thing, &value)?;
        Ok(json!({"value": self.console.session.show(&thing)}))
    }

    pub(super) fn data_breakpoint_info(&mut self, arguments: &Value) -> Result<Value, String> {
        let name = arguments["name"].as_str().unwrap_or("");
        let thing = match arguments["variablesReference"].is_null() {
            false => self.member(arguments)?,
            true => {
                let frame = arguments["frameId"].as_i64();
                let frame = frame.and_then(|id| self.handles.frame_of(id));
                let frame = frame.unwrap_or(self.console.frame());
                self.console.session.evaluate_text(frame, name)?
            }
        };
        let Place::Memory { object, offset, .. } = thing.place else {
            return Ok(
                json!({"dataId": null, "description": "this is not in memory: no other thread can change it"}),
            );
        };
        let machine = self.console.session.machine();
        let length = thing.ty.map_or(1, |t| machine.size_of(t)).max(1);
        Ok(json!({
            "dataId": format!("{}+{offset}/{length} {name}", object.0),
            "description": format!("changes of {name}"),
            "accessTypes": ["write"],
            "canPersist": false,
        }))
    }
}
