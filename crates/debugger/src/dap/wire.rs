//! Messages as they come and go: a header with a length, then JSON.

use serde_json::Value;
use std::io::{BufRead, Read, Write};

/// No message of a client is longer.
const LONGEST: usize = 64 << 20;

/// The next message; `None` at the end of the input, or if it is not one.
pub fn read_message(input: &mut impl BufRead) -> Option<Value> {
    let mut length = None;
    loop {
        let mut line = String::new();
        // A header of a megabyte is none.
        let read = input.by_ref().take(1 << 20).read_line(&mut line).ok()?;
        if read == 0 {
            return None;
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        let (name, value) = line.split_once(':')?;
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().ok();
        }
    }
    let length: usize = length.filter(|n| *n <= LONGEST)?;
    let mut body = vec![0; length];
    input.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

/// Sends a message.
pub fn write_message(output: &mut dyn Write, message: &Value) -> std::io::Result<()> {
    let body = message.to_string();
    write!(output, "Content-Length: {}\r\n\r\n{body}", body.len())?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn messages_come_back() {
        let message = json!({"seq": 1, "type": "request", "command": "größe"});
        let mut bytes = Vec::new();
        write_message(&mut bytes, &message).expect("a vector takes everything");
        write_message(&mut bytes, &json!(2)).expect("a vector takes everything");
        let mut input = bytes.as_slice();
        assert_eq!(read_message(&mut input), Some(message));
        assert_eq!(read_message(&mut input), Some(json!(2)));
        assert_eq!(read_message(&mut input), None);
    }

    #[test]
    fn nonsense_is_the_end() {
        for text in [
            "hello\r\n\r\n",
            "Content-Length: 5\r\n\r\n{",
            "Content-Length: 99999999999\r\n\r\n{}",
            "Content-Length: 1\r\n\r\n{",
        ] {
            assert_eq!(read_message(&mut text.as_bytes()), None, "{text}");
        }
    }
}
