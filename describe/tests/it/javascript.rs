//! Patterns beside a JavaScript engine, where their dialect is at home.

use std::process::Command;

use docent_describe::pattern::Pattern;
use serde_json::json;

/// Patterns with each part of the grammar that can be enforced.
const PATTERNS: [&str; 92] = [
    r"a",
    r"^a$",
    r"^",
    r"$",
    r"^$",
    r".",
    r"^.$",
    r"^..$",
    r"^.*$",
    r"a.b",
    r"^(a|b)$",
    r"^(?:a|b)+$",
    r"^(?<first>a)b",
    r"a*",
    r"a+",
    r"a?b",
    r"^a{2}b$",
    r"^a{1,2}",
    r"^a{2,}",
    r"a*?b",
    r"a+?",
    r"^a{1,2}?b",
    r"\d",
    r"^\d+$",
    r"\D",
    r"^\D$",
    r"\w",
    r"^\w+$",
    r"\W",
    r"^\W$",
    r"\s",
    r"^\s$",
    r"\S",
    r"^\S+$",
    r"[abc]",
    r"^[abc]+$",
    r"[^abc]",
    r"^[^abc]$",
    r"[a-c]",
    r"^[a-cx-z]$",
    r"[\d]",
    r"[^\d]",
    r"[\w-]",
    r"[\s\S]",
    r"^[\s\S]$",
    r"^[^\s\S]$",
    r"^[^]$",
    r"[]",
    r"[\]]",
    r"[\-]",
    r"[.]",
    r"[\b]",
    r"\n",
    r"\r",
    r"\t",
    r"\v",
    r"\f",
    r"\0",
    r"\cJ",
    r"\x61",
    r"^\x61$",
    r"\u0061",
    r"\u{61}",
    r"^\u{1F600}$",
    r"\ud83d\ude00",
    r"[\u{1F600}-\u{1F64F}]",
    r"[\ud83d\ude00]",
    r"[é-ö]",
    r"^[\u0000-\u{10FFFF}]$",
    r"\p{L}",
    r"^\p{L}+$",
    r"\P{L}",
    r"\p{Lu}",
    r"\p{Letter}",
    r"\p{Script=Greek}",
    r"^\p{Script=Greek}+$",
    r"\p{sc=Cyrillic}",
    r"\p{Script_Extensions=Han}",
    r"\p{General_Category=Decimal_Number}",
    r"\p{Nd}",
    r"\p{Alphabetic}",
    r"\p{White_Space}",
    r"\p{ASCII}",
    r"^\p{ASCII}*$",
    r"[\p{L}\d]",
    r"[^\p{L}\d]",
    r"\bab\b",
    r"\Ba",
    r"^97[89]-\d{10}$",
    r"^[^@\s]+@[^@\s]+\.[a-z]{2,}$",
    r"\.",
    r"^-?\d+(\.\d+)?$",
];

/// Texts at the edges of the classes of characters.
const TEXTS: [&str; 46] = [
    "",
    "a",
    "b",
    "ab",
    "abc",
    "ABC",
    "aab",
    "ba",
    "a\nb",
    "\n",
    "\r",
    "\u{2028}",
    "\u{2029}",
    "\u{85}",
    "\u{feff}",
    "\u{a0}",
    "\u{180e}",
    "\u{b}",
    " ",
    "\t",
    "0",
    "7",
    "42",
    "-1",
    "3.14",
    "٣",
    "_",
    "-",
    ".",
    "a.b",
    "a-b",
    "a_b",
    "]",
    "é",
    "e\u{301}",
    "ß",
    "ſ",
    "\u{212a}",
    "λόγος",
    "Я",
    "中",
    "😀",
    "a😀b",
    "\u{10ffff}",
    "978-0141439846",
    "ada@example.com",
];

/// Prints what the engine matches, as an array of arrays.
const SCRIPT: &str = "const [patterns, texts] = JSON.parse(process.argv[1]);
    const matches = patterns.map(p => texts.map(t => new RegExp(p, 'u').test(t)));
    console.log(JSON.stringify(matches));";

/// The README has this number.
const CASES: usize = 4232;

#[test]
#[ignore = "needs Node.js: run by `cargo xtask ignored`"]
fn a_pattern_matches_what_it_matches_in_a_javascript_engine() {
    let input = json!([PATTERNS.as_slice(), TEXTS.as_slice()]).to_string();
    let engine = Command::new("node").args(["-e", SCRIPT, &input]).output();
    let engine = engine.expect("Node.js");
    let matches: Vec<Vec<bool>> = serde_json::from_slice(&engine.stdout).expect("JSON");
    let mut cases = 0;
    let mut wrong = Vec::new();
    for (pattern, matches) in PATTERNS.iter().zip(matches) {
        let compiled = Pattern::new(pattern).expect(pattern);
        for (text, is_match) in TEXTS.iter().zip(matches) {
            cases += 1;
            if compiled.is_match(text) != is_match {
                wrong.push(format!("{pattern} on {text:?}: {is_match} in JavaScript"));
            }
        }
    }
    println!("{cases} cases, {} wrong", wrong.len());
    assert_eq!(wrong, [""; 0]);
    assert_eq!(cases, CASES);
}
