//! The ways from any address of a server to a call.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use docent::testing::TestServer;
use docent::{Cx, Fault, Procedure, Routes, Service};
use flate2::read::GzDecoder;
use raw_http::{Request, Response};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize, JsonSchema)]
struct Name {
    name: String,
}

fn service(name: &str, public_url: Option<&str>) -> Service {
    let hello = |_: Cx, name: Name| Ok::<_, Fault>(format!("Hello, {}", name.name));
    let hello = Procedure::sync("hello", hello).idempotent().tool();
    let builder = Service::builder(name, format!("urn:example:{name}")).procedure(hello);
    match public_url {
        Some(url) => builder.public_url(url),
        None => builder,
    }
    .build()
    .expect("a service")
}

fn ask(server: &TestServer, request: &Request<'_>) -> Response {
    let mut connection = TcpStream::connect(server.address()).expect("a connection");
    Response::exchange(&mut connection, request)
}

fn get(server: &TestServer, target: &str) -> Response {
    let response = ask(server, &Request::new("GET", target));
    assert_eq!(response.status, 200, "{target}");
    response
}

/// Returns the targets of a `Link` field, each with its relation.
fn links(response: &Response) -> Vec<(&str, &str)> {
    let field = response.header("link").unwrap_or_default();
    let links = field.split(", ").filter_map(|link| {
        let (target, rest) = link.strip_prefix('<')?.split_once(">; rel=\"")?;
        Some((target, rest.split('"').next()?))
    });
    links.collect()
}

#[test]
fn a_mount_links_to_every_description_to_tools_and_to_the_catalogue() {
    let routes = Routes::at("/v2/rpc", service("one", None));
    let server = TestServer::start(routes).expect("a server");
    let expected = [
        ("rpc/rpc.describe", "service-desc"),
        ("../docs/", "service-doc"),
        ("../docs/openapi.json", "service-desc"),
        ("../docs/openrpc.json", "service-desc"),
        ("../docs/llms.txt", "service-doc"),
        ("../mcp", "related"),
        ("../.well-known/api-catalog", "api-catalog"),
    ];
    assert_eq!(links(&get(&server, "/v2/rpc")), expected);
    let catalog = get(&server, "/.well-known/api-catalog").json();
    let descriptions = catalog["linkset"][1]["service-desc"].as_array();
    let targets: Vec<_> = descriptions
        .expect("a list")
        .iter()
        .map(|link| &link["href"])
        .collect();
    assert_eq!(
        targets,
        [
            "../v2/rpc/rpc.describe",
            "../docs/openapi.json",
            "../docs/openrpc.json",
        ]
    );
    for path in ["/docs/openapi.json", "/docs/openrpc.json", "/docs/llms.txt"] {
        get(&server, path);
    }
}

#[test]
fn each_of_several_services_links_to_its_own_documents() {
    let public = service("two", Some("https://a.example/x/rpc"));
    let routes = Routes::at("/one", service("one", None))
        .mount("/rpc", public)
        .mcp_at("/mcp/one", "/one")
        .mcp_at("/mcp/two", "/rpc");
    let server = TestServer::start(routes).expect("a server");
    let one = get(&server, "/one");
    assert!(links(&one).contains(&("docs/one/openapi.json", "service-desc")));
    let two = get(&server, "/rpc");
    let openapi = ("https://a.example/x/docs/two/openapi.json", "service-desc");
    assert!(links(&two).contains(&openapi), "{two:?}");
    get(&server, "/docs/two/openapi.json");
}

#[test]
fn the_root_and_every_page_link_to_the_catalogue() {
    let server = TestServer::start(service("one", None)).expect("a server");
    let root = ask(&server, &Request::new("GET", "/"));
    assert_eq!(links(&root), [("/.well-known/api-catalog", "api-catalog")]);
    let page = get(&server, "/docs/hello");
    assert!(links(&page).contains(&("../.well-known/api-catalog", "api-catalog")));
}

#[test]
fn an_agent_that_knows_only_llms_txt_can_call() {
    let server = TestServer::start(service("one", None)).expect("a server");
    let root = ask(&server, &Request::new("GET", "/llms.txt"));
    assert_eq!(root.status, 200);
    for part in [
        "curl -sS 'http://localhost/rpc'",
        "(docs/hello.md)",
        "(docs/openapi.json)",
        "(docs/llms-full.txt)",
    ] {
        assert!(root.text().contains(part), "{part}: {}", root.text());
    }
    let response = get(&server, "/docs/llms.txt");
    let text = response.text();
    let host = "http://localhost";
    let sample = format!("curl -sS '{host}/rpc'");
    for part in [
        &*sample,
        "\"method\": \"hello\"",
        "(hello.md)",
        "(openapi.json)",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(text.contains(&format!("`{host}/mcp`")), "{text}");
    assert!(get(&server, "/docs/hello.md").text().contains("`name`"));
}

#[test]
fn every_page_is_markdown_for_who_prefers_that_and_html_for_others() {
    let server = TestServer::start(service("one", None)).expect("a server");
    for target in ["/docs/", "/docs/hello", "/docs/get"] {
        for (accept, media_type) in [
            ("", "text/html; charset=utf-8"),
            ("Accept: */*\r\n", "text/html; charset=utf-8"),
            (
                "Accept: text/*, text/markdown;q=0.5\r\n",
                "text/html; charset=utf-8",
            ),
            ("Accept: text/markdown;q=0\r\n", "text/html; charset=utf-8"),
            (
                "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n",
                "text/html; charset=utf-8",
            ),
            ("Accept: text/markdown\r\n", "text/markdown; charset=utf-8"),
            (
                "Accept: text/markdown, text/html, */*\r\n",
                "text/markdown; charset=utf-8",
            ),
            (
                "Accept: text/markdown, */*;q=0.1\r\n",
                "text/markdown; charset=utf-8",
            ),
        ] {
            let page = send(
                &server,
                "GET",
                target,
                &format!("Host: localhost\r\n{accept}"),
            );
            assert_eq!(page.status, 200, "{target} {accept}");
            assert_eq!(
                page.header("content-type"),
                Some(media_type),
                "{target} {accept}"
            );
            assert_eq!(page.header("vary"), Some("Accept, Accept-Encoding"));
            let beside = send(&server, "GET", &beside(target), "Host: localhost\r\n");
            let is_same = page.header("etag") == beside.header("etag");
            assert_eq!(
                is_same,
                media_type.starts_with("text/markdown"),
                "{target} {accept}"
            );
            assert_eq!(beside.header("vary"), Some("Accept-Encoding"));
        }
    }
    let fields = "Host: localhost\r\nAccept: text/markdown\r\n";
    assert_eq!(send(&server, "GET", "/docs/nothing", fields).status, 404);
    assert_eq!(
        send(&server, "GET", "/docs/..%2Fllms.txt", fields).status,
        404
    );
    assert_eq!(send(&server, "GET", "/docs/hello.html", fields).status, 308);
}

/// Returns the address of the Markdown page beside a page.
fn beside(target: &str) -> String {
    let index = if target.ends_with('/') { "index" } else { "" };
    format!("{target}{index}.md")
}

/// Sends a request with these fields, each on a line of its own.
fn send(server: &TestServer, method: &str, target: &str, fields: &str) -> Response {
    let mut connection = TcpStream::connect(server.address()).expect("a connection");
    let request = format!("{method} {target} HTTP/1.1\r\n{fields}\r\n");
    connection.write_all(request.as_bytes()).expect("a request");
    Response::read(&mut connection, method == "HEAD")
}

#[test]
fn a_text_with_the_host_has_a_validator_of_its_own() {
    let server = TestServer::start(service("one", None)).expect("a server");
    for (target, sample) in [
        ("/docs/llms.txt", "curl -sS '{}/rpc'"),
        ("/docs/hello.md", "curl -sS '{}/rpc'"),
        // Scripts complete it from the address of the page. Without them, it is complete, too.
        ("/docs/hello", "<span data-address=\"../rpc\">{}/rpc</span>"),
        (
            "/docs/",
            "<code><span data-address=\"../rpc\">{}/rpc</span></code>",
        ),
    ] {
        let ask = |host: &str| send(&server, "GET", target, &format!("Host: {host}\r\n"));
        for host in ["localhost:1", "127.0.0.1:2"] {
            let page = ask(host);
            let text = page.text();
            let sample = sample.replace("{}", &format!("http://{host}"));
            assert!(text.contains(&sample), "{sample}: {text}");
            assert!(!text.contains(".invalid") && !text.contains("service.example"));
            let same = ask(host);
            assert_eq!(same.text(), text);
            assert_eq!(same.header("etag"), page.header("etag"));
        }
        assert_ne!(
            ask("localhost:1").header("etag"),
            ask("127.0.0.1:2").header("etag")
        );
        assert!(!ask("evil.example").text().contains("evil"));
        assert_eq!(ask(":80").text(), ask("").text());
    }
}

#[test]
fn a_page_with_the_host_is_sent_as_any_other() {
    let server = TestServer::start(service("one", None)).expect("a server");
    for coding in ["", "Accept-Encoding: gzip\r\n"] {
        let fields = format!("Host: localhost:1\r\n{coding}");
        let page = send(&server, "GET", "/docs/hello", &fields);
        let head = send(&server, "HEAD", "/docs/hello", &fields);
        assert_eq!(head.status, 200);
        assert!(head.body.is_empty());
        let same = [
            "content-length",
            "content-encoding",
            "content-security-policy",
            "etag",
            "vary",
        ];
        for field in same {
            assert_eq!(page.header(field), head.header(field), "{field}");
        }
        let length = page.body.len().to_string();
        assert_eq!(page.header("content-length"), Some(&*length));
        if !coding.is_empty() {
            assert_eq!(page.header("content-encoding"), Some("gzip"));
            let mut text = String::new();
            let mut decoder = GzDecoder::new(&*page.body);
            decoder.read_to_string(&mut text).expect("gzip");
            assert!(text.contains(">http://localhost:1/rpc</span>"), "{text}");
        }
        let tag = page.header("etag").expect("a tag");
        let known = |host: &str| {
            let fields = format!("Host: {host}\r\nIf-None-Match: {tag}\r\n{coding}");
            send(&server, "GET", "/docs/hello", &fields).status
        };
        assert_eq!(
            (known("localhost:1"), known("127.0.0.1:2")),
            (304, 200),
            "{coding}"
        );
    }
}

#[test]
fn only_a_trusted_proxy_says_that_it_was_reached_over_tls() {
    let forwarded = "Host: a.example\r\nX-Forwarded-Proto: https\r\n";
    for (trusted, scheme) in [("127.0.0.1", "https"), ("10.0.0.0/8", "http")] {
        let routes = Routes::new(service("one", None)).options(|options| {
            options.trusted_proxies = vec![trusted.parse().expect("an address")];
        });
        let server = TestServer::start(routes).expect("a server");
        for target in ["/docs/llms.txt", "/docs/hello", "/rpc/rpc.discover"] {
            let text = send(&server, "GET", target, forwarded).text().to_owned();
            let address = format!("{scheme}://a.example/rpc");
            assert!(text.contains(&address), "{trusted} {target}: {text}");
        }
    }
}

#[test]
fn an_openrpc_document_names_the_server_that_sent_it() {
    let server = TestServer::start(service("one", None)).expect("a server");
    let expected = json!([{"name": "one", "url": "http://localhost/rpc"}]);
    let call = br#"{"jsonrpc":"2.0","method":"rpc.discover","id":1}"#;
    let posted = ask(&server, &Request::post("/rpc", call)).json();
    let read = get(&server, "/rpc/rpc.discover").json();
    let file = get(&server, "/docs/openrpc.json").json();
    for document in [&posted["result"], &read["result"], &file] {
        assert_eq!(document["servers"], expected);
        assert_eq!(document["openrpc"], "1.3.2");
    }
    let public = service("one", Some("https://a.example/rpc"));
    let server = TestServer::start(&public).expect("a server");
    let read: Value = get(&server, "/rpc/rpc.discover").json();
    assert_eq!(read["result"]["servers"][0]["url"], "https://a.example/rpc");
}
