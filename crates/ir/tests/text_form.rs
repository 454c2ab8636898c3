//! The text form prints and reads back identically; broken text and broken programs are refused.

use raddle_ir::{print, read, verify};

const SAMPLE: &str = include_str!("programs/everything.rir");

#[test]
fn print_after_read_is_identical() {
    let program = read(SAMPLE).expect("the sample is IR");
    assert_eq!(print(&program), SAMPLE);
    assert_eq!(verify(&program), vec![]);
}

#[test]
fn every_truncation_is_refused_or_read_without_panic() {
    for end in 0..SAMPLE.len() {
        if let (true, Ok(program)) = (SAMPLE.is_char_boundary(end), read(&SAMPLE[..end])) {
            verify(&program);
        }
    }
}

#[test]
fn every_changed_byte_is_survived() {
    let bytes = SAMPLE.as_bytes();
    for at in 0..bytes.len() {
        for new in [b'0', b'9', b'#', b' ', b'\n', b'"', b'%'] {
            let mut copy = bytes.to_vec();
            copy[at] = new;
            if let Some(Ok(program)) = std::str::from_utf8(&copy).ok().map(read) {
                verify(&program);
            }
        }
    }
}

/// Each pair changes the sample so that exactly the named rule is broken.
#[test]
fn each_rule_can_be_broken() {
    let cases = [
        ("rule 1", "goto b1", "goto b99"),
        ("rule 1", "live $buf#0", "live $buf#7"),
        ("rule 2", "entry &entry#2", "entry &worker#1"),
        ("rule 4", "use 7:i32", "use 4294967296:i32"),
        ("rule 5", "use 7:i32", "use 7:i64"),
        ("rule 6", "trunc i64 i8", "zext i64 i8"),
        ("rule 7", "call &worker#1 (0:ptr)", "call &worker#1 ()"),
        ("rule 8", "sync mutex_lock (@m#1)", "sync mutex_lock ()"),
        ("rule 9", "5:i32 atomic_acq_rel", "5:i32 plain"),
        ("rule 10", "bits 3 5 4", "bits 30 5 4"),
        ("rule 11", "8: &worker#1 0,", "12: &worker#1 0,"),
        ("rule 12", "1: b1, 2: b2,", "1: b1, 1: b2,"),
    ];
    for (rule, from, to) in cases {
        assert!(SAMPLE.contains(from), "{from} is not in the sample");
        let broken = read(&SAMPLE.replacen(from, to, 1)).expect("still readable");
        let found = verify(&broken);
        assert!(
            found.iter().any(|i| i.what.starts_with(rule)),
            "{rule} not found in {found:?}"
        );
    }
}
