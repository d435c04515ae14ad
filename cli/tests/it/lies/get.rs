//! Services whose GET gives something else than their POST, and honest ones whose results change by themselves.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use docent_describe::json::Json;

use super::check;
use super::service::id_of;
use crate::service::{Request, Response, Server};
use crate::support::{Folder, Ran, run};

const DESCRIPTION: &str = r#"{"sdversion": "2.0", "name": "words", "id": "urn:words", "procs": [
    {"name": "find", "summary": "Finds words.", "idempotent": true,
     "params": [{"name": "start", "type": "str", "required": false, "description": "Their start.",
       "schema": {"type": "string", "maxLength": 6}}],
     "return": {"type": "any", "description": "The words.", "schema": true}}]}"#;

/// A call that is allowed.
struct Asked<'a> {
    /// The start of words that is asked for.
    word: &'a str,
    is_get: bool,
    /// The number of calls before.
    calls: usize,
    path: &'a str,
}

/// Returns the result of a call.
type GiveResult = Box<dyn Fn(&Asked<'_>) -> String + Send>;

/// Starts a service.
fn start(result: GiveResult) -> Server {
    let calls = AtomicUsize::new(0);
    Server::start(move |request| {
        let is_get = request.method == "GET";
        if !is_get && !request.body.contains("\"find\"") {
            return described(request);
        }
        let (word, id) = if is_get {
            let query = request.path.split_once('?').map_or("", |(_, query)| query);
            let pair = url::form_urlencoded::parse(query.as_bytes()).next();
            let known = pair.as_ref().is_none_or(|(name, _)| name == "start");
            if !known {
                return refused("null", 400);
            }
            (
                pair.map(|(_, word)| word.into_owned()).unwrap_or_default(),
                "null",
            )
        } else {
            let body: Json = request.body.parse().expect("JSON");
            if body.as_array().is_some() {
                let both = r#"{"jsonrpc":"2.0","result":1,"id":"first"},{"jsonrpc":"2.0","result":1,"id":2}"#;
                return Response::new(200, format!("[{both}]"));
            }
            let Some(id) = id_of(&request.body) else {
                return Response::new(204, "");
            };
            let params = body.get("params").cloned().unwrap_or_default();
            let word = match &params {
                Json::Array(values) if values.len() < 2 => values.first().cloned(),
                Json::Object(members) if members.keys().all(|name| name.as_str() == "start") => {
                    members.get("start").cloned()
                }
                Json::Null => None,
                _ => return refused(id, 200),
            };
            match word {
                None => (String::new(), id),
                Some(Json::String(word)) if word.chars().count() <= 6 => (word, id),
                Some(_) => return refused(id, 200),
            }
        };
        if word.chars().count() > 6 {
            return refused(id, 400);
        }
        let result = result(&Asked {
            word: &word,
            is_get,
            calls: calls.fetch_add(1, Ordering::Relaxed),
            path: &request.path,
        });
        let body = format!(r#"{{"jsonrpc":"2.0","result":{result},"id":{id}}}"#);
        Response::new(200, body).with_header("Content-Type", "application/json")
    })
}

fn refused(id: &str, status: u16) -> Response {
    let error = r#"{"code":-32602,"message":"Invalid params"}"#;
    let body = format!(r#"{{"jsonrpc":"2.0","error":{error},"id":{id}}}"#);
    Response::new(status, body)
        .with_header("Content-Type", "application/json")
        .with_header("Cache-Control", "no-store")
}

fn described(request: &Request) -> Response {
    if request.body.contains("rpc.describe") {
        let body = format!(r#"{{"jsonrpc":"2.0","result":{DESCRIPTION},"id":1}}"#);
        return Response::new(200, body);
    }
    let error = r#"{"code":-32601,"message":"Method not found"}"#;
    Response::new(
        200,
        format!(r#"{{"jsonrpc":"2.0","error":{error},"id":1}}"#),
    )
}

/// Returns the findings about what GET gives.
fn differs(ran: &Ran) -> bool {
    assert!(
        ran.stdout.contains("calls of 1 procedure"),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
    ran.stdout.contains("get-differs")
}

#[test]
fn a_get_that_gives_something_else_is_found() {
    let text = |text: &str| Json::from(text).to_string();
    let lies: [GiveResult; 4] = [
        // It ignores its query.
        Box::new(move |asked| text(if asked.is_get { "" } else { asked.word })),
        // It ignores its query where that has an unusual text.
        Box::new(move |asked| {
            let is_usual = ["", "text", "other"].contains(&asked.word);
            text(if asked.is_get && !is_usual {
                "text"
            } else {
                asked.word
            })
        }),
        // It answers with a constant.
        Box::new(|asked| if asked.is_get { "[]" } else { "[1]" }.to_owned()),
        Box::new(|asked| (asked.word.len() + usize::from(asked.is_get)).to_string()),
    ];
    for (at, lie) in lies.into_iter().enumerate() {
        let ran = check(&start(lie), &[]);
        assert!(differs(&ran), "{at}: {}", ran.stdout);
    }
}

/// Returns the time since 1970.
fn now() -> Duration {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .expect("after 1970")
}

#[test]
fn no_result_that_changes_by_itself_is_taken_for_a_lie_of_get() {
    let kept = Mutex::new(HashMap::new());
    let honest: [GiveResult; 11] = [
        Box::new(|asked| Json::from(asked.word).to_string()),
        // Clocks.
        Box::new(|_| now().as_nanos().to_string()),
        Box::new(|_| now().as_millis().to_string()),
        Box::new(|_| (now().as_millis() / 7).to_string()),
        Box::new(|_| now().as_secs().to_string()),
        // A counter, one that wraps, and two servers in turn.
        Box::new(|asked| asked.calls.to_string()),
        Box::new(|asked| (asked.calls % 3).to_string()),
        Box::new(|asked| (asked.calls % 2).to_string()),
        // A shuffled list, and one that is sometimes empty.
        Box::new(|asked| {
            let mut words = [asked.word, "a", "b", "c"];
            fastrand::shuffle(&mut words);
            Json::Array(words.map(Json::from).into()).to_string()
        }),
        Box::new(|_| if fastrand::bool() { "[]" } else { "[1]" }.to_owned()),
        // A cache in front of the service keeps what each URL gave, and then the words change.
        Box::new(move |asked| {
            let result = if asked.calls < 20 { "1" } else { "2" }.to_owned();
            if !asked.is_get {
                return result;
            }
            let mut kept = kept.lock().expect("sound");
            kept.entry(asked.path.to_owned()).or_insert(result).clone()
        }),
    ];
    for (at, honest) in honest.into_iter().enumerate() {
        let ran = check(&start(honest), &[]);
        assert!(!differs(&ran), "{at}: {}", ran.stdout);
    }
}

#[test]
fn an_example_that_shows_another_result_is_told_and_is_no_departure() {
    let with_example = |result: &str| {
        let example = format!(
            r#""examples": [{{"params": {{"start": "a"}}, "result": {result}}}], "return""#
        );
        DESCRIPTION.replace(r#""return""#, &example)
    };
    for (example, changes, is_told) in [
        ("\"a\"", false, false),
        ("\"b\"", false, true),
        ("\"b\"", true, false),
    ] {
        let folder = Folder::new();
        let document = folder.write("words.json", &with_example(example));
        let server = start(Box::new(move |asked| {
            let number = if changes { asked.calls } else { 0 };
            Json::from(format!("{}{}", asked.word, " ".repeat(number % 50))).to_string()
        }));
        let ran = run([
            "check",
            &document,
            "--address",
            &server.url("/rpc"),
            "--rate",
            "100000",
            "--max-calls",
            "300",
        ]);
        let line = r#"example-result: procedure `find`: the example says "b", and the service gave "a" twice"#;
        assert_eq!(ran.stdout.contains(line), is_told, "{}", ran.stdout);
        // The service gives no ETag, and nothing else is wrong.
        let last = ran.stdout.lines().last().expect("a summary");
        assert!(
            changes || last.ends_with(": 1 departure from the description"),
            "{}",
            ran.stdout
        );
    }
}
