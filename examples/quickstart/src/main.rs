//! The calculator of the README, word for word.

use docent::{Cx, Fault, Procedure, Server, Service, json};
use schemars::JsonSchema;
use serde::Deserialize;

/// Adds two numbers.
#[derive(Deserialize, JsonSchema)]
struct Sum {
    /// Left addend.
    #[schemars(range(min = -1e9, max = 1e9))]
    a: f64,
    /// Right addend.
    #[schemars(range(min = -1e9, max = 1e9))]
    b: f64,
}

#[actix_web::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let service = Service::builder(
        "calculator",
        "urn:uuid:41544946-415a-495a-5645-454441534646",
    )
    .version("1.0")
    .procedure(
        Procedure::new("sum", |_: Cx<()>, p: Sum| async move {
            Ok::<_, Fault>(p.a + p.b)
        })
        .idempotent()
        .returns("The sum.")
        .example(json!({"a": 1, "b": 2}), json!(3.0)),
    )
    .build()?;
    let address = std::env::args()
        .skip_while(|argument| argument != "--listen")
        .nth(1)
        .unwrap_or_else(|| "127.0.0.1:8080".to_owned());
    println!("The calculator listens at http://{address}/rpc, its reference is at /docs.");
    Ok(Server::new(service).bind(address)?.run().await?)
}
