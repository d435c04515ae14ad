//! The options of all commands: credentials and where they go, proxies, sockets, time limits, and what
//! is said when something is wrong.

use std::io::Read;
use std::net::TcpListener;
use std::thread;

use crate::service::{Response, Server};
use crate::support::{Folder, data_text, docent, run, run_with_input};

const SECRET: &str = "swordfish-0123456789";

fn shop() -> Server {
    let text = data_text("shop.json");
    Server::start(move |request| Response::of_service(request, "rpc.describe", &text))
}

#[test]
fn a_token_comes_from_a_file_standard_input_the_environment_or_the_command_line() {
    let folder = Folder::new();
    let file = folder.write("token", &format!("{SECRET}\n"));
    let server = shop();
    let url = server.url("/rpc");
    let mut command = docent(["list", &url]);
    let ran = command
        .env("DOCENT_TOKEN", SECRET)
        .output()
        .expect("it runs");
    assert!(ran.status.success());
    for ran in [
        run(["list", &url, "--token-file", &file]),
        run(["--token-file", &file, "list", &url]),
        run(["list", &url, "--token", SECRET]),
        run_with_input(&["list", &url, "--token-file", "-"], SECRET.as_bytes()),
        run([
            "list",
            &url,
            "-H",
            &format!("authorization:  Bearer {SECRET} "),
        ]),
    ] {
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    }
    let expected = format!("Bearer {SECRET}");
    let requests = server.requests();
    assert_eq!(requests.len(), 6);
    for request in requests {
        assert_eq!(request.authorization.as_deref(), Some(expected.as_str()));
    }
}

#[test]
fn header_fields_come_from_a_file_too() {
    let folder = Folder::new();
    let file = folder.write("headers", "X-Api-Key: swordfish\n\nX-Tenant: a:b\n");
    let server = shop();
    let ran = run([
        "list",
        &server.url("/"),
        "-H",
        &format!("@{file}"),
        "-H",
        "Accept: a/b",
    ]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let request = &server.requests()[0];
    assert_eq!(request.header("x-api-key"), Some("swordfish"));
    assert_eq!(request.header("x-tenant"), Some("a:b"));
    assert_eq!(request.header("accept"), Some("a/b"));
}

#[test]
fn contradictory_or_broken_credentials_are_mistakes_of_the_command_line() {
    let folder = Folder::new();
    let spaced = folder.write("spaced", "two words");
    let empty = folder.write("empty", "\n");
    let url = "http://127.0.0.1:1/";
    for (arguments, said) in [
        (
            vec!["--token", "a", "--token-file", "b"],
            "cannot be used with",
        ),
        (vec!["--token", "a", "-H", "Authorization: b"], "not both"),
        (vec!["-H", "swordfish"], "Name: value"),
        (
            vec!["-H", "bad name: swordfish"],
            "name of the header field",
        ),
        (vec!["--token-file", &spaced], "spaces"),
        (vec!["--token-file", &empty], "empty"),
        (vec!["--max-time", "0"], "above 0"),
        (vec!["--key", "k"], "--cert"),
        (vec!["--proxy", "ftp://me:swordfish@x"], "is not supported"),
    ] {
        let ran = run([vec!["list", url], arguments.clone()].concat());
        assert_eq!(ran.code, 2, "{arguments:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(said), "{arguments:?}: {}", ran.stderr);
        assert!(!ran.stderr.contains("swordfish"), "{}", ran.stderr);
    }
    let ran = run(["list", url, "--token-file", "missing"]);
    assert_eq!(ran.code, 3);
    let ran = run(["list", "http://me:pass@127.0.0.1:1/", "--token", "abc"]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
}

#[test]
fn credentials_stay_with_the_origin_that_was_typed() {
    let target = shop();
    let elsewhere = target.url("/rpc");
    let server = Server::start(move |request| match request.path.as_str() {
        "/a" => Response::redirect(307, "/b"),
        _ => Response::redirect(307, elsewhere.as_str()),
    });
    let ran = run([
        "list",
        &server.url("/a"),
        "--token",
        SECRET,
        "-H",
        "X-Api-Key: swordfish",
        "-H",
        "Cookie: session=1",
    ]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("does not get the credentials"),
        "{}",
        ran.stderr
    );
    for request in server.requests() {
        assert!(request.authorization.is_some() && request.header("x-api-key").is_some());
    }
    let request = &target.requests()[0];
    for name in ["authorization", "x-api-key", "cookie"] {
        assert_eq!(request.header(name), None);
    }
}

#[test]
fn credentials_for_several_origins_are_refused() {
    let (one, other) = (shop(), shop());
    let ran = run(["check", &one.url("/"), &other.url("/"), "--token", SECRET]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("would go to both"), "{}", ran.stderr);
    assert!(one.requests().is_empty() && other.requests().is_empty());
}

#[test]
fn no_secret_is_printed_whatever_a_server_says() {
    let server = Server::start(|request| {
        let echo = request.authorization.clone().unwrap_or_default();
        let body = format!(
            r#"{{"jsonrpc":"2.0","error":{{"code":1,"message":"you are {echo}"}},"id":1}}"#
        );
        Response::new(200, body)
            .with_header("X-Echo", echo)
            .with_header("Set-Cookie", "session=swordfish")
    });
    let url = format!("http://127.0.0.1:{}/rpc?key=swordfish", server.port);
    let ran = run([
        "list",
        &url,
        "-v",
        "--token",
        SECRET,
        "-H",
        "X-Api-Key: swordfish",
    ]);
    assert_eq!(ran.code, 4);
    assert!(!ran.stderr.contains("swordfish"), "{}", ran.stderr);
    for line in [
        "> authorization: ***",
        "> x-api-key: ***",
        "< set-cookie: ***",
        "< x-echo: Bearer ***",
        "rpc?***",
        "you are Bearer ***",
    ] {
        assert!(ran.stderr.contains(line), "{line}: {}", ran.stderr);
    }
}

#[test]
fn requests_take_the_proxy_that_is_given() {
    // A proxy is told the whole URL, and answers itself here.
    let proxy = shop();
    let at = format!("http://me:swordfish@127.0.0.1:{}", proxy.port);
    let ran = run(["list", "http://shop.example:81/rpc?a=b", "--proxy", &at]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let request = &proxy.requests()[0];
    assert_eq!(request.path, "http://shop.example:81/rpc?a=b");
    assert_eq!(request.header("host"), Some("shop.example:81"));
    assert_eq!(
        request.header("proxy-authorization"),
        Some("Basic bWU6c3dvcmRmaXNo")
    );
    // That of the environment is for other machines only.
    let server = shop();
    for (url, expected) in [("http://shop.example/", 2), (&*server.url("/"), 2)] {
        let mut command = docent(["list", url]);
        let ran = command.env("http_proxy", &at).output().expect("it runs");
        assert!(ran.status.success());
        assert_eq!(proxy.requests().len(), expected, "{url}");
    }
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn credentials_in_plain_text_draw_a_warning_unless_they_stay_on_this_machine() {
    let proxy = shop();
    let at = format!("127.0.0.1:{}", proxy.port);
    let ran = run([
        "list",
        "http://shop.example/",
        "--proxy",
        &at,
        "--token",
        SECRET,
    ]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(
        ran.stderr,
        "docent: warning: credentials are sent unencrypted to http://shop.example; use https if \
         the service supports it\n"
    );
    let ran = run(["list", "http://shop.example/", "--proxy", &at]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let ran = run(["list", &shop().url("/"), "--token", SECRET]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
}

#[cfg(unix)]
#[test]
fn a_unix_socket_is_asked() {
    let folder = Folder::new();
    let path = folder.path("service.sock");
    let text = data_text("shop.json");
    let server = Server::at_socket(&path, move |request| {
        Response::of_service(request, "rpc.describe", &text)
    });
    let socket = folder.arg("service.sock");
    let ran = run([
        "list",
        "http://shop.example/rpc",
        "--unix-socket",
        &socket,
        "--token",
        SECRET,
    ]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert_eq!(server.requests()[0].path, "/rpc");
    assert_eq!(server.requests()[0].header("host"), Some("shop.example"));
    let ran = run(["list", "http://x/", "--unix-socket", &folder.arg("missing")]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
}

#[test]
fn a_server_that_says_nothing_is_given_up() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("bound");
    thread::spawn(move || {
        let streams: Vec<_> = listener.incoming().collect();
        drop(streams);
    });
    let ran = run(["list", &format!("http://{address}/"), "--max-time", "0.3"]);
    assert_eq!(ran.code, 3);
    assert!(
        ran.stderr.contains("no response within 300ms"),
        "{}",
        ran.stderr
    );
}

#[test]
fn usual_mistakes_are_said_in_words() {
    let page = Server::start(|_| {
        Response::new(200, "<h1>Hello</h1>").with_header("Content-Type", "text/html; charset=utf-8")
    });
    let lost = Server::start(|_| Response::new(404, "Not Found"));
    let tls =
        Server::start(|_| Response::new(400, "The plain HTTP request was sent to HTTPS port"));
    let unused = TcpListener::bind("127.0.0.1:0")
        .expect("a port")
        .local_addr()
        .expect("bound");
    for (url, code, said) in [
        (page.url("/"), 4, "the response is a web page, not JSON"),
        (page.url("/"), 4, "at a path such as /rpc"),
        (lost.url("/rcp"), 4, "HTTP 404"),
        (lost.url("/rcp"), 4, "Check the path"),
        (tls.url("/"), 3, "did you mean https?"),
        (
            page.url("/").replace("http:", "https:"),
            3,
            "did you mean http://127.0.0.1",
        ),
        (
            format!("http://{unused}/"),
            3,
            "nothing accepts connections",
        ),
        (
            "http://no-such-host.invalid/".to_owned(),
            3,
            "no host named no-such-host.invalid",
        ),
        (
            "localhost:8080/rpc".to_owned(),
            2,
            "did you mean http://localhost:8080/rpc?",
        ),
        ("htp://localhost/".to_owned(), 2, "use http:// or https://"),
    ] {
        let ran = run(["list", &url]);
        assert_eq!(ran.code, code, "{url}: {}", ran.stderr);
        assert!(ran.stderr.contains(said), "{url}: {said}: {}", ran.stderr);
    }
    let ran = run(["lst"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.contains("similar subcommand exists: 'list'"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_response_that_is_no_http_is_no_mystery() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("bound");
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // An alert of TLS.
            let _ = std::io::Write::write_all(&mut &stream, b"\x15\x03\x01\x00\x02\x02\x46");
            let _ = (&stream).take(1000).read(&mut [0; 1000]);
        }
    });
    let ran = run(["list", &format!("http://{address}/")]);
    assert_eq!(ran.code, 3);
    assert!(ran.stderr.contains("https://"), "{}", ran.stderr);
}

#[test]
fn insecure_is_said_aloud() {
    let ran = run(["list", &shop().url("/"), "--insecure"]);
    assert_eq!(ran.code, 0);
    assert!(
        ran.stderr.contains("certificates are not checked"),
        "{}",
        ran.stderr
    );
}

#[test]
fn help_says_who_can_see_a_token() {
    let ran = run(["help", "requests"]);
    assert_eq!(ran.code, 0);
    let words: Vec<_> = ran.stdout.split_whitespace().collect();
    assert!(
        words
            .join(" ")
            .contains("Other users of this machine can see it")
    );
}

#[test]
fn help_of_a_command_shows_its_own_options_and_where_those_of_requests_are() {
    let commands = [
        "new",
        "list",
        "describe",
        "call",
        "docs",
        "check",
        "diff",
        "client",
        "mock",
        "completions",
    ];
    for command in commands {
        for help in ["-h", "--help"] {
            let ran = run([command, help]);
            assert_eq!(ran.code, 0);
            assert!(!ran.stdout.contains("--proxy"), "{command}");
            let end = "\n\nRequests: see `docent help requests`\n";
            assert!(ran.stdout.ends_with(end), "{}", ran.stdout);
        }
    }
    let ran = run(["help", "requests"]);
    assert!(ran.stdout.contains("--proxy <URL>"), "{}", ran.stdout);
    assert_eq!(run(["requests"]).code, 2);
}
