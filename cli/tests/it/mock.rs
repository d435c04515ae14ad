//! `docent mock`: its responses, its checks and its pages.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use crate::support::{Folder, data, docent, run};

/// A running `docent mock`, which ends with the test.
struct Mock {
    child: Child,
    url: String,
}

impl Mock {
    fn start(document: &str) -> Self {
        let mut command = docent(["mock", document, "--listen", "127.0.0.1:0"]);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("it runs");
        let mut line = String::new();
        let stdout = child.stdout.as_mut().expect("piped");
        BufReader::new(stdout).read_line(&mut line).expect("a line");
        let url = line.trim().to_owned();
        Self { child, url }
    }

    /// Returns the exit code, and the result or the error's text.
    fn call(&self, arguments: &[&str]) -> (i32, String) {
        let ran = run([&["call", &*self.url], arguments].concat());
        (
            ran.code,
            if ran.code == 0 {
                ran.stdout
            } else {
                ran.stderr
            },
        )
    }

    /// Sends a request with these header fields, and returns the whole response.
    fn get(&self, path: &str, fields: &str) -> String {
        let (_, authority) = self.url.split_once("//").expect("a URL");
        let authority = authority.trim_end_matches("/rpc");
        let mut stream = TcpStream::connect(authority).expect("it listens");
        let request = format!("GET {path} HTTP/1.1\r\nHost: {authority}\r\n{fields}\r\n");
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut response = String::new();
        stream.read_to_string(&mut response).expect("it answers");
        response
    }

    fn result(&self, arguments: &[&str]) -> Value {
        let (code, text) = self.call(arguments);
        assert_eq!(code, 0, "{text}");
        serde_json::from_str(&text).expect("JSON")
    }
}

impl Drop for Mock {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the description of the library.
fn library() -> String {
    let root = env!("CARGO_MANIFEST_DIR");
    format!("{root}/../describe/tests/golden/library.describe.json")
}

const NOTES: &str = r##"{
    "openrpc": "1.3.2",
    "info": {"title": "notes", "version": "1"},
    "methods": [{
        "name": "note.get",
        "summary": "Returns a note.",
        "params": [{"name": "id", "description": "Its number.", "required": true, "schema": {"type": "integer", "minimum": 1}}],
        "result": {"name": "note", "description": "The note.", "schema": {"$ref": "#/components/schemas/Note"}},
        "errors": [{"code": 7, "message": "No such note"}],
        "examples": [
            {"name": "First", "params": [{"name": "id", "value": 1}], "result": {"name": "note", "value": {"text": "one"}}},
            {"name": "Second", "params": [{"name": "id", "value": 2}], "result": {"name": "note", "value": {"text": "two"}}}
        ]
    }, {
        "name": "note.list",
        "summary": "Lists notes.",
        "params": [],
        "result": {"name": "notes", "description": "The notes.", "schema": {"type": "array", "minItems": 2, "items": {"$ref": "#/components/schemas/Note"}}}
    }],
    "components": {"schemas": {"Note": {
        "type": "object",
        "required": ["text"],
        "properties": {"text": {"type": "string", "pattern": "^[a-z]+$", "description": "The text."}}
    }}}
}"##;

#[test]
fn a_mock_answers_with_the_example_that_matches_then_the_first_then_a_value_that_fits() {
    let folder = Folder::new();
    let mock = Mock::start(&folder.write("notes.json", NOTES));
    assert_eq!(mock.result(&["note.get", "id:=2"]), json!({"text": "two"}));
    assert_eq!(
        mock.result(&["note.get", "--params", "[2]"]),
        json!({"text": "two"})
    );
    assert_eq!(mock.result(&["note.get", "id:=9"]), json!({"text": "one"}));
    let made = mock.result(&["note.list"]);
    assert_eq!(made.as_array().map(Vec::len), Some(2));
    assert!(made[0]["text"].is_string(), "{made}");
}

#[test]
fn a_mock_does_not_answer_with_an_example_that_breaks_its_schema() {
    let folder = Folder::new();
    let broken = NOTES.replace(r#"{"text": "two"}"#, r#"{"text": 2}"#);
    let mock = Mock::start(&folder.write("notes.json", &broken));
    assert_eq!(mock.result(&["note.get", "id:=2"]), json!({"text": "one"}));
    let all_broken = broken.replace(r#"{"text": "one"}"#, "{}");
    let mock = Mock::start(&folder.write("notes.json", &all_broken));
    assert!(mock.result(&["note.get", "id:=1"])["text"].is_string());
}

#[test]
fn a_mock_checks_what_it_is_sent() {
    let folder = Folder::new();
    let mock = Mock::start(&folder.write("notes.json", NOTES));
    let (code, text) = mock.call(&["note.get", "id:=0", "--no-check"]);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("-32602") && text.contains("id:"), "{text}");
    let (code, text) = mock.call(&["note.got", "--no-check"]);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("-32601"), "{text}");
    assert_eq!(
        mock.call(&["note.get", "id:=1", "--notify"]),
        (0, String::new())
    );
}

#[test]
fn the_description_of_a_mock_holds() {
    let folder = Folder::new();
    let tools = r#"{"serverInfo": {"name": "tools", "version": "1"}, "tools": [{"name": "add",
        "annotations": {"readOnlyHint": true}, "inputSchema": {"type": "object", "required": ["a"],
        "properties": {"a": {"type": "integer"}}}, "outputSchema": {"type": "object"}}]}"#;
    let few = r#"{"sdversion": "2.0", "name": "few", "id": "urn:few", "procs": [{"name": "now",
        "idempotent": true, "params": [], "return": {"type": "num", "schema": {"type": "integer"}},
        "limits": {"rate": {"calls": 2, "per": 60, "by": "peer"}}}]}"#;
    for document in [
        folder.write("notes.json", NOTES),
        folder.write("tools.json", tools),
        folder.write("few.json", few),
        library(),
    ] {
        let mock = Mock::start(&document);
        let ran = run([
            "check",
            "--unsafe",
            "--rate",
            "100000",
            "--seed",
            "1",
            "--max-calls",
            "600",
            "--allow",
            "warnings,undocumented",
            &mock.url,
        ]);
        assert!(
            ran.stdout.contains(": the description holds"),
            "{}",
            ran.stdout
        );
        assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn a_mock_has_the_site_and_the_description_of_the_service() {
    let mock = Mock::start(&library());
    let page = mock.get("/docs/llms.txt", "");
    assert!(page.contains(&format!("`{}`", mock.url)), "{page}");
    let site = mock.url.replace("/rpc", "/docs/description.json");
    for address in [&mock.url, &site] {
        let ran = run(["list", address]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert_eq!(ran.stdout, run(["list", &library()]).stdout);
    }
    let ran = run(["mock", &data("shop.json"), "--listen", "127.0.0.1:http"]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
}

const WATCH: &str = r#"{"sdversion": "2.0", "name": "loans", "id": "urn:loans", "procs": [{
    "name": "loan.watch", "idempotent": true,
    "params": [{"name": "shelf", "type": "str", "required": true, "schema": {"type": "string"}},
        {"name": "after", "type": "num", "required": false, "schema": {"type": "integer", "minimum": 0}}],
    "subscription": {"item": {"type": "num", "schema": {"type": "integer"}}, "notification": "loan_made", "resume": "after"},
    "errors": [{"code": 7, "message": "No such shelf"}],
    "examples": [
        {"params": {"shelf": "A"}, "items": [1, 2]},
        {"params": {"shelf": "B", "after": 17}, "items": [180, 190, 200]},
        {"params": {"shelf": "C"}, "error": {"code": 7, "message": "No such shelf"}}]
}, {
    "name": "tick", "params": [],
    "subscription": {"item": {"type": "str", "schema": {"const": "tick"}}, "ends": "untold"}
}]}"#;

impl Mock {
    /// Returns the URLs of the carriers of subscriptions.
    fn carriers(&self) -> [String; 2] {
        [self.url.clone(), self.url.replace("http:", "ws:")]
    }
}

/// Subscribes, and returns the output: items, or an error.
fn follow(arguments: &[&str]) -> String {
    let ran = run([&["call"], arguments].concat());
    ran.stdout + &ran.stderr
}

#[test]
fn the_subscriptions_of_a_mock_hold_on_every_carrier() {
    let folder = Folder::new();
    let mock = Mock::start(&folder.write("watch.json", WATCH));
    for url in mock.carriers() {
        let ran = run(["check", "--allow", "undocumented", &url]);
        let holds = ran.stdout.contains(": the description holds");
        assert!(holds && ran.code == 0, "{}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn a_mock_sends_the_items_of_the_example_that_matches_on_every_carrier() {
    let folder = Folder::new();
    let mock = Mock::start(&folder.write("watch.json", WATCH));
    for url in mock.carriers() {
        let watch = |shelf: &str| follow(&[&url, "loan.watch", shelf]);
        assert_eq!(watch("shelf=A"), "1\n2\n");
        assert_eq!(watch("shelf=B"), "180\n190\n200\n");
        assert!(watch("shelf=C").contains("No such shelf"));
        // There is no example of it.
        assert_eq!(follow(&[&url, "tick", "--items", "1"]), "\"tick\"\n");
        let refused = follow(&[&url, "loan.watch", "--no-check", "--items", "1"]);
        assert!(refused.contains("-32602"), "{refused}");
    }
}

#[test]
fn items_of_a_mock_have_cursors_after_which_a_subscription_goes_on() {
    let folder = Folder::new();
    let mock = Mock::start(&folder.write("watch.json", WATCH));
    for url in mock.carriers() {
        let messages = follow(&[&url, "loan.watch", "shelf=B", "--envelope"]);
        let messages: Vec<Value> = messages
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        assert_eq!(messages[0]["method"], "loan_made");
        let cursors: Vec<&Value> = messages
            .iter()
            .map(|message| &message["params"]["cursor"])
            .collect();
        assert_eq!(cursors, ["18", "19", "20"]);
        let watch = |after| follow(&[&url, "loan.watch", "shelf=B", after]);
        assert_eq!(watch("after:=17"), "180\n190\n200\n");
        assert_eq!(watch("after:=19"), "200\n");
        assert_eq!(watch("after:=20"), "");
    }
}

#[test]
fn events_of_a_mock_tell_browsers_what_to_come_back_with() {
    let folder = Folder::new();
    let mock = Mock::start(&folder.write("watch.json", WATCH));
    let events = |last: &str| {
        mock.get(
            "/rpc/loan.watch?shelf=B",
            &format!("Accept: text/event-stream\r\nLast-Event-ID: {last}\r\n"),
        )
    };
    let all = events("19");
    let (head, body) = all.split_once("\r\n\r\n").expect("a response");
    assert!(head.contains("text/event-stream"), "{head}");
    assert_eq!(
        body,
        "data: {\"jsonrpc\":\"2.0\",\"result\":\"s1\",\"id\":null}\n\nid: 20\ndata: {\"jsonrpc\":\"2.0\",\
         \"method\":\"loan_made\",\"params\":{\"subscription\":\"s1\",\"result\":200,\"cursor\":\"20\"}}\n\nid: -\n\
         data: {\"jsonrpc\":\"2.0\",\"method\":\"loan_made\",\"params\":{\"subscription\":\"s1\",\"ended\":true}}\n\n"
    );
    assert!(events("-").starts_with("HTTP/1.1 204"));
    let plain = mock.get("/rpc/loan.watch?shelf=B", "");
    assert!(plain.starts_with("HTTP/1.1 406"), "{plain}");
    assert!(
        plain.contains(r#""code":-32011"#) && plain.contains(r#"["sse","websocket"]"#),
        "{plain}"
    );
}

#[test]
fn a_mock_makes_a_value_where_objects_overlap_and_otherwise_says_that_none_could_be_made() {
    let folder = Folder::new();
    let document = |schema: &str| {
        let text = format!(
            r#"{{"openrpc": "1.3.2", "info": {{"title": "t", "version": "1"}}, "methods": [
                {{"name": "get", "params": [], "result": {{"name": "r", "schema": {schema}}}}}]}}"#
        );
        folder.write("overlap.json", &text)
    };
    let text = r#"{"type": "string"}"#;
    for schema in [
        format!(
            r#"{{"oneOf": [{{"type": "object", "properties": {{"id": {text}, "from": {text}}}}},
                {{"type": "object", "properties": {{"id": {text}}}}}]}}"#
        ),
        format!(
            r#"{{"oneOf": [{{"type": "object", "required": ["id"], "properties": {{"id": {text}, "to": {text}}}}},
                {{"type": "object", "required": ["id"], "properties": {{"id": {text}, "to": {{"type": "integer"}}}}}}]}}"#
        ),
    ] {
        let document = document(&schema);
        let mock = Mock::start(&document);
        assert!(mock.result(&["get"]).is_object());
        let ran = run([
            "check",
            &mock.url,
            "--unsafe",
            "--rate",
            "10000",
            "--allow",
            "undocumented",
        ]);
        assert!(
            ran.stdout.contains("the description holds"),
            "{}{}",
            ran.stdout,
            ran.stderr
        );
    }
    let mock = Mock::start(&document(
        r#"{"type": "string", "pattern": "^a", "not": {"pattern": "^a"}}"#,
    ));
    let (code, text) = mock.call(&["get"]);
    assert!(
        code != 0 && text.contains("No value could be made that fits"),
        "{text}"
    );
    let ran = run(["check", &mock.url, "--unsafe", "--rate", "10000"]);
    assert!(!ran.stdout.contains("departure from"), "{}", ran.stdout);
}

/// A method for each format that takes and gives a text of it, and one for a text inside an object.
fn with_formats() -> String {
    let methods = ["byte", "hex", "base64", "binary", "decimal", "ulid", "date", "uuid", "uri"].map(|format| {
        let text = format!(r#"{{"type": "string", "format": "{format}"}}"#);
        let object = format!(r#"{{"type": "object", "required": ["a"], "properties": {{"a": {text}}}}}"#);
        format!(
            r#"{{"name": "f_{format}", "params": [{{"name": "a", "required": true, "schema": {text}}}], "result": {{"name": "r", "schema": {text}}}}},
            {{"name": "in_{format}", "params": [{{"name": "a", "required": true, "schema": {object}}}], "result": {{"name": "r", "schema": {object}}}}}"#
        )
    });
    format!(
        r#"{{"openrpc": "1.3.2", "info": {{"title": "t", "version": "1"}}, "methods": [{}]}}"#,
        methods.join(",")
    )
}

#[test]
fn a_format_that_nobody_knows_asserts_nothing() {
    let folder = Folder::new();
    let mock = Mock::start(&folder.write("formats.json", &with_formats()));
    let all = [
        "check",
        &mock.url,
        "--unsafe",
        "--rate",
        "10000",
        "--max-calls",
        "3000",
        "--allow",
        "undocumented",
    ];
    let ran = run(all);
    assert_eq!(ran.code, 0, "{}", ran.stdout);
    assert!(
        ran.stdout.contains("0 not tried") && ran.stdout.contains(": the description holds"),
        "{}",
        ran.stdout
    );
    let (code, text) = mock.call(&["f_byte", "a=AAEC/w=="]);
    assert_eq!(code, 0, "{text}");
}
