//! Addresses that offer tools, and what a service with tools must not do.

use actix_web::App;
use actix_web::http::Method;
use actix_web::test::{TestRequest, call_service, init_service};
use docent::testing::TestServer;
use docent::{Cx, Fault, Mount, Procedure, Routes, Service, ServiceBuilder, procedure};
use raw_http::{Request, Response};
use serde_json::json;

use super::{ID, OLDER, body, library, older, start};

fn ask(server: &TestServer, method: &str, target: &str) -> Response {
    let message = older("tools/list", &json!({})).to_string();
    let mut request =
        Request::post(target, message.as_bytes()).header("MCP-Protocol-Version", OLDER);
    request.method = method;
    let mut connection = std::net::TcpStream::connect(server.address()).expect("a server");
    Response::exchange(&mut connection, &request)
}

fn plain() -> ServiceBuilder {
    Service::builder("plain", ID)
        .procedure(Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>(())))
}

fn start_at(routes: impl Into<Routes>) -> Result<TestServer, String> {
    TestServer::start(routes).map_err(|error| error.to_string())
}

#[test]
fn the_address_takes_post_alone() {
    let server = start();
    assert_eq!(ask(&server, "POST", "/mcp").status, 200);
    for method in ["GET", "DELETE", "PUT", "OPTIONS", "PATCH"] {
        let answer = ask(&server, method, "/mcp");
        assert_eq!(
            (answer.status, answer.header("allow")),
            (405, Some("POST")),
            "{method}"
        );
    }
    assert_eq!(ask(&server, "POST", "/mcp/book.find").status, 404);
}

#[test]
fn only_services_with_tools_have_an_address_for_agents() {
    let service = plain().build().expect("a service");
    let server = start_at(service).expect("a server");
    assert_eq!(ask(&server, "POST", "/mcp").status, 404);
    let service = library().build().expect("a service");
    let server = start_at(Routes::new(service).without_mcp()).expect("a server");
    assert_eq!(ask(&server, "POST", "/mcp").status, 404);
}

#[test]
fn each_service_with_tools_has_an_address_of_its_own() {
    let plain = plain().build().expect("a service");
    let library = library().build().expect("a service");
    let two = || Routes::at("/a", library.clone()).mount("/b", library.clone());
    let error = start_at(two()).expect_err("two services at one address");
    assert!(error.contains("`mcp_at`"), "{error}");
    let server =
        start_at(two().mcp_at("/agents/b", "/b").mount("/c", plain.clone())).expect("a server");
    assert_eq!(ask(&server, "POST", "/mcp").status, 200);
    assert_eq!(ask(&server, "POST", "/agents/b").status, 200);

    // It wins over a service at the root.
    let server = start_at(Routes::at("", library.clone())).expect("a server");
    assert_eq!(
        body(&ask(&server, "POST", "/mcp"))["result"]["tools"][0]["name"],
        "book_find"
    );

    for (routes, word) in [
        (
            Routes::new(plain.clone()).mcp_at("/agents", "/rpc"),
            "no tools",
        ),
        (
            Routes::new(library.clone()).mcp_at("/agents", "/elsewhere"),
            "no service",
        ),
        (
            Routes::new(library.clone()).mcp_at("/health", "/rpc"),
            "/health",
        ),
        (
            Routes::new(library.clone()).mcp_at("/docs/mcp", "/rpc"),
            "/docs",
        ),
        (Routes::new(library.clone()).mcp_at("/rpc", "/rpc"), "/rpc"),
        (
            Routes::new(library.clone()).mcp_at("/rpc/book.find", "/rpc"),
            "book.find",
        ),
        (
            Routes::new(library.clone()).mcp_at("/{x}", "/rpc"),
            "pattern",
        ),
        (Routes::at("/mcp", library.clone()), "/mcp"),
        (
            Routes::new(library.clone()).options(|options| {
                options.mcp_origins = vec!["example.com".to_owned()];
            }),
            "example.com",
        ),
    ] {
        let error = start_at(routes).expect_err(word);
        assert!(error.contains(word), "{error}");
    }
}

#[test]
fn names_that_no_tool_can_have_are_mistakes() {
    let hello = |name: &str| Procedure::<()>::sync(name, |_: Cx, (): ()| Ok::<_, Fault>(()));
    let long = "n".repeat(65);
    for (procedure, is_fine) in [
        (hello("a b").tool(), false),
        (hello("größe").tool(), false),
        (hello("größe").tool_named("size"), true),
        (hello("hello").tool_named(""), false),
        (hello("hello").tool_named("a,b"), false),
        (hello("hello").tool_named("a/b"), false),
        (hello(&long).tool(), false),
        (hello(&long[1..]).tool(), true),
        (hello("A.b_c-9").tool(), true),
        (hello("A.b_c-9").tool_named("A.b_c-9"), false),
    ] {
        let name = procedure.name().to_owned();
        let built = Service::builder("s", ID).procedure(procedure).build();
        assert_eq!(built.is_ok(), is_fine, "{name}");
        if let Err(error) = built {
            assert!(error.to_string().contains(".tool_named("), "{error}");
        }
    }
    for (first, second) in [
        (hello("one").tool(), hello("two").tool_named("one")),
        (hello("a_one").tool(), hello("a.one").tool()),
        (hello("a_one").idempotent(), hello("a.one").idempotent()),
    ] {
        let names = [&first, &second].map(|procedure| format!("{:?}", procedure.name()));
        let clash = Service::builder("s", ID)
            .idempotent_tools()
            .procedures([first, second])
            .build()
            .expect_err("two tools of one name");
        assert_eq!(clash.mistakes().len(), 1);
        for name in names {
            assert!(clash.to_string().contains(&name), "{clash}");
        }
    }
}

/// Says hello.
#[procedure(tool = "greet")]
fn hello() -> Result<&'static str, Fault> {
    Ok("hello")
}

/// Says goodbye.
#[procedure(idempotent, tool)]
fn goodbye() -> Result<&'static str, Fault> {
    Ok("goodbye")
}

#[test]
fn attributes_make_tools() {
    let service = Service::builder("greeter", ID)
        .procedure(hello::procedure())
        .procedure(goodbye::procedure())
        .build()
        .expect("a service");
    assert_eq!(service.tools().collect::<Vec<_>>(), ["greet", "goodbye"]);
}

#[actix_web::test]
async fn a_mount_offers_its_tools_in_an_app() {
    let service = library().build().expect("a service");
    let routes = Routes::new(service).mcp_at("/agents", "/rpc");
    let mount = Mount::new(routes).expect("a mount");
    let app = init_service(App::new().service(mount)).await;
    let message = older("tools/list", &json!({})).to_string();
    for (method, target, status) in [
        (Method::POST, "/agents", 200),
        (Method::GET, "/agents", 405),
        (Method::POST, "/agents/more", 404),
    ] {
        let request = TestRequest::with_uri(target)
            .method(method)
            .insert_header(("content-type", "application/json"))
            .set_payload(message.clone());
        let response = call_service(&app, request.to_request()).await;
        assert_eq!(response.status(), status, "{target}");
    }
}

#[test]
fn all_idempotent_procedures_can_be_tools_also_in_the_next_version() {
    let read = Procedure::sync("read", |_: Cx, (): ()| Ok::<_, Fault>(())).idempotent();
    let find = Procedure::sync("find", |_: Cx, (): ()| Ok::<_, Fault>(())).idempotent();
    let service = plain()
        .procedure(read.tool_named("look"))
        .idempotent_tools()
        .procedure(find)
        .build()
        .expect("a service");
    assert_eq!(service.tools().collect::<Vec<_>>(), ["look", "find"]);
    let next = Procedure::sync("next", |_: Cx, (): ()| Ok::<_, Fault>(())).idempotent();
    let next = service
        .extend()
        .version("2")
        .procedure(next)
        .build()
        .expect("a service");
    assert_eq!(next.tools().collect::<Vec<_>>(), ["look", "find", "next"]);
    // The description says so, for pages and tools.
    let described = &next.description().procs;
    assert_eq!(
        described[1]
            .extensions
            .get("$tool")
            .and_then(|value| value.as_str()),
        Some("look")
    );
    assert_eq!(described[0].extensions.get("$tool"), None);
}
