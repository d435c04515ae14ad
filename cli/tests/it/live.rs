//! Live services as inputs: the requests that find a description, redirects, and failures.

use std::io::Read;
use std::net::TcpListener;
use std::thread;

use crate::service::{Request, Response, Server};
use crate::support::{Folder, data_text, run};

/// The procedures that a server was asked to call.
fn methods(requests: &[Request]) -> Vec<String> {
    let method = |request: &Request| match request.body.split_once("\"method\":\"") {
        Some((_, rest)) => rest.split('"').next().unwrap_or_default().to_owned(),
        None => request.method.clone(),
    };
    requests.iter().map(method).collect()
}

#[test]
fn a_service_is_asked_what_tells_most_first() {
    for (procedure, document, asked) in [
        ("rpc.describe", "shop.json", vec!["rpc.describe"]),
        (
            "rpc.discover",
            "weather.openrpc.json",
            vec!["rpc.describe", "rpc.discover"],
        ),
        (
            "system.describe",
            "clock.1.1.json",
            vec!["rpc.describe", "rpc.discover", "system.describe"],
        ),
    ] {
        let text = data_text(document);
        let server = Server::start(move |request| Response::of_service(request, procedure, &text));
        let url = server.url("/rpc");
        let ran = run([
            "check",
            &url,
            "--static",
            "--allow",
            "warnings,undocumented",
        ]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert!(
            ran.stdout.lines().last().is_some_and(
                |line| line.starts_with(&url) && line.contains(&format!(" by {procedure}, "))
            ),
            "{}",
            ran.stdout
        );
        assert_eq!(methods(&server.requests()), asked);
        assert!(
            server
                .requests()
                .iter()
                .all(|request| request.path == "/rpc")
        );
    }
}

#[test]
fn a_service_of_1_1_is_asked_in_its_own_words() {
    let text = data_text("clock.1.1.json");
    let server = Server::start(move |request| {
        if request.body.contains("\"version\":\"1.1\"") {
            Response::new(
                200,
                format!("{{\"version\": \"1.1\", \"result\": {text}, \"id\": 1}}"),
            )
        } else {
            Response::new(
                500,
                r#"{"version": "1.1", "error": {"name": "JSONRPCError", "code": 422, "message": "No version"}}"#,
            )
        }
    });
    let ran = run(["describe", &server.url("/")]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("What time it is."));
}

#[test]
fn calls_go_to_where_the_service_answered() {
    let text = data_text("shop.json");
    let server = Server::start(move |request| Response::of_service(request, "rpc.describe", &text));
    let address = format!(
        "http://somebody:s3cr3t@127.0.0.1:{}/rpc?token=s3cr3t#x",
        server.port
    );
    let folder = Folder::new();
    let ran = run(["docs", &address, "-v", "-o", &folder.arg("site")]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let page = folder.read("site/basket.clear.html");
    assert!(page.contains(&server.url("/rpc")), "{page}");
    // Credentials are sent, but neither stored nor shown.
    assert!(!ran.stderr.contains("s3cr3t"), "{}", ran.stderr);
    for file in folder.files("site") {
        assert!(
            !folder.read(&format!("site/{file}")).contains("s3cr3t"),
            "{file}"
        );
    }
    let requests = server.requests();
    assert_eq!(
        requests[0].authorization.as_deref(),
        Some("Basic c29tZWJvZHk6czNjcjN0")
    );
    assert_eq!(requests[0].path, "/rpc?token=s3cr3t");
}

#[test]
fn a_document_on_a_web_server_is_read() {
    let text = data_text("weather.openrpc.json");
    let server = Server::start(move |request| match request.method.as_str() {
        "GET" => Response::new(200, text.as_str()),
        _ => Response::new(405, "<h1>405 Not Allowed</h1>"),
    });
    let ran = run([
        "check",
        &server.url("/openrpc.json"),
        "--allow",
        "undocumented,warnings",
    ]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        ran.stdout.contains("OpenRPC document by GET, 1 procedure"),
        "{}",
        ran.stdout
    );
    // A server that rejects POST is not tried in other ways.
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn a_server_that_describes_nothing_is_said_so_with_all_its_answers() {
    let server = Server::start(|request| match request.body.as_str() {
        "" => Response::new(200, "<h1>Welcome</h1>"),
        _ => Response::of_service(request, "nothing", ""),
    });
    let ran = run(["check", &server.url("/")]);
    assert_eq!(ran.code, 4);
    let expected = format!(
        "docent: {}: no service description found\n  rpc.describe: -32601 Method not found\n  \
         rpc.discover: -32601 Method not found\n  system.describe: -32601 Method not found\n  \
         MCP: initialize: Method not found\n  GET: the response is not JSON\n",
        server.url("/")
    );
    assert_eq!(ran.stderr, expected);
}

#[test]
fn who_is_not_let_in_or_finds_nobody_is_told_at_once() {
    for (status, code) in [(401, 4), (403, 4), (429, 3), (503, 3)] {
        let server = Server::start(move |_| Response::new(status, ""));
        let ran = run(["check", &server.url("/")]);
        assert_eq!(
            (ran.code, server.requests().len()),
            (code, 1),
            "{status}: {}",
            ran.stderr
        );
        assert!(ran.stderr.contains(&status.to_string()));
    }
    let unused = TcpListener::bind("127.0.0.1:0")
        .expect("a port")
        .local_addr()
        .expect("bound");
    let ran = run(["check", &format!("http://{unused}/")]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
}

#[test]
fn encryption_that_fails_is_a_failure_of_the_network() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("bound");
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // These bytes are not TLS.
            let _ = std::io::Write::write_all(&mut &stream, b"HTTP/1.1 400 Bad Request\r\n\r\n");
            let _ = (&stream).take(1000).read_to_end(&mut Vec::new());
        }
    });
    let ran = run(["check", &format!("https://{address}/")]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
}

#[test]
fn a_redirect_takes_the_question_along_but_not_the_password() {
    let text = data_text("shop.json");
    let target = Server::start(move |request| Response::of_service(request, "rpc.describe", &text));
    let url = target.url("/moved");
    let server = Server::start(move |request| match request.path.as_str() {
        "/a" => Response::redirect(302, "/b"),
        _ => Response::redirect(308, url.as_str()),
    });
    let ran = run([
        "check",
        &format!("http://me:pass@127.0.0.1:{}/a", server.port),
        "--static",
    ]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        server
            .requests()
            .iter()
            .all(|request| request.authorization.is_some())
    );
    let asked = &target.requests()[0];
    assert_eq!(
        (asked.method.as_str(), asked.path.as_str()),
        ("POST", "/moved")
    );
    assert_eq!(asked.authorization, None);
}

#[test]
fn redirects_end_somewhere() {
    let server = Server::start(|request| Response::redirect(307, format!("{}x", request.path)));
    let ran = run(["check", &server.url("/")]);
    assert_eq!(
        (ran.code, server.requests().len()),
        (3, 4),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("more than 3 redirects"));
    let server = Server::start(|_| Response::redirect(307, "file:///etc/passwd"));
    let ran = run(["check", &server.url("/")]);
    assert_eq!(ran.code, 3);
    assert!(ran.stderr.contains("scheme file"), "{}", ran.stderr);
}

#[test]
fn an_answer_has_to_end_somewhere() {
    let server = Server::start(|_| Response::new(200, " ".repeat((64 << 20) + 1)));
    let ran = run(["check", &server.url("/")]);
    assert_eq!(ran.code, 3);
    assert!(ran.stderr.contains("larger than 64 MiB"), "{}", ran.stderr);
}

#[test]
fn a_live_service_and_a_file_make_a_catalogue() {
    let text = data_text("shop.json");
    let server = Server::start(move |request| Response::of_service(request, "rpc.describe", &text));
    let folder = Folder::new();
    let ran = run([
        "docs",
        &server.url("/"),
        &crate::support::data("clock.1.1.json"),
        "-o",
        &folder.arg("site"),
    ]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(folder.has("site/shop/index.html") && folder.has("site/clock/index.html"));
}

/// Starts a host whose catalogue has these anchors, with a service at `/rpc` that the data describes.
fn host(anchors: &'static [&'static str]) -> Server {
    let text = data_text("shop.json");
    Server::start(move |request| match &*request.path {
        "/rpc" => Response::of_service(request, "rpc.describe", &text),
        "/.well-known/api-catalog" => {
            let listed = anchors.iter().map(|anchor| {
                format!(r#"{{"anchor": "{anchor}", "service-desc": [{{"href": "d.json"}}]}}"#)
            });
            let listed: Vec<String> = listed.collect();
            Response::new(200, format!(r#"{{"linkset": [{}]}}"#, listed.join(", ")))
        }
        _ => Response::new(404, "<h1>Not found</h1>"),
    })
}

#[test]
fn any_url_of_a_host_leads_to_the_service_that_its_catalogue_lists() {
    let server = host(&["../rpc", "http://127.0.0.2:1/rpc"]);
    let url = server.url("/docs/index.html");
    let by_path = run(["list", &url]);
    assert_eq!(by_path.stdout, run(["list", &server.url("/rpc")]).stdout);
    assert!(!by_path.stdout.is_empty(), "{}", by_path.stderr);
    let called = run(["check", &url, "--allow", "warnings,undocumented"]);
    assert!(
        called.stdout.contains(" by rpc.describe, "),
        "{}",
        called.stdout
    );
    let calls = server.requests();
    let calls = calls
        .iter()
        .filter(|request| request.body.contains("jsonrpc") && request.path == "/rpc");
    assert!(calls.count() > 5, "the check calls the service");
}

#[test]
fn a_host_with_several_services_names_them() {
    let server = host(&["../rpc", "/other"]);
    let ran = run(["list", &server.url("/")]);
    assert_eq!(ran.code, 4);
    let [one, other] = ["/rpc", "/other"].map(|path| server.url(path));
    let wanted = format!("this host has several services: {one}, {other}");
    assert!(ran.stderr.contains(&wanted), "{}", ran.stderr);
}

#[test]
fn a_page_or_a_header_field_leads_to_the_description() {
    for (field, page) in [
        (
            "</else>; rel=next, <../api/d.json>; rel=\"service-desc\"",
            "",
        ),
        (
            "",
            "<head><link rel=icon href=x><link rel=\"service-desc\" href=\"../api/d.json\"></head>",
        ),
        (
            "",
            "<link href='http://127.0.0.2:1/d.json' rel=service-desc><link href='/api/d.json' rel=service-desc>",
        ),
    ] {
        let text = data_text("shop.json");
        let server = Server::start(move |request| match (&*request.method, &*request.path) {
            ("GET", "/api/d.json") => Response::new(200, &*text),
            ("GET", "/docs/start") => Response::new(200, page)
                .with_header("Content-Type", "text/html")
                .with_header("Link", field),
            _ => Response::new(404, ""),
        });
        let ran = run(["list", &server.url("/docs/start"), "--token", "secret"]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert!(ran.stdout.contains("basket.add"), "{}", ran.stdout);
        let description_requests = server
            .requests()
            .iter()
            .filter(|request| request.path == "/api/d.json")
            .count();
        assert_eq!(description_requests, 1);
    }
}
