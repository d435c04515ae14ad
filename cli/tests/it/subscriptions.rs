//! `docent call` with a subscription: a service of Docent whose items are followed, and servers that break off.

use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use docent::testing::TestServer;
use docent::{Cx, Fault, Following, Procedure, Service, Subscription, Topic, subscription};
use futures_util::stream;

use crate::service::{Response, Server};
use crate::support::{Folder, Ran, docent, run};

/// Tells of numbers.
#[subscription(name = "watch", resume_by("after", |number| *number), idempotent)]
fn watch(
    cx: Cx<Topic<u32>>,
    /// The last number that you know.
    after: Option<u32>,
) -> Result<Following<u32, Fault>, Fault> {
    match after {
        None => Ok(cx.state().follow()),
        Some(after) => cx
            .state()
            .resume(|number| *number == after)
            .ok_or_else(Fault::cannot_resume),
    }
}

/// A service that tells of the numbers of a topic.
fn service(topic: &Topic<u32>) -> Service {
    let count = async |_: Cx<Topic<u32>>, (): ()| {
        Ok::<_, Fault>(stream::iter([1, 2].map(Ok::<u32, Fault>)))
    };
    let fail = async |_: Cx<Topic<u32>>, (): ()| {
        Ok::<_, Fault>(stream::iter([Ok(1), Err(Fault::new(7, "Broken"))]))
    };
    let refused = async |_: Cx<Topic<u32>>, (): ()| {
        Err::<stream::Empty<Result<u32, Fault>>, _>(Fault::new(8, "Not now"))
    };
    Service::builder("told", "urn:uuid:41544946-415a-495a-5645-454441534655")
        .state(topic.clone())
        .procedure(watch::procedure())
        .procedure(Subscription::new("count", count))
        .procedure(Subscription::new("fail", fail).error(7, "Broken"))
        .procedure(Subscription::new("refused", refused).error(8, "Not now"))
        .procedure(Procedure::sync("plain", |_: Cx<Topic<u32>>, (): ()| {
            Ok::<_, Fault>("plain")
        }))
        .build()
        .expect("a service")
}

/// A topic that keeps the numbers 1 to 4.
fn numbers() -> Topic<u32> {
    let topic = Topic::new(10);
    for number in 1..=4 {
        topic.publish(number).expect("JSON");
    }
    topic
}

fn call(url: &str, arguments: &[&str]) -> Ran {
    run(["call", url].into_iter().chain(arguments.iter().copied()))
}

#[test]
fn items_are_printed_one_on_each_line_until_there_are_enough() {
    let server = TestServer::start(service(&numbers())).expect("a server");
    let url = server.url("/rpc");
    for (arguments, expected) in [
        (&["watch", "after=1", "--items", "2"][..], "2\n3\n"),
        (&["watch", "after=1", "--items", "3", "--get"], "2\n3\n4\n"),
        (
            &["watch", "after=3", "--items", "1", "--pointer", ""],
            "4\n",
        ),
        (
            &["watch", "after=3", "--items", "1", "--envelope"],
            "{\"jsonrpc\":\"2.0\",\"method\":\"watch\",\"params\":{\"subscription\":\"s1\",\"result\":4,\"cursor\":\"4\"}}\n",
        ),
        (&["count"], "1\n2\n"),
    ] {
        let ran = call(&url, arguments);
        assert_eq!(
            (ran.code, &*ran.stdout, &*ran.stderr),
            (0, expected, ""),
            "{arguments:?}"
        );
    }
}

#[test]
fn an_item_is_printed_when_it_comes() {
    let topic = numbers();
    let service = service(&topic);
    let server = TestServer::start(&service).expect("a server");
    let mut child = docent(["call", &server.url("/rpc"), "watch"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    let end = Instant::now() + Duration::from_secs(60);
    while service.open_subscriptions() == 0 {
        assert!(Instant::now() < end, "the command does not subscribe");
        std::thread::sleep(Duration::from_millis(5));
    }
    let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
    for number in [5, 6] {
        topic.publish(number).expect("JSON");
        let line = lines.next().expect("an item").expect("UTF-8");
        assert_eq!(line, number.to_string());
    }
    // A reader that has gone ends it, as in `docent call … | head`.
    drop(lines);
    let status = loop {
        // One item may still be written, while another test starts a program, which has all pipes for a moment.
        topic.publish(7).expect("JSON");
        if let Some(status) = child.try_wait().expect("it runs") {
            break status;
        }
        assert!(Instant::now() < end, "it goes on");
        std::thread::sleep(Duration::from_millis(20));
    };
    assert_eq!(status.code(), Some(0));
}

#[test]
fn errors_of_a_subscription_are_those_of_calls() {
    let server = TestServer::start(service(&numbers())).expect("a server");
    let url = server.url("/rpc");
    for (arguments, code, printed, said) in [
        (&["fail"][..], 1, "1\n", "error 7: Broken"),
        (&["refused"], 1, "", "error 8: Not now"),
        (&["watch", "after=99"], 1, "", "error -32014: Cannot resume"),
        (&["watch", "after=x"], 2, "", "nothing was sent"),
        (&["plain", "--items", "1"], 2, "", "is no subscription"),
        (
            &["watch", "--notify"],
            2,
            "",
            "cannot be called as a notification",
        ),
        (&["watch", "--items", "0"], 2, "", "--items"),
        (
            &["watch", "after=3", "--pointer", "/a"],
            1,
            "",
            "nothing at /a",
        ),
    ] {
        let ran = call(&url, arguments);
        assert_eq!((ran.code, &*ran.stdout), (code, printed), "{arguments:?}");
        assert!(ran.stderr.contains(said), "{arguments:?}: {}", ran.stderr);
    }
    let folder = Folder::new();
    let calls = folder.write("calls", "{\"method\":\"watch\",\"params\":[]}\n");
    let ran = call(&url, &["--batch", &calls]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.contains("cannot be called in a batch"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_dry_run_prints_a_curl_command_that_shows_items_as_they_come() {
    let server = TestServer::start(service(&numbers())).expect("a server");
    let url = server.url("/rpc");
    let ran = call(&url, &["watch", "after=1", "--get", "--dry-run"]);
    let expected = format!("curl -sS -g -N -H 'accept: text/event-stream' '{url}/watch?after=1'\n");
    assert_eq!(ran.stdout, expected, "{}", ran.stderr);
}

const ANSWER: &str = r#"data: {"jsonrpc":"2.0","result":"s1","id":1}"#;

/// A server that answers the subscription `watch` with each of these in turn.
fn answering(respond: impl Fn(usize) -> Response + Send + 'static) -> Server {
    let description = r#"{"sdversion": "2.0", "name": "told", "id": "urn:told", "procs": [
        {"name": "watch", "params": [], "subscription": {"item": {"type": "num", "schema": {"type": "integer"}}}}]}"#;
    let count = AtomicUsize::new(0);
    Server::start(move |request| {
        if request.body.contains("\"rpc.describe\"") {
            return Response::of_service(request, "rpc.describe", description);
        }
        respond(count.fetch_add(1, Ordering::Relaxed))
    })
}

/// Events after the answer to the call. The connection ends after them.
fn events(events: &[&str]) -> Response {
    let text = [&[ANSWER], events].concat().join("\n\n");
    Response::new(200, format!("{text}\n\n"))
        .with_header("Content-Type", "text/event-stream; charset=utf-8")
}

fn item(number: u32) -> String {
    format!(
        r#"data: {{"method":"watch","params":{{"subscription":"s1","result":{number},"cursor":"c{number}"}}}}"#
    )
}

#[test]
fn a_lost_connection_is_told_once_and_goes_on_after_the_last_item() {
    let server = answering(|number| match number {
        0 => events(&[&item(1), "retry: 1", &item(2)]),
        1 => Response::new(503, "<h1>starting</h1>"),
        2 => events(&[
            &item(3),
            "retry: 1\ndata: {\"method\":\"watch\",\"params\":{\"subscription\":\"s1\",\"error\":\
             {\"code\":-32015,\"message\":\"Going away\"}}}",
        ]),
        _ => events(&[
            r#"data: {"method":"watch","params":{"subscription":"s1","result":[4,
data: 5],"missed":2}}"#,
            "id: -\ndata: {\"method\":\"watch\",\"params\":{\"subscription\":\"s1\",\"ended\":true}}",
        ]),
    });
    let ran = call(&server.url("/rpc"), &["watch", "--token", "swordfish"]);
    assert_eq!((ran.code, &*ran.stdout), (0, "1\n2\n3\n[4, 5]\n"));
    assert_eq!(
        ran.stderr,
        "docent: the connection was lost (the stream has ended); coming back after the last item\n\
         docent: the connection was lost (the server stops); coming back after the last item\n\
         docent: 2 of the source's items were missed here\n"
    );
    let mut cursors = Vec::new();
    for request in server.requests() {
        if request.body.contains("\"watch\"") {
            assert_eq!(request.header("accept"), Some("text/event-stream"));
            assert_eq!(request.header("authorization"), Some("Bearer swordfish"));
            cursors.push(request.header("last-event-id").map(str::to_owned));
        }
    }
    let expected = [None, Some("c2"), Some("c2"), Some("c3")];
    assert_eq!(cursors, expected.map(|cursor| cursor.map(str::to_owned)));
}

#[test]
fn a_connection_that_is_lost_without_a_cursor_is_a_failure() {
    let server = answering(|_| {
        events(&[r#"data: {"method":"watch","params":{"subscription":"s1","result":1}}"#])
    });
    let ran = call(&server.url("/rpc"), &["watch"]);
    assert_eq!((ran.code, &*ran.stdout), (3, "1\n"));
    let said =
        "the connection was lost (the stream has ended), and the subscription cannot be resumed";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
}

#[test]
fn what_is_no_stream_of_events_is_an_ordinary_response() {
    let server = answering(|number| match number {
        0 => Response::new(200, r#"{"jsonrpc":"2.0","result":"0x1","id":1}"#),
        1 => Response::new(
            406,
            r#"{"jsonrpc":"2.0","error":{"code":-32011,"message":"Needs a connection"},"id":1}"#,
        ),
        _ => Response::new(503, "<h1>starting</h1>"),
    });
    for (code, printed, said) in [
        (0, "\"0x1\"\n", ""),
        (1, "", "error -32011: Needs a connection"),
        (3, "", "HTTP 503"),
    ] {
        let ran = call(&server.url("/rpc"), &["watch"]);
        assert_eq!((ran.code, &*ran.stdout), (code, printed), "{}", ran.stderr);
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
    }
}

#[cfg(unix)]
#[test]
fn the_items_of_a_command_are_lines_after_its_answer() {
    let folder = Folder::new();
    let script = folder.write(
        "told",
        r#"
tell() { printf '{"jsonrpc":"2.0","method":"watch","params":{"subscription":"%s",%s}}\n' "$1" "$2"; }
while read -r line; do
  case $line in
    *'"watch"'*)
      echo '{"jsonrpc":"2.0","result":"s2","id":1}'
      tell s1 '"result":8'; tell s2 '"result":1'; tell s2 '"result":2'
      case $1 in ends) tell s2 '"ended":true';; exits) exit 3;; esac;;
  esac
done
"#,
    );
    for (then, arguments, code, printed) in [
        ("ends", &["--items", "9"][..], 0, "1\n2\n"),
        ("goes on", &["--items", "2"], 0, "1\n2\n"),
        ("exits", &["--items", "9"], 3, "1\n2\n"),
    ] {
        let url = format!("exec:sh '{script}' '{then}'");
        let ran = call(&url, &[&["watch", "--no-check"], arguments].concat());
        assert_eq!((ran.code, &*ran.stdout), (code, printed), "{}", ran.stderr);
    }
}
