//! Serves the print shop. Its settings are environment variables.

use std::env;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use printshop::Shop;

#[docent::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    tracing_subscriber::fmt().init();
    let staff_token = env::var("STAFF_TOKEN").map_err(|_| "set STAFF_TOKEN")?;
    let payment_key = env::var("PAYMENT_KEY").map_err(|_| "set PAYMENT_KEY")?;
    let listen = env::var("LISTEN").unwrap_or_else(|_| "127.0.0.1:8080".to_owned());
    let shop = Arc::new(Shop::open("printshop.db")?);
    let server = printshop::server(&shop, &staff_token, &payment_key)?.bind(&listen)?;
    // After a restart, printing continues where it stopped.
    thread::spawn(move || {
        loop {
            if let Err(error) = shop.print_copy() {
                tracing::error!(%error, "cannot print");
            }
            thread::sleep(Duration::from_secs(1));
        }
    });
    Ok(server.run().await?)
}
