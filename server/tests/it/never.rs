//! Looks at every kind of address for what, by the guide's page about security, is never sent.

use std::borrow::Cow;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::thread::JoinHandle;

use docent::describe::ProcedureDescription;
use docent::{
    Authentication, Authenticator, BearerToken, CallInfo, Credentials, Cx, Fault, Guard,
    HttpOptions, Identity, Procedure, Rejection, Routes, Server, ServerHandle, Service,
    ServiceBuilder,
};
use raw_http::Response;

/// A text that appears in an answer only if it leaks.
const MARK: &str = "marked-1f2e";

/// A host with the mark, and another one.
const HOST: &str = "marked-1f2e.example:4711";
const OTHER_HOST: &str = "other.example";

/// A request, without the fields that say who sends it and to which host.
struct Address {
    method: &'static str,
    target: &'static str,
    fields: &'static str,
    body: &'static str,
    /// True if the answer names the server: a page, its Markdown, `llms.txt` or an OpenRPC document.
    names_host: bool,
}

const fn read(target: &'static str) -> Address {
    Address {
        method: "GET",
        target,
        fields: "",
        body: "",
        names_host: false,
    }
}

const fn by(method: &'static str, target: &'static str) -> Address {
    Address {
        method,
        ..read(target)
    }
}

/// A page that names the server.
const fn page(target: &'static str) -> Address {
    Address {
        names_host: true,
        ..read(target)
    }
}

const fn post(body: &'static str) -> Address {
    Address {
        method: "POST",
        fields: "Content-Type: application/json\r\n",
        body,
        ..read("/rpc")
    }
}

const fn tool(body: &'static str) -> Address {
    Address {
        target: "/mcp",
        fields: "Content-Type: application/json\r\nMCP-Protocol-Version: 2025-11-25\r\n\
                 Accept: application/json, text/event-stream\r\n",
        ..post(body)
    }
}

const HTML: &str = "Accept: text/html\r\n";

/// Every kind of address of a server, and every kind of answer.
const ADDRESSES: [Address; 58] = [
    read("/"),
    page("/llms.txt"),
    read("/nothing"),
    read("/.well-known/api-catalog"),
    read("/openapi.json"),
    read("/metrics"),
    // The front door.
    read("/rpc"),
    Address {
        fields: HTML,
        ..read("/rpc")
    },
    by("HEAD", "/rpc"),
    by("OPTIONS", "/rpc"),
    by("PUT", "/rpc"),
    by("PATCH", "/rpc/hello"),
    read("/rpc/"),
    read("/rpc/a/b"),
    // Calls.
    read("/rpc/hello"),
    by("HEAD", "/rpc/hello"),
    by("OPTIONS", "/rpc/hello"),
    read("/rpc/hello?x=1"),
    read("/rpc/change"),
    read("/rpc/nothing"),
    read("/rpc/fail"),
    read("/rpc/rpc.describe"),
    read("/rpc/system.describe"),
    read("/rpc/system.listMethods"),
    read("/rpc/rpc.openapi"),
    page("/rpc/rpc.discover"),
    post(r#"{"jsonrpc":"2.0","method":"hello","id":1}"#),
    Address {
        target: "/rpc/hello",
        ..post(r#"{"jsonrpc":"2.0","method":"hello","id":1}"#)
    },
    Address {
        target: "/rpc/hello",
        ..post(r#"{"jsonrpc":"2.0","method":"change","id":1}"#)
    },
    post(r#"{"jsonrpc":"2.0","method":"hello"}"#),
    post(r#"{"jsonrpc":"2.0","method":"nothing","id":1}"#),
    post(r#"{"jsonrpc":"2.0","method":"hello","params":{"x":1},"id":1}"#),
    post(r#"{"jsonrpc":"2.0","method":"fail","id":1}"#),
    post(r#"[{"jsonrpc":"2.0","method":"hello","id":1},{"jsonrpc":"2.0","method":"fail","id":2}]"#),
    post(r#"{"version":"1.1","method":"hello","id":1}"#),
    post(r#"{"version":"1.1","method":"fail","id":1}"#),
    post(r#"{"jsonrpc":"2.0","method":"rpc.describe","id":1}"#),
    post(r#"{"jsonrpc":"2.0","method":"system.describe","id":1}"#),
    Address {
        names_host: true,
        ..post(r#"{"jsonrpc":"2.0","method":"rpc.discover","id":1}"#)
    },
    post(r#"[{"jsonrpc":"2.0","method":"rpc.discover","id":1}]"#),
    post("{"),
    Address {
        fields: "Content-Type: text/plain\r\n",
        ..post("{}")
    },
    // Tools.
    read("/mcp"),
    tool(r#"{"jsonrpc":"2.0","method":"tools/list","id":1}"#),
    tool(r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"hello"},"id":1}"#),
    tool(r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"fail"},"id":1}"#),
    Address {
        fields: "Content-Type: application/json\r\nOrigin: https://a.example\r\n",
        ..tool("{}")
    },
    // Pages.
    read("/docs"),
    page("/docs/"),
    page("/docs/index.md"),
    page("/docs/llms.txt"),
    page("/docs/hello"),
    page("/docs/openrpc.json"),
    read("/docs/openapi.json"),
    read("/docs/description.json"),
    read("/docs/hello.html"),
    Address {
        fields: HTML,
        ..read("/docs/nothing")
    },
    by("POST", "/docs/"),
];

impl Address {
    /// Returns the request, with these fields in addition.
    fn request(&self, fields: &str) -> String {
        let Self {
            method,
            target,
            body,
            ..
        } = self;
        let own = self.fields;
        let length = body.len();
        format!("{method} {target} HTTP/1.1\r\n{fields}{own}Content-Length: {length}\r\n\r\n{body}")
    }

    fn name(&self) -> String {
        let Self {
            method,
            target,
            body,
            ..
        } = self;
        format!("{method} {target} {body}")
    }
}

/// Sends a request. Returns the answer, and everything that was sent as text.
fn exchange(mut connection: impl Read + Write, request: &str) -> (Response, String) {
    connection
        .write_all(request.as_bytes())
        .expect("it is sent");
    let is_head = request.starts_with("HEAD ");
    let response = Response::read(&mut connection, is_head);
    assert_eq!(response.header("content-encoding"), None, "{request}");
    let body = String::from_utf8_lossy(&response.body);
    let text = format!("{:?}\n{body}", response.headers);
    (response, text)
}

fn procedures(builder: ServiceBuilder) -> ServiceBuilder {
    let hello = |_: Cx, (): ()| Ok::<_, Fault>("hello");
    let fail = |_: Cx, (): ()| Err::<(), _>(Fault::internal(format_args!("{MARK} is why")));
    builder
        .procedure(Procedure::sync("hello", hello).idempotent().tool())
        .procedure(Procedure::sync("change", hello))
        .procedure(Procedure::sync("fail", fail).idempotent().tool())
}

fn builder() -> ServiceBuilder {
    Service::builder("never", "urn:example:never")
}

/// A server at a loopback address, at all addresses, and at a Unix socket.
struct Running {
    loopback: SocketAddr,
    everywhere: SocketAddr,
    socket: PathBuf,
    handle: ServerHandle,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    fn start(name: &str, service: Service, change: impl FnOnce(&mut HttpOptions)) -> Self {
        let id = std::process::id();
        let socket = std::env::temp_dir().join(format!("docent-never-{name}-{id}"));
        let server = Server::new(Routes::new(service).options(change).metrics()).workers(1);
        let bound = server
            .bind("127.0.0.1:0")
            .expect("a free port")
            .bind("0.0.0.0:0")
            .expect("a free port")
            .bind_unix(&socket)
            .expect("a free path");
        let port = bound.addresses()[1].port();
        Self {
            loopback: bound.addresses()[0],
            everywhere: ([127, 0, 0, 1], port).into(),
            socket,
            handle: bound.handle(),
            thread: Some(std::thread::spawn(move || {
                let outcome = actix_web::rt::System::new().block_on(bound.run());
                outcome.expect("it stops");
            })),
        }
    }

    fn over_loopback(&self, request: &str) -> (Response, String) {
        exchange(
            TcpStream::connect(self.loopback).expect("a server"),
            request,
        )
    }

    fn over_network(&self, request: &str) -> (Response, String) {
        exchange(
            TcpStream::connect(self.everywhere).expect("a server"),
            request,
        )
    }

    fn over_unix(&self, request: &str) -> (Response, String) {
        exchange(
            UnixStream::connect(&self.socket).expect("a server"),
            request,
        )
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.handle.shutdown();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Fields that name a host.
fn naming(host: &str) -> String {
    format!(
        "Host: {host}\r\nX-Forwarded-Host: {host}\r\nX-Original-Host: {host}\r\n\
         Forwarded: host={host}\r\nReferer: http://{host}/\r\n"
    )
}

#[test]
fn a_loopback_address_serves_no_other_host_whatever_other_listeners_there_are() {
    let service = procedures(builder()).build().expect("a service");
    let server = Running::start("loopback", service, |_| {});
    for address in ADDRESSES {
        let (response, text) = server.over_loopback(&address.request(&naming(HOST)));
        assert_eq!(response.status, 421, "{}", address.name());
        assert!(!text.contains(MARK), "{}: {text}", address.name());
        let (response, text) = server.over_loopback(&address.request("Host: localhost\r\n"));
        assert_ne!(response.status, 421, "{}", address.name());
        let is_named = text.contains("http://localhost/rpc");
        assert_eq!(is_named, address.names_host, "{}: {text}", address.name());
    }
    // A host in the target is the one that is checked, and no other one is named.
    let request = "GET http://localhost/docs/ HTTP/1.1\r\nHost: localhost.marked-1f2e\r\n\r\n";
    let (response, text) = server.over_loopback(request);
    assert_eq!(response.status, 200);
    assert!(
        !text.contains(MARK) && !text.contains("host.invalid"),
        "{text}"
    );
}

#[test]
fn over_a_unix_socket_any_host_is_served_and_only_a_listed_one_is_named() {
    let service = procedures(builder()).build().expect("a service");
    let open = Running::start("open", service.clone(), |_| {});
    let listed = Running::start("listed", service, |options| {
        options.allowed_hosts = Some(vec!["marked-1f2e.example".to_owned()]);
    });
    for address in ADDRESSES {
        let request = address.request(&naming(HOST));
        let (response, text) = open.over_unix(&request);
        assert_ne!(response.status, 421, "{}", address.name());
        assert!(!text.contains(MARK), "{}: {text}", address.name());
        assert!(!text.contains("host.invalid"), "{}: {text}", address.name());
        let (response, text) = listed.over_unix(&request);
        assert_ne!(response.status, 421, "{}", address.name());
        assert_eq!(
            text.contains(MARK),
            address.names_host,
            "{}: {text}",
            address.name()
        );
        let (response, _) = listed.over_unix(&address.request(&naming(OTHER_HOST)));
        assert_eq!(response.status, 421, "{}", address.name());
    }
}

#[test]
fn only_pages_and_openrpc_name_the_host_of_a_request_and_their_validator_covers_it() {
    let service = procedures(builder()).build().expect("a service");
    let server = Running::start("network", service, |_| {});
    for address in ADDRESSES {
        let name = address.name();
        let (response, text) = server.over_network(&address.request(&naming(HOST)));
        assert_ne!(response.status, 421, "{name}");
        assert_eq!(text.contains(MARK), address.names_host, "{name}: {text}");
        if address.names_host && address.method == "GET" {
            let tag = response.header("etag").expect("a validator");
            let known = |host: &str| {
                let fields = format!("{}If-None-Match: {tag}\r\n", naming(host));
                server.over_network(&address.request(&fields)).0.status
            };
            assert_eq!((known(HOST), known(OTHER_HOST)), (304, 200), "{name}");
        }
    }
    // Nor is it in the metrics, like anything else that a caller writes.
    let (_, text) = server.over_network("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert!(text.contains("docent_") && !text.contains(MARK), "{text}");
}

#[test]
fn a_service_with_a_public_url_never_names_the_host_of_a_request() {
    let service = procedures(builder()).public_url("https://api.example/rpc");
    let server = Running::start("public", service.build().expect("a service"), |_| {});
    for address in ADDRESSES {
        let request = address.request(&naming(HOST));
        for (response, text) in [server.over_network(&request), server.over_unix(&request)] {
            assert_ne!(response.status, 421, "{}", address.name());
            assert!(!text.contains(MARK), "{}: {text}", address.name());
        }
        // There, a public URL adds its own host, and no other.
        let (_, text) = server.over_loopback(&request);
        assert!(!text.contains(MARK), "{}: {text}", address.name());
    }
}

struct User;

impl Identity for User {
    fn id(&self) -> Cow<'_, str> {
        Cow::from("ann")
    }
}

/// Fails, and says why with the mark.
struct Broken {
    panics: bool,
}

impl Broken {
    fn rejection(&self) -> Rejection {
        assert!(!self.panics, "{MARK} is why");
        Rejection::internal(format_args!("{MARK} is why"))
    }
}

impl Guard for Broken {
    fn check(&self, _: &CallInfo<'_>) -> Result<(), Rejection> {
        Err(self.rejection())
    }

    fn covers(&self, _: &ProcedureDescription) -> bool {
        true
    }
}

impl Authenticator for Broken {
    type Identity = User;

    fn authenticate(&self, _: Credentials<'_>) -> Authentication<User> {
        Authentication::rejected(self.rejection())
    }
}

#[test]
fn the_cause_of_a_failure_is_never_sent() {
    let services = [
        ("handler", builder()),
        ("guard", builder().guard(Broken { panics: false })),
        ("guard-panics", builder().guard(Broken { panics: true })),
        (
            "authenticator",
            builder()
                .authenticate(Broken { panics: false })
                .protect(|_| true),
        ),
        (
            "authenticator-panics",
            builder()
                .authenticate(Broken { panics: true })
                .protect(|_| true),
        ),
    ];
    for (name, service) in services {
        let service = procedures(service).build().expect("a service");
        let server = Running::start(name, service, |_| {});
        let mut failed = 0;
        for address in ADDRESSES {
            let (response, text) = server.over_loopback(&address.request("Host: localhost\r\n"));
            failed += usize::from(response.status == 500 || text.contains("-32603"));
            assert!(!text.contains(MARK), "{name} {}: {text}", address.name());
        }
        assert!(failed >= 5, "{name}: {failed}");
    }
}

#[test]
fn a_cache_never_keeps_for_others_what_only_some_callers_get() {
    let guard = BearerToken::new("never", "s3cret", |_| true);
    let service = procedures(builder().guard(guard));
    let server = Running::start("private", service.build().expect("a service"), |_| {});
    let mut private = 0;
    for address in ADDRESSES {
        let fields = "Host: localhost\r\nAuthorization: Bearer s3cret\r\n";
        let (response, text) = server.over_loopback(&address.request(fields));
        let control = response.header("cache-control").unwrap_or_default();
        let vary = response
            .header("vary")
            .unwrap_or_default()
            .to_ascii_lowercase();
        let (refused, _) = server.over_loopback(&address.request("Host: localhost\r\n"));
        let is_kept = matches!(response.status, 200 | 203 | 204 | 301 | 308 | 404 | 405);
        if address.method != "GET" || !is_kept || refused.status != 401 {
            continue;
        }
        private += 1;
        let is_private = control.starts_with("private") || control == "no-store";
        assert!(is_private, "{}: {text}", address.name());
        let is_varied = vary.contains("authorization") || vary == "*";
        assert!(
            is_varied || control == "no-store",
            "{}: {text}",
            address.name()
        );
    }
    assert!(private >= 10, "{private}");
}
