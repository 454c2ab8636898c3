//! What somebody is told who made a mistake, and the exit code that goes with it: said on standard error, or sent to an editor.

use crate::Ending;
use crate::property::Mistake;
use std::fmt::Display;

/// What is wrong with what was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// How the command ends.
    pub ending: Ending,
    /// The text, with a newline at its end.
    pub text: String,
    /// What is not supported, if nothing else is wrong.
    pub unsupported: Option<String>,
}

impl Complaint {
    /// A sentence of our own.
    pub fn new(ending: Ending, what: impl Display) -> Complaint {
        Complaint::diagnosis(ending, format!("error: {what}\n"))
    }

    /// A text that says `error` itself.
    pub fn diagnosis(ending: Ending, text: String) -> Complaint {
        Complaint {
            ending,
            text,
            unsupported: None,
        }
    }

    /// Says it.
    pub fn say(self) -> Ending {
        eprint!("{}", self.text);
        self.ending
    }
}

impl From<Mistake> for Complaint {
    fn from(mistake: Mistake) -> Complaint {
        match mistake {
            Mistake::Usage(message) => Complaint::new(Ending::Usage, message),
            Mistake::BadFile(message) => Complaint::new(Ending::BadInput, message),
        }
    }
}
