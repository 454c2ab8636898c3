//! Broken text gets a diagnostic with a place, never a panic: truncated and byte-flipped programs, deep nesting,
//! and a list of small wrong programs with what is said about them.

use raddle_c::{Options, check, compile, compile_text};
use raddle_ir::{Instr, Op, Program, SyncOp};
use std::path::{Path, PathBuf};

fn programs() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let mut files: Vec<_> = std::fs::read_dir(directory)
        .expect("the directory exists")
        .filter_map(|e| Some(e.ok()?.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "c"))
        .collect();
    files.sort();
    files
}

fn message(text: impl AsRef<[u8]>) -> String {
    match compile_text("t.c", text, &Options::default()) {
        Ok(program) => unsupported(&program),
        Err(failure) => failure.render(),
    }
}

/// What is not supported in a program: executions end where they reach it.
fn unsupported(program: &Program) -> String {
    let functions = program.functions.iter().filter(|f| !f.library);
    let instrs = functions.flat_map(|f| &f.blocks).flat_map(|b| &b.instrs);
    let ends = |i: &&Instr| matches!(i.op, Op::Sync { op, .. } if op == SyncOp::Unmodelled);
    let texts = instrs.filter(ends).map(|i| program.text(i.text));
    texts.collect::<Vec<_>>().join("\n")
}

#[test]
fn mutations_never_panic() {
    let mut seed: u64 = 0x2545_f491_4f6c_dd1d;
    let mut random = move |n: usize| {
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (seed >> 33) as usize % n.max(1)
    };
    let interesting = b"(){}[];,*&\"'\\#=.+-0x9aZ_\0\xff\n ";
    for file in programs() {
        let text = std::fs::read(&file).expect("it was listed");
        for round in 0..60 {
            let mut broken = text.clone();
            if round % 3 == 0 {
                broken.truncate(random(text.len()));
            } else {
                for _ in 0..=random(3) {
                    let at = random(broken.len());
                    match random(4) {
                        0 => broken[at] ^= 1 << random(8),
                        1 => broken[at] = interesting[random(interesting.len())],
                        2 => drop(broken.remove(at)),
                        _ => broken.insert(at, interesting[random(interesting.len())]),
                    }
                }
            }
            if let Err(failure) = compile_text("t.c", &broken, &Options::default()) {
                let said = failure.render();
                assert!(said.contains("error: "), "{said}");
            }
        }
    }
}

#[test]
fn deep_nesting_is_refused() {
    let deep = |open: &str, middle: &str, close: &str| {
        let n = 100_000;
        format!("{}{middle}{}", open.repeat(n), close.repeat(n))
    };
    let texts = [
        format!("int x = {};", deep("(", "1", ")")),
        format!("int main(void) {{ {} }}", deep("{", ";", "}")),
        format!("int x = {};", deep("-", "1", "")),
        format!("int x[] = {};", deep("{", "1", "}")),
        format!("int {};", deep("(", "x", ")")),
        format!("int {}x;", "*".repeat(100_000)),
        format!("int x{};", "[1]".repeat(100_000)),
        format!("int f(int x) {{ return x{}; }}", "[0]".repeat(100_000)),
        format!("int f(int x) {{ {} x = 1; }}", "if (x) ".repeat(100_000)),
        format!("int f(int x) {{ {} }}", "if (x) ; else ".repeat(100_000)),
        format!("int x = {};", deep("1 ? ", "1", " : 1")),
        format!("int f({}", "int (*g)(".repeat(100_000)),
        format!("{} x;", "struct { ".repeat(100_000)),
        format!("int x = {};", deep("sizeof(int[", "1", "])")),
        format!("{} int x;", "typeof(".repeat(100_000)),
    ];
    for text in texts {
        let said = message(&text);
        assert!(said.contains("error: "), "{:?} was accepted", &text[..40]);
    }
    let sum = format!(
        "int main(void) {{ int x = 1; return {} 0; }}",
        "x + ".repeat(5_000)
    );
    assert_eq!(message(sum), "");
}

#[test]
fn wrong_programs_are_explained() {
    let cases = [
        (
            "int main(void) { return y; }",
            "t.c:1:25: error: `y` is not declared",
        ),
        (
            "int main(void) { int x = ; }",
            "t.c:1:26: error: expected an expression, found `;`",
        ),
        ("foo x;", "t.c:1:1: error: unknown type name `foo`"),
        ("int x = 08;", "invalid digit"),
        ("int x = 1.0i;", "imaginary"),
        ("char *s = \"abc;", "unterminated"),
        ("int a[-1];", "negative"),
        (
            "_Static_assert(sizeof(int) == 8, \"no\");",
            "static assertion failed: no",
        ),
        (
            "int f(void); char f(void); int main(void) { return 0; }",
            "conflicting declarations of `f`",
        ),
        (
            "int f(void) { return 1; } int f(void) { return 2; }",
            "defined twice",
        ),
        (
            "struct s { int x; }; int main(void) { struct s v; return v.y; }",
            "has no member `y`",
        ),
        (
            "int main(void) { const int x = 1; x = 2; return x; }",
            "`const`",
        ),
        ("int main(void) { goto l; }", "label `l` is not defined"),
        ("int main(void) { break; }", "outside of a loop"),
        (
            "int main(void) { switch (1) { case 1: case 1: ; } }",
            "occurs twice",
        ),
        ("int main(void) { __asm__(\"int $3\"); }", "inline assembly"),
        (
            "int main(void) { void *p = &&l; goto *p; l: return 0; }",
            "label",
        ),
        (
            "int main(void) { double _Complex z = 1; return 0; }",
            "_Complex",
        ),
        (
            "void f(void) { } int main(void) { return f() + 1; }",
            "invalid operands",
        ),
        ("int main(void) { int x; return x(); }", "not a function"),
        (
            "int f(int); int main(void) { return f(1, 2); }",
            "takes 1 arguments",
        ),
        (
            "struct s; int main(void) { struct s x; return 0; }",
            "incomplete",
        ),
        ("", "there is no function `main`"),
        (
            "int main(void) { int setjmp(int *); int (*p)(int *) = setjmp; int b; return p(&b); }",
            "`setjmp` is not supported",
        ),
    ];
    for (text, wanted) in cases {
        let said = message(text);
        assert!(said.contains(wanted), "{text}: {said}");
    }
}

#[test]
fn what_is_not_reached_is_not_refused() {
    let text = "static double _Complex f(void) { __asm__(\"nop\"); return 1; }
        int g(void) { void *p = &&l; goto *p; l: return nowhere; }
        int main(void) { __asm__ volatile(\"\" ::: \"memory\"); return 0; }";
    assert_eq!(message(text), "");
}

#[test]
fn files_that_are_none() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR"));
    let options = Options::default();
    for (file, wanted) in [
        (directory.to_path_buf(), "is not a file"),
        (directory.join("missing.c"), "cannot read"),
    ] {
        let said = compile(&[file], &options)
            .expect_err("it is no program")
            .render();
        assert!(said.contains(wanted), "{said}");
    }
    let including = std::env::temp_dir().join(format!("raddle-missing-{}.c", std::process::id()));
    std::fs::write(&including, "#include \"no/such/file.h\"\n")
        .expect("temporary files can be written");
    let said = check(&[&including], &options)
        .expect_err("the include is missing")
        .render();
    let _ = std::fs::remove_file(&including);
    assert!(
        said.contains("the preprocessor failed") && said.contains("no/such/file.h"),
        "{said}"
    );
}

/// What changes the meaning of a name or a layout is followed or refused where it is used, never skipped.
#[test]
fn symbols_are_followed_or_refused() {
    let refused = [
        (
            "int f(void) __attribute__((ifunc(\"r\"))); int main(void) { return f(); }",
            "`ifunc`",
        ),
        (
            "static int f(void) __attribute__((weakref(\"g\"))); int main(void) { return f(); }",
            "`weakref`",
        ),
        (
            "void w(void) __attribute__((weak)); int main(void) { return w != 0; }",
            "may be missing",
        ),
        (
            "void w(void);\n#pragma weak w\nint main(void) { void (*p)(void) = w; return p != 0; }",
            "may be missing",
        ),
        (
            "extern int w __attribute__((weak)); int main(void) { return &w != 0; }",
            "may be missing",
        ),
        (
            "struct __attribute__((scalar_storage_order(\"big-endian\"))) s { int x; }; struct s v; int main(void) { return v.x; }",
            "`scalar_storage_order`",
        ),
        (
            "#pragma scalar_storage_order big-endian\nint main(void) { return 0; }",
            "`#pragma scalar_storage_order`",
        ),
        (
            "struct s { char a; int b : 3; } __attribute__((ms_struct)); int main(void) { return sizeof(struct s); }",
            "`ms_struct`",
        ),
        (
            "register int r asm(\"r12\"); int main(void) { return r; }",
            "`register`",
        ),
        (
            "int f(int) asm(\"raise\"); int main(void) { return f(1); }",
            "`f` is not supported",
        ),
        (
            "extern int b __attribute__((alias(\"a\"))); int main(void) { return b; }",
            "its alias",
        ),
    ];
    for (text, what) in refused {
        let message = message(text);
        assert!(
            message.contains(what) && message.contains("not supported"),
            "{text}: {message}"
        );
    }
    let fine = [
        "void w(void) __attribute__((weak)); int main(void) { w(); return 0; }",
        "void w(void) __attribute__((weak)); void w(void) {} int main(void) { return w != 0; }",
        "struct __attribute__((scalar_storage_order(\"little-endian\"))) s { int x; }; struct s v; int main(void) { return v.x; }",
        "static int f(void) __attribute__((weakref(\"g\"))); int main(void) { return 0; }",
        "int open(const char *, int, ...) asm(\"open64\"); int main(void) { return open(\"x\", 0); }",
    ];
    for text in fine {
        assert_eq!(message(text), "", "{text}");
    }
}

/// What the modelled library cannot do is refused where it is asked for it.
#[test]
fn what_the_library_cannot_do_is_refused() {
    let robust = "int pthread_mutexattr_setrobust(int *, int);";
    let kind = "int pthread_rwlockattr_setkind_np(int *, int);";
    let print = "int snprintf(char *, unsigned long, const char *, ...);";
    let scan = "int sscanf(const char *, const char *, ...);";
    let cases = [
        (
            robust,
            "int a; return pthread_mutexattr_setrobust(&a, 1);",
            "robust mutexes",
        ),
        (
            robust,
            "int a; return pthread_mutexattr_setrobust(&a, 0);",
            "",
        ),
        (
            kind,
            "int a[2]; return pthread_rwlockattr_setkind_np(a, 2);",
            "prefer writers",
        ),
        (
            kind,
            "int a[2]; return pthread_rwlockattr_setkind_np(a, 1);",
            "",
        ),
        (
            print,
            "char b[9]; return snprintf(b, 9, \"%2$d%1$d\", 1, 2);",
            "`%2$d`",
        ),
        (print, "char b[9]; return snprintf(b, 9, \"%5d\", 1);", ""),
        (scan, "char *b; return sscanf(\"x\", \"%ms\", &b);", "`%ms`"),
        (scan, "int b; return sscanf(\"x\", \"%d\", &b);", ""),
    ];
    for (declaration, body, what) in cases {
        let message = message(format!("{declaration} int main(void) {{ {body} }}"));
        assert_eq!(what.is_empty(), message.is_empty(), "{body}: {message}");
        assert!(message.contains(what), "{body}: {message}");
    }
    let lock = "enum { PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP = 2 };
        int pthread_rwlock_rdlock(void *); struct { int word[14]; } lock = {{KIND}};
        int main(void) { return pthread_rwlock_rdlock(&lock); }";
    let prefers = lock.replace("KIND", "PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP");
    assert!(message(prefers).contains("prefer writers"));
    assert_eq!(message(lock.replace("KIND", "0")), "");
}
