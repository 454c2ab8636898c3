//! Programs as trees of text: enough structure to delete, unwrap and simplify, and nothing more.
//!
//! A node prints as its head, its body, its tail. What a deletion breaks the compiler refuses, so no rule about C is needed here.

/// A statement, a function, a declaration: anything that can go as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    pub head: String,
    pub body: Vec<Node>,
    pub tail: String,
}

impl Node {
    /// Something without parts.
    pub fn line(text: impl Into<String>) -> Node {
        Node {
            head: text.into(),
            body: Vec::new(),
            tail: String::new(),
        }
    }

    /// Something around parts.
    pub fn around(head: impl Into<String>, body: Vec<Node>, tail: impl Into<String>) -> Node {
        Node {
            head: head.into(),
            body,
            tail: tail.into(),
        }
    }
}

/// The text of nodes.
pub fn print(nodes: &[Node]) -> String {
    let mut out = String::new();
    print_into(nodes, 0, &mut out);
    out
}

fn print_into(nodes: &[Node], depth: usize, out: &mut String) {
    let line = |text: &str, out: &mut String| {
        if !text.is_empty() {
            out.push_str(&"    ".repeat(depth));
            out.push_str(text);
            out.push('\n');
        }
    };
    for n in nodes {
        line(&n.head, out);
        let braces = n.head.ends_with('{');
        print_into(&n.body, depth + usize::from(braces), out);
        line(&n.tail, out);
    }
}

/// Every simpler version of the program that differs in one place; the larger steps first.
pub fn simpler(program: &[Node]) -> Vec<Vec<Node>> {
    let mut paths = Vec::new();
    list(program, &mut Vec::new(), &mut paths);
    let mut all = Vec::new();
    // Whole functions and threads first, then ever smaller things.
    paths.sort_by_key(|p| p.len());
    for p in &paths {
        all.push(replaced(program, p, |_| Vec::new()));
    }
    for p in &paths {
        let node = at(program, p);
        if !node.body.is_empty() && p.len() > 1 {
            all.push(replaced(program, p, |n| n.body.clone()));
            for i in 0..node.body.len() {
                if !node.body[i].body.is_empty() {
                    all.push(replaced(program, p, |n| n.body[i].body.clone()));
                }
            }
        }
    }
    for p in &paths {
        for head in simpler_lines(&at(program, p).head) {
            all.push(replaced(program, p, |n| {
                vec![Node {
                    head: head.clone(),
                    ..n.clone()
                }]
            }));
        }
    }
    all
}

fn list(nodes: &[Node], here: &mut Vec<usize>, into: &mut Vec<Vec<usize>>) {
    for (i, n) in nodes.iter().enumerate() {
        here.push(i);
        into.push(here.clone());
        list(&n.body, here, into);
        here.pop();
    }
}

fn at<'a>(nodes: &'a [Node], path: &[usize]) -> &'a Node {
    match path {
        [last] => &nodes[*last],
        [first, rest @ ..] => at(&nodes[*first].body, rest),
        [] => unreachable!("a path has at least one step"),
    }
}

fn replaced(nodes: &[Node], path: &[usize], with: impl FnOnce(&Node) -> Vec<Node>) -> Vec<Node> {
    let mut out = nodes.to_vec();
    match path {
        [last] => {
            let new = with(&nodes[*last]);
            out.splice(*last..=*last, new);
        }
        [first, rest @ ..] => out[*first].body = replaced(&nodes[*first].body, rest, with),
        [] => {}
    }
    out
}

/// Simpler texts of one line: a bracketed part becomes a constant or one of its sides, a number becomes smaller.
fn simpler_lines(line: &str) -> Vec<String> {
    let bytes = line.as_bytes();
    let mut all = Vec::new();
    for (from, _) in line.match_indices('(') {
        let Some(to) = closing(bytes, from) else {
            continue;
        };
        let inner = &line[from + 1..to];
        let is_call =
            from > 0 && (bytes[from - 1].is_ascii_alphanumeric() || bytes[from - 1] == b'_');
        let mut put = |with: &str| {
            let text = match is_call {
                true => format!("{}({with}){}", &line[..from], &line[to + 1..]),
                false => format!("{}{with}{}", &line[..from], &line[to + 1..]),
            };
            if text.len() < line.len() || (text.len() == line.len() && text.as_str() < line) {
                all.push(text);
            }
        };
        put("0");
        put("1");
        for operator in [
            "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", "<=", "==", "!=", "&&", "||",
            "?", ":",
        ] {
            let spaced = format!(" {operator} ");
            if let Some(i) = top_level(inner, &spaced) {
                put(&inner[..i]);
                put(&inner[i + spaced.len()..]);
            }
        }
    }
    // The right side of an assignment.
    for operator in [" = ", " += ", " -= ", " *= ", " |= ", " &= ", " ^= "] {
        if let Some(i) = line.find(operator)
            && line.ends_with(';')
        {
            for constant in ["0", "1", "2"] {
                let text = format!("{} = {constant};", &line[..i]);
                if text.len() < line.len() {
                    all.push(text);
                }
            }
        }
    }
    let mut i = 0;
    while i < bytes.len() {
        let start = i;
        while i < bytes.len() && bytes[i].is_ascii_digit() {
            i += 1;
        }
        let alone =
            start == 0 || !(bytes[start - 1].is_ascii_alphanumeric() || bytes[start - 1] == b'_');
        if i > start && alone {
            for constant in ["0", "1"] {
                if constant.len() < i - start || (i - start == 1 && *constant < line[start..i]) {
                    all.push(format!("{}{constant}{}", &line[..start], &line[i..]));
                }
            }
        }
        i = i.max(start) + usize::from(i == start);
    }
    all
}

fn closing(bytes: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0;
    for (i, b) in bytes.iter().enumerate().skip(open) {
        match b {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(i);
        }
    }
    None
}

/// Where an operator stands outside all brackets.
fn top_level(text: &str, operator: &str) -> Option<usize> {
    let mut depth = 0;
    for (i, b) in text.bytes().enumerate() {
        match b {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            _ => {}
        }
        if depth == 0 && text[i..].starts_with(operator) {
            return Some(i);
        }
    }
    None
}
