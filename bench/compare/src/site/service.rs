//! One service in three formats.
//!
//! Each generator gets the same procedures with the same texts, in the format that it reads.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

use serde_json::{Map, Value, json};

/// Writes `openrpc.json`, `openapi.json` and `service.rs` into a folder.
pub(crate) fn write(folder: &Path, procedures: usize) -> io::Result<()> {
    fs::write(folder.join("openrpc.json"), openrpc(procedures).to_string())?;
    fs::write(folder.join("openapi.json"), openapi(procedures).to_string())?;
    fs::write(folder.join("service.rs"), library(procedures))
}

/// The name of a procedure, in one of twenty areas.
fn name(number: usize) -> String {
    format!("area{}_reserve{number}", number % 20)
}

const PROCEDURE_SUMMARY: &str = "Reserves copies of a book for a reader.";
const PROCEDURE_DESCRIPTION: &str = "A reservation lasts for a week. Readers who do not collect the copies by \
    then have to reserve them again.";

/// The parameters: name, JSON type, Rust type and description.
const PROCEDURE_PARAMETERS: [[&str; 4]; 4] = [
    ["isbn", "string", "String", "The number of the book."],
    [
        "reader",
        "integer",
        "u64",
        "The number of the reader's card.",
    ],
    [
        "copies",
        "integer",
        "u32",
        "The number of copies to reserve.",
    ],
    [
        "branch",
        "string",
        "Option<String>",
        "The branch to collect them from.",
    ],
];

fn schema(kind: &str, text: &str) -> Value {
    json!({"type": kind, "description": text})
}

/// The schema of what a procedure returns.
fn result() -> Value {
    json!({
        "type": "object",
        "properties": {
            "number": schema("integer", "The number of the reservation."),
            "until": schema("string", "The last day to collect the copies."),
        },
        "required": ["number", "until"],
    })
}

fn openrpc(procedures: usize) -> Value {
    let parameters = PROCEDURE_PARAMETERS.map(|[name, kind, _, text]| {
        json!({
            "name": name,
            "description": text,
            "required": name != "branch",
            "schema": {"type": kind},
        })
    });
    let methods = (0..procedures).map(|number| {
        json!({
            "name": name(number),
            "summary": PROCEDURE_SUMMARY,
            "description": PROCEDURE_DESCRIPTION,
            "params": parameters,
            "result": {"name": "reservation", "schema": result()},
        })
    });
    json!({
        "openrpc": "1.3.2",
        "info": {"title": "Library", "version": "1.0.0"},
        "methods": methods.collect::<Vec<_>>(),
    })
}

fn openapi(procedures: usize) -> Value {
    let properties =
        PROCEDURE_PARAMETERS.map(|[name, kind, _, text]| (name.to_owned(), schema(kind, text)));
    let parameters = json!({
        "type": "object",
        "properties": Map::from_iter(properties),
        "required": ["isbn", "reader", "copies"],
    });
    let parameters = json!({"application/json": {"schema": parameters}});
    let result = json!({"application/json": {"schema": result()}});
    let paths = (0..procedures).map(|number| {
        let name = name(number);
        let operation = json!({"post": {
            "operationId": name,
            "summary": PROCEDURE_SUMMARY,
            "description": PROCEDURE_DESCRIPTION,
            "requestBody": {"required": true, "content": parameters},
            "responses": {"200": {"description": "The reservation.", "content": result}},
        }});
        (format!("/{name}"), operation)
    });
    json!({
        "openapi": "3.1.0",
        "info": {"title": "Library", "version": "1.0.0"},
        "paths": paths.collect::<Map<_, _>>(),
    })
}

fn library(procedures: usize) -> String {
    let mut text = "//! Library.\n".to_owned();
    for number in 0..procedures {
        let name = name(number);
        // Writing to a `String` cannot fail.
        let _ = write!(
            text,
            "\n/// What [`{name}`] takes.\npub struct Params{number} {{\n"
        );
        for [name, _, kind, about] in PROCEDURE_PARAMETERS {
            let _ = writeln!(text, "    /// {about}\n    pub {name}: {kind},");
        }
        let _ = write!(
            text,
            "}}\n\n/// What [`{name}`] returns.\npub struct Return{number} {{\n    \
             /// The number of the reservation.\n    pub number: u64,\n    \
             /// The last day to collect the copies.\n    pub until: String,\n}}\n\n\
             /// {PROCEDURE_SUMMARY}\n///\n/// {PROCEDURE_DESCRIPTION}\n\
             pub fn {name}(_: Params{number}) -> Option<Return{number}> {{\n    None\n}}\n"
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use docent_tools::read::read;

    use super::*;

    #[test]
    fn all_three_have_every_procedure() {
        let document = openrpc(30).to_string();
        let reading = read(document.as_bytes()).expect("a description");
        assert_eq!(reading.description.procs.len(), 30);
        assert_eq!(openapi(30)["paths"].as_object().map(Map::len), Some(30));
        assert_eq!(library(30).matches("pub fn ").count(), 30);
        for text in [document, openapi(30).to_string(), library(30)] {
            assert!(text.contains("area9_reserve29"));
            assert!(text.contains("The branch to collect them from."));
        }
    }
}
