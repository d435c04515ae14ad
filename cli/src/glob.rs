//! Patterns of names: `*` stands for any text, and `?` for any character.

/// Returns whether a pattern stands for a name.
pub(crate) fn fits(pattern: &str, name: &str) -> bool {
    let name: Vec<char> = name.chars().collect();
    // For each length, whether the pattern so far stands for that much of the name. This takes
    // the time of both lengths multiplied, however many stars there are.
    let mut fits = vec![false; name.len() + 1];
    fits[0] = true;
    for wanted in pattern.chars() {
        if wanted == '*' {
            let first = fits.iter().position(|it| *it);
            fits[first.unwrap_or(name.len() + 1)..].fill(true);
        } else {
            for (at, found) in name.iter().enumerate().rev() {
                fits[at + 1] = fits[at] && (wanted == '?' || wanted == *found);
            }
            fits[0] = false;
        }
    }
    fits[name.len()]
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn a_pattern_stands_for_whole_names() {
        for (pattern, name, is_meant) in [
            ("book.find", "book.find", true),
            ("book.find", "book.finder", false),
            ("book.*", "book.find", true),
            ("*", "", true),
            ("*.f*d", "book.find", true),
            ("*.f*d", "book.finds", false),
            ("b??k", "bök", false),
            ("b?k", "bök", true),
        ] {
            assert_eq!(fits(pattern, name), is_meant, "{pattern} {name}");
        }
        let many = "a".repeat(5_000);
        assert!(!fits(&format!("{}b", "*a".repeat(50)), &many));
    }
}
