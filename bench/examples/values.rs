//! The time in which a value is checked against its schema, in Docent and with the crate `jsonschema`.
//!
//! The value is the order of the other benchmarks. Docent checks its text. `jsonschema` checks a tree, so the
//! text is parsed first.

use std::hint::black_box;
use std::time::{Duration, Instant};

use bench::case::Case;
use bench::docent::{HandlerKind, service};
use docent_describe::json::Json;
use docent_describe::schema::check::Compiler;
use serde_json::{Map, Value, json};

const ROUNDS: usize = 9;
const CHECKS: u32 = 20_000;

/// Returns the median time of a check.
fn time(mut check: impl FnMut() -> bool) -> Duration {
    let mut rounds: Vec<Duration> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            for _ in 0..CHECKS {
                assert!(black_box(check()));
            }
            start.elapsed() / CHECKS
        })
        .collect();
    rounds.sort_unstable();
    rounds[ROUNDS / 2]
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let service = service(10, HandlerKind::Synchronous);
    let description: Value = serde_json::from_slice(&service.rendered_description())?;
    let order = description["procs"]
        .as_array()
        .ok_or("procedures")?
        .iter()
        .find(|procedure| procedure["name"] == "order")
        .ok_or("the procedure `order`")?;
    let mut properties = Map::new();
    for param in order["params"].as_array().ok_or("parameters")? {
        let name = param["name"].as_str().ok_or("a name")?;
        properties.insert(name.to_owned(), param["schema"].clone());
    }
    let schema = json!({"type": "object", "properties": properties});

    let body: Value = serde_json::from_slice(Case::find("order").ok_or("the order")?.body())?;
    let text = body["params"].to_string();

    let components = &service.description().components.schemas;
    let check = Compiler::new(components)
        .compile(&Json::from(&schema))
        .map_err(|problems| format!("{problems:?}"))?;
    let mut whole = schema;
    whole["components"] = description["components"].clone();
    let validator = jsonschema::validator_for(&whole)?;

    let docent = time(|| check.check(&text).is_ok());
    let other =
        time(|| serde_json::from_str(&text).is_ok_and(|value: Value| validator.is_valid(&value)));
    println!(
        "a check of {} bytes: {docent:?} in Docent, {other:?} with jsonschema",
        text.len()
    );
    Ok(())
}
