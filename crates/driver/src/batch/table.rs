//! The results as comma-separated values.

use super::journal::{Answer, Row};
use std::path::Path;

const HEAD: &str = "task,property,expected,verdict,engine,cpu_s,wall_s,memory_mb";

/// The table.
pub fn csv(rows: &[Row]) -> String {
    let mut out = format!("{HEAD}\n");
    for r in rows {
        let verdict = r.verdict.to_string();
        let cells = [&r.name, &r.property, &r.expected, &verdict, &r.engine];
        let cells: Vec<String> = cells.iter().map(|c| quoted(c)).collect();
        out += &format!(
            "{},{:.3},{:.3},{:.1}\n",
            cells.join(","),
            r.cpu,
            r.wall,
            r.memory
        );
    }
    out
}

/// A table that was written before.
pub fn read(path: &Path) -> Result<Vec<Row>, String> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).map_err(|e| format!("cannot read {shown}: {e}"))?;
    let mut lines = records(&text).into_iter();
    if lines.next().is_none_or(|head| head.join(",") != HEAD) {
        return Err(format!("{shown} is no table of `raddle verify --batch`"));
    }
    let number = |s: &String| s.parse::<f64>().unwrap_or(0.0);
    let row = |cells: Vec<String>| match &cells[..] {
        [name, property, expected, verdict, engine, cpu, wall, memory] => Some(Row {
            key: String::new(),
            name: name.clone(),
            property: property.clone(),
            expected: expected.clone(),
            verdict: Answer::read(verdict),
            engine: engine.clone(),
            cpu: number(cpu),
            wall: number(wall),
            memory: number(memory),
        }),
        _ => None,
    };
    Ok(lines.filter_map(row).collect())
}

fn quoted(cell: &str) -> String {
    match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_string(),
    }
}

fn records(text: &str) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    let (mut record, mut cell, mut inside) = (Vec::new(), String::new(), false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, inside) {
            ('"', true) if chars.peek() == Some(&'"') => {
                chars.next();
                cell.push('"');
            }
            ('"', _) => inside = !inside,
            (',', false) => record.push(std::mem::take(&mut cell)),
            ('\n', false) => {
                record.push(std::mem::take(&mut cell));
                all.push(std::mem::take(&mut record));
            }
            ('\r', false) => {}
            (c, _) => cell.push(c),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let row = Row {
            key: String::new(),
            name: "a, \"b\"\n.c".into(),
            property: "no-data-race".into(),
            expected: String::new(),
            verdict: Answer::new("unknown", "timeout, safe up to 3 iterations"),
            engine: "refine".into(),
            cpu: 1.5,
            wall: 2.25,
            memory: 10.5,
        };
        let path = std::env::temp_dir().join(format!("raddle-table-{}.csv", std::process::id()));
        std::fs::write(&path, csv(&[row.clone(), row.clone()])).expect("written");
        assert_eq!(read(&path), Ok(vec![row.clone(), row]));
        std::fs::write(&path, "x,y\n").expect("written");
        assert!(read(&path).is_err());
        let _ = std::fs::remove_file(&path);
    }
}
