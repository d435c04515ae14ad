//! The server written by hand on actix-web, for nothing but these procedures.

use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;

use actix_web::dev::Server;
use actix_web::http::header::{
    CACHE_CONTROL, ETAG, HeaderMap, IF_NONE_MATCH, VARY, X_CONTENT_TYPE_OPTIONS,
};
use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use twox_hash::XxHash3_128;

use crate::Sum;

#[derive(Deserialize)]
struct Request<'a> {
    jsonrpc: &'a str,
    method: &'a str,
    #[serde(borrow)]
    params: &'a RawValue,
    #[serde(borrow)]
    id: &'a RawValue,
}

#[derive(Serialize)]
struct Response<'a> {
    jsonrpc: &'a str,
    result: f64,
    id: &'a RawValue,
}

type Handler = fn(&str) -> Option<f64>;

/// What each worker knows.
#[derive(Clone)]
struct Table {
    handlers: HashMap<String, Handler>,
    document: web::Bytes,
    tag: String,
}

fn sum(params: &str) -> Option<f64> {
    let (a, b): (f64, f64) = serde_json::from_str(params).ok()?;
    Some(a + b)
}

fn answer(table: &Table, body: &[u8]) -> Option<Vec<u8>> {
    let request: Request<'_> = serde_json::from_slice(body).ok()?;
    if request.jsonrpc != "2.0" {
        return None;
    }
    let result = table.handlers.get(request.method)?(request.params.get())?;
    serde_json::to_vec(&Response {
        jsonrpc: "2.0",
        result,
        id: request.id,
    })
    .ok()
}

async fn post(body: web::Bytes, table: web::Data<Table>) -> HttpResponse {
    match answer(&table, &body) {
        Some(answer) => HttpResponse::Ok()
            .content_type("application/json")
            .body(answer),
        None => HttpResponse::BadRequest().finish(),
    }
}

/// What a cache needs to know, and a browser; the same fields as Docent sends.
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
    let tag = format!("\"{:032x}\"", XxHash3_128::oneshot(&answer));
    validated(&request, &tag, answer.into())
}

async fn describe(request: HttpRequest, table: web::Data<Table>) -> HttpResponse {
    validated(&request, &table.tag, table.document.clone())
}

/// Binds the server; `/rpc/rpc.describe` answers this document.
///
/// # Errors
/// It cannot listen.
pub fn bind(
    workers: usize,
    procedures: usize,
    document: Vec<u8>,
) -> io::Result<(SocketAddr, Server)> {
    let mut handlers: HashMap<String, Handler> = HashMap::new();
    handlers.insert("sum".to_owned(), sum);
    handlers.extend((1..procedures).map(|number| (format!("sum{number}"), sum as Handler)));
    let tag = format!("\"{:032x}\"", XxHash3_128::oneshot(&document));
    let table = web::Data::new(Table {
        handlers,
        document: document.into(),
        tag,
    });
    let server = HttpServer::new(move || {
        App::new()
            .app_data(table.clone())
            .route("/rpc", web::post().to(post))
            .route("/rpc/sum", web::get().to(get))
            .route("/rpc/rpc.describe", web::get().to(describe))
    });
    let server = server.workers(workers).bind("127.0.0.1:0")?;
    let address = server.addrs().first().copied();
    let address = address.ok_or_else(|| io::Error::other("no address"))?;
    Ok((address, server.run()))
}
