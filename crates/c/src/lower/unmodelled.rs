//! What the modelled library does not do, seen where it is called.
//!
//! A function without a body returns any value and does nothing else. Of some functions of the C library that would be wrong in both directions: a
//! signal that is raised runs its handler before anything else happens. They are refused, and so are functions of the library that are modelled, where they are asked for
//! something they are not able to do. Whoever installs a handler of signals is told that no signal was considered, whoever passes a function to a
//! function without a body that it was not called; what goes wrong without that goes wrong all the same.

use super::build::FunctionBuilder;
use super::formats;
use super::jumps::Jump;
use crate::diagnostic::{Result, refuse};
use crate::hir::*;
use raddle_ir as ir;

/// Whether a program that uses this function, and has none of its own, is refused.
pub(super) fn is_refused(name: &str) -> bool {
    let signals = [
        "raise",
        "kill",
        "killpg",
        "tgkill",
        "sigqueue",
        "pthread_kill",
        "pthread_sigqueue",
    ];
    // A child shares files, mappings and named semaphores with its parent, so neither goes on as if it were alone.
    let processes = ["fork", "vfork", "_Fork", "clone", "clone3"];
    let other = name == "_pthread_cleanup_push" || Jump::named(name).is_some();
    signals.contains(&name) || processes.contains(&name) || other
}

/// Whether it is a function of stdio.h that may be a cancellation point.
fn is_stdio(name: &str) -> bool {
    let all = [
        "clearerr",
        "dprintf",
        "fclose",
        "fflush",
        "fgetc",
        "fgets",
        "fopen",
        "fprintf",
        "fputc",
        "fputs",
        "fread",
        "freopen",
        "fscanf",
        "fseek",
        "fwrite",
        "getc",
        "getchar",
        "getdelim",
        "getline",
        "pclose",
        "perror",
        "popen",
        "printf",
        "putc",
        "putchar",
        "puts",
        "scanf",
        "vfprintf",
        "vprintf",
        "__printf_chk",
        "__fprintf_chk",
        "__isoc99_scanf",
        "__isoc99_fscanf",
    ];
    all.contains(&name)
}

impl FunctionBuilder<'_, '_, '_> {
    /// Refuses a call, or notes what the answer will not hold for.
    pub(super) fn look_at_callee(
        &mut self,
        callee: Option<FunctionId>,
        args: &[Expr],
        values: &[ir::Operand],
    ) -> Result<()> {
        let Some(callee) = callee else { return Ok(()) };
        let function = &self.lower.sema.functions[callee.0 as usize];
        let name = function.name.clone();
        if function.body.is_none() {
            self.note_handlers(&name, args, values);
            return Ok(());
        }
        if !self.lower.sema.is_library(function.unit) {
            return Ok(());
        }
        let one_of = |index: usize, known: &[u128]| match values.get(index) {
            Some(ir::Operand::Const { bits, .. }) => known.contains(bits),
            _ => false,
        };
        if is_stdio(&name) {
            self.note_stdio();
        }
        match &*name {
            "pthread_mutexattr_setrobust" | "pthread_mutexattr_setrobust_np"
                if !one_of(1, &[0]) =>
            {
                return refuse(self.at, "robust mutexes are not supported");
            }
            "pthread_rwlockattr_setkind_np" if !one_of(1, &[0, 1]) => {
                return refuse(
                    self.at,
                    "reader-writer locks that prefer writers are not supported",
                );
            }
            "getenv" | "secure_getenv" => {
                self.limit("values of the environment of up to 15 characters".to_owned());
            }
            // Ignoring a signal, or leaving it as it is, is a constant.
            "signal" | "bsd_signal" | "__sysv_signal" | "sysv_signal"
                if !matches!(values.get(1), Some(ir::Operand::Const { .. })) =>
            {
                self.limit("runs without signals".to_owned());
            }
            "sigaction" => self.limit("runs without signals".to_owned()),
            "mmap" | "mmap64" => match values.get(3) {
                Some(ir::Operand::Const { bits, .. }) if bits & 0x10 != 0 => {
                    return refuse(self.at, "`MAP_FIXED` is not supported");
                }
                Some(ir::Operand::Const { bits, .. }) if bits & 0x20 != 0 => {}
                _ => self.limit("files that are mapped only once".to_owned()),
            },
            "getline" | "getdelim" => {
                self.limit("lines of up to 15 characters".to_owned());
            }
            "inet_ntop" | "inet_pton" if !one_of(0, &[2]) => {
                return refuse(self.at, "addresses of IPv6 as text are not supported");
            }
            "pipe" | "pipe2" | "socketpair" | "eventfd" if !self.function.library => {
                let what = format!("`{name}` never fails");
                self.lower.assume(what, self.at);
            }
            "ioctl" if !self.is_known_request(values) => {
                return refuse(self.at, "this request of `ioctl` is not supported");
            }
            "readdir" | "getcwd" | "realpath" | "gethostname" | "uname" | "readlink"
            | "ttyname" | "getlogin" | "getpwnam" | "getpwuid" | "getgrnam" | "getgrgid"
            | "ptsname" | "tmpnam" | "gethostbyname" | "getpwnam_r" | "getpwuid_r"
            | "gethostbyname_r" | "getifaddrs" => {
                self.limit("names of up to 15 characters from outside".to_owned());
            }
            _ => {}
        }
        if let Some((index, kind)) = formats::format_of(&name)
            && let Some(text) = args.get(index).and_then(|a| self.literal(a))
            && let Some(conversion) = formats::unmodelled(&text, kind)
        {
            return refuse(
                self.at,
                format!("the conversion `{conversion}` is not supported"),
            );
        }
        Ok(())
    }

    /// Threads may be cancelled within functions of stdio.h, and do not have to be.
    pub(super) fn note_stdio(&mut self) {
        if !self.function.library && self.lower.is_used("pthread_cancel") {
            let what = "runs in which no thread is cancelled within a function of stdio.h";
            self.limit(what.to_owned());
        }
    }

    /// Whether it is known what a request of `ioctl` writes: it says so itself, or is one of the old ones that are listed.
    fn is_known_request(&self, values: &[ir::Operand]) -> bool {
        // TIOCGWINSZ, TIOCSWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX
        const OLD: [u128; 6] = [0x5413, 0x5414, 0x541b, 0x5421, 0x5450, 0x5451];
        match values.get(1) {
            Some(ir::Operand::Const { bits, .. }) => OLD.contains(bits) || bits >> 30 & 3 != 0,
            _ => false,
        }
    }

    /// What `pthread_cleanup_push` keeps in variables beside its buffer: the handler and its argument.
    pub(super) fn cleanup_handler(
        &mut self,
        callee: Option<FunctionId>,
    ) -> Result<Vec<ir::Operand>> {
        let name = callee.map(|f| &*self.lower.sema.functions[f.0 as usize].name);
        if name != Some("__pthread_register_cancel") || self.function.library {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        for wanted in ["__cancel_routine", "__cancel_arg"] {
            let vars = self.body.vars.iter();
            let at = vars
                .rev()
                .position(|v| v.scope == self.scope && *v.name == *wanted);
            let Some(at) = at else {
                return refuse(
                    self.at,
                    "a cleanup handler of an unknown form is not supported",
                );
            };
            let var = VarId((self.body.vars.len() - 1 - at) as u32);
            let ty = self.body.vars[var.0 as usize].ty;
            let place = self.var_place(var, ty);
            found.push(self.load(place)?);
        }
        Ok(found)
    }

    /// Notes that a function without a body may call what it is given.
    fn note_handlers(&mut self, name: &str, args: &[Expr], values: &[ir::Operand]) {
        let calls = |b: &Self, index: usize| match values.get(index) {
            Some(ir::Operand::Const { .. }) | None => false,
            Some(ir::Operand::Function(id)) => b.lower.has_body(*id),
            Some(_) => {
                let types = &b.lower.sema.types;
                let to = args.get(index).and_then(|a| types.pointee(a.ty));
                to.is_some_and(|to| types.function_type(to).is_some())
            }
        };
        match name {
            "sigset" | "__sigaction" | "sigvec" => self.limit("runs without signals".to_owned()),
            _ => {
                if (0..values.len()).any(|index| calls(self, index)) {
                    self.limit(format!("runs in which `{name}` calls nothing"));
                }
            }
        }
    }

    fn limit(&mut self, what: String) {
        if self.lower.program.limits.iter().all(|l| l.what != what) {
            let span = self.lower.ir_span(self.at);
            let kind = ir::LimitKind::Callbacks;
            let limit = ir::Limit { kind, what, span };
            self.lower.program.limits.push(limit);
        }
    }

    /// The text of an argument that is a string literal.
    fn literal(&self, arg: &Expr) -> Option<Vec<u8>> {
        match &arg.kind {
            Kind::Cast(inner) | Kind::AddressOf(inner) => self.literal(inner),
            Kind::Object(id) => {
                let bytes = self.lower.sema.objects[id.0 as usize].bytes.as_ref()?;
                Some(bytes.iter().copied().take_while(|&b| b != 0).collect())
            }
            _ => None,
        }
    }
}
