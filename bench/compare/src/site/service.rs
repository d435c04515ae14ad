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

/// Returns the name of a procedure, in one of twenty areas.
fn name(number: usize) -> String {
    format!("area{}_reserve{number}", number % 20)
}

const PROCEDURE_SUMMARY: &str = "Reserves copies of a book for a reader.";
const PROCEDURE_DESCRIPTION: &str = "A reservation lasts for a week. Readers who do not collect the copies by \
    then have to reserve them again.";

/// A parameter, in the terms of all formats.
struct Parameter {
    name: &'static str,
    json_type: &'static str,
    rust_type: &'static str,
    description: &'static str,
}

/// The parameters of each procedure. Only the branch is optional.
const PROCEDURE_PARAMETERS: [Parameter; 4] = [
    Parameter {
        name: "isbn",
        json_type: "string",
        rust_type: "String",
        description: "The number of the book.",
    },
    Parameter {
        name: "reader",
        json_type: "integer",
        rust_type: "u64",
        description: "The number of the reader's card.",
    },
    Parameter {
        name: "copies",
        json_type: "integer",
        rust_type: "u32",
        description: "The number of copies to reserve.",
    },
    Parameter {
        name: "branch",
        json_type: "string",
        rust_type: "Option<String>",
        description: "The branch to collect them from.",
    },
];

fn schema(json_type: &str, description: &str) -> Value {
    json!({"type": json_type, "description": description})
}

/// Returns the schema of the result of a procedure.
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

/// Returns the document for Docent.
fn openrpc(procedures: usize) -> Value {
    let parameters = PROCEDURE_PARAMETERS.map(|parameter| {
        json!({
            "name": parameter.name,
            "description": parameter.description,
            "required": parameter.name != "branch",
            "schema": {"type": parameter.json_type},
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

/// Returns the document for generators that read OpenAPI.
fn openapi(procedures: usize) -> Value {
    let mut properties = Map::new();
    for parameter in PROCEDURE_PARAMETERS {
        let schema = schema(parameter.json_type, parameter.description);
        properties.insert(parameter.name.to_owned(), schema);
    }
    let parameters = json!({
        "type": "object",
        "properties": properties,
        "required": ["isbn", "reader", "copies"],
    });
    let request = json!({"application/json": {"schema": parameters}});
    let response = json!({"application/json": {"schema": result()}});
    let mut paths = Map::new();
    for number in 0..procedures {
        let name = name(number);
        let path = format!("/{name}");
        let operation = json!({"post": {
            "operationId": name,
            "summary": PROCEDURE_SUMMARY,
            "description": PROCEDURE_DESCRIPTION,
            "requestBody": {"required": true, "content": request},
            "responses": {"200": {"description": "The reservation.", "content": response}},
        }});
        paths.insert(path, operation);
    }
    json!({
        "openapi": "3.1.0",
        "info": {"title": "Library", "version": "1.0.0"},
        "paths": paths,
    })
}

/// Returns a crate with a function for each procedure, for `cargo doc`.
fn library(procedures: usize) -> String {
    let mut text = "//! Library.\n".to_owned();
    for number in 0..procedures {
        let name = name(number);
        // Writing to a `String` cannot fail.
        let _ = write!(
            text,
            "\n/// What [`{name}`] takes.\npub struct Params{number} {{\n"
        );
        for parameter in PROCEDURE_PARAMETERS {
            let Parameter {
                name,
                rust_type,
                description,
                ..
            } = parameter;
            let _ = writeln!(text, "    /// {description}\n    pub {name}: {rust_type},");
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
