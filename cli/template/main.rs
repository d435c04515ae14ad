//! Serves the procedures over HTTP.

mod service;
#[cfg(test)]
mod tests;

use std::env;
use std::error::Error;

use docent::Server;

#[docent::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let token = env::var("TOKEN").map_err(|_| "set TOKEN to the token that changes need")?;
    let address = env::var("LISTEN").unwrap_or_else(|_| "127.0.0.1:8080".to_owned());
    let server = Server::new(service::service(&token)?).bind(address)?;
    Ok(server.run().await?)
}
