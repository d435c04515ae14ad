//! A service that pages of one other origin may call: `cargo run --example cors -- ORIGIN`.
//!
//! A `Server` has no place for middleware, so the service stands in an `App` of its own, as the guide
//! has it. The tests in a browser call it.

use std::net::TcpListener;

use actix_cors::Cors;
use actix_web::http::header::{
    AUTHORIZATION, CONTENT_TYPE, ETAG, IF_NONE_MATCH, RETRY_AFTER, WWW_AUTHENTICATE,
};
use actix_web::{App, HttpServer};
use docent::{AppPage, BearerToken, Cx, Fault, Mount, Procedure, Service};

/// Lists what pages of this origin may send, and what they can read beside the body.
fn cors(origin: &str) -> Cors {
    Cors::default()
        .allowed_origin(origin)
        .allowed_methods(["GET", "POST"])
        .allowed_headers([CONTENT_TYPE, AUTHORIZATION, IF_NONE_MATCH])
        .expose_headers([ETAG, RETRY_AFTER, WWW_AUTHENTICATE])
        .max_age(600)
}

#[docent::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let origin = std::env::args().nth(1).ok_or("which origin may call?")?;
    let service = Service::builder("open", "urn:uuid:8e6f5d4c-3b2a-4190-8f7e-6d5c4b3a2918")
        .procedure(Procedure::sync("read", |_: Cx, (): ()| Ok::<_, Fault>(42)).idempotent())
        .procedure(Procedure::sync("write", |_: Cx, (): ()| Ok::<_, Fault>(43)))
        .guard(BearerToken::new("open", "friend", |procedure| {
            !procedure.idempotent
        }))
        .build()?;
    let mount = Mount::new(service)?;
    let listener = TcpListener::bind("127.0.0.1:0")?;
    println!("open listens at http://{}/rpc", listener.local_addr()?);
    HttpServer::new(move || {
        App::new()
            .wrap(cors(&origin))
            .service(AppPage(mount.health().clone()))
            .service(mount.clone())
    })
    .h1_allow_half_closed(false)
    .listen(listener)?
    .run()
    .await?;
    Ok(())
}
