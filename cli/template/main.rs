//! Serves the procedures over HTTP.

mod service;
#[cfg(test)]
mod tests;

use docent::Server;

#[docent::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let address = std::env::var("LISTEN").unwrap_or_else(|_| "127.0.0.1:8080".to_owned());
    let server = Server::new(service::service()?).bind(address)?;
    Ok(server.run().await?)
}
