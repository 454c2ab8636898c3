//! Durations and sizes on the command line: `5s`, `500ms`, `2m`, `30`; `4G`, `512M`.

use std::time::Duration;

/// A duration; without a unit, seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text);
    let seconds = match unit {
        "ms" => 1e-3,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err("a duration looks like 60s, 500ms, 2m or 1h".into()),
    };
    let number = number.ok_or("a duration looks like 60s, 500ms, 2m or 1h")?;
    Duration::try_from_secs_f64(number * seconds).map_err(|_| "that is too long".into())
}

/// A number of bytes; without a unit, bytes.
pub fn size(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text);
    let shift = match unit.to_ascii_uppercase().trim_end_matches("IB") {
        "" | "B" => 0,
        "K" | "KB" => 10,
        "M" | "MB" => 20,
        "G" | "GB" => 30,
        "T" | "TB" => 40,
        _ => return Err("a size looks like 4G or 512M".into()),
    };
    let number = number.ok_or("a size looks like 4G or 512M")?;
    let bytes = number * (1_u64 << shift) as f64;
    match bytes >= 1.0 && bytes < u64::MAX as f64 {
        true => Ok(bytes as u64),
        false => Err("that is no possible size".into()),
    }
}

/// The number (none if there is not exactly one) and the unit behind it.
fn split(text: &str) -> (Option<f64>, &str) {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.');
    let (number, unit) = text.split_at(end.unwrap_or(text.len()));
    (number.parse().ok(), unit.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        assert_eq!(duration("5s"), Ok(Duration::from_secs(5)));
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        assert_eq!(duration("30"), Ok(Duration::from_secs(30)));
        assert_eq!(duration("0.5"), Ok(Duration::from_millis(500)));
        for wrong in [
            "", "s", "-1", "5x", "1.2.3", "5 s s", "inf", "1e99", "9e", "many",
        ] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
        assert!(duration(&"9".repeat(400)).is_err());
    }

    #[test]
    fn sizes() {
        assert_eq!(size("4G"), Ok(4 << 30));
        assert_eq!(size("512M"), Ok(512 << 20));
        assert_eq!(size("1.5GiB"), Ok(3 << 29));
        assert_eq!(size("100"), Ok(100));
        for wrong in ["", "G", "0", "-4G", "4X", &"9".repeat(400)] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }
}
