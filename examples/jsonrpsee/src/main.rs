//! A service inside a server of jsonrpsee: its HTTP and its WebSocket take calls of the procedures, and a
//! subscription stands beside them.

mod station;
#[cfg(test)]
mod tests;

use std::error::Error;

use jsonrpsee::RpcModule;
use jsonrpsee::server::Server;
use station::Station;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let server = Server::builder().build("127.0.0.1:8080").await?;
    println!("The station listens at {}.", server.local_addr()?);
    server.start(module()?).stopped().await;
    Ok(())
}

/// Returns everything that the server can be asked for.
fn module() -> Result<RpcModule<()>, Box<dyn Error>> {
    let station = Station::new();
    let service = station.service()?;
    let mut module = RpcModule::new(());
    docent_jsonrpsee::register(&mut module, &service)?;
    station.register_subscription(&mut module)?;
    Ok(module)
}
