//! A service that pages of one other origin may call: `cargo run --example cors -- ORIGIN`.
//!
//! The tests in a browser call it.

use docent::{BearerToken, Cx, Fault, Procedure, Routes, Server, Service};

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
    let server = Server::new(Routes::new(service).cors([origin])).bind("127.0.0.1:0")?;
    println!("open listens at http://{}/rpc", server.addresses()[0]);
    Ok(server.run().await?)
}
