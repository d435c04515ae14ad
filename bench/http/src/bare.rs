//! The server written by hand on actix-web, for nothing but these procedures.
//!
//! It is the floor: what a team would write that knows its procedures and wants no framework.

use std::io;
use std::net::SocketAddr;
use std::sync::OnceLock;

use actix_web::dev::Server;
use actix_web::http::header::{
    CACHE_CONTROL, ETAG, HeaderMap, IF_NONE_MATCH, VARY, X_CONTENT_TYPE_OPTIONS,
};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, web};
use bench::floor;
use bench::types::Sum;
use serde::Serialize;
use serde_json::value::RawValue;
use twox_hash::XxHash3_128;

#[derive(Serialize)]
struct Response<'a> {
    jsonrpc: &'a str,
    result: f64,
    id: &'a RawValue,
}

/// The state that all workers share.
struct SharedState {
    handlers: floor::Table,
    /// Makes the document that describes this many procedures.
    document: fn(usize) -> Vec<u8>,
    procedures: usize,
    /// The document, once it has been asked for.
    description: OnceLock<Description>,
}

/// A document with its ETag.
struct Description {
    document: web::Bytes,
    tag: String,
}

/// Returns the ETag of a body.
fn tag(body: &[u8]) -> String {
    format!("\"{:032x}\"", XxHash3_128::oneshot(body))
}

async fn post(body: web::Bytes, state: web::Data<SharedState>) -> HttpResponse {
    match floor::answer(&state.handlers, &body) {
        Some(answer) => HttpResponse::Ok()
            .content_type("application/json")
            .body(answer),
        None => HttpResponse::BadRequest().finish(),
    }
}

/// Returns a response with the fields that caches and browsers need, the same as Docent sends.
fn validated(request: &HttpRequest, tag: &str, body: web::Bytes) -> HttpResponse {
    if has_tag(request.headers(), tag) {
        return cached(HttpResponse::NotModified(), tag).finish();
    }
    cached(HttpResponse::Ok(), tag)
        .content_type("application/json")
        .insert_header((X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .body(body)
}

/// Adds the fields for caches to a response.
fn cached(mut response: HttpResponseBuilder, tag: &str) -> HttpResponseBuilder {
    response
        .insert_header((CACHE_CONTROL, "no-cache"))
        .insert_header((ETAG, tag))
        .insert_header((VARY, "Accept-Encoding, Authorization, Cookie"));
    response
}

/// Returns whether the client has a response with this tag already.
fn has_tag(headers: &HeaderMap, tag: &str) -> bool {
    match headers.get(IF_NONE_MATCH) {
        Some(own) => own.as_bytes() == tag.as_bytes(),
        None => false,
    }
}

async fn get(request: HttpRequest, sum: web::Query<Sum>) -> HttpResponse {
    let answer = serde_json::to_vec(&Response {
        jsonrpc: "2.0",
        result: sum.a + sum.b,
        id: RawValue::NULL,
    });
    let Ok(answer) = answer else {
        return HttpResponse::InternalServerError().finish();
    };
    validated(&request, &tag(&answer), answer.into())
}

async fn describe(request: HttpRequest, state: web::Data<SharedState>) -> HttpResponse {
    let Description { document, tag } = state.description.get_or_init(|| {
        let document = (state.document)(state.procedures);
        Description {
            tag: tag(&document),
            document: document.into(),
        }
    });
    validated(&request, tag, document.clone())
}

/// Binds the server. `/rpc/rpc.describe` answers this document, which is made on the first request for
/// it.
///
/// # Errors
/// It cannot listen.
pub fn bind(
    workers: usize,
    procedures: usize,
    document: fn(usize) -> Vec<u8>,
) -> io::Result<(SocketAddr, Server)> {
    let state = web::Data::new(SharedState {
        handlers: floor::table(procedures),
        document,
        procedures,
        description: OnceLock::new(),
    });
    crate::bind(workers, move |routes| {
        routes
            .app_data(state.clone())
            .app_data(web::PayloadConfig::new(2 << 20))
            .route("/rpc", web::post().to(post))
            .route("/rpc/sum", web::get().to(get))
            .route("/rpc/rpc.describe", web::get().to(describe));
    })
}
