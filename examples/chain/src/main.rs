//! Serves a chain that grows by a block each second: `cargo run -p chain`, then
//! `new WebSocketProvider("ws://127.0.0.1:8545/")`.

use std::sync::Arc;
use std::time::Duration;

use chain::Chain;
use docent::{Routes, Server};

#[docent::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let address = std::env::var("LISTEN").unwrap_or_else(|_| "127.0.0.1:8545".to_owned());
    if std::env::args().any(|argument| argument == "--help") {
        println!(
            "chain serves blocks under the names of Ethereum. LISTEN=127.0.0.1:8545 is its address."
        );
        return Ok(());
    }
    let chain = Arc::new(Chain::new());
    let service = chain::service(Arc::clone(&chain))?;
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(Duration::from_secs(1)).await;
            chain.add_block();
        }
    });
    // Clients of Ethereum know an address without a path.
    let routes = Routes::at("/", service).websocket();
    Ok(Server::new(routes).bind(address)?.run().await?)
}
