//! Sizes, offsets, alignments and the place of every bit, against gcc, for random records in both data models.
//!
//! gcc's view comes from the assembly it writes for initialised objects, so nothing has to be linked or run.
//! Skipped where there is no gcc that takes `-m32`.

use raddle_c::{Options, compile_text};
use raddle_ir::{DataModel, InitValue};
use std::collections::HashMap;
use std::fmt::Write;
use std::process::{Command, Stdio};

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len() as u64) as usize]
    }
}

const INTS: &[(&str, u64)] = &[
    ("char", 8),
    ("unsigned char", 8),
    ("short", 16),
    ("int", 32),
    ("unsigned", 32),
    ("long long", 64),
    ("unsigned long long", 64),
    ("_Bool", 1),
];
const OTHERS: &[&str] = &[
    "char",
    "short",
    "int",
    "long",
    "long long",
    "float",
    "double",
    "long double",
    "void *",
    "_Bool",
    "enum tag",
    "_Atomic long long",
    "_Atomic int",
    "a8",
    "struct first",
    "union second",
];

/// A random record; returns its text and the names of its bit-fields and other members.
fn record(r: &mut Random, name: &str) -> (String, Vec<String>, Vec<String>) {
    let mut text = String::new();
    let (mut bits, mut plain) = (Vec::new(), Vec::new());
    let kind = if r.below(6) == 0 { "union" } else { "struct" };
    let pack = [0, 0, 0, 0, 1, 2, 4][r.below(7) as usize];
    if pack > 0 {
        let _ = writeln!(text, "#pragma pack(push, {pack})");
    }
    let _ = write!(text, "typedef {kind} {{ ");
    for i in 0..1 + r.below(7) {
        let attribute = r.pick(&[
            "",
            "",
            "",
            "",
            "",
            "",
            "__attribute__((packed))",
            "__attribute__((aligned(8)))",
        ]);
        match r.below(8) {
            0..=3 => {
                let (ty, width) = INTS[r.below(INTS.len() as u64) as usize];
                match r.below(10) {
                    0 => {
                        let _ = write!(text, "{ty} : 0; ");
                    }
                    1 => {
                        let _ = write!(text, "{ty} : {}; ", 1 + r.below(width));
                    }
                    _ => {
                        let attribute = if attribute.contains("aligned") {
                            ""
                        } else {
                            attribute
                        };
                        let _ = write!(text, "{ty} b{i} : {} {attribute}; ", 1 + r.below(width));
                        bits.push(format!("b{i}"));
                    }
                }
            }
            4 => {
                let _ = write!(
                    text,
                    "{} m{i}[{}] {attribute}; ",
                    r.pick(OTHERS),
                    1 + r.below(3)
                );
                plain.push(format!("m{i}"));
            }
            5 => {
                let _ = write!(text, "struct {{ char x{i}; {} y{i}; }}; ", r.pick(OTHERS));
                plain.push(format!("x{i}"));
                plain.push(format!("y{i}"));
            }
            _ => {
                let _ = write!(text, "{} m{i} {attribute}; ", r.pick(OTHERS));
                plain.push(format!("m{i}"));
            }
        }
    }
    let whole = r.pick(&[
        "",
        "",
        "",
        "",
        "__attribute__((packed))",
        "__attribute__((aligned(16)))",
    ]);
    let _ = writeln!(text, "}} {whole} {name};");
    if pack > 0 {
        text.push_str("#pragma pack(pop)\n");
    }
    (text, bits, plain)
}

/// The bytes of every object in assembly text.
fn read_assembly(text: &str) -> HashMap<String, Vec<u8>> {
    let mut objects: HashMap<String, Vec<u8>> = HashMap::new();
    let mut current = String::new();
    let number = |s: &str| -> i128 { s.trim().parse().unwrap_or(0) };
    for line in text.lines().map(str::trim) {
        if let Some(label) = line.strip_suffix(':') {
            current = label.to_owned();
            objects.entry(current.clone()).or_default();
            continue;
        }
        let (directive, value) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let width = match directive {
            ".byte" => 1,
            ".value" => 2,
            ".long" => 4,
            ".quad" => 8,
            ".zero" => {
                let bytes = objects.entry(current.clone()).or_default();
                bytes.extend(std::iter::repeat_n(0, number(value) as usize));
                continue;
            }
            _ => continue,
        };
        let bytes = objects.entry(current.clone()).or_default();
        bytes.extend(&number(value).to_le_bytes()[..width]);
    }
    objects
}

fn gcc(text: &str, flag: &str) -> Option<String> {
    use std::io::Write;
    let mut child = Command::new("gcc")
        .args([
            flag,
            "-S",
            "-w",
            "-O0",
            "-fno-zero-initialized-in-bss",
            "-x",
            "c",
            "-",
            "-o",
            "-",
        ])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(text.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    if !output.status.success() {
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!messages.contains("error:"), "{messages}\n{text}");
        return None;
    }
    String::from_utf8(output.stdout).ok()
}

fn compare(model: DataModel, flag: &str, seed: u64) {
    let mut random = Random(seed);
    let mut text = String::from(
        "typedef long long a8 __attribute__((aligned(8)));\nenum tag { A, B };\n\
         struct first { char c; long long l; };\nunion second { char c[5]; double d; };\n",
    );
    let mut objects = Vec::new();
    for i in 0..60 {
        let name = format!("t{i}");
        let (definition, bits, plain) = record(&mut random, &name);
        text.push_str(&definition);
        let _ = write!(
            text,
            "unsigned s{i}[] = {{ sizeof({name}), __alignof__({name}), _Alignof({name})"
        );
        for member in &plain {
            let _ = write!(text, ", __builtin_offsetof({name}, {member})");
        }
        text.push_str(" };\n");
        objects.push(format!("s{i}"));
        for member in bits {
            let object = format!("g{i}_{member}");
            let _ = writeln!(text, "{name} {object} = {{ .{member} = -1 }};");
            objects.push(object);
        }
    }
    let Some(assembly) = gcc(&text, flag) else {
        eprintln!("no gcc with {flag}: skipped");
        return;
    };
    let expected = read_assembly(&assembly);
    let uses: String = objects.iter().map(|o| format!("use(&{o}); ")).collect();
    let source = format!("{text}\nvoid use(void *); int main(void) {{ {uses} return 0; }}");
    let options = Options {
        model,
        ..Options::default()
    };
    let program = compile_text("layout.i", &source, &options).expect("the program is accepted");
    for object in &objects {
        let global = program
            .globals
            .iter()
            .find(|g| g.name == *object)
            .expect("it is used");
        let mut bytes = vec![0; global.size as usize];
        for init in &global.init {
            if let InitValue::Bytes(b) = &init.value {
                bytes[init.offset as usize..init.offset as usize + b.len()].copy_from_slice(b);
            }
        }
        let wanted = &expected[object];
        let record: String = text
            .lines()
            .filter(|l| {
                l.contains(&format!(
                    " t{};",
                    object[1..].split('_').next().unwrap_or("")
                ))
            })
            .collect();
        assert_eq!(&bytes, wanted, "{object} with {flag}: {record}");
    }
}

#[test]
fn records_are_laid_out_as_gcc_does() {
    for seed in 1..=6 {
        compare(DataModel::Lp64, "-m64", seed);
        compare(DataModel::Ilp32, "-m32", seed);
    }
}
