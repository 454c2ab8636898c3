//! The results as a page: a table that can be sorted, and a plot against another run. One file, nothing loaded from elsewhere.
//!
//! Everything that comes from outside is escaped: names of files are text, never markup.

use super::journal::{Row, Status};
use std::collections::HashMap;

/// The page. `other` is a run to compare with, and its name.
pub fn page(title: &str, rows: &[Row], other: Option<(&str, &[Row])>) -> String {
    let mut out =
        String::from("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n");
    out += &format!(
        "<title>{}</title>\n<style>{STYLE}</style></head><body>\n",
        escaped(title)
    );
    out += &format!(
        "<h1>{}</h1>\n<p>{}</p>\n",
        escaped(title),
        escaped(&super::summary(rows))
    );
    if let Some((name, others)) = other {
        out += &scatter(rows, name, others);
    }
    out += "<table><thead><tr>";
    for (head, kind) in HEADS {
        out += &format!("<th scope=\"col\" data-kind=\"{kind}\"><button>{head}</button></th>");
    }
    out += "</tr></thead><tbody>\n";
    for r in rows {
        let class = match r.is_right() {
            Some(true) => "right",
            Some(false) => "wrong",
            None => "open",
        };
        out += &format!("<tr class=\"{class}\">");
        let verdict = r.verdict.to_string();
        for cell in [&r.name, &r.property, &r.expected, &verdict, &r.engine] {
            out += &format!("<td>{}</td>", escaped(cell));
        }
        for number in [r.cpu, r.wall] {
            out += &format!("<td class=\"n\">{number:.3}</td>");
        }
        out += &format!("<td class=\"n\">{:.1}</td></tr>\n", r.memory);
    }
    out + "</tbody></table>\n<script>" + SCRIPT + "</script></body></html>\n"
}

const HEADS: [(&str, &str); 8] = [
    ("task", "text"),
    ("property", "text"),
    ("expected", "text"),
    ("verdict", "text"),
    ("engine", "text"),
    ("CPU s", "number"),
    ("wall s", "number"),
    ("MB", "number"),
];

const STYLE: &str = "
:root { color-scheme: light dark; }
body { font: 15px/1.4 system-ui, sans-serif; margin: 2em; }
table { border-collapse: collapse; }
th, td { padding: .2em .7em; text-align: left; border-bottom: 1px solid #8884; }
td.n { text-align: right; font-variant-numeric: tabular-nums; }
th button { font: inherit; font-weight: bold; background: none; border: 0; padding: 0; cursor: pointer; color: inherit; }
tr.right td:nth-child(4) { color: #2a8a3a; }
tr.wrong td:nth-child(4) { color: #fff; background: #c22; }
svg { background: #8881; max-width: 100%; height: auto; }
svg text { font-size: 12px; fill: currentColor; }
";

const SCRIPT: &str = "
document.querySelectorAll('th button').forEach((button, column) => {
  let up = false;
  button.addEventListener('click', () => {
    up = !up;
    const number = button.parentElement.dataset.kind === 'number';
    const body = document.querySelector('tbody');
    const value = row => row.children[column].textContent;
    const rows = Array.from(body.children);
    rows.sort((a, b) => number ? value(a) - value(b) : value(a).localeCompare(value(b)));
    if (!up) rows.reverse();
    body.append(...rows);
  });
});
";

/// CPU times against those of another run, both axes logarithmic; what one of them did not decide lies on the border.
fn scatter(rows: &[Row], name: &str, others: &[Row]) -> String {
    let key = |r: &Row| (r.name.clone(), r.property.clone());
    let known: HashMap<_, &Row> = others.iter().map(|r| (key(r), r)).collect();
    let decided = |r: &Row| r.verdict.status != Status::Unknown;
    let pairs: Vec<(&Row, &Row)> = rows
        .iter()
        .filter_map(|r| known.get(&key(r)).map(|o| (r, *o)))
        .collect();
    let times = pairs.iter().flat_map(|(a, b)| [a.cpu, b.cpu]);
    let most = times.fold(1.0_f64, f64::max) * 1.5;
    const LEAST: f64 = 0.01;
    const SIZE: f64 = 460.0;
    let scale = |t: f64| (t.max(LEAST) / LEAST).ln() / (most / LEAST).ln() * SIZE;
    let place = |r: &Row| if decided(r) { scale(r.cpu) } else { SIZE };
    let mut out = format!(
        "<h2>CPU time against {}</h2>\n<svg viewBox=\"0 0 540 530\" width=\"540\" role=\"img\" aria-label=\"{} tasks, one point each\">\n",
        escaped(name),
        pairs.len()
    );
    let mut t = LEAST;
    while t < most {
        let at = scale(t);
        out += &format!(
            "<path d=\"M{x:.1} 10V470M60 {y:.1}H520\" stroke=\"#8884\"/><text x=\"{x:.1}\" y=\"488\" text-anchor=\"middle\">{t}</text><text x=\"54\" y=\"{y:.1}\" text-anchor=\"end\">{t}</text>\n",
            x = 60.0 + at,
            y = 470.0 - at
        );
        t *= 10.0;
    }
    out += "<path d=\"M60 470L520 10\" stroke=\"#888\"/>\n";
    for (mine, theirs) in pairs {
        let colour = match (decided(mine), decided(theirs)) {
            (true, true) => "#36c",
            (true, false) => "#2a8a3a",
            (false, true) => "#c22",
            (false, false) => continue,
        };
        out += &format!(
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.5\" fill=\"{colour}\"><title>{}: {} in {:.2} s, {} in {:.2} s</title></circle>\n",
            60.0 + place(theirs),
            470.0 - place(mine),
            escaped(&mine.name),
            escaped(&mine.verdict.to_string()),
            mine.cpu,
            escaped(&theirs.verdict.to_string()),
            theirs.cpu
        );
    }
    out + &format!(
        "<text x=\"290\" y=\"512\" text-anchor=\"middle\">{}</text><text x=\"16\" y=\"240\" text-anchor=\"middle\" transform=\"rotate(-90 16 240)\">this run</text></svg>\n",
        escaped(name)
    )
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::journal::Answer;

    #[test]
    fn names_are_never_markup() {
        let row = Row {
            key: String::new(),
            name: "<script>alert('x')</script>.c".into(),
            property: "unreach-call".into(),
            expected: "true".into(),
            verdict: Answer::new("true", ""),
            engine: "staged".into(),
            cpu: 0.5,
            wall: 0.5,
            memory: 1.0,
        };
        let rows = [row];
        let page = page("a <b>", &rows, Some(("<i>", &rows)));
        assert_eq!(page.matches("<script>").count(), 1, "only ours");
        assert!(!page.contains("<b>") && !page.contains("<i>"));
        assert!(page.contains("&lt;script&gt;alert(&#39;x&#39;)"));
        assert!(page.contains("<circle"));
    }
}
