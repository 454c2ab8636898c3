//! SMT-LIB solvers over a pipe: z3 or cvc5, if one is on the PATH.
//!
//! Optional by design: a cross-check in tests, and the only way to solve terms with integers. Whatever the
//! process does wrong (missing, crashed, silent, talking nonsense) is an [`ExternalError`], never a panic and
//! never an answer. After an error the session is closed and its process is gone.

mod sexpr;

pub use sexpr::{SExpr, parse_sexpr};

use crate::term::{Assignment, Sort, Term, TermId, TermPool, Value, symbol_text};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// A solver program and how to make it read from a pipe.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExternalSolver {
    /// The program, looked up on the PATH.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<String>,
}

/// Why an external solver gave no answer.
#[derive(Debug)]
pub enum ExternalError {
    /// The program could not be started.
    Start(std::io::Error),
    /// The pipe broke: the process ended or closed it.
    Crashed(String),
    /// No answer in time; the process was killed.
    Timeout,
    /// The answer could not be understood.
    Nonsense(String),
}

impl std::fmt::Display for ExternalError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ExternalError::Start(error) => write!(f, "cannot start the solver: {error}"),
            ExternalError::Crashed(what) => write!(f, "the solver ended early: {what}"),
            ExternalError::Timeout => write!(f, "the solver did not answer in time"),
            ExternalError::Nonsense(text) => {
                write!(f, "the solver's answer makes no sense: {text}")
            }
        }
    }
}

impl std::error::Error for ExternalError {}

/// The answer of an external solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExternalAnswer {
    /// Satisfiable.
    Sat,
    /// Unsatisfiable.
    Unsat,
    /// The solver gave up.
    Unknown,
}

impl ExternalSolver {
    /// z3 reading from its standard input.
    pub fn z3() -> ExternalSolver {
        ExternalSolver {
            program: "z3".to_owned(),
            arguments: vec!["-in".to_owned(), "-smt2".to_owned()],
        }
    }

    /// cvc5 reading from its standard input.
    pub fn cvc5() -> ExternalSolver {
        let arguments = ["--lang=smt2", "--incremental", "--produce-models"];
        ExternalSolver {
            program: "cvc5".to_owned(),
            arguments: arguments.map(str::to_owned).to_vec(),
        }
    }

    /// The first known solver that starts and answers, if any.
    pub fn find() -> Option<ExternalSolver> {
        [ExternalSolver::z3(), ExternalSolver::cvc5()]
            .into_iter()
            .find(|solver| {
                let session = Session::start(solver);
                session
                    .and_then(|mut session| session.check("(assert true)", Duration::from_secs(10)))
                    .is_ok()
            })
    }
}

/// A running solver.
pub struct Session {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Session {
    /// Starts the program.
    pub fn start(solver: &ExternalSolver) -> Result<Session, ExternalError> {
        let mut child = Command::new(&solver.program)
            .args(&solver.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(ExternalError::Start)?;
        let input = child.stdin.take();
        let output = child.stdout.take();
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output
                .into_iter()
                .flat_map(|output| BufReader::new(output).lines())
            {
                let Ok(line) = line else { return };
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let mut session = Session {
            child,
            input,
            lines,
        };
        session.send("(set-option :print-success false)\n(set-option :produce-models true)\n")?;
        Ok(session)
    }

    /// The process, for those who want to watch what it uses.
    pub fn process_id(&self) -> u32 {
        self.child.id()
    }

    /// Sends commands without waiting.
    pub fn send(&mut self, text: &str) -> Result<(), ExternalError> {
        let Some(input) = &mut self.input else {
            return Err(ExternalError::Crashed("session is closed".to_owned()));
        };
        let written = input
            .write_all(text.as_bytes())
            .and_then(|()| input.flush());
        written.map_err(|error| {
            self.close();
            ExternalError::Crashed(error.to_string())
        })
    }

    fn close(&mut self) {
        self.input = None;
        // The process may be gone already; then there is nothing to kill.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    fn line(&mut self, deadline: Instant) -> Result<String, ExternalError> {
        let left = deadline.saturating_duration_since(Instant::now());
        match self.lines.recv_timeout(left) {
            Ok(line) => Ok(line),
            Err(RecvTimeoutError::Timeout) => {
                self.close();
                Err(ExternalError::Timeout)
            }
            Err(RecvTimeoutError::Disconnected) => {
                self.close();
                Err(ExternalError::Crashed("the output was closed".to_owned()))
            }
        }
    }

    /// Sends declarations and assertions and asks for satisfiability.
    pub fn check(
        &mut self,
        script: &str,
        timeout: Duration,
    ) -> Result<ExternalAnswer, ExternalError> {
        let deadline = Instant::now() + timeout;
        self.send(script)?;
        self.send("\n(check-sat)\n")?;
        let line = self.line(deadline)?;
        match line.trim() {
            "sat" => Ok(ExternalAnswer::Sat),
            "unsat" => Ok(ExternalAnswer::Unsat),
            "unknown" => Ok(ExternalAnswer::Unknown),
            other => {
                self.close();
                Err(ExternalError::Nonsense(other.to_owned()))
            }
        }
    }

    /// Checks the conjunction of terms in a scope of its own.
    pub fn check_terms(
        &mut self,
        pool: &TermPool,
        roots: &[TermId],
        timeout: Duration,
    ) -> Result<ExternalAnswer, ExternalError> {
        let script = format!("(push 1)\n{}", pool.smtlib_script(roots));
        let answer = self.check(&script, timeout)?;
        self.send("(pop 1)\n")?;
        Ok(answer)
    }

    /// Checks the conjunction of terms and, if satisfiable, returns values for their variables.
    ///
    /// Array variables are left out of the model.
    pub fn solve_terms(
        &mut self,
        pool: &TermPool,
        roots: &[TermId],
        timeout: Duration,
    ) -> Result<(ExternalAnswer, Assignment), ExternalError> {
        let deadline = Instant::now() + timeout;
        let script = format!("(push 1)\n{}", pool.smtlib_script(roots));
        let answer = self.check(&script, timeout)?;
        let mut model = Assignment::new();
        if answer == ExternalAnswer::Sat {
            for id in pool.free_variables(roots) {
                let Term::Var(symbol) = pool.term(id) else {
                    continue;
                };
                let sort = pool.sort(id);
                if matches!(sort, Sort::Array { .. }) {
                    continue;
                }
                self.send(&format!(
                    "(get-value ({}))\n",
                    symbol_text(pool.symbol(*symbol).0)
                ))?;
                let value = self.value(sort, deadline)?;
                model.insert(id, value);
            }
        }
        self.send("(pop 1)\n")?;
        Ok((answer, model))
    }

    fn value(&mut self, sort: Sort, deadline: Instant) -> Result<Value, ExternalError> {
        let mut text = String::new();
        let parsed = loop {
            text += &self.line(deadline)?;
            text.push('\n');
            if let Some(parsed) = parse_sexpr(&text) {
                break parsed;
            }
        };
        let value = match &parsed {
            SExpr::List(pairs) => match pairs.first() {
                Some(SExpr::List(pair)) if pair.len() == 2 => pair[1].value(sort),
                _ => None,
            },
            SExpr::Atom(_) => None,
        };
        value.ok_or_else(|| {
            self.close();
            ExternalError::Nonsense(text)
        })
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.close();
    }
}
