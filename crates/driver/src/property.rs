//! What to check: names from the command line, or a property file of the software-verification competition.
//!
//! A file is taken by its content: each `CHECK( init(main()), LTL(…) )` is one property. What is not known is refused, never
//! left out.

use raddle_ir::Property;
use std::path::Path;

/// What `verify` checks if nothing is said.
pub const DEFAULT: &str = "unreach-call,no-data-race,no-deadlock,valid-memsafety,valid-sync,no-div-zero,no-bad-shift,no-uninit";

/// Why there are no properties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// The command line makes no sense.
    Usage(String),
    /// The property file makes no sense.
    BadFile(String),
}

/// The properties of comma-separated lists of names and property files, in the order of [`Property::ALL`].
pub fn parse<L: AsRef<str>>(lists: &[L]) -> Result<Vec<Property>, Mistake> {
    let mut all: Vec<Property> = Vec::new();
    for word in lists.iter().flat_map(|l| l.as_ref().split(',')) {
        let word = word.trim();
        if Path::new(word).extension().is_some_and(|e| e == "prp") {
            all.extend(read(Path::new(word)).map_err(Mistake::BadFile)?);
            continue;
        }
        all.extend(named(word).map_err(Mistake::Usage)?);
    }
    all.sort_unstable();
    all.dedup();
    match all.is_empty() {
        true => Err(Mistake::Usage("there is nothing to check".into())),
        false => Ok(all),
    }
}

/// The properties a name stands for.
pub fn named(name: &str) -> Result<Vec<Property>, String> {
    match name {
        "all" => return Ok(Property::ALL.to_vec()),
        "none" => return Ok(Vec::new()),
        _ => {}
    }
    match Property::from_name(name) {
        found if found.is_empty() => Err(format!(
            "unknown property `{name}`; see `raddle run --help` for the list"
        )),
        found => Ok(found),
    }
}

fn read(path: &Path) -> Result<Vec<Property>, String> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).map_err(|e| format!("cannot read {shown}: {e}"))?;
    file(&text).map_err(|message| format!("{shown}: {message}"))
}

const EXPECTED: &str = "expected CHECK( init(main()), LTL(…) )";

/// The properties of a property file's text.
pub fn file(text: &str) -> Result<Vec<Property>, String> {
    let squeezed: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let mut pieces = squeezed.split("CHECK(");
    if pieces.next().is_some_and(|before| !before.is_empty()) {
        return Err(EXPECTED.into());
    }
    let mut all = Vec::new();
    for piece in pieces {
        let formula = piece.strip_prefix("init(main()),LTL(");
        let formula = formula.and_then(|f| f.strip_suffix("))")).ok_or(EXPECTED)?;
        all.push(match formula {
            "G!call(reach_error())" | "G!call(__VERIFIER_error())" => Property::UnreachCall,
            "G!data-race" => Property::NoDataRace,
            "G!overflow" => Property::NoOverflow,
            "G!deadlock" => Property::NoDeadlock,
            "Gvalid-free" => Property::ValidFree,
            "Gvalid-deref" => Property::ValidDeref,
            "Gvalid-memtrack" => Property::ValidMemtrack,
            "Gvalid-memcleanup" => Property::ValidMemcleanup,
            other => return Err(format!("the property LTL({other}) is not supported")),
        });
    }
    match all.is_empty() {
        true => Err("there is no property in it".into()),
        false => Ok(all),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn property_files_are_read_by_content() {
        let one = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
        assert_eq!(file(one), Ok(vec![Property::UnreachCall]));
        let three = "CHECK( init(main()), LTL(G valid-free) )\n\
                     CHECK( init(main()), LTL(G valid-deref) )\n\
                     CHECK( init(main()), LTL(G valid-memtrack) )\n\n";
        assert_eq!(
            file(three),
            Ok(vec![
                Property::ValidFree,
                Property::ValidDeref,
                Property::ValidMemtrack
            ])
        );
        let race = "CHECK( init(main()), LTL(G ! data-race) )";
        assert_eq!(file(race), Ok(vec![Property::NoDataRace]));
        let overflow = "CHECK(init(main()),LTL(G!overflow))";
        assert_eq!(file(overflow), Ok(vec![Property::NoOverflow]));
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for text in [
            "",
            "hello",
            "CHECK( init(main()), LTL(F end) )",
            "CHECK( init(f()), LTL(G ! data-race) )",
            "CHECK( init(main()), LTL(G ! data-race) ) and more",
            "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )",
        ] {
            assert!(file(text).is_err(), "{text}");
        }
    }

    #[test]
    fn names_are_listed_with_commas() {
        let default = parse(&[DEFAULT]).expect("the default makes sense");
        assert_eq!(default.len(), 10);
        assert!(default.contains(&Property::ValidFree));
        assert!(matches!(parse(&["none"]), Err(Mistake::Usage(_))));
        assert!(matches!(parse(&["no-such"]), Err(Mistake::Usage(_))));
        assert!(matches!(
            parse(&["no/such/file.prp"]),
            Err(Mistake::BadFile(_))
        ));
        assert_eq!(parse(&["no-overflow,no-overflow"]).map(|p| p.len()), Ok(1));
    }
}
