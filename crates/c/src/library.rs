//! The text of the modelled library, embedded.

/// Name and contents of each file under `library/`.
pub(crate) const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/library.rs"));
