use docent_describe::split_documentation;

#[track_caller]
fn check(markdown: &str, summary: Option<&str>, rest: Option<&str>) {
    let split = split_documentation(markdown);
    assert_eq!((split.0.as_deref(), split.1.as_deref()), (summary, rest));
}

#[test]
fn the_first_paragraph_is_the_summary_on_one_line() {
    check(
        "Finds books\nby words in\ntheir title.\n\nSlow at night.\n\n- really",
        Some("Finds books by words in their title."),
        Some("Slow at night.\n\n- really"),
    );
    check("  Adds. ", Some("Adds."), None);
    check("", None, None);
    check(" \n\n ", None, None);
}

#[test]
fn a_list_or_a_block_ends_the_summary_even_without_an_empty_line() {
    check("Takes:\n- a\n- b", Some("Takes:"), Some("- a\n- b"));
    check("Runs\n```\ncode\n```", Some("Runs"), Some("```\ncode\n```"));
    check("Adds.\n# More\ntext", Some("Adds."), Some("# More\ntext"));
    check("In 1999. Then", Some("In 1999. Then"), None);
}

#[test]
fn a_heading_is_a_summary_and_a_list_is_none() {
    check("# Adds #\nTwo numbers.", Some("Adds"), Some("Two numbers."));
    check("#hashtag first", Some("#hashtag first"), None);
    check("- a\n- b", None, Some("- a\n- b"));
    check("1. a", None, Some("1. a"));
    check("> so they say", None, Some("> so they say"));
}

#[test]
fn the_rest_keeps_its_indentation() {
    check("Adds.\n\n    code\n", Some("Adds."), Some("    code"));
}
