//! The procedures that a check is limited to.

use std::mem;

use docent_describe::ServiceDescription;

use crate::args::CheckArgs;

/// Removes the procedures that are not to be checked from a description, and returns their names.
pub(super) fn select(service: &mut ServiceDescription, args: &CheckArgs) -> Vec<String> {
    let has = |patterns: &[String], name: &str| patterns.iter().any(|it| has_name(it, name));
    let (kept, skipped) = mem::take(&mut service.procs)
        .into_iter()
        .partition::<Vec<_>, _>(|it| {
            (args.only.is_empty() || has(&args.only, &it.name)) && !has(&args.skip, &it.name)
        });
    service.procs = kept;
    skipped.into_iter().map(|it| it.name).collect()
}

/// Returns whether a pattern stands for a name: `*` for any text, and `?` for one character.
pub(super) fn has_name(pattern: &str, name: &str) -> bool {
    let (mut patterns, mut names) = (pattern.chars(), name.chars());
    match (patterns.next(), names.next()) {
        (None, first) => first.is_none(),
        (Some('*'), None) => has_name(patterns.as_str(), name),
        (Some('*'), Some(_)) => {
            has_name(patterns.as_str(), name) || has_name(pattern, names.as_str())
        }
        (Some(wanted), Some(first)) => {
            (wanted == '?' || wanted == first) && has_name(patterns.as_str(), names.as_str())
        }
        (Some(_), None) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::has_name;

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
            assert_eq!(has_name(pattern, name), is_meant, "{pattern} {name}");
        }
    }
}
