//! `docent describe`: a description in each format, and as text.

use std::process::Stdio;

use crate::support::{Folder, data, data_text, docent, run};

#[test]
fn a_description_is_printed_in_each_format() {
    for (format, member, left_out) in [
        ("docent", "\"sdversion\": \"2.0\"", ""),
        ("openrpc", "\"openrpc\": \"1.3.2\"", ""),
        ("1.1", "\"sdversion\": \"1.0\"", "`parameter.schema` ("),
    ] {
        let ran = run(["describe", &data("shop.json"), "--as", format]);
        assert_eq!((ran.code, ran.stderr.is_empty()), (0, left_out.is_empty()));
        assert!(ran.stderr.contains(left_out), "{}", ran.stderr);
        assert!(
            ran.stdout.contains(member) && ran.stdout.contains("basket.add"),
            "{}",
            ran.stdout
        );
        assert!(ran.stdout.ends_with("}\n"));
    }
}

#[test]
fn what_a_format_leaves_out_is_told() {
    let example = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../spec/examples/subscriptions.json"
    );
    let is_told = |name: &str, format: &str| {
        let ran = run(["describe", example, "--as", format]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        ran.stderr.contains(&format!("`{name}` is left out"))
    };
    for (name, in_openapi) in [
        ("loan.watch", true),
        ("closing", false),
        ("desk.ask", false),
    ] {
        assert!(is_told(name, "1.1"), "{name}");
        assert_eq!(is_told(name, "openapi"), !in_openapi, "{name}");
        assert!(
            !is_told(name, "openrpc") && !is_told(name, "docent"),
            "{name}"
        );
    }
    assert!(!is_told("book.move", "openapi"));
}

#[test]
fn its_own_format_is_what_is_printed_if_nothing_is_said() {
    let ran = run(["describe", &data("clock.1.1.json")]);
    assert_eq!(ran.code, 0);
    assert!(
        ran.stdout.contains("\"sdversion\": \"2.0\"") && ran.stdout.contains("What time it is.")
    );
}

#[test]
fn warnings_do_not_mix_with_what_is_printed() {
    let ran = run(["describe", &data("weather.openrpc.json")]);
    assert_eq!(ran.code, 0);
    assert!(
        ran.stderr
            .contains(":9:103: warning: /methods/0/params/1/colour:"),
        "{}",
        ran.stderr
    );
    assert!(ran.stdout.starts_with('{'));
}

#[test]
fn a_reader_that_has_had_enough_is_no_failure() {
    let text = data_text("shop.json");
    let mut child = docent(["describe", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    drop(child.stdout.take());
    std::io::Write::write_all(&mut child.stdin.take().expect("piped"), text.as_bytes())
        .expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success());
    assert!(output.stderr.is_empty());
}

#[test]
fn each_format_can_be_asked_for_by_name() {
    for (format, begin) in [
        ("openrpc-1.2.6", "{\n  \"openrpc\": \"1.2.6\""),
        ("openrpc-1.4.1", "{\n  \"openrpc\": \"1.4.1\""),
        ("openapi", "{\n  \"openapi\": \"3.1.1\""),
        (
            "json-schema",
            "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\"",
        ),
        ("markdown", "# shop\n"),
        ("text", "shop\n"),
    ] {
        let ran = run(["describe", &data("shop.json"), "--format", format]);
        let is_narrow = matches!(format, "openapi" | "json-schema");
        assert_eq!((ran.code, ran.stderr.is_empty()), (0, !is_narrow));
        assert!(!is_narrow || ran.stderr.contains("has no place for"));
        assert!(ran.stdout.starts_with(begin), "{}", ran.stdout);
        assert!(ran.stdout.contains("basket.add"), "{}", ran.stdout);
    }
}

#[test]
fn open_api_cannot_describe_a_service_that_has_no_address_for_each_procedure() {
    let document = data("weather.openrpc.json");
    let ran = run(["describe", &document, "--format", "openapi"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(
        ran.stderr.contains("not served by Docent"),
        "{}",
        ran.stderr
    );
}

#[test]
fn names_select_procedures_and_are_shown_as_text() {
    let document = data("shop.json");
    let ran = run(["describe", &document, "basket.clear"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(
        ran.stdout
            .starts_with("basket.clear\n\nEmpties the basket.\n\nbasket.clear() → null\n"),
        "{}",
        ran.stdout
    );
    assert!(!ran.stdout.contains("basket.add"), "{}", ran.stdout);
    let ran = run(["describe", &document, "basket.clear", "--json"]);
    assert!(ran.stdout.contains("\"sdversion\"") && !ran.stdout.contains("basket.add"));
    let ran = run(["describe", &document, "basket.cler"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.contains("did you mean basket.clear?"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_file_gets_what_would_be_printed() {
    let folder = Folder::new();
    let file = folder.arg("shop.json");
    let ran = run(["describe", &data("shop.json"), "-o", &file]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""));
    let printed = run(["describe", &data("shop.json")]);
    assert_eq!(folder.read("shop.json"), printed.stdout);
}

#[test]
fn a_folder_that_is_missing_or_cannot_be_created_is_named() {
    let folder = Folder::new();
    let file = folder.write("file", "");
    let missing = folder.arg("missing");
    let inside = |of: &str, name: &str| format!("{of}/{name}");
    let input = data("shop.json");
    let cannot = format!("cannot create the folder {file}");
    for (arguments, output, said) in [
        (
            &["describe"][..],
            inside(&missing, "shop.json"),
            format!("there is no folder {missing}; create it first"),
        ),
        (
            &["docs", "--single-file"],
            inside(&file, "site.html"),
            format!("{cannot}: "),
        ),
    ] {
        let ran = run(arguments.iter().chain(&[input.as_str(), "-o", &output]));
        assert_eq!(ran.code, 3, "{arguments:?}: {}", ran.stderr);
        let expected = format!("docent: {output}: {said}");
        assert!(ran.stderr.starts_with(&expected), "{}", ran.stderr);
    }
    assert!(!folder.has("missing"));
    let templates = inside(&file, "templates");
    let ran = run(["docs", "--print-templates", &templates]);
    assert_eq!(ran.code, 3);
    assert!(ran.stderr.contains(&cannot), "{}", ran.stderr);
}

/// A description in which each text tries to command the terminal.
const HOSTILE: &str = r##"{"sdversion": "2.0", "name": "x\u001b]0;owned\u0007\u202e", "id": "urn:x",
  "summary": "\u009b2J\u2066<script>", "description": "```\n\u001b[1m\n```\n\n`\u202e`\n\n| a\u0008 |\n|---|\n| b\r |",
  "procs": [{"name": "p\u001b[2J\nq", "summary": "\u200f\u0007", "help": "http://a/\u001b",
    "deprecated": {"reason": "\u001b[31m", "instead": "\u202e"},
    "params": [{"name": "a\u001b", "type": "str", "required": true, "description": "\u009d",
      "default": "\u202e", "schema": {"type": "string", "enum": ["\u001b", "\u202e"], "pattern": "\u0007",
      "title": "\u001b", "$ref": "#/components/schemas/T\u001b"}}],
    "return": {"type": "any", "schema": {"$ref": "#/components/schemas/T\u001b"}},
    "errors": [{"code": 1, "message": "\u001b[2J", "$description": "\u202e", "data": {"const": "\u0007"}}],
    "examples": [{"summary": "\u001b", "params": {"a\u001b": "\u001b\u202e"}, "result": "\u0007\u202e"}]}],
  "components": {"schemas": {"T\u001b": {"description": "\u001b", "properties": {"\u202e": {"const": "\u001b"}}}}}}"##;

#[test]
fn nothing_in_a_description_commands_a_terminal() {
    let folder = Folder::new();
    let document = folder.write("hostile.json", HOSTILE);
    for arguments in [
        vec!["describe", &document, "--format", "text"],
        vec!["describe", &document, "--format", "markdown"],
        vec!["describe", &document, "T\u{1b}"],
        vec!["list", &document],
        vec!["check", &document],
        vec!["call", &document, "p", "--address", "http://127.0.0.1:1/"],
    ] {
        for color in ["never", "always"] {
            let ran = run(arguments.iter().copied().chain(["--color", color]));
            let mut shown = format!("{}{}", ran.stdout, ran.stderr);
            assert!(!shown.is_empty(), "{arguments:?}");
            // The text that the program itself writes.
            for style in ["0", "1", "1;36", "36", "2", "33", "1;31", "32"] {
                shown = shown.replace(&format!("\u{1b}[{style}m"), "");
            }
            let is_obeyed = |character: char| {
                character.is_control() && character != '\n' && character != '\t'
                    || matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
            };
            let obeyed_text = shown
                .find(is_obeyed)
                .map(|at| &shown[at.saturating_sub(20)..]);
            assert_eq!(obeyed_text, None, "{arguments:?}");
        }
    }
}

#[test]
fn what_leads_to_another_page_is_a_sentence_in_the_text() {
    for names in [&[][..], &["basket.add"]] {
        let path = data("shop.json");
        let args = ["describe", &path, "--format", "text"];
        let ran = run(args.iter().chain(names));
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let text = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        let ends =
            "no other errors of its own. Any call can also fail with a protocol error. Call it";
        assert!(text.contains(ends), "{text}");
    }
}

#[test]
fn keywords_that_a_rendering_cannot_express_are_told_with_their_number() {
    let folder = Folder::new();
    let schema = r#"{"type": "array", "contains": {"const": 7}, "minContains": 2, "maxContains": 3,
        "items": {"type": "array", "contains": {"const": 7}, "minContains": 2}}"#;
    let document = folder.write(
        "list.json",
        &format!(
            r#"{{"openrpc": "1.3.2", "info": {{"title": "t", "version": "1"}}, "methods": [{{"name": "p",
                "params": [{{"name": "a", "schema": {schema}}}], "result": {{"name": "r", "schema": true}}}}]}}"#
        ),
    );
    for format in ["openrpc", "openrpc-1.2.6", "openrpc-1.4.1"] {
        let ran = run(["describe", &document, "--format", format]);
        let told = "the format has no place for `maxContains` (1), `minContains` (2); only Docent reads the \
                    originals of schemas, in `x-schema`\n";
        assert!(ran.stderr.ends_with(told), "{}", ran.stderr);
        let rendered = folder.write("rendered.json", &ran.stdout);
        let ran = run(["diff", &document, &rendered]);
        assert_eq!(ran.stdout, "0 breaking, 0 risky, 0 safe\n", "{format}");
    }
}
