//! A service with the tools that the conformance tests of MCP ask for, as far as tools of Docent go.

use docent::{Cx, Fault, Procedure, Routes, Server, Service};
use schemars::JsonSchema;
use serde::Deserialize;

/// Somebody.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Person {
    /// A name.
    name: String,
    /// The address where they live.
    address: Address,
}

/// A postal address.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "address")]
struct Address {
    /// The street.
    street: String,
    /// The city.
    city: String,
}

#[docent::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let listen = std::env::args().nth(1).unwrap_or("127.0.0.1:0".to_owned());
    let text = |_: Cx, (): ()| Ok::<_, Fault>("This is a simple text response for testing.");
    let error = |_: Cx, (): ()| {
        Err::<(), _>(Fault::new(
            1,
            "This tool intentionally returns an error for testing",
        ))
    };
    let person = |_: Cx, person: Person| {
        let Address { street, city } = person.address;
        Ok::<_, Fault>(format!("{}, {street}, {city}", person.name))
    };
    let service = Service::builder("tools", "urn:uuid:0c0a4b55-4d0c-4a5e-9d6a-3b1f6f0f7a10")
        .documentation("Has the tools that conformance tests ask for.")
        .procedures([
            Procedure::sync("test_simple_text", text)
                .summary("Answers with a text.")
                .tool(),
            Procedure::sync("test_error_handling", error)
                .summary("Fails.")
                .error(1, "This tool intentionally returns an error for testing")
                .tool(),
            Procedure::sync("json_schema_2020_12_tool", person)
                .summary("Writes an address.")
                .tool(),
        ])
        .build()?;
    let own = vec![format!("http://{listen}")];
    let routes = Routes::new(service).options(|options| options.mcp_origins = own);
    let server = Server::new(routes).bind(&listen)?;
    println!("tools listens at http://{listen}/rpc");
    Ok(server.run().await?)
}
