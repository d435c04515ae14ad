//! Services that close connections, hang, or answer with what is no response: each is a finding, with a line
//! that reproduces it, and the check goes on.

use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

use docent_describe::json::Json;

use crate::service::{Missing, Request, Response, Server};
use crate::support::{Folder, Ran, run};

/// Returns an OpenRPC document of procedures that take a number from 0 to 9 and return another.
fn openrpc(names: &[&str]) -> String {
    let methods = names.iter().map(|name| {
        format!(
            r#"{{"name": "{name}", "summary": "Answers 1.", "params": [{{"name": "number", "required": true,
              "description": "A number.", "schema": {{"type": "integer", "minimum": 0, "maximum": 9}}}}],
              "result": {{"name": "one", "description": "1.", "schema": {{"type": "integer",
              "description": "1."}}}}}}"#
        )
    });
    let methods: Vec<String> = methods.collect();
    format!(
        r#"{{"openrpc": "1.3.2", "info": {{"title": "hostile", "version": "1"}}, "methods": [{}]}}"#,
        methods.join(",")
    )
}

const NAMES: [&str; 6] = ["close", "hang", "fail", "html", "plain", "sound"];

/// Returns the answer to a call from the fifth on, broken in the way that the name of the procedure says.
fn harm(procedure: &str, result: &str) -> Response {
    match procedure {
        "close" => Response::missing(Missing::Closes),
        "hang" => Response::missing(Missing::Hangs),
        "fail" => Response::new(500, "<h1>Internal Server Error</h1>"),
        "html" => Response::new(200, "<h1>Welcome</h1>"),
        "plain" => Response::new(200, result).with_header("Content-Type", "text/plain"),
        _ => Response::new(200, result),
    }
}

fn respond(request: &Request, description: &str) -> Response {
    let Ok(message) = request.body.parse::<Json>() else {
        return Response::new(404, "");
    };
    if let Json::Array(calls) = &message {
        let responses = calls.iter().map(|call| {
            let id = call.get("id").expect("a call");
            format!(r#"{{"jsonrpc":"2.0","result":1,"id":{id}}}"#)
        });
        let responses: Vec<String> = responses.collect();
        return Response::new(200, format!("[{}]", responses.join(",")));
    }
    let Some(id) = request.body.split("\"id\":").nth(1) else {
        return Response::new(204, "");
    };
    let id = id.trim_end_matches('}');
    let response = |rest: &str| format!(r#"{{"jsonrpc":"2.0",{rest},"id":{id}}}"#);
    let procedure = message.get("method").and_then(Json::as_str);
    let procedure = procedure.expect("a method");
    if procedure == "rpc.describe" {
        return Response::new(200, response(&format!("\"result\":{description}")));
    }
    let params = message.get("params");
    let number =
        params.and_then(|params| params.get("number").or_else(|| params.as_array()?.first()));
    let has_more = params.is_some_and(|params| match params {
        Json::Array(values) => values.len() > 1,
        Json::Object(members) => members.len() > 1,
        _ => false,
    });
    match number.filter(|_| !has_more).and_then(Json::as_i64) {
        Some(5..=9) => harm(procedure, &response("\"result\":1")),
        Some(0..=4) => Response::new(200, response("\"result\":1")),
        _ => Response::new(
            200,
            response(r#""error":{"code":-32602,"message":"Invalid params"}"#),
        ),
    }
}

fn start() -> Server {
    let description = openrpc(&NAMES);
    Server::start(move |request| respond(request, &description))
}

fn check(server: &Server, more: &[&str]) -> Ran {
    let url = server.url("/rpc");
    let usual = [
        "check",
        &url,
        "--unsafe",
        "--rate",
        "100000",
        "--seed",
        "7",
        "--max-time",
        "0.5",
    ];
    run(usual.iter().chain(more))
}

/// Returns the lines below a finding of a rule, which are calls to paste.
fn calls<'r>(ran: &'r Ran, finding: &str) -> Vec<&'r str> {
    let mut lines = ran
        .stdout
        .lines()
        .skip_while(|line| !line.contains(finding));
    lines
        .next()
        .unwrap_or_else(|| panic!("{finding}: {}{}", ran.stdout, ran.stderr));
    let calls = lines.map_while(|line| line.strip_prefix("    "));
    calls.collect()
}

/// Runs a line as it would be pasted into a shell.
fn paste(line: &str) -> Ran {
    let folder = Path::new(env!("CARGO_BIN_EXE_docent"))
        .parent()
        .expect("a folder");
    let path = format!(
        "{}:{}",
        folder.display(),
        std::env::var("PATH").expect("a path")
    );
    let output = Command::new("sh")
        .args(["-c", line])
        .env("PATH", path)
        .output();
    output.expect("a shell").into()
}

#[cfg(unix)]
#[test]
fn what_kills_or_mutes_a_service_is_found_with_a_line_that_reproduces_it() {
    let server = start();
    let ran = check(&server, &[]);
    assert_eq!(ran.code, 1, "{}{}", ran.stdout, ran.stderr);
    assert!(
        !ran.stdout.contains("the description holds"),
        "{}",
        ran.stdout
    );
    assert!(!ran.stdout.contains("procedure `sound`"), "{}", ran.stdout);
    for (rule, procedure, docent, curl) in [
        (
            "connection-closed",
            "close",
            (3, "docent: "),
            (52, "Empty reply"),
        ),
        (
            "no-response-in-time",
            "hang",
            (3, "no response within 500ms"),
            (28, "timed out"),
        ),
        ("server-error", "fail", (3, "500"), (0, "500 X")),
        ("not-json", "html", (3, "not JSON"), (0, "<h1>Welcome</h1>")),
        (
            "content-type",
            "plain",
            (0, "content-type: text/plain"),
            (0, "text/plain"),
        ),
    ] {
        let calls = calls(&ran, &format!("{rule}: procedure `{procedure}`"));
        let [by_docent, by_curl] = calls[..] else {
            panic!("{rule}: {calls:?}");
        };
        // The smallest number that does it.
        assert!(
            by_docent.contains(r#"--params '{"number":5}'"#),
            "{by_docent}"
        );
        let pasted = paste(by_docent);
        assert_eq!(pasted.code, docent.0, "{by_docent}: {}", pasted.stderr);
        assert!(
            pasted.stderr.contains(docent.1),
            "{by_docent}: {}",
            pasted.stderr
        );
        // curl is not everywhere.
        let pasted = paste(by_curl);
        let said = format!("{}{}", pasted.stdout, pasted.stderr);
        assert!([curl.0, 127].contains(&pasted.code), "{by_curl}: {said}");
        assert!(
            pasted.code == 127 || said.contains(curl.1),
            "{by_curl}: {said}"
        );
    }
}

#[test]
fn a_procedure_that_hangs_does_not_hold_up_the_check() {
    let description = openrpc(&["hang", "sound"]);
    let server = Server::start(move |request| {
        if request.body.contains("\"hang\"") {
            return Response::missing(Missing::Hangs);
        }
        respond(request, &description)
    });
    let ran = check(&server, &["--at-once", "1"]);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    let left = "not tried: procedure `hang`: 4 calls had no response in time, so it was left alone";
    assert!(ran.stdout.contains(left), "{}", ran.stdout);
    let hung = server
        .requests()
        .iter()
        .filter(|request| request.body.contains("\"hang\""))
        .count();
    // Each is sent twice.
    assert_eq!(hung, 8);
}

#[test]
fn a_response_that_comes_when_it_is_asked_for_again_leaves_a_doubt() {
    let description = openrpc(&["sound"]);
    let count = std::sync::atomic::AtomicUsize::new(0);
    let server = Server::start(move |request| {
        match count.fetch_add(1, std::sync::atomic::Ordering::Relaxed) {
            9 => Response::missing(Missing::Closes),
            _ => respond(request, &description),
        }
    });
    let ran = check(&server, &["--at-once", "1"]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    let summary = "no departure was found; 1 response undecided";
    assert!(ran.stdout.contains(summary), "{}", ran.stdout);
}

#[test]
fn a_service_that_is_gone_is_a_finding() {
    let folder = Folder::new();
    let document = folder.write("hostile.json", &openrpc(&["sound"]));
    let unused = TcpListener::bind("127.0.0.1:0")
        .expect("a port")
        .local_addr();
    let address = format!("http://{}/", unused.expect("bound"));
    let ran = run(["check", &document, "--unsafe", "--address", &address]);
    assert_eq!(ran.code, 1, "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout
            .contains("unreachable: nothing accepts connections"),
        "{}",
        ran.stdout
    );
    assert!(
        !ran.stdout.contains("the description holds"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_check_that_tries_nothing_fails() {
    let server = Server::start(|request| {
        if request.body.contains("rpc.describe") {
            return respond(request, &openrpc(&["sound"]));
        }
        Response::new(429, "")
    });
    let ran = check(&server, &[]);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    assert!(ran.stdout.contains(": nothing-tried: "), "{}", ran.stdout);
    let ran = check(&start(), &["--max-calls", "0"]);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    assert!(ran.stdout.contains(": nothing was tried"), "{}", ran.stdout);
}

#[test]
fn procedures_are_chosen_by_patterns() {
    let server = start();
    let ran = check(&server, &["--only", "so*,h?ng", "--skip", "hang"]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.contains("the description holds"),
        "{}",
        ran.stdout
    );
    let skipped = ran
        .stdout
        .lines()
        .find(|line| line.contains("not tried: procedures "));
    let skipped = skipped.unwrap_or_default();
    let reason = ": it is left out (--only, --skip)";
    assert!(
        skipped.contains("`close`, ") && skipped.ends_with(reason),
        "{}",
        ran.stdout
    );
    let called = |name: &str| {
        server
            .requests()
            .iter()
            .any(|request| request.body.contains(&format!("\"{name}\"")))
    };
    assert!(called("sound") && !called("close") && !called("hang"));
    let ran = check(&server, &["--only", "sounds"]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("no procedure is called `sounds`"),
        "{}",
        ran.stderr
    );
}

#[test]
fn findings_are_written_as_junit() {
    let folder = Folder::new();
    let file = folder.arg("junit.xml");
    let ran = check(&start(), &["--skip", "hang", "--junit", &file]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let xml = folder.read("junit.xml");
    assert!(
        xml.contains("tests=\"24\" failures=\"4\" errors=\"0\" skipped=\"0\""),
        "{xml}"
    );
    assert!(
        xml.contains("<testcase classname=\"sound\" name=\"departures\"></testcase>"),
        "{xml}"
    );
    let failed = "<testcase classname=\"html\" name=\"departures\"><failure type=\"not-json\" message=\"procedure \
                  `html`: HTTP 200 with &quot;&lt;h1&gt;Welcome&lt;/h1&gt;&quot;, which is not JSON\">";
    assert!(xml.contains(failed), "{xml}");
    assert!(
        xml.contains("\ndocent call --no-check --params '{&quot;number&quot;:5}' http"),
        "{xml}"
    );
}
