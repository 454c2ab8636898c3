//! `--ledger FILE`: the ledger as a file, described in `docs/ledger-file.md`.
//!
//! The file is replaced as a whole: written beside itself, synchronised, renamed. Whenever the process ends, one complete version is there.
//! A digest over everything in it shows that it was altered. It has no secret, so it stops accidents and careless edits, not a
//! forger; violations and proofs with a text are therefore checked again whatever it says ([`crate::ledger_resume`]).

use crate::Ending;
use crate::complaint::Complaint;
use raddle_verdict::Record;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

const FORMAT: &str = "raddle-ledger";
const VERSION: u32 = 2;
/// A file larger than this is no ledger.
const LARGEST: u64 = 1 << 30;

/// What answers are about. Those of another scope count only if their evidence can be checked again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scope {
    /// The version of Raddle.
    pub raddle: String,
    /// The digest of the program's IR, with all that was assumed and left out when it was made.
    pub program: String,
    /// The source files, for the reader.
    pub files: Vec<String>,
    /// The properties.
    pub properties: Vec<String>,
    /// The options that change what is asked, by name.
    pub options: Vec<(String, String)>,
}

/// What stands in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// What it is about.
    pub scope: Scope,
    /// What it says.
    pub record: Record,
}

/// Why a file is not taken.
#[derive(Debug)]
pub enum Refusal {
    /// It cannot be read.
    Unreadable(io::Error),
    /// It cannot be written.
    Unwritable(io::Error),
    /// It is a directory or a device.
    NotAFile,
    /// It is something else.
    NotALedger(String),
    /// It has a version that this program does not know.
    OtherVersion(u64),
    /// Its digest is not that of its content.
    Altered,
    /// An answer contradicts the program it claims to be about.
    Contradicted(String),
}

/// A place for a ledger.
pub struct LedgerFile {
    /// Where it is, behind symbolic links.
    path: PathBuf,
    /// Why it could not be written, the first time.
    pub failed: Option<io::Error>,
}

impl LedgerFile {
    /// Reads what is there, if anything is, and makes sure that it can be replaced.
    pub fn open(path: &Path) -> Result<(LedgerFile, Option<Content>), Refusal> {
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let content = match fs::metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(Refusal::Unreadable(error)),
            Ok(data) if !data.is_file() => return Err(Refusal::NotAFile),
            Ok(data) if data.len() > LARGEST => {
                return Err(Refusal::NotALedger("it is too large".into()));
            }
            // A temporary file that was made for this run.
            Ok(data) if data.len() == 0 => None,
            Ok(_) => Some(read(&fs::read(&path).map_err(Refusal::Unreadable)?)?),
        };
        let file = LedgerFile { path, failed: None };
        file.try_writing().map_err(Refusal::Unwritable)?;
        Ok((file, content))
    }

    /// Replaces the file. The first failure is kept; later calls try again.
    pub fn write(&mut self, content: &Content) {
        if let Err(error) = self.replace(&text(content)) {
            self.failed.get_or_insert(error);
        } else {
            self.failed = None;
        }
    }

    fn replace(&self, text: &str) -> io::Result<()> {
        let beside = self.beside(std::process::id());
        let written = File::create(&beside).and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.sync_all()
        });
        if let Err(error) = written.and_then(|()| fs::rename(&beside, &self.path)) {
            let _ = fs::remove_file(&beside);
            return Err(error);
        }
        // The rename itself has to survive a power failure; a file system that cannot do so is no reason to stop.
        if let Ok(directory) = File::open(self.directory()) {
            let _ = directory.sync_all();
        }
        Ok(())
    }

    /// Whether the file may be replaced; also removes what killed processes left.
    fn try_writing(&self) -> io::Result<()> {
        if self.path.exists() {
            OpenOptions::new().append(true).open(&self.path)?;
        }
        self.remove_leftovers();
        let beside = self.beside(std::process::id());
        File::create(&beside)?;
        fs::remove_file(&beside)
    }

    fn directory(&self) -> &Path {
        match self.path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        }
    }

    fn beside(&self, process: u32) -> PathBuf {
        let mut name = self.path.file_name().unwrap_or_default().to_os_string();
        name.push(format!(".{process}.new"));
        self.directory().join(name)
    }

    fn remove_leftovers(&self) {
        let Ok(entries) = fs::read_dir(self.directory()) else {
            return;
        };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let own = self.path.file_name().unwrap_or_default().to_string_lossy();
            let process = name
                .strip_prefix(&*own)
                .and_then(|rest| rest.strip_prefix('.')?.strip_suffix(".new"))
                .and_then(|number| number.parse::<libc::pid_t>().ok());
            // SAFETY: signal 0 only asks whether the process exists.
            if let Some(process) = process
                && unsafe { libc::kill(process, 0) } != 0
                && io::Error::last_os_error().raw_os_error() == Some(libc::ESRCH)
            {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

/// SHA-256 in hexadecimal digits.
pub fn digest(bytes: &[u8]) -> String {
    let sum = Sha256::digest(bytes);
    sum.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The file's text.
fn text(content: &Content) -> String {
    let mut value = json!({
        "format": FORMAT,
        "version": VERSION,
        "scope": content.scope,
        "ledger": content.record,
    });
    // Maps are sorted, so equal content has equal text.
    value["digest"] = json!(digest(value.to_string().as_bytes()));
    format!("{value:#}\n")
}

/// Reads a file's text.
fn read(bytes: &[u8]) -> Result<Content, Refusal> {
    let mistake = |error: serde_json::Error| Refusal::NotALedger(error.to_string());
    let mut value: Value = serde_json::from_slice(bytes).map_err(mistake)?;
    if value["format"] != FORMAT {
        return Err(Refusal::NotALedger("its format has another name".into()));
    }
    match value["version"].as_u64() {
        Some(version) if version == u64::from(VERSION) => {}
        Some(version) => return Err(Refusal::OtherVersion(version)),
        None => return Err(Refusal::NotALedger("it has no version".into())),
    }
    let claimed = value.as_object_mut().and_then(|all| all.remove("digest"));
    if claimed != Some(json!(digest(value.to_string().as_bytes()))) {
        return Err(Refusal::Altered);
    }
    let scope = serde_json::from_value(value["scope"].take()).map_err(mistake)?;
    let record = serde_json::from_value(value["ledger"].take()).map_err(mistake)?;
    Ok(Content { scope, record })
}

impl Refusal {
    /// What the user is told.
    pub fn complaint(&self, path: &Path) -> Complaint {
        let path = path.display();
        let advice =
            "choose another FILE for --ledger, or remove this one to verify from the start";
        let what = match self {
            Refusal::Unreadable(error) => {
                format!("cannot read the ledger {path}: {error}; {advice}")
            }
            Refusal::Unwritable(error) => format!(
                "cannot write the ledger {path}: {error}; --ledger needs a file in a directory that can be written"
            ),
            Refusal::NotAFile => {
                format!("the ledger {path} is no regular file; choose another FILE for --ledger")
            }
            Refusal::NotALedger(why) => format!("{path} is no ledger: {why}; {advice}"),
            Refusal::OtherVersion(version) => format!(
                "the ledger {path} has version {version}, this program reads version {VERSION}; {advice}"
            ),
            Refusal::Altered => format!(
                "the ledger {path} was altered: its digest does not match its content; restore it, or {advice}"
            ),
            Refusal::Contradicted(why) => format!(
                "the ledger {path} contradicts the program it is about: {why}; restore it, or {advice}"
            ),
        };
        Complaint::new(Ending::BadInput, what)
    }
}
