//! JSON as text: this crate compared with `serde_json`.

use docent_describe::json::{
    Json, LoneSurrogate, MAX_DEPTH, Pointer, Scanner, SyntaxErrorKind, unescape, unescape_lossy,
};
use proptest::prelude::*;
use serde_json::value::RawValue;

/// Returns whether the scanner accepts a text, with whitespace around it.
fn scans(text: &str) -> bool {
    let mut scanner = Scanner::new(text, usize::MAX);
    scanner.skip_value().is_ok() && scanner.finish().is_ok()
}

/// Returns whether `serde_json` accepts a text. A raw value checks only the grammar.
fn is_json(text: &str) -> bool {
    serde_json::from_str::<&RawValue>(text).is_ok()
}

/// Fragments of JSON, so that texts made of them are often almost valid.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => prop::sample::select(vec![
            "{", "}", "[", "]", ",", ":", "\"", "\\", "\"a\"", "\"a\":", "1", "-", "0", ".", "e",
            "E", "+", "true", "false", "null", "nul", " ", "\n", "\t", "\r", "\u{b}", "\u{0}",
            "\u{1f}", "\u{7f}", "\u{80}", "é", "\u{2028}", "😀", "\\u", "\\ud800", "\\udc00", "\\u12",
            "\\n", "\\/", "\\x", "01", "1.5e-7", "-0", "1.", "12345678", "abcdefgh", "\"\"",
        ]).prop_map(str::to_owned),
        1 => "\\PC{0,12}",
    ]
}

fn soup() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..12).prop_map(|pieces| pieces.concat())
}

/// Draws well-formed JSON text.
fn document() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        any::<bool>().prop_map(|value| value.to_string()),
        "-?(0|[1-9][0-9]{0,30})(\\.[0-9]{1,30})?([eE][+-]?[0-9]{1,3})?",
        any::<String>().prop_map(|text| serde_json::to_string(&text).unwrap()),
    ];
    leaf.prop_recursive(6, 64, 6, |inner| {
        let name = any::<String>().prop_map(|text| serde_json::to_string(&text).unwrap());
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6)
                .prop_map(|elements| format!("[{}]", elements.join(" ,"))),
            prop::collection::vec((name, inner), 0..6).prop_map(|members| {
                let members: Vec<String> = members
                    .into_iter()
                    .map(|(name, value)| format!("{name}\n:{value}"))
                    .collect();
                format!("{{ {} }}", members.join(","))
            }),
        ]
    })
}

proptest! {
    #[test]
    fn the_scanner_takes_what_serde_json_takes(text in soup()) {
        prop_assert_eq!(scans(&text), is_json(&text), "{:?}", text);
    }

    #[test]
    fn the_scanner_takes_every_document(text in document()) {
        prop_assert!(scans(&text), "{:?}", text);
    }

    #[test]
    fn the_scanner_agrees_on_a_document_with_one_character_changed(
        text in document(), at in any::<prop::sample::Index>(), new in piece()
    ) {
        let characters: Vec<char> = text.chars().collect();
        let at = at.index(characters.len());
        let text: String = characters[..at]
            .iter()
            .copied()
            .chain(new.chars())
            .chain(characters[at + 1..].iter().copied())
            .collect();
        prop_assert_eq!(scans(&text), is_json(&text), "{:?}", text);
    }

    #[test]
    fn a_value_ends_where_the_next_one_begins(first in document(), second in document()) {
        let text = format!("{first} {second}");
        let mut scanner = Scanner::new(&text, usize::MAX);
        scanner.skip_value().unwrap();
        prop_assert_eq!(scanner.offset(), first.len());
    }

    #[test]
    fn a_document_is_the_same_after_it_was_written(text in document()) {
        let value: Json = text.parse().unwrap();
        for written in [format!("{value}"), format!("{value:#}")] {
            prop_assert_eq!(written.parse::<Json>().unwrap(), value.clone());
        }
    }

    #[test]
    fn strings_mean_what_serde_json_says(text in soup()) {
        let quoted = format!("\"{text}\"");
        if is_json(&quoted) && Scanner::new(&quoted, 0).skip_string().is_ok() {
            if let Ok(expected) = serde_json::from_str::<String>(&quoted) {
                prop_assert_eq!(unescape(&quoted).unwrap(), expected.as_str());
                prop_assert_eq!(unescape_lossy(&quoted), expected);
            } else {
                prop_assert_eq!(unescape(&quoted), Err(LoneSurrogate));
            }
        }
    }

    #[test]
    fn any_text_survives_being_written(text in any::<String>()) {
        let quoted = serde_json::to_string(&text).unwrap();
        prop_assert_eq!(unescape(&quoted).unwrap(), text);
    }

    #[test]
    fn a_pointer_leads_where_its_tokens_lead(tokens in prop::collection::vec(any::<String>(), 0..4)) {
        let mut pointer = Pointer::root();
        let mut value = Json::from("here");
        for token in &tokens {
            pointer.push(token);
        }
        for token in tokens.iter().rev() {
            value = Json::Object([(token.clone(), value)].into_iter().collect());
        }
        prop_assert_eq!(Pointer::resolve(pointer.as_str(), &value), Some(&Json::from("here")));
    }
}

#[test]
fn depth_counts_brackets_that_are_open_at_once() {
    for depth in [1, 2, 63, 64, 65, 127, 128, 129, 200] {
        for (open, close) in [("[", "]"), ("{\"a\":[", "]}")] {
            let text = open.repeat(depth) + &close.repeat(depth);
            let brackets = depth * open.bytes().filter(|byte| b"[{".contains(byte)).count();
            let scan = |limit| Scanner::new(&text, limit).skip_value();
            scan(brackets).unwrap();
            let error = scan(brackets - 1).unwrap_err();
            assert_eq!(error.kind, SyntaxErrorKind::TooDeep);
        }
    }
    let wide = "[[],[],[[]]]";
    Scanner::new(wide, 3).skip_value().unwrap();
}

#[test]
fn a_text_as_deep_as_allowed_becomes_a_value_and_a_deeper_one_an_error() {
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    nested(MAX_DEPTH).parse::<Json>().unwrap();
    let error = nested(MAX_DEPTH + 1).parse::<Json>().unwrap_err();
    assert_eq!(
        (error.kind, error.offset),
        (SyntaxErrorKind::TooDeep, MAX_DEPTH)
    );
}

#[test]
fn errors_say_what_and_where() {
    for (text, expected) in [
        ("", "unexpected end of text at byte 0"),
        ("[1,]", "unexpected character at byte 3"),
        ("{\"a\" 1}", "unexpected character at byte 5"),
        ("{1:2}", "unexpected character at byte 1"),
        ("01", "invalid number at byte 1"),
        ("-", "invalid number at byte 1"),
        ("+1", "unexpected character at byte 0"),
        ("\"\\x\"", "invalid escape in a string at byte 1"),
        ("\"a\nb\"", "control character in a string at byte 2"),
        ("1 2", "unexpected text after the value at byte 2"),
        ("[1", "unexpected end of text at byte 2"),
    ] {
        assert_eq!(
            text.parse::<Json>().unwrap_err().to_string(),
            expected,
            "{text:?}"
        );
    }
}

#[test]
fn numbers_keep_the_text_they_were_written_with() {
    let text = "[1.0,-0,1e400,12345678901234567890123,0.10]";
    assert_eq!(text.parse::<Json>().unwrap().to_string(), text);
}

#[test]
fn equality_is_that_of_json_schema() {
    let json = |text: &str| text.parse::<Json>().unwrap();
    assert_eq!(json("[1, 100, 0]"), json("[1.0, 1e2, -0.0]"));
    assert_eq!(json(r#"{"a": 1, "b": 2}"#), json(r#"{"b": 2, "a": 1}"#));
    assert_ne!(json("[1, 2]"), json("[2, 1]"));
    assert_ne!(json("1"), json("\"1\""));
    assert_ne!(json("0"), json("false"));
}
