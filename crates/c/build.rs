//! Collects the files of the modelled library, so that adding one needs no list to be kept.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=library");
    let root = env::var("CARGO_MANIFEST_DIR").expect("cargo sets this");
    let out = env::var("OUT_DIR").expect("cargo sets this");
    let mut files: Vec<_> = fs::read_dir(Path::new(&root).join("library"))
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .collect();
    files.sort();
    let mut text = String::from("&[\n");
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let _ = writeln!(
            text,
            "    (\"{name}\", include_str!({:?})),",
            file.display().to_string()
        );
    }
    text.push(']');
    fs::write(Path::new(&out).join("library.rs"), text).expect("the output directory is writable");
}
