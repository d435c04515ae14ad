//! `docent call` with files of bytes, with several mistakes at once, and without a description.

use std::fs;

use crate::service::{Request, Response, Server};
use crate::support::{Folder, run};

const STORE: &str = r#"{"sdversion": "2.0", "name": "store", "id": "urn:store", "enforcedFormats": ["base64"],
  "procs": [{"name": "put", "params": [
    {"name": "name", "type": "str", "required": true, "schema": {"type": "string"}},
    {"name": "size", "type": "num", "required": true, "schema": {"type": "integer"}},
    {"name": "content", "type": "str", "required": true,
     "schema": {"anyOf": [{"type": "string", "contentEncoding": "base64"}, {"type": "null"}]}},
    {"name": "parts", "type": "arr", "schema": {"type": "array", "items": {"type": "string", "format": "byte"}}}],
   "return": {"type": "any", "schema": true}}]}"#;

/// A service that answers calls with their own parameters.
fn store(description: Option<&'static str>) -> Server {
    Server::start(move |request: &Request| {
        if !request.body.contains("\"method\":\"put\"") {
            return match description {
                Some(text) => Response::of_service(request, "rpc.describe", text),
                None => Response::new(404, "there is no such page"),
            };
        }
        let params = request.body.split_once("\"params\":");
        let params = params.map_or("null", |(_, rest)| {
            rest.rsplit_once(",\"id\"")
                .map_or(rest, |(params, _)| params)
        });
        Response::new(
            200,
            format!("{{\"jsonrpc\":\"2.0\",\"result\":{params},\"id\":1}}"),
        )
    })
}

#[test]
fn a_file_for_a_base64_parameter_is_sent_as_its_bytes() {
    let (server, folder) = (store(Some(STORE)), Folder::new());
    let photo = folder.arg("photo.jpg");
    fs::write(&photo, [0xff, 0xd8, 0x00, 0x0a]).expect("written");
    let url = server.url("/rpc");
    let content = format!("content=@{photo}");
    let part = format!("parts=@{photo}");
    let ran = run([
        "call", &url, "put", "name=a", "size=4", &content, &part, &part,
    ]);
    let expected = r#"{"name":"a","size":4,"content":"/9gACg==","parts":["/9gACg==","/9gACg=="]}"#;
    assert_eq!(
        (ran.code, ran.stdout.trim_end()),
        (0, expected),
        "{}",
        ran.stderr
    );
    let at = format!("=@{photo}");
    let ran = run(["call", &url, "put", "--", "a", "4", &at]);
    assert!(ran.stdout.contains("/9gACg=="), "{}", ran.stderr);
    // Anywhere else, a file is text.
    let name = format!("name=@{photo}");
    let ran = run(["call", &url, "put", &name, "size=4", "content:=null"]);
    assert_eq!(ran.code, 2);
    let said = "name: the file is not UTF-8 text, and the parameter does not take bytes as base64";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
}

#[test]
fn all_missing_and_unknown_parameters_are_named_at_once() {
    let server = store(Some(STORE));
    let url = server.url("/rpc");
    for given in [
        &["nam=a", "sise=4"][..],
        &["--params", r#"{"nam": "a", "sise": 4}"#],
    ] {
        let ran = run([&["call", &url, "put"], given].concat());
        assert_eq!(ran.code, 2, "{}", ran.stderr);
        for said in [
            "nam: ",
            "sise: ",
            "name: this required parameter is missing",
            "size: this required parameter is missing",
            "content: this required parameter is missing",
        ] {
            assert!(ran.stderr.contains(said), "{said}: {}", ran.stderr);
        }
    }
}

#[test]
fn a_service_without_a_description_is_called_without_a_check_only() {
    let server = store(None);
    let url = server.url("/rpc");
    let ran = run(["call", &url, "put", "name=a"]);
    assert_ne!(ran.code, 0);
    for (given, sent) in [
        (&["name=a", "size:=4"][..], r#"{"name":"a","size":4}"#),
        (&["--", "a", ":=4"], r#"["a",4]"#),
        (&["--params", r#"{"size": 4.0}"#], r#"{"size": 4.0}"#),
        (&[], "null"),
    ] {
        let ran = run([&["call", "--no-check", &url, "put"], given].concat());
        assert_eq!(
            (ran.code, ran.stdout.trim_end()),
            (0, sent),
            "{}",
            ran.stderr
        );
    }
}
