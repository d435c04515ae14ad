//! Globs for the names of procedures: `*` stands for any text, and `?` for any character.
//!
//! The crates for globs are about paths, where a star stops at a separator. Names of procedures have
//! dots and slashes, which mean nothing here.

/// Returns whether a glob matches a whole name.
pub(crate) fn matches(glob: &str, name: &str) -> bool {
    let name: Vec<char> = name.chars().collect();
    // For each length, whether the glob so far matches that much of the name. This takes the time
    // of both lengths multiplied, however many stars there are.
    let mut matched = vec![false; name.len() + 1];
    matched[0] = true;
    for wanted in glob.chars() {
        if wanted == '*' {
            if let Some(first) = matched.iter().position(|is_match| *is_match) {
                matched[first..].fill(true);
            }
        } else {
            for (length, found) in name.iter().enumerate().rev() {
                matched[length + 1] = matched[length] && (wanted == '?' || wanted == *found);
            }
            matched[0] = false;
        }
    }
    matched[name.len()]
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_glob_matches_whole_names() {
        for (glob, name, is_meant) in [
            ("book.find", "book.find", true),
            ("book.find", "book.finder", false),
            ("book.*", "book.find", true),
            ("*", "", true),
            ("*.f*d", "book.find", true),
            ("*.f*d", "book.finds", false),
            ("b??k", "bök", false),
            ("b?k", "bök", true),
        ] {
            assert_eq!(matches(glob, name), is_meant, "{glob} {name}");
        }
        let many = "a".repeat(5_000);
        assert!(!matches(&format!("{}b", "*a".repeat(50)), &many));
    }
}
