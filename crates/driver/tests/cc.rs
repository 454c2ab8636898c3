//! `raddle cc` in a build with objects, an archive and flags of its own, and `raddle verify` on what came out.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const QUEUE: &str = "
#include \"queue.h\"
int count;
void put(void) { count = count + STEP; }
";

const MAIN: &str = "
#include <pthread.h>
#include \"queue.h\"
static void *work(void *unused) { put(); return unused; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    if (THREADS == 2) put();
    pthread_join(t, 0);
    return 0;
}
";

fn directory() -> PathBuf {
    let dir = std::env::temp_dir().join(format!("raddle-cc-{}", std::process::id()));
    std::fs::create_dir_all(dir.join("include")).expect("a directory");
    std::fs::create_dir_all(dir.join("lib")).expect("a directory");
    let write = |name: &str, text: &str| std::fs::write(dir.join(name), text).expect("a file");
    write("include/queue.h", "extern int count;\nvoid put(void);\n");
    write("lib/queue.c", QUEUE);
    write("main.c", MAIN);
    write("broken.c", "int main(void) { return 1 +; }\n");
    dir
}

fn run(program: &str, words: &[&str], dir: &Path) -> Output {
    let output = Command::new(program).args(words).current_dir(dir).output();
    output.unwrap_or_else(|e| panic!("{program}: {e}"))
}

fn raddle(words: &[&str], dir: &Path) -> (i32, String) {
    let output = run(env!("CARGO_BIN_EXE_raddle"), words, dir);
    let text = [output.stdout, output.stderr].concat();
    let code = output.status.code().expect("an exit code");
    (code, String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn a_program_knows_its_sources() {
    let dir = directory();
    let at = |name: &str| dir.join(name);
    let cc = |words: &str, dir: &Path| {
        let words: Vec<&str> = ["cc"].into_iter().chain(words.split(' ')).collect();
        let (code, text) = raddle(&words, dir);
        assert!(code == 0 && text.is_empty(), "{words:?}: {text}");
    };
    // The object is made in another directory, and goes into an archive.
    cc("-c -I../include -DSTEP=1 queue.c", &at("lib"));
    assert!(
        run("ar", &["rcs", "libqueue.a", "queue.o"], &at("lib"))
            .status
            .success()
    );
    for (threads, code) in [("1", 0), ("2", 1)] {
        let object = format!("main{threads}.o");
        cc(
            &format!("-c -Iinclude -DTHREADS={threads} main.c -o {object}"),
            &dir,
        );
        let program = format!("program{threads}");
        cc(
            &format!("{object} -o {program} -Llib -lqueue -lpthread"),
            &dir,
        );
        assert!(
            run(&at(&program).display().to_string(), &[], &dir)
                .status
                .success()
        );
        // From somewhere else.
        let (found, text) = raddle(
            &["verify", &at(&program).display().to_string()],
            Path::new("/"),
        );
        assert_eq!(found, code, "{text}");
        assert_eq!(text.contains("data race on `count`"), code == 1, "{text}");
    }
    // All at once.
    cc(
        "-Iinclude -DTHREADS=2 -DSTEP=2 main.c lib/queue.c -o both -lpthread",
        &dir,
    );
    let (code, text) = raddle(&["verify", "both"], &dir);
    assert_eq!(code, 1, "{text}");
}

#[test]
fn mistakes_are_those_of_the_compiler() {
    let dir = directory();
    let (code, text) = raddle(&["cc", "broken.c"], &dir);
    let cc = run("cc", &["broken.c"], &dir);
    assert_eq!(Some(code), cc.status.code());
    assert_eq!(text, String::from_utf8_lossy(&cc.stderr));
    let (code, text) = raddle(&["cc", "--version"], &dir);
    assert!(code == 0 && !text.contains("raddle"), "{text}");
    let (code, text) = raddle(&["verify", "/bin/true"], &dir);
    assert!(code == 65 && text.contains("raddle cc"), "{text}");
}

#[test]
fn a_database_decides_the_data_model() {
    let dir = directory();
    let write = |name: &str, text: &str| std::fs::write(dir.join(name), text).expect("a file");
    write(
        "narrow.c",
        "extern int other(void);\nint main(void) { return sizeof(long) == 4 ? 0 : *(int *)0; }\n",
    );
    write("wide.c", "int other(void) { return 0; }\n");
    let database = |flag: &str| {
        let entry = |file: &str, flag: &str| {
            format!(
                "{{\"directory\": \".\", \"file\": \"{file}\", \"command\": \"cc {flag} -c {file}\"}}"
            )
        };
        write(
            "narrow.json",
            &format!("[{}, {}]", entry("narrow.c", "-m32"), entry("wide.c", flag)),
        );
    };
    database("-m32");
    let words = [
        "verify",
        "narrow.c",
        "--property",
        "valid-deref",
        "--compile-commands",
        "narrow.json",
    ];
    let (code, text) = raddle(&words, &dir);
    assert!(code == 0 && text.contains("data model ILP32"), "{text}");
    database("-m64");
    let both = [
        "verify",
        "narrow.c",
        "wide.c",
        "--compile-commands",
        "narrow.json",
    ];
    let (code, text) = raddle(&both, &dir);
    assert!(code == 65 && text.contains("-m32"), "{text}");
}
