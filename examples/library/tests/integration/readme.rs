//! Repeats the README's calls on a new library and compares the results.
//!
//! The tests use two days far apart, so that no result depends on when a reader tries the call.
//! They ignore whitespace between tokens, because the README lays out long results. With
//! `DOCENT_UPDATE=1`, they replace a result that differs with the actual one, on one line.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use docent::describe::json::{Json, Pointer};
use golden::assert_golden;

use crate::http::{Client, Served, TOKEN};

const SERVER: &str = "http://127.0.0.1:8080";

/// A command and the output that the README shows for it.
struct Shown {
    command: String,
    answer: String,
}

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md")
}

fn shown(readme: &str) -> Vec<Shown> {
    let mut all = Vec::new();
    for block in readme.split("\n```console\n").skip(1) {
        let (block, _) = block.split_once("\n```").expect("the end of a block");
        let session = format!("\n{block}\n");
        for call in session.split("\n$ ").skip(1) {
            let end = end_of_command(call);
            all.push(Shown {
                command: call[..end].to_owned(),
                answer: call[end..].trim().to_owned(),
            });
        }
    }
    all
}

/// Returns the length of the first command in a text, as a shell would read it.
fn end_of_command(text: &str) -> usize {
    let mut quoted = false;
    let mut before = ' ';
    for (at, character) in text.char_indices() {
        match character {
            '\'' => quoted = !quoted,
            '\n' if !quoted && before != '\\' => return at,
            _ => {}
        }
        before = character;
    }
    text.len()
}

/// Splits a command into words, as a shell would.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for character in command.replace("\\\n", " ").chars() {
        match character {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            _ => words.last_mut().unwrap().push(character),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Runs a command as `curl`, optionally piped into `jq`, would.
fn run(client: Client<'_>, command: &str) -> String {
    let mut words = words(command).into_iter();
    assert_eq!(words.next().as_deref(), Some("curl"), "{command}");
    let (mut target, mut body, mut format, mut filter) = (None, None, None, None);
    let mut authorization = None;
    while let Some(word) = words.next() {
        let mut value = || words.next().unwrap();
        match &*word {
            "-s" => {}
            "-H" => match value().split_once(": ").expect(command) {
                ("Authorization", credential) => authorization = Some(credential.to_owned()),
                header => assert_eq!(header, ("Content-Type", "application/json")),
            },
            "-d" => body = Some(value()),
            "-w" => format = Some(value()),
            "|" => {
                assert_eq!(value(), "jq");
                filter = Some(value());
            }
            url => target = Some(url.strip_prefix(SERVER).expect(command).to_owned()),
        }
    }
    let target = target.expect(command);
    let client = client.bringing(authorization.as_deref());
    let answer = match body {
        Some(body) => client.send("POST", &target, &body),
        None => client.send("GET", &target, ""),
    };
    let mut printed = answer.body;
    if let Some(filter) = filter {
        printed = pick(&printed, &filter);
    }
    if let Some(format) = format {
        assert!(matches!(&*format, "%{http_code}\\n" | "\\n%{http_code}\\n"));
        writeln!(printed, "{}", answer.status).unwrap();
    }
    printed
}

/// Returns what `jq` selects with a path such as `.result.procs[0]`.
fn pick(answer: &str, path: &str) -> String {
    let pointer = path.replace(['.', '['], "/").replace(']', "");
    let answer: Json = answer.parse().unwrap();
    Pointer::resolve(&pointer, &answer).unwrap().to_string()
}

/// Returns the text without the whitespace between tokens.
fn close(text: &str) -> String {
    let (mut quoted, mut escaped) = (false, false);
    text.chars()
        .filter(|&character| {
            let keep = quoted || !character.is_whitespace();
            if character == '"' && !escaped {
                quoted = !quoted;
            }
            escaped = quoted && character == '\\' && !escaped;
            keep
        })
        .collect()
}

#[test]
fn the_answers_in_the_readme_are_the_answers_of_a_new_library() {
    let readme = std::fs::read_to_string(path()).unwrap();
    // Readers try the calls on a library that requires the same token.
    let start = format!("cargo run --release -p library -- --token {TOKEN} ");
    assert!(readme.contains(&start), "no {start:?}");
    let calls = shown(&readme);
    assert!(calls.len() >= 9, "only {} calls found", calls.len());
    for today in ["2026-03-02", "2031-10-17"] {
        let served = Served::on(today);
        let mut answered = readme.clone();
        for Shown { command, answer } in &calls {
            let real = run(served.client(), command);
            if close(answer) != close(&real) {
                let before = format!("{command}\n{answer}");
                answered = answered.replace(&before, &format!("{command}\n{}", real.trim()));
            }
        }
        assert_golden(path(), &answered);
    }
}
