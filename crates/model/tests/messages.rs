//! Bad models get messages with a place and a suggestion; and whatever is done to a text, nothing panics.

use raddle_model::{compile, format};

/// The message of a bad model, as a reader sees it.
fn message(text: &str) -> String {
    match compile("m.rad", text, &[]) {
        Ok(_) => panic!("accepted: {text}"),
        Err(d) => d.render("m.rad", text),
    }
}

fn says(text: &str, parts: &[&str]) {
    let message = message(text);
    for part in parts {
        assert!(message.contains(part), "`{part}` is missing in:\n{message}");
    }
    assert!(message.contains("help:"), "no suggestion in:\n{message}");
}

#[test]
fn an_unknown_name_is_marked_and_the_nearest_one_suggested() {
    let text = "int counter;\nprocess P {\n    conuter = 1;\n}\n";
    let expected = "m.rad:3:5: error: `conuter` is not declared\n  |     conuter = 1;\n  |     ^^^^^^^\n  = help: did you mean `counter`?\n";
    assert_eq!(message(text), expected);
}

#[test]
fn types_are_checked() {
    says(
        "bool b; process P { b = 3; }",
        &["m.rad:1:25", "truth value", "!= 0"],
    );
    says(
        "int x; process P { if (x) skip; }",
        &["truth value is needed"],
    );
    says(
        "int x; uint y; process P { x = x + y; }",
        &["signed and unsigned"],
    );
    says("mutex m; process P { m = 1; }", &["a mutex has no value"]);
    says("int x; process P { x[0] = 1; }", &["no array"]);
    says("int a[3]; process P { a = 1; }", &["is an array", "a[0]"]);
    says(
        "int a[3]; process P { a[3] = 1; }",
        &["no element 3", "0 to 2"],
    );
    says(
        "int<8> x = 300; process P { skip; }",
        &["300 is no value of int<8>"],
    );
    says("int x; process P { wait(x, x); }", &["not a cond"]);
    says("const n = 3; process P { n = 4; }", &["is a constant"]);
}

#[test]
fn replication_has_an_end() {
    says(
        "process P[*] { skip; }",
        &["both ends", "0..n", "m.rad:1:11"],
    );
    says("process P[i: 0..] { skip; }", &["both ends"]);
    says(
        "process P[i: 0..1000] { skip; }",
        &["1000 processes are too many"],
    );
    says("process P[i: 3..3] { skip; }", &["this range is empty"]);
    says(
        "int x; process P[i: 0..x] { skip; }",
        &["known before the model runs"],
    );
    says(
        "process P { for i in 0..1000000 { skip; } }",
        &["50000 statements"],
    );
}

#[test]
fn constants_do_not_depend_on_themselves() {
    let text = "const a = b + 1;\nconst b = a;\nprocess P { skip; }";
    says(text, &["depends on itself", "a -> b -> a"]);
    says(
        "const a = 1 / 0; process P { skip; }"
            .replace("1 / 0", "c")
            .as_str(),
        &["known before"],
    );
}

#[test]
fn an_empty_file_is_no_model() {
    says("", &["the model is empty", "process P { skip; }"]);
    says("  // nothing\n", &["the model is empty"]);
    says("int x;", &["no process"]);
}

#[test]
fn mistakes_of_spelling_are_met_with_what_was_meant() {
    says("proces P { skip; }", &["did you mean `process`?"]);
    says("int x; process P { x = 1 }", &["expected `;`"]);
    says("int x; process P { x = 1;", &["never closed"]);
    says(
        "int x; process P { wile (true) { skip; } }",
        &["did you mean `while`?"],
    );
    says("process P { int if; }", &["is a keyword"]);
}

#[test]
fn a_parameter_has_to_be_one() {
    let text = "param size = 3; const n = size; process P[n] { skip; }";
    assert!(compile("m.rad", text, &[("size".into(), 5)]).is_ok());
    let error = compile("m.rad", text, &[("sise".into(), 5)]).expect_err("no such parameter");
    assert!(error.render("m.rad", text).contains("did you mean `size`?"));
}

const MODELS: &[&str] = &[
    include_str!("../../../benchmarks/project/indexer.rad"),
    include_str!("../../../benchmarks/project/file_system.rad"),
    include_str!("../../../benchmarks/project/dining_philosophers.rad"),
    "param n = 3; int<7> x = choose(0..3); mutex m, ms[n]; cond c; bool b[2] = {true, false};
     init { x = 2; for k in 0..2 { b[k] = k == 1; } }
     property p: always x < 100; property q: finally !(x == 5) || b[0];
     process P[i: 0..n] { local int t = x; lock(ms[i]); while (t > 0) { t--; if (b[t & 1]) break; }
       choose { x += 1; } or { atomic { assume x != 3; x = -x; } } wait(c, m); signal(c); broadcast(c); unlock(ms[i]); stop; }
     thread Q { int y[2]; y[x & 1] = int<8>(x) << 1; assert y[0] >= ~y[1] % 7 / 3; }",
];

#[test]
fn a_thousand_mutated_models_never_panic() {
    let mut state = 0x1234_5678_9abc_def1_u64;
    let mut below = move |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as usize % n.max(1)
    };
    let pieces = [
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        ";",
        "..",
        "0",
        "-1",
        "99999999999999999999",
        "int",
        "<",
        ">",
        "atomic",
        "choose",
        "or",
        "lock(m);",
        "x",
        "é",
        "\u{0}",
        "/*",
        "//",
        "process",
        "for i in 0..9 {",
        "!",
        "-",
        "const q = q;",
        "b[",
        "param",
    ];
    let mut accepted = 0;
    for round in 0..1000 {
        let mut text: Vec<char> = MODELS[round % MODELS.len()].chars().collect();
        for _ in 0..1 + below(3) {
            let at = below(text.len());
            match below(4) {
                0 => drop(text.remove(at)),
                1 => {
                    let end = (at + below(30)).min(text.len());
                    text.drain(at..end);
                }
                2 => {
                    let piece = pieces[below(pieces.len())];
                    text.splice(at..at, piece.chars());
                }
                _ => {
                    let end = (at + below(40)).min(text.len());
                    let copy: Vec<char> = text[at..end].to_vec();
                    let to = below(text.len());
                    text.splice(to..to, copy);
                }
            }
        }
        let text: String = text.into_iter().collect();
        match compile("m.rad", &text, &[]) {
            Ok(program) => {
                accepted += 1;
                assert_eq!(raddle_ir::verify(&program), Vec::new(), "{text}");
            }
            Err(d) => assert!(d.render("m.rad", &text).contains("error:")),
        }
        let _ = format(&text);
    }
    // Neither all nor none of them are mistakes.
    assert!((50..950).contains(&accepted), "{accepted} were accepted");
}

#[test]
fn the_unmutated_models_are_accepted_and_formatting_them_changes_nothing_but_space() {
    for text in MODELS {
        let program = compile("m.rad", text, &[]).expect("a good model");
        assert_eq!(raddle_ir::verify(&program), Vec::new());
        let once = format(text).expect("tokens");
        let words = |t: &str| t.split_whitespace().collect::<String>();
        assert_eq!(words(text), words(&once));
        assert_eq!(format(&once).expect("tokens"), once);
    }
}
