//! The least that a call over HTTP costs: actix-web with a handler for one procedure, which reads its
//! parameters into their type while it reads the request. It has no table of procedures, and checks
//! neither the method nor the version.

use std::collections::HashMap;
use std::future::ready;
use std::hash::{DefaultHasher, Hasher as _};
use std::io;
use std::net::SocketAddr;

use actix_web::dev::Server;
use actix_web::http::header::{CACHE_CONTROL, ETAG, IF_NONE_MATCH};
use actix_web::{HttpRequest, HttpResponse, web};
use serde::Deserialize;
use serde_json::value::RawValue;

/// A call of `sum` by position.
#[derive(Deserialize)]
struct SumRequest<'a> {
    #[expect(dead_code, reason = "it is read, and not checked")]
    jsonrpc: &'a str,
    #[expect(dead_code, reason = "it is read, and not checked")]
    method: &'a str,
    params: (f64, f64),
    #[serde(borrow)]
    id: &'a RawValue,
}

/// Writes the response with a sum.
fn write(sum: f64, id: &RawValue) -> serde_json::Result<Vec<u8>> {
    let mut body = Vec::with_capacity(64);
    body.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"result\":");
    serde_json::to_writer(&mut body, &sum)?;
    body.extend_from_slice(b",\"id\":");
    body.extend_from_slice(id.get().as_bytes());
    body.push(b'}');
    Ok(body)
}

async fn post(body: web::Bytes) -> HttpResponse {
    let response = serde_json::from_slice::<SumRequest<'_>>(&body)
        .and_then(|request| write(request.params.0 + request.params.1, request.id));
    match response {
        Ok(response) => HttpResponse::Ok()
            .content_type("application/json")
            .body(response),
        Err(_) => HttpResponse::BadRequest().finish(),
    }
}

async fn get(request: HttpRequest) -> HttpResponse {
    let Ok(query) = web::Query::<HashMap<String, f64>>::from_query(request.query_string()) else {
        return HttpResponse::BadRequest().finish();
    };
    let (Some(a), Some(b)) = (query.get("a"), query.get("b")) else {
        return HttpResponse::BadRequest().finish();
    };
    let response = format!(r#"{{"jsonrpc":"2.0","result":{},"id":null}}"#, a + b);
    let mut hasher = DefaultHasher::new();
    hasher.write(response.as_bytes());
    let tag = format!("\"{:016x}\"", hasher.finish());
    let known = request.headers().get(IF_NONE_MATCH);
    if known.is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return HttpResponse::NotModified()
            .insert_header((ETAG, tag))
            .finish();
    }
    HttpResponse::Ok()
        .content_type("application/json")
        .insert_header((ETAG, tag))
        .insert_header((CACHE_CONTROL, "no-cache"))
        .body(response)
}

/// Binds the server. `/rpc/rpc.describe` sends this document as it is.
///
/// # Errors
/// It cannot listen.
pub fn bind(workers: usize, document: Vec<u8>) -> io::Result<(SocketAddr, Server)> {
    let document = web::Bytes::from(document);
    crate::bind(workers, move |routes| {
        let document = document.clone();
        routes
            .route("/rpc", web::post().to(post))
            .route("/rpc/sum", web::get().to(get))
            .route(
                "/rpc/rpc.describe",
                web::get().to(move || ready(document.clone())),
            );
    })
}
