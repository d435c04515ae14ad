//! Mistakes on the command line are said in words, with what would be right.

use std::net::TcpListener;

use crate::service::{Response, Server};
use crate::support::run;

#[test]
fn a_value_that_is_none_is_explained() {
    for (arguments, said) in [
        (
            &["list", ""][..],
            "expected a file or a URL, found an empty text",
        ),
        (
            &["mock", "x.json", "--listen", "8080"],
            "expected an IP address and a port, such as 127.0.0.1:8918",
        ),
        (
            &["list", "http:/example.com/rpc"],
            "did you mean http://example.com/rpc?",
        ),
        (
            &["list", "x.json", "--connect-timeout", "-1"],
            "'-1' for '--connect-timeout <SECONDS>': expected a number of seconds above 0",
        ),
        (
            &["list", "x.json", "--max-time", "-1"],
            "expected a number of seconds above 0",
        ),
        (
            &["check", "x.json", "--seed", "x"],
            "'--seed <NUMBER>': expected a whole number from 0",
        ),
        (
            &["check", "x.json", "--max-calls", "-1"],
            "expected a whole number from 0",
        ),
        (
            &["check", "x.json", "--rate", "-1"],
            "-1 is not in 1..=100000",
        ),
        (
            &["check", "x.json", "--at-once", "-1"],
            "-1 is not in 1..=64",
        ),
    ] {
        let ran = run(arguments);
        assert_eq!(ran.code, 2, "{arguments:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(said), "{arguments:?}: {}", ran.stderr);
    }
}

#[test]
fn an_argument_without_a_name_is_no_argument() {
    let server = Server::start(|request| {
        let document = r#"{"sdversion": "2.0", "name": "desk", "id": "urn:desk", "procs": []}"#;
        Response::of_service(request, "rpc.describe", document)
    });
    for argument in [":=3", "=3", "word"] {
        let ran = run(["call", &server.url("/rpc"), "find", argument, "--no-check"]);
        let said = format!("`{argument}` is not an argument: write name=text");
        assert_eq!(ran.code, 2, "{}", ran.stderr);
        assert!(ran.stderr.contains(&said), "{}", ran.stderr);
    }
}

#[test]
fn a_proxy_that_cannot_be_reached_is_named() {
    let unused = TcpListener::bind("127.0.0.1:0")
        .expect("a port")
        .local_addr()
        .expect("bound");
    for (proxy, said) in [
        (
            format!("http://{unused}"),
            format!("nothing accepts connections at the proxy {unused}"),
        ),
        (
            "http://nowhere.invalid:3128".to_owned(),
            "there is no proxy named nowhere.invalid:3128".to_owned(),
        ),
    ] {
        let ran = run(["list", "http://127.0.0.1:9/rpc", "--proxy", &proxy]);
        assert_eq!(ran.code, 3, "{}", ran.stderr);
        assert!(ran.stderr.contains(&said), "{}", ran.stderr);
    }
}

#[test]
fn the_reason_of_a_service_that_does_not_describe_itself_is_shown() {
    let server = Server::start(|_| {
        Response::new(
            200,
            r#"{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request","data":{"reason":"name the procedure"}},"id":1}"#,
        )
    });
    let ran = run(["list", &server.url("/rpc/x")]);
    assert_eq!(ran.code, 4, "{}", ran.stderr);
    assert!(
        ran.stderr
            .contains("rpc.describe: -32600 Invalid Request: name the procedure"),
        "{}",
        ran.stderr
    );
}
