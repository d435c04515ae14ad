//! Serves the procedures over HTTP.

mod service;
#[cfg(test)]
mod tests;

use std::env;
use std::error::Error;
use std::path::Path;

use docent::Server;

const ORDER: &str =
    r#"{"jsonrpc":"2.0","method":"card.order","params":["Ada","Happy birthday!"],"id":1}"#;

#[docent::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let token = env::var("TOKEN").map_err(|_| "set TOKEN to the token that changes need")?;
    let database = env::var("DATABASE").unwrap_or_else(|_| "cards.db".to_owned());
    let address = env::var("LISTEN").unwrap_or_else(|_| "127.0.0.1:8080".to_owned());
    let service = service::service(Path::new(&database), &token)?;
    let server = Server::new(service).bind(&address)?;
    println!("the database is {database}; this orders one card, however often you run it:\n");
    println!("curl http://{address}/rpc -H \"Authorization: Bearer $TOKEN\" \\");
    println!("  -H 'Idempotency-Key: k1' -H 'Content-Type: application/json' \\");
    println!("  -d '{ORDER}'\n");
    Ok(server.run().await?)
}
