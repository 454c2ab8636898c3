//! The nearest known name, for "did you mean".

/// The known name that differs least from the written one, if it differs little.
pub fn nearest<'a>(written: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (written.chars().count() / 3).max(1);
    let all = known.map(|k| (distance(written, k), k));
    let near = all.filter(|(d, k)| *d <= limit && *k != written);
    near.min().map(|(_, k)| k)
}

/// How many letters have to be inserted, left out or replaced (Levenshtein); swapped neighbours count once.
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().take(64).collect();
    let b: Vec<char> = b.chars().take(64).collect();
    let mut rows = vec![vec![0usize; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    rows[0] = (0..=b.len()).collect();
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let same = usize::from(a[i - 1] != b[j - 1]);
            let mut best = (rows[i - 1][j] + 1)
                .min(rows[i][j - 1] + 1)
                .min(rows[i - 1][j - 1] + same);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_suggested_only_if_it_is_near() {
        let known = ["counter", "flag", "turn"];
        assert_eq!(nearest("conuter", known.into_iter()), Some("counter"));
        assert_eq!(nearest("flags", known.into_iter()), Some("flag"));
        assert_eq!(nearest("zebra", known.into_iter()), None);
    }
}
