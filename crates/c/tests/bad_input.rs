//! Broken text gets a diagnostic with a place, never a panic: truncated and byte-flipped programs, deep nesting,
//! and a list of small wrong programs with what is said about them.

use raddle_c::{Options, check, compile, compile_text};
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
        Ok(_) => String::new(),
        Err(failure) => failure.render(),
    }
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
            let said = message(&broken);
            assert!(said.is_empty() || said.contains("error: "), "{said}");
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
            "int main(void) { int setjmp(int *); int b; return setjmp(&b); }",
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
