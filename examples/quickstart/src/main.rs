//! The service of the README, word for word but for its address.

use docent::{Fault, Server, Service, procedure};

/// Greets somebody.
#[procedure(
    idempotent,
    returns = "The greeting.",
    example(params = ["Ada"], result = "Hello, Ada!")
)]
fn greet(
    /// The name to greet.
    #[schemars(length(min = 1, max = 80))]
    name: String,
    /// How many times to say it.
    #[procedure(default = 1)]
    #[schemars(range(min = 1, max = 5))]
    times: u8,
) -> Result<String, Fault> {
    Ok(vec![format!("Hello, {name}!"); times.into()].join(" "))
}

#[actix_web::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let service = Service::builder("greeter", "https://example.com/greeter")
        .version("1.0")
        .procedure(greet::procedure())
        .build()?;
    let address = std::env::var("LISTEN").unwrap_or_else(|_| "127.0.0.1:8080".to_owned());
    Ok(Server::new(service).bind(address)?.run().await?)
}
