//! Tests of the transport, mostly without a socket: requests to a mount, and its responses.

mod access_log;
mod app_routes;
mod bearer;
mod binding;
mod caching;
mod callers;
mod carriers;
mod catalog;
mod clients;
mod codes;
mod codings;
mod cors;
mod described_once;
mod direct;
mod discovery;
mod entry;
mod event_streams;
mod exposition;
mod guards;
mod guide_tables;
mod heritage;
mod hosts;
mod keys;
mod links;
#[cfg(feature = "docs")]
mod logins;
mod mcp;
mod metrics;
#[cfg(all(unix, feature = "docs", feature = "metrics"))]
mod never;
mod nowhere;
mod openapi;
mod own_fields;
mod own_routes;
mod private;
mod proofs;
mod rates;
#[cfg(feature = "docs")]
mod reference;
mod request_errors;
mod shared;
mod stdio;
mod streams;
mod table;
mod tags;
mod testing;
mod threads;
mod traces;
#[cfg(feature = "websocket")]
mod websockets;

use actix_web::App;
use actix_web::http::header::HeaderMap;
use actix_web::http::{Method, StatusCode};
use actix_web::test::{TestRequest, call_service, init_service, read_body};
use docent::{Mount, Routes, Service};
use serde_json::Value;

/// A response.
struct Response {
    status: StatusCode,
    headers: HeaderMap,
    body: String,
}

impl Response {
    fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

/// Sends one request to a service at `/rpc`.
async fn ask(service: &Service, request: TestRequest) -> Response {
    ask_with(service, request).await
}

/// Sends a request to the services of these routes.
async fn ask_with(routes: impl Into<Routes>, request: TestRequest) -> Response {
    let mount = Mount::new(routes).expect("a mount");
    let app = init_service(App::new().service(mount)).await;
    let response = call_service(&app, request.to_request()).await;
    let status = response.status();
    let headers = response.headers().clone();
    let body = read_body(response).await;
    Response {
        status,
        headers,
        body: String::from_utf8(body.to_vec()).expect("UTF-8"),
    }
}

fn get(target: &str) -> TestRequest {
    TestRequest::with_uri(target)
}

fn post(body: &str) -> TestRequest {
    TestRequest::with_uri("/rpc")
        .method(Method::POST)
        .insert_header(("content-type", "application/json"))
        .set_payload(body.to_owned())
}
