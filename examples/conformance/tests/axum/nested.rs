//! A service below a path of the application, beside routes of its own.

use axum::Router;
use docent::Routes;
use docent_tower::RpcService;

use crate::client::{Request, Response};
use crate::host::serve;
use crate::links::assert_links_are_answered;
use crate::{Server, service};

fn rpc_service(routes: Routes) -> RpcService {
    RpcService::new(routes).expect("all addresses can be reached")
}

/// Serves the routes below `/api`.
fn nested(routes: Routes) -> Server {
    Server {
        address: serve(Router::new().nest_service("/api", rpc_service(routes))),
    }
}

#[test]
fn every_link_of_a_nested_service_leads_below_its_path() {
    let server = nested(Routes::new(service()).nested_at("/api"));
    let response = server.get("/api/rpc/subtract?minuend=42&subtrahend=23");
    assert_eq!(response.brief(), "19 #null");
    for (target, found) in [
        ("/api/rpc", 200),
        ("/api/docs/", 200),
        ("/api/docs/subtract", 200),
        ("/api/llms.txt", 200),
        ("/api/openapi.json", 200),
        ("/api/health", 200),
        ("/api/.well-known/api-catalog", 200),
        ("/api/elsewhere", 404),
        ("/own", 200),
        ("/rpc", 404),
    ] {
        assert_eq!(server.get(target).status, found, "{target}");
    }
    for (target, location) in [
        ("/api/docs", "docs/"),
        ("/api", "/api/docs/"),
        ("/api/", "/api/docs/"),
    ] {
        assert_eq!(
            server.get(target).header("location"),
            Some(location),
            "{target}"
        );
    }
    let response = server.get("/api/elsewhere");
    let catalog = "</api/.well-known/api-catalog>; rel=\"api-catalog\"";
    assert_eq!(response.header("link"), Some(catalog));
    let openapi = server.get("/api/openapi.json").json();
    assert!(openapi["paths"]["/api/rpc/sum"].is_object(), "{openapi}");
    let openrpc = server.get("/api/rpc/rpc.discover").json();
    assert_eq!(
        openrpc["result"]["servers"][0]["url"],
        "http://localhost/api/rpc"
    );
}

#[test]
fn every_link_that_a_nested_service_sends_is_answered() {
    for prefix in ["/api", "api/"] {
        let server = nested(Routes::new(service()).nested_at(prefix));
        assert_links_are_answered(&server, "/api", true);
    }
    // Without `nested_at`, axum alone knows the path.
    let rpc = rpc_service(Routes::new(service()));
    let inner = Router::new().nest_service("/inner", rpc);
    let server = Server {
        address: serve(Router::new().nest("/outer", inner)),
    };
    assert_links_are_answered(&server, "/outer/inner", false);
}

#[test]
fn a_path_that_callers_choose_cannot_break_out_of_a_page() {
    let rpc = rpc_service(Routes::new(service()));
    let server = Server {
        address: serve(Router::new().nest_service("/{tenant}", rpc)),
    };
    assert_links_are_answered(&server, "/acme", false);
    for target in [
        "/a\"b'c/docs/subtract",
        "/a\"b'c/docs/subtract.md",
        "/a\"b'c/llms.txt",
    ] {
        let response = server.get(target);
        assert_eq!(response.status, 200, "{target}");
        assert!(!response.text().contains("a\"b"), "{target}");
        assert!(!response.text().contains("b'c"), "{target}");
    }
}

async fn rewrite(mut request: axum::extract::Request) -> axum::extract::Request {
    *request.uri_mut() = axum::http::Uri::from_static("/elsewhere");
    request
}

#[test]
fn a_path_that_a_middleware_rewrites_is_no_prefix() {
    let rpc = rpc_service(Routes::new(service()));
    let app = Router::new().fallback_service(rpc);
    let server = Server {
        address: serve(app.layer(axum::middleware::map_request(rewrite))),
    };
    let catalog = "</.well-known/api-catalog>; rel=\"api-catalog\"";
    assert_eq!(server.get("/old").header("link"), Some(catalog));
}

#[test]
fn a_connection_serves_the_service_and_the_routes_beside_it() {
    let server = Server::start(service());
    let mut connection = server.connect();
    for target in ["/own", "/rpc/get_data", "/nowhere", "/docs/", "/own"] {
        let request = Request::new("GET", target).header("x-request-id", "mine");
        let response = Response::exchange(&mut connection, &request);
        let is_call = target.starts_with("/rpc");
        assert_eq!(
            response.header("x-request-id"),
            is_call.then_some("mine"),
            "{target}"
        );
    }
}
