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
use actix_web::{HttpRequest, HttpResponse, web};
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
struct Table {
    handlers: floor::Table,
    procedures: usize,
    document: fn(usize) -> Vec<u8>,
    made: OnceLock<(web::Bytes, String)>,
}

/// The validator of a body.
fn tag(body: &[u8]) -> String {
    format!("\"{:032x}\"", XxHash3_128::oneshot(body))
}

async fn post(body: web::Bytes, table: web::Data<Table>) -> HttpResponse {
    match floor::answer(&table.handlers, &body) {
        Some(answer) => HttpResponse::Ok()
            .content_type("application/json")
            .body(answer),
        None => HttpResponse::BadRequest().finish(),
    }
}

/// Returns a response with the fields that caches and browsers need, the same as Docent sends.
fn validated(request: &HttpRequest, tag: &str, body: web::Bytes) -> HttpResponse {
    let mut response = if knows(request.headers(), tag) {
        HttpResponse::NotModified()
    } else {
        let mut response = HttpResponse::Ok();
        response
            .content_type("application/json")
            .insert_header((X_CONTENT_TYPE_OPTIONS, "nosniff"));
        response
    };
    response
        .insert_header((CACHE_CONTROL, "no-cache"))
        .insert_header((ETAG, tag))
        .insert_header((VARY, "Accept-Encoding, Authorization, Cookie"));
    if knows(request.headers(), tag) {
        return response.finish();
    }
    response.body(body)
}

fn knows(headers: &HeaderMap, tag: &str) -> bool {
    let known = headers.get(IF_NONE_MATCH);
    known.is_some_and(|known| known.as_bytes() == tag.as_bytes())
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

async fn describe(request: HttpRequest, table: web::Data<Table>) -> HttpResponse {
    let (document, tag) = table.made.get_or_init(|| {
        let document = (table.document)(table.procedures);
        let tag = tag(&document);
        (document.into(), tag)
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
    let table = web::Data::new(Table {
        handlers: floor::table(procedures),
        procedures,
        document,
        made: OnceLock::new(),
    });
    crate::bind(workers, move |routes| {
        routes
            .app_data(table.clone())
            .app_data(web::PayloadConfig::new(2 << 20))
            .route("/rpc", web::post().to(post))
            .route("/rpc/sum", web::get().to(get))
            .route("/rpc/rpc.describe", web::get().to(describe));
    })
}
