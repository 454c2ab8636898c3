//! One section of an ELF file, by name: where `raddle cc` keeps what it has recorded.
//!
//! Both classes, little-endian. The file is untrusted: whatever does not fit gives `None`.

/// What begins an ELF file.
const MAGIC: [u8; 4] = *b"\x7fELF";

/// Whether some bytes begin an ELF file.
pub fn is_elf(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// Where the header keeps the table of sections, and where a section keeps what is needed here.
struct Layout {
    wide: bool,
    table: usize,
    entry_size: usize,
    count: usize,
    names: usize,
    offset: usize,
    size: usize,
}

const WIDE: Layout = Layout {
    wide: true,
    table: 0x28,
    entry_size: 0x3a,
    count: 0x3c,
    names: 0x3e,
    offset: 0x18,
    size: 0x20,
};

const NARROW: Layout = Layout {
    wide: false,
    table: 0x20,
    entry_size: 0x2e,
    count: 0x30,
    names: 0x32,
    offset: 0x10,
    size: 0x14,
};

/// The contents of the first section of this name.
pub fn section<'a>(file: &'a [u8], name: &str) -> Option<&'a [u8]> {
    let layout = match file.get(..6)? {
        [0x7f, b'E', b'L', b'F', 2, 1] => WIDE,
        [0x7f, b'E', b'L', b'F', 1, 1] => NARROW,
        _ => return None,
    };
    let number = |at: usize, bytes: usize| {
        let field = file.get(at..at.checked_add(bytes)?)?;
        let digits = field.iter().rev();
        let value = digits.fold(0_u64, |n, byte| n << 8 | u64::from(*byte));
        usize::try_from(value).ok()
    };
    let word = if layout.wide { 8 } else { 4 };
    let table = number(layout.table, word)?;
    let entry_size = number(layout.entry_size, 2)?;
    let header = |index: usize| table.checked_add(index.checked_mul(entry_size)?);
    let contents = |at: usize| {
        let start = number(at.checked_add(layout.offset)?, word)?;
        let size = number(at.checked_add(layout.size)?, word)?;
        file.get(start..start.checked_add(size)?)
    };
    let names = contents(header(number(layout.names, 2)?)?)?;
    for index in 0..number(layout.count, 2)? {
        let at = header(index)?;
        let called = names.get(number(at, 4)?..)?;
        let called = called.split(|byte| *byte == 0).next()?;
        if called == name.as_bytes() {
            return contents(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{is_elf, section};

    #[test]
    fn the_running_program_has_a_text() {
        let path = std::env::current_exe().expect("a program runs");
        let file = std::fs::read(path).expect("it can be read");
        assert!(is_elf(&file));
        assert!(section(&file, ".text").is_some_and(|text| text.len() > 1000));
        assert!(section(&file, ".no-such-section").is_none());
    }

    #[test]
    fn damaged_files_have_no_sections() {
        let path = std::env::current_exe().expect("a program runs");
        let file = std::fs::read(path).expect("it can be read");
        for length in (0..64).chain([100, 1000, file.len() / 2]) {
            let _ = section(&file[..length.min(file.len())], ".text");
        }
        let mut file = file;
        for at in 0x20..0x40 {
            let byte = file[at];
            file[at] = 0xff;
            let _ = section(&file, ".text");
            file[at] = byte;
        }
    }
}
