//! A service that keeps to its description, except in the way that a test asks for.

use std::sync::atomic::{AtomicUsize, Ordering};

use docent_core::{Argument, Arguments};
use docent_describe::json::{Cursor, Json, Object};
use docent_describe::{ProcedureDescription, ServiceDescription};
use docent_tools::read::read;

use crate::service::{Request, Response, Server};

const DESCRIPTION: &str = r##"{
  "sdversion": "2.0", "name": "shelf", "id": "urn:uuid:6d1f0b52-0f5a-4a4b-9a70-5f7f3d1b2c1f",
  "enforcedFormats": ["date"],
  "procs": [
    {"name": "find", "summary": "Finds items.", "idempotent": true, "cache": {"maxAge": 60},
     "params": [
       {"name": "word", "type": "str", "required": true, "description": "A word.",
        "aliases": [{"name": "text"}],
        "schema": {"type": "string", "minLength": 2, "maxLength": 8, "pattern": "^[^!]*$"}},
       {"name": "limit", "type": "num", "required": false, "default": 20, "description": "How many.",
        "schema": {"type": "integer", "minimum": 1, "maximum": 100}},
       {"name": "kind", "type": "str", "required": false, "description": "Which kind.",
        "schema": {"enum": ["book", "film"]}},
       {"name": "day", "type": "str", "required": false, "description": "Since when.",
        "schema": {"type": "string", "format": "date"}},
       {"name": "place", "type": "obj", "required": false, "description": "Where.",
        "schema": {"type": "object", "required": ["shelf"], "additionalProperties": false,
          "properties": {"shelf": {"type": "integer", "minimum": 0},
            "rows": {"type": "array", "items": {"type": "string"}, "maxItems": 2, "uniqueItems": true}}}}],
     "return": {"type": "arr", "description": "The items.",
       "schema": {"type": "array", "items": {"$ref": "#/components/schemas/Item"}}},
     "errors": [{"code": 1404, "message": "No such shelf", "data": {"type": "object",
       "required": ["shelf"], "properties": {"shelf": {"type": "integer"}}}}],
     "examples": [{"params": {"word": "moby", "limit": 3}, "result": []},
       {"params": {"word": "moby", "place": {"shelf": 404}},
        "error": {"code": 1404, "message": "No such shelf", "data": {"shelf": 404}}}]},
    {"name": "subtract", "summary": "Subtracts.", "idempotent": true,
     "params": [
       {"name": "from", "type": "num", "required": true, "description": "From what.", "schema": {"type": "integer", "minimum": -1000, "maximum": 1000}},
       {"name": "what", "type": "num", "required": true, "description": "What.", "schema": {"type": "integer", "minimum": -1000, "maximum": 1000}}],
     "return": {"type": "num", "description": "The rest.", "schema": {"type": "integer"}}},
    {"name": "options", "summary": "Says what is set.", "idempotent": true, "byNameOnly": true,
     "params": [{"name": "level", "type": "num", "required": true, "description": "A level.",
       "schema": {"type": "integer", "minimum": 0, "maximum": 9}},
       {"name": "loud", "type": "bit", "required": false, "description": "Loudly.",
       "schema": {"type": "boolean"}}],
     "return": {"type": "num", "description": "The level.", "schema": {"type": "integer"}}},
    {"name": "put", "summary": "Stores a number.", "idempotent": false,
     "params": [{"name": "number", "type": "num", "required": true, "description": "A number.",
       "schema": {"type": "integer", "minimum": 0, "maximum": 9}}],
     "return": {"type": "nil", "schema": {"type": "null"}}},
    {"name": "secret", "summary": "For some.", "idempotent": true, "guarded": true, "params": [],
     "return": {"type": "num", "description": "A number.", "schema": {"type": "integer"}}}
  ],
  "components": {"schemas": {"Item": {"type": "object", "description": "An item.",
    "required": ["title", "kind", "tags"], "additionalProperties": false,
    "properties": {"title": {"type": "string"}, "kind": {"enum": ["book", "film"]},
      "tags": {"type": "array", "items": {"type": "string"}}}}}}
}"##;

/// The end of a call.
enum End {
    Result(String),
    Error(i64, &'static str, Option<String>),
}

struct Service {
    lie: String,
    description: ServiceDescription,
    count: AtomicUsize,
}

/// Starts a service that lies in this way, or in none.
pub(super) fn start(lie: &str) -> Server {
    let description = read(DESCRIPTION.as_bytes()).expect("a description");
    assert!(
        description.warnings.is_empty(),
        "{:?}",
        description.warnings
    );
    let service = Service {
        lie: lie.to_owned(),
        description: description.description,
        count: 0.into(),
    };
    Server::start(move |request| service.answer(request))
}

impl Service {
    fn is(&self, lie: &str) -> bool {
        self.lie == lie
    }

    fn answer(&self, request: &Request) -> Response {
        if request.method == "GET" {
            return self.query(request);
        }
        let Ok(json) = request.body.parse::<Json>() else {
            return Response::new(
                200,
                envelope("null", &End::Error(-32700, "Parse error", None)),
            );
        };
        if let Json::Array(calls) = &json {
            let mut responses: Vec<String> = calls
                .iter()
                .filter_map(|call| self.call(call, None))
                .collect();
            if self.is("batch") {
                responses.reverse();
            }
            return Response::new(200, format!("[{}]", responses.join(",")));
        }
        match self.call(&json, id_of(&request.body)) {
            Some(_) if self.is("html") && json.get("method") == Some(&Json::from("subtract")) => {
                Response::new(200, "<html></html>")
            }
            Some(text) => Response::new(200, text),
            None if self.is("notification") => {
                Response::new(200, envelope("null", &End::Result("1".to_owned())))
            }
            None => Response::new(204, ""),
        }
    }

    fn call(&self, call: &Json, id: Option<&str>) -> Option<String> {
        let method = call
            .get("method")
            .and_then(Json::as_str)
            .unwrap_or_default();
        let end = if method == "rpc.describe" {
            End::Result(DESCRIPTION.to_owned())
        } else {
            self.run(method, call.get("params").cloned(), false)
        };
        let id = match (id, call.get("id")) {
            (Some(id), _) if !self.is("id") => id.to_owned(),
            (_, Some(Json::Number(id))) if self.is("id") => {
                id.parse::<f64>().expect("a number").to_string()
            }
            (_, id) => id?.to_string(),
        };
        Some(envelope(&id, &end))
    }

    fn query(&self, request: &Request) -> Response {
        let path = request.path.strip_prefix("/rpc/").unwrap_or_default();
        let (name, query) = path.split_once('?').unwrap_or((path, ""));
        let error = |code, message, status| {
            let status = if self.is("status") { 200 } else { status };
            let response =
                Response::new(status, envelope("null", &End::Error(code, message, None)));
            let age = if self.is("stored-errors") {
                "max-age=60"
            } else {
                "no-store"
            };
            response.with_header("Cache-Control", age)
        };
        let Some(procedure) = self.description.procedure(name) else {
            return error(-32601, "Method not found", 404);
        };
        let is_refused = !procedure.idempotent && !self.is("get-runs");
        if is_refused || self.is("get-refused") {
            return error(-32006, "Not callable with GET", 405);
        }
        let pairs: Vec<(String, String)> = url_pairs(query);
        let arguments = Arguments::new(procedure, &self.description);
        let pairs = pairs
            .iter()
            .map(|(name, text)| (name.as_str(), Argument::Text(text)));
        if self.is("get-optional") && name == "find" && !query.contains("limit") {
            return error(-32602, "Invalid params", 400);
        }
        let Ok(params) = arguments.params(pairs) else {
            return error(-32602, "Invalid params", 400);
        };
        let end = self.run(name, params.parse().ok(), true);
        let status = match &end {
            End::Error(-32602, ..) if !self.is("status") => 400,
            End::Error(-32601, ..) if !self.is("status") => 404,
            End::Error(..) if !self.is("status") => 500,
            _ => 200,
        };
        let body = envelope("null", &end);
        let mut etag = format!("\"{}\"", body.len());
        if self.is("etag") {
            let count = self.count.fetch_add(1, Ordering::Relaxed);
            etag = format!("\"{count}\"");
        }
        let known = request.header("if-none-match");
        let is_current = known == Some(&etag) && !self.is("never-304");
        let age = match name {
            "find" if !self.is("age") => "max-age=60",
            "find" => "max-age=3600",
            "subtract" if self.is("new-age") => "max-age=5",
            _ => "no-cache",
        };
        let response =
            if status == 200 && (is_current || (known.is_some() && self.is("always-304"))) {
                Response::new(304, "")
            } else {
                Response::new(status, body)
            };
        let age = if status == 200 { age } else { "no-store" };
        response
            .with_header("ETag", etag)
            .with_header("Cache-Control", age)
    }

    fn run(&self, name: &str, params: Option<Json>, is_get: bool) -> End {
        let Some(procedure) = self.description.procedure(name) else {
            return End::Error(-32601, "Method not found", None);
        };
        if self.is("gone") && name == "options" {
            return End::Error(-32601, "Method not found", None);
        }
        let params = params.unwrap_or_else(|| Json::Object(Object::new()));
        let taken = self.take(procedure, &params);
        let Some(mut given) = taken else {
            let data = r#"{"parameter":"x","pointer":"","reason":"is wrong"}"#;
            return End::Error(-32602, "Invalid params", Some(data.to_owned()));
        };
        let number = |name: &str| given.get(name).and_then(Json::as_i64).unwrap_or_default();
        match name {
            "subtract" => {
                let is_swapped = self.is("order") && matches!(params, Json::Array(_));
                let (from, what) = (number("from"), number("what"));
                let rest = if is_swapped { what - from } else { from - what };
                let rest = if self.is("get-differs") && is_get {
                    rest + 1
                } else {
                    rest
                };
                End::Result(rest.to_string())
            }
            "options" if self.is("panic") && number("level") == 9 => {
                End::Error(-32603, "Internal error", None)
            }
            "options" => End::Result(number("level").to_string()),
            "put" => End::Result("null".to_owned()),
            "secret" => End::Result("1".to_owned()),
            _ => self.find(&mut given),
        }
    }

    fn find(&self, given: &mut Object) -> End {
        let place = given
            .get("place")
            .and_then(|place| place.get("shelf")?.as_i64());
        let no_shelf = if self.is("error-message") {
            "No shelf"
        } else {
            "No such shelf"
        };
        if let Some(place) = place
            && place >= 404
        {
            let data = match &*self.lie {
                "no-data" => None,
                "wrong-data" => Some(r#"{"shelf":"x"}"#.to_owned()),
                _ => Some(format!(r#"{{"shelf":{place}}}"#)),
            };
            return End::Error(1404, no_shelf, data);
        }
        let default = if self.is("default") { 10 } else { 20 };
        let limit = given.get("limit").and_then(Json::as_i64).unwrap_or(default);
        if self.is("undeclared") && limit == 100 {
            return End::Error(1999, "Too many", None);
        }
        let mut item = r#"{"title":"Moby","kind":"book","tags":["whale"]}"#.to_owned();
        match &*self.lie {
            "nested" => item = item.replace("\"whale\"", "1"),
            "member" => item = item.replace("\"title\":\"Moby\",", ""),
            "enum" => item = item.replace("book", "cd"),
            "null-result" => return End::Result("null".to_owned()),
            "further" => item = item.replace("\"kind\"", "\"isbn\":1,\"kind\""),
            _ => {}
        }
        let count = usize::try_from(limit).expect("positive");
        End::Result(format!("[{}]", vec![item; count].join(",")))
    }

    /// The parameters by name, if the service takes them.
    fn take(&self, procedure: &ProcedureDescription, params: &Json) -> Option<Object> {
        let params_of = |params: &Json| match params {
            Json::Array(values) => {
                let names = procedure.params.iter().map(|param| param.name.clone());
                names.zip(values.iter().cloned()).collect()
            }
            other => other.as_object().cloned().unwrap_or_default(),
        };
        let mut given: Object = params_of(params);
        let text = |given: &Object, name: &str| Some(given.get(name)?.as_str()?.to_owned());
        let number = |given: &Object, name: &str| given.get(name)?.as_i64();
        let word = text(&given, "word").unwrap_or_default();
        // Published, but rejected.
        let is_rejected = match &*self.lie {
            "required" => procedure.name == "find" && !given.contains_key("limit"),
            "bound-narrow" => number(&given, "limit") == Some(100),
            "bytes" => word.len() > 8,
            "enum-narrow" => text(&given, "kind").is_some_and(|kind| kind == "film"),
            "fraction" => given
                .get("level")
                .is_some_and(|level| level.to_string().contains('.')),
            "alias" => given.contains_key("text"),
            "positions" => procedure.name == "subtract" && matches!(params, Json::Array(_)),
            "nested-narrow" => given
                .get("place")
                .is_some_and(|value| value.get("rows").is_some()),
            _ => false,
        };
        if is_rejected {
            return None;
        }
        // Accepted, but not published.
        let mut params = params.clone();
        match &*self.lie {
            "unknown" => {
                given.retain(|name, _| {
                    procedure
                        .params
                        .iter()
                        .any(|param| param.name == name.as_str())
                });
                params = Json::Object(given.clone());
            }
            "bound-wide" if number(&given, "limit") == Some(101) => {
                given.insert("limit", 100.into());
                params = Json::Object(given.clone());
            }
            "short" if word.len() >= 2 && word.chars().count() < 2 => {
                given.insert("word", "ab".into());
                params = Json::Object(given.clone());
            }
            "format" if given.contains_key("day") => {
                given.insert("day", "2024-02-29".into());
                params = Json::Object(given.clone());
            }
            "text" if given.get("loud") == Some(&Json::from("true")) => {
                given.insert("loud", Json::Bool(true));
                params = Json::Object(given.clone());
            }
            "null" if given.get("kind") == Some(&Json::Null) => {
                given.shift_remove("kind");
                params = Json::Object(given.clone());
            }
            "by-name" | "too-many" => params = Json::Object(given.clone()),
            "missing" if procedure.name == "subtract" => {
                given.or_insert_with("what", || 0.into());
                params = Json::Object(given.clone());
            }
            "twins" => {
                if let Some(Json::Object(place)) = given.get_mut("place") {
                    place.shift_remove("rows");
                }
                params = Json::Object(given.clone());
            }
            _ => {}
        }
        let arguments = Arguments::new(procedure, &self.description);
        arguments.check(&params.to_string()).ok()?;
        let alias = given.shift_remove("text");
        given.extend(alias.map(|word| ("word".to_owned(), word)));
        Some(given)
    }
}

pub(super) fn id_of(body: &str) -> Option<&str> {
    let mut cursor = Cursor::new(body);
    cursor.next_token();
    cursor.step();
    while let Some(name) = cursor.next_member() {
        cursor.next_token();
        let value = cursor.value();
        if name.unescape() == "id" {
            return Some(value);
        }
    }
    None
}

pub(super) fn url_pairs(query: &str) -> Vec<(String, String)> {
    let url = url::Url::parse(&format!("http://a/?{query}")).expect("a URL");
    url.query_pairs().into_owned().collect()
}

fn envelope(id: &str, end: &End) -> String {
    match end {
        End::Result(result) => format!(r#"{{"jsonrpc":"2.0","result":{result},"id":{id}}}"#),
        End::Error(code, message, data) => {
            let data = data
                .as_ref()
                .map_or(String::new(), |data| format!(",\"data\":{data}"));
            format!(
                r#"{{"jsonrpc":"2.0","error":{{"code":{code},"message":"{message}"{data}}},"id":{id}}}"#
            )
        }
    }
}
