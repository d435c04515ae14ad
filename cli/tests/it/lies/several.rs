//! Lies that only some values show, that hide behind others, or that show only in several calls.

use std::collections::HashMap;
use std::sync::Mutex;

use docent_core::{Argument, Arguments};
use docent_describe::ServiceDescription;
use docent_describe::json::{Json, Object};
use docent_tools::read::read;

use super::service::{id_of, url_pairs};
use crate::service::{Request, Response, Server};
use crate::support::{Ran, run};

const DESCRIPTION: &str = r##"{
  "sdversion": "2.0", "name": "shop", "id": "urn:shop", "enforcedFormats": [],
  "procs": [
    {"name": "pick", "summary": "Picks.", "idempotent": true, "params": [
       {"name": "kind", "type": "str", "required": true, "description": "k",
        "schema": {"$ref": "#/components/schemas/Kind"}},
       {"name": "count", "type": "num", "required": false, "default": 5, "description": "n",
        "schema": {"type": "integer", "minimum": 1, "maximum": 501}},
       {"name": "word", "type": "str", "required": false, "description": "w",
        "schema": {"type": "string", "examples": ["whale"]}}],
     "return": {"type": "obj", "description": "r", "schema": {"type": "object",
       "required": ["kind"], "properties": {"kind": {"type": "string"}, "size": {"type": "integer"}}}},
     "errors": [{"code": 10, "message": "Ten", "data": {"type": "integer"}}]},
    {"name": "flags", "summary": "Flags.", "idempotent": true, "params": [
       {"name": "a", "type": "bit", "required": false, "description": "a", "schema": {"type": "boolean"}},
       {"name": "b", "type": "bit", "required": false, "description": "b", "schema": {"type": "boolean"}},
       {"name": "c", "type": "bit", "required": false, "description": "c", "schema": {"type": "boolean"}}],
     "return": {"type": "num", "description": "r", "schema": {"type": "integer"}}},
    {"name": "next", "summary": "Nothing changes.", "idempotent": true, "params": [],
     "return": {"type": "num", "description": "r", "schema": {"type": "integer"}}},
    {"name": "rare", "summary": "Rare.", "idempotent": true, "params": [],
     "limits": {"rate": {"calls": 5, "per": 3600, "by": "peer"}},
     "return": {"type": "num", "description": "r", "schema": {"type": "integer"}}},
    {"name": "often", "summary": "Often.", "idempotent": true, "params": [],
     "limits": {"rate": {"calls": 150, "per": 3600, "by": "peer"}},
     "return": {"type": "num", "description": "r", "schema": {"type": "integer"}}},
    {"name": "pay", "summary": "Pays.", "idempotent": false, "repeatable": {"for": 60}, "params": [],
     "return": {"type": "num", "description": "r", "schema": {"type": "integer"}}}
  ],
  "components": {"schemas": {"Kind": {"enum": ["a1", "b2", "c3", "d4", "e5", "f6", "g7", "h8", "i9", "j10", "k11"]}}}
}"##;

struct Service {
    lie: &'static str,
    description: ServiceDescription,
    counts: Mutex<HashMap<String, u64>>,
    keys: Mutex<HashMap<String, String>>,
}

fn start(lie: &'static str) -> Server {
    let description = read(DESCRIPTION.as_bytes()).expect("a description");
    let service = Service {
        lie,
        description: description.description,
        counts: Mutex::default(),
        keys: Mutex::default(),
    };
    Server::start(move |request| service.answer(request))
}

fn error(code: i64, more: &str) -> String {
    format!(r#""error":{{"code":{code},"message":"Ten"{more}}}"#)
}

impl Service {
    /// Counts a call, and returns the number of calls so far.
    fn next(&self, of: &str) -> u64 {
        let mut counts = self.counts.lock().expect("sound");
        let count = counts.entry(of.to_owned()).or_default();
        *count += 1;
        *count - 1
    }

    fn answer(&self, request: &Request) -> Response {
        if request.method == "GET" {
            return self.query(request);
        }
        let json: Json = request.body.parse().expect("JSON");
        let respond = |call: &Json, id: Option<&str>| {
            let end = self.end(call);
            let id = id
                .map(str::to_owned)
                .or(call.get("id").map(Json::to_string))?;
            Some(format!(r#"{{"jsonrpc":"2.0",{end},"id":{id}}}"#))
        };
        if let Json::Array(calls) = &json {
            let responses: Vec<String> = calls
                .iter()
                .filter_map(|call| respond(call, None))
                .collect();
            return Response::new(200, format!("[{}]", responses.join(",")));
        }
        match respond(&json, id_of(&request.body)) {
            Some(text) => Response::new(200, text),
            None => Response::new(204, ""),
        }
    }

    fn query(&self, request: &Request) -> Response {
        let path = request.path.strip_prefix("/rpc/").unwrap_or_default();
        let (name, query) = path.split_once('?').unwrap_or((path, ""));
        let pairs = url_pairs(query);
        let procedure = self.description.procedure(name);
        let end = match procedure {
            Some(procedure) if procedure.idempotent => {
                let pairs = pairs.iter();
                let pairs = pairs.map(|(name, text)| (name.as_str(), Argument::Text(text)));
                match Arguments::new(procedure, &self.description).params(pairs) {
                    Ok(params) => self.run(name, params.parse().ok()),
                    Err(_) => error(-32602, ""),
                }
            }
            Some(_) => error(-32006, ""),
            None => error(-32601, ""),
        };
        let code = |code: i64| end.contains(&format!("\"code\":{code},"));
        let status = match () {
            () if code(-32602) => 400,
            () if code(-32601) => 404,
            () if code(-32006) => 405,
            () if code(-32008) => 429,
            () if end.starts_with("\"error\"") => 500,
            () => 200,
        };
        let body = format!(r#"{{"jsonrpc":"2.0",{end},"id":null}}"#);
        let etag = format!("{:?}", &body[16..].replace('"', "'"));
        if status == 200 && request.header("if-none-match") == Some(&etag) {
            return Response::new(304, "").with_header("ETag", etag);
        }
        let control = if status == 200 {
            "no-cache"
        } else {
            "no-store"
        };
        Response::new(status, body)
            .with_header("Cache-Control", control)
            .with_header("ETag", etag)
    }

    fn end(&self, call: &Json) -> String {
        let name = call.get("method").and_then(Json::as_str).expect("a method");
        if name == "rpc.describe" {
            let text = if self.lie == "describes" && self.next(name) % 2 == 1 {
                DESCRIPTION.replace("\"maximum\": 501", "\"maximum\": 400")
            } else {
                DESCRIPTION.to_owned()
            };
            return format!("\"result\":{text}");
        }
        let run = || self.run(name, call.get("params").cloned());
        let key = call.get("x-idempotency-key").and_then(Json::as_str);
        match key {
            Some(key) if self.lie != "key" => {
                let mut keys = self.keys.lock().expect("sound");
                keys.entry(key.to_owned()).or_insert_with(run).clone()
            }
            _ => run(),
        }
    }

    fn run(&self, name: &str, params: Option<Json>) -> String {
        let Some(procedure) = self.description.procedure(name) else {
            return error(-32601, "");
        };
        let params = params.unwrap_or_else(|| Json::Object(Object::new()));
        let arguments = Arguments::new(procedure, &self.description);
        if arguments.check(&params.to_string()).is_err() {
            return error(-32602, r#","data":{"reason":"is wrong"}"#);
        }
        let given: Object = match params {
            Json::Array(values) => {
                let names = procedure.params.iter().map(|param| param.name.clone());
                names.zip(values).collect()
            }
            other => other.as_object().cloned().expect("params"),
        };
        match name {
            "pick" => self.pick(&given),
            "flags" => {
                let all = given
                    .values()
                    .filter(|value| **value == Json::Bool(true))
                    .count()
                    == 3;
                if self.lie == "three-flags" && all {
                    return error(7, "");
                }
                "\"result\":1".to_owned()
            }
            "next" if self.lie == "counts" => format!("\"result\":{}", self.next(name)),
            "rare" if self.lie != "limit" && self.next(name) >= 5 => error(-32008, ""),
            "often" if self.lie != "large-limit" && self.next(name) >= 150 => error(-32008, ""),
            "pay" => format!("\"result\":{}", self.next(name)),
            _ => "\"result\":1".to_owned(),
        }
    }

    fn pick(&self, given: &Object) -> String {
        let kind = given.get("kind").and_then(Json::as_str).expect("a kind");
        let count = given.get("count").and_then(Json::as_i64);
        let word = given.get("word").and_then(Json::as_str);
        match (self.lie, kind) {
            ("one-kind", "h8") | ("two-kinds", "c3") => error(77, ""),
            ("two-kinds", "i9") => error(78, ""),
            ("narrow-kinds", "f6" | "g7") => error(-32602, r#","data":{"reason":"is wrong"}"#),
            ("results", "b2") => r#""result":{"kind":1}"#.to_owned(),
            ("results", "d4") => r#""result":{"size":1}"#.to_owned(),
            ("results", "k11") => r#""result":null"#.to_owned(),
            ("results", "e5") => r#""result":{"kind":"e5","size":"x"}"#.to_owned(),
            ("both-members", "e5") => r#""result":{"kind":5,"size":"x"}"#.to_owned(),
            ("data", "b2") => error(10, ""),
            ("data", "d4") => error(10, r#","data":"x""#),
            ("middle", _) if count == Some(251) => error(79, ""),
            ("example", _) if word == Some("whale") => error(80, ""),
            ("pair", "j10") if count == Some(501) => error(81, ""),
            _ => format!(r#""result":{{"kind":"{kind}"}}"#),
        }
    }
}

fn check(lie: &'static str, more: &[&str]) -> Ran {
    let server = start(lie);
    let url = server.url("/rpc");
    let options = ["--rate", "100000", "--seed", "7", "--unsafe"];
    run(["check", &url].iter().chain(&options).chain(more))
}

/// Asserts that there are as many findings as texts, and that each text is part of one, in any order.
fn assert_found(lie: &'static str, expected: &[&str]) {
    let ran = check(lie, &[]);
    assert_eq!(
        ran.code,
        i32::from(!expected.is_empty()),
        "{lie}: {}",
        ran.stdout
    );
    let is_finding = |line: &&str| line.contains("procedure `") || line.contains("asked again");
    let found: Vec<&str> = ran.stdout.lines().filter(is_finding).collect();
    assert_eq!(found.len(), expected.len(), "{lie}: {}", ran.stdout);
    for part in expected {
        assert!(
            found.iter().any(|line| line.contains(part)),
            "{lie}: {part}: {}",
            ran.stdout
        );
    }
}

#[test]
fn a_service_that_keeps_its_word_passes() {
    assert_found("", &[]);
}

#[test]
fn a_fault_that_one_value_shows_is_found() {
    assert_found("one-kind", &["error 77"]);
    assert_found("middle", &["error 79"]);
    assert_found("example", &["error 80"]);
}

#[test]
fn a_fault_that_two_values_show_together_is_found() {
    assert_found("three-flags", &["error 7 "]);
    assert_found("pair", &["error 81"]);
}

#[test]
fn a_finding_does_not_hide_others_of_its_rule() {
    assert_found("two-kinds", &["error 77", "error 78"]);
    assert_found(
        "results",
        &[
            "at /kind: expected",
            r#"the member "kind" is missing"#,
            "found null",
            "at /size: expected",
        ],
    );
    // Both are wrong in one response.
    assert_found(
        "both-members",
        &["at /kind: expected", "at /size: expected"],
    );
    assert_found("data", &["without the data", "expected an integer"]);
    let ran = check("narrow-kinds", &[]);
    for kind in ["f6", "g7"] {
        let call = format!(r#"--params '{{"kind":"{kind}"}}'"#);
        assert!(ran.stdout.contains(&call), "{kind}: {}", ran.stdout);
    }
}

#[test]
fn what_shows_in_several_calls_is_found() {
    assert_found("counts", &["changes-state: procedure `next`"]);
    assert_found("limit", &["limit-not-kept: procedure `rare`"]);
    assert_found("key", &["key-not-kept: procedure `pay`"]);
    assert_found("describes", &["description-differs: asked again"]);
}

#[test]
fn a_limit_is_tried_if_there_are_enough_calls_to_exceed_it() {
    for (calls, is_found) in [("3000", true), ("200", false)] {
        let ran = check("large-limit", &["--max-calls", calls]);
        let found = "limit-not-kept: procedure `often`: 150 calls in 3600 s are published as the limit, and 301 in";
        assert_eq!(ran.stdout.contains(found), is_found, "{}", ran.stdout);
        assert_eq!(ran.code, i32::from(is_found), "{}", ran.stdout);
        // A service that keeps its limits passes.
        assert_eq!(check("", &["--max-calls", calls]).code, 0);
    }
}
