//! The meaning of patterns. The verdicts are those of an engine for ECMA-262 with the flag `u`.

use super::*;

/// Patterns, each with texts that match it, and texts that do not.
const MEANINGS: &[(&str, &[&str], &[&str])] = &[
    // The classes are ASCII's, or ECMA-262's own.
    (r"^\d$", &["0", "9"], &["٣", "a", "²"]),
    (r"^\D$", &["٣", "a"], &["0"]),
    (r"^\w+$", &["aZ_09"], &["é", "a-b", "ä"]),
    (r"^\W$", &["é", "-", "\u{1F600}"], &["a", "_"]),
    (
        r"^\s$",
        &[
            " ", "\t", "\u{b}", "\u{a0}", "\u{2028}", "\u{3000}", "\u{feff}",
        ],
        &["\u{85}", "\u{200b}", "a"],
    ),
    (r"^\S$", &["\u{85}", "a"], &["\u{feff}", "\u{a0}"]),
    (r"\bcat\b", &["a cat!", "cat", "écaté"], &["concat", "cats"]),
    (r"\Bcat", &["concat"], &["cat", "a cat", "écat"]),
    (r"^\b\B", &[], &["", "a", " "]),
    // A pattern may match anywhere.
    ("b", &["abc", "b"], &["ac", ""]),
    ("", &["", "a"], &[]),
    // Anchors match at the edges of the text, not of lines.
    ("^b", &["b"], &["a\nb"]),
    ("a$", &["a"], &["a\n", "a\nb"]),
    (
        "^.$",
        &["a", "é", "\u{1F600}", "\u{85}"],
        &["\n", "\r", "\u{2028}", "\u{2029}", "", "ab"],
    ),
    // Escapes.
    (r"^\/\.-?$|^$", &["", "/.", "/.-"], &["/"]),
    (r"^[\-a]\/$", &["-/", "a/"], &["\\/"]),
    (r"^[\b]$", &["\u{8}"], &["b"]),
    (r"^\cJ\cj$", &["\n\n"], &["J"]),
    (
        r"^\x41\u00e9\u{1F600}\u{000041}$",
        &["Aé\u{1F600}A"],
        &["Aé"],
    ),
    (r"^\ud83d\ude00$", &["\u{1F600}"], &["\u{1F601}"]),
    (
        r"^[\ud83d\ude00-\ud83d\ude02]$",
        &["\u{1F601}"],
        &["\u{1F603}"],
    ),
    (r"^[^\ud800-\udfff]$", &["a", "\u{1F600}"], &[""]),
    (r"^[\ud800-\ue000]$", &["\u{e000}"], &["\u{d7ff}"]),
    (r"\ud800", &[], &["", "a", "\u{fffd}"]),
    (r"^\0$", &["\0"], &["0"]),
    (r"^\t\n\v\f\r$", &["\t\n\u{b}\u{c}\r"], &[]),
    (r"^\^\$\\\.\*\+\?\(\)\[\]\{\}\|$", &[r"^$\.*+?()[]{}|"], &[]),
    // Brackets.
    ("[]", &[], &["", "a"]),
    ("^[^]$", &["a", "\n", "\u{1F600}"], &["", "ab"]),
    ("^[a-]$", &["a", "-"], &["b"]),
    ("^[-a]$", &["a", "-"], &["b"]),
    ("^[a&b[]$", &["a", "&", "b", "["], &["c"]),
    (r"^[\d.\s]$", &["1", ".", " "], &["a"]),
    (r"^[^\d\D]$", &[], &["a", "1"]),
    (r"^[^\W]$", &["a"], &["é"]),
    // Properties.
    (r"^\p{L}\P{L}$", &["é1"], &["11", "éé"]),
    (r"^\p{Script=Greek}\p{sc=Grek}$", &["ΩΩ"], &["OO"]),
    (r"^\p{scx=Hira}$", &["ー"], &["a"]),
    (r"^[\p{Lu}\p{gc=Nd}]$", &["É", "٣"], &["é"]),
    (r"^\p{ASCII}\p{Any}\P{ASCII}$", &["a\u{1F600}é"], &["aaa"]),
    (r"^\p{Emoji_Presentation}$", &["\u{1F600}"], &["a"]),
    // Groups and repetition.
    (
        "^(?<year>[0-9]{4})-(?:0[1-9]|1[0-2])$",
        &["2026-12"],
        &["2026-13"],
    ),
    ("^(a|)b$", &["ab", "b"], &["aab"]),
    ("^(?:ab?){2,3}?$", &["aa", "abab", "abaab"], &["a", "aaaa"]),
    ("^a{2,}b{0}c{1}$", &["aac", "aaac"], &["ac", "aabc"]),
    ("^(?:a*)*$", &["", "aaa"], &["b"]),
    ("^a|b$", &["ac", "cb"], &["ca", "bc"]),
];

#[test]
fn a_pattern_means_what_it_means_in_ecma_262() {
    for (pattern, matching, others) in MEANINGS {
        let compiled = Pattern::new(pattern).unwrap_or_else(|reason| panic!("{pattern}: {reason}"));
        assert_eq!(compiled.as_str(), *pattern);
        for text in *matching {
            assert!(compiled.is_match(text), "{pattern} {text:?}");
        }
        for text in *others {
            assert!(!compiled.is_match(text), "{pattern} {text:?}");
        }
    }
}

#[test]
fn what_ecma_262_does_not_know_is_refused_with_what_to_write_instead() {
    for (pattern, hint) in [
        ("(?i)a", "flags such as `(?i)`"),
        ("(?i:a)", "flags"),
        ("(?x) a", "flags"),
        ("(?-u:a)", "flags"),
        ("(?P<n>a)", "`(?<name>…)`"),
        (r"\Aa", "write `^`"),
        (r"a\z", "write `$`"),
        (r"a\Z", "write `$`"),
        (r"\pL", r"`\p{L}`"),
        (r"\PL", "braces"),
        ("[[:alpha:]]", "`a-zA-Z`"),
        ("[a-z&&[^b]]", "means different things"),
        ("[a&&b]", "means different things"),
        (r"[\w--_]", "means different things"),
        ("[a~~b]", "means different things"),
        ("[+--]", "means different things"),
        ("a++", "possessive"),
        ("a**", "nothing"),
        ("a{2}{3}", "`\\{`"),
        ("*", "nothing"),
        ("^*", "repeated"),
        (r"\b+", "repeated"),
        ("a{,3}", "quantifier"),
        ("a{", "quantifier"),
        ("a{3,2}", "out of order"),
        ("{", r"`\{`"),
        ("}", r"`\}`"),
        ("]", r"`\]`"),
        (")", "`)` without"),
        ("(", "`(` without"),
        ("(?:a", "`(` without"),
        ("[a", "`[` without"),
        ("\\", "backslash"),
        (r"\-", "needs no backslash"),
        (r"\_", "needs no backslash"),
        (r"\@", "needs no backslash"),
        (r"\ ", "needs no backslash"),
        (r"[\@]", "needs no backslash"),
        (r"\a", r"`\x07`"),
        (r"\h", "[ \\t]"),
        (r"\x{41}", r"`\u{…}`"),
        (r"\x4", "hexadecimal"),
        (r"\u12", "hexadecimal"),
        (r"\u{110000}", "code point"),
        (r"\u{}", "code point"),
        (r"\U0001F600", r"`\u{…}`"),
        (r"\01", "`\\x00`"),
        (r"\c1", "letter"),
        (r"\Qa\E", r"no `\Q`"),
        (r"[z-a]", "out of order"),
        (r"[a-\d]", "set"),
        (r"[\d-z]", "set"),
        (r"[\B]", r"no `\B`"),
        (r"[\1]", "code"),
        (r"\p{Greek}", r"`\p{Script=Greek}`"),
        (r"\p{lu}", "no property"),
        (r"\p{Script=greek}", "no property"),
        (r"\p{sc=Olditalic}", "no property"),
        (r"\p{}", "no property"),
        (r"\p{^Lu}", "no property"),
        ("(?<a>x)(?<a>y)", "two groups"),
        ("(?<1>x)", "name"),
        (r"(a)\2", "does not exist"),
        (r"\k<b>(?<a>x)", "does not exist"),
        ("(?#comment)", "flags"),
        ("(?>a)", "flags"),
    ] {
        let reason = Pattern::new(pattern).expect_err(pattern);
        assert!(
            reason.starts_with("is not an ECMA-262 regular expression: "),
            "{reason}"
        );
        assert!(reason.contains(hint), "{pattern}: {reason}");
    }
}

#[test]
fn what_no_automaton_can_do_is_refused() {
    for (pattern, what) in [
        ("(?=a)a", "look-around"),
        ("(?!a)b", "look-around"),
        ("(?<=a)b", "look-around"),
        ("(?<!a)b", "look-around"),
        (r"(a)\1", "a back-reference"),
        (r"(?<n>a)\k<n>", "a back-reference"),
    ] {
        let reason = Pattern::new(pattern).expect_err(pattern);
        assert!(reason.contains(what), "{pattern}: {reason}");
    }
    let reason = Pattern::new("(?:a{1000}){1000}{1000}").expect_err("too large");
    assert!(!reason.is_empty());
    let reason = Pattern::new("(?:(?:a{1000}){1000}){1000}").expect_err("too large");
    assert!(reason.contains("too large"), "{reason}");
    let deep = "(".repeat(1000) + &")".repeat(1000);
    let reason = Pattern::new(&deep).expect_err("too deep");
    assert!(reason.contains("nested"), "{reason}");
}

#[test]
fn a_large_pattern_is_matched_and_a_huge_one_refused() {
    let pattern = Pattern::new("^(?:[a-z]{1,20}[a-z0-9]{1,20}){1,50}$").expect("a pattern");
    assert!(pattern.is_match(&"ab1".repeat(300)));
    assert!(!pattern.is_match(&"ab1".repeat(700)) && !pattern.is_match("ab!"));
    let pattern = Pattern::new(r"^[ab]*a[ab]{20}\b$").expect("a pattern");
    assert!(pattern.is_match(&format!("bba{}", "ab".repeat(10))));
    assert!(!pattern.is_match(&format!("bbb{}", "ab".repeat(10))));
    for text in [
        "a".repeat(MAX_PATTERN_BYTES + 1),
        "(?:a{1000}){1000}".to_owned(),
    ] {
        let reason = Pattern::new(&text).expect_err("it is too large");
        assert!(reason.starts_with("cannot be enforced: it is "), "{reason}");
    }
    assert!(!Pattern::is_pattern(&"a".repeat(2_000_000)));
}

#[test]
fn a_text_up_to_the_sure_length_is_matched_in_time() {
    let slow = Pattern::new("a[ab]{800}c").expect("a pattern");
    assert!(slow.allows(slow.sure_bytes()));
}

#[test]
fn more_kinds_of_characters_than_there_are_bytes_are_told_apart() {
    let mut words = Vec::new();
    for first in ('一'..).take(400) {
        words.push(format!("{first}x"));
    }
    let pattern = Pattern::new(&format!("^(?:{})$", words.join("|"))).expect("a pattern");
    assert!(pattern.is_match("一x") && pattern.is_match("丁x"));
    assert!(!pattern.is_match("一y") && !pattern.is_match("x"));
}

#[test]
fn a_pattern_is_portable_if_other_libraries_read_the_same() {
    for pattern in [
        "^0x([1-9a-f]+[0-9a-f]*|0)$",
        r"^[^@]+@(?:a|b(c)d)\.org$",
        "^a{2,3}?$",
        "[A-Za-z_-]",
        "^(?<year>20)é$",
    ] {
        assert!(Pattern::is_portable(pattern), "{pattern}");
    }
    for pattern in [
        r"^\d+$", r"\w", "^.$", r"\bword", "(?i)a", "(?=a)b", r"(a)\1", "[a&&b]", "[a-z--b]",
        "a{,3}", "a**", "(",
    ] {
        assert!(!Pattern::is_portable(pattern), "{pattern}");
    }
}
