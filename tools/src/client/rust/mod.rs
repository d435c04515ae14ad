//! Clients in Rust, on top of `docent-client`.
//!
//! In comes the model of a client, out come the files of a crate:
//!
//! | file | has |
//! |---|---|
//! | `src/types.rs` | a struct, an enum or an alias for each named type, with attributes of serde (`types.rs`, `unions.rs`) |
//! | `src/errors.rs` | an enum of the errors of each procedure that declares some (`errors.rs`) |
//! | `src/client.rs` | a method for each procedure (`client.rs`) |
//!
//! Code that is the same for every service is in `docent-client`, so a client is only types and methods. The types are
//! written for serde's derive, and not for a decoder of our own: a user can then keep their values anywhere. That costs
//! an order of variants and boxes, which other languages do not need.

mod client;
mod errors;
mod source;
mod types;
mod unions;

use std::fmt::Write as _;

use super::files::{Files, with_heads};
use super::model::Model;
use super::package::PackageName;
use super::text::write_lines;
use client::client;
use source::{RustNames, doc_lines, names};
use types::Printer;

/// The names of types that the code around types uses.
pub(super) const RESERVED_TYPES: &[&str] = &[
    "Box", "Err", "None", "Ok", "Option", "Result", "Self", "Some", "String", "Vec",
];

/// The number of types up to which the compiler's default recursion limit is enough.
const FEW_TYPES: usize = 30;

/// Lints that names and texts of a description may break.
const ALLOWED_LINTS: &str = "\
#![allow(
    unused_imports,
    clippy::all,
    clippy::pedantic,
    reason = \"names and text are those of the description\"
)]
";

/// Returns the files of a client.
pub(super) fn files(model: &Model, package: Option<&PackageName>) -> Files {
    let printer = Printer::new(model);
    let names = names(model);
    let mut files = with_heads(vec![("Cargo.toml", manifest(model, package))], "# ");
    let sources = vec![
        ("src/client.rs", client(&printer, &names)),
        ("src/errors.rs", errors(&printer, &names)),
        ("src/lib.rs", root(model)),
        ("src/types.rs", printer.file()),
    ];
    files.extend(with_heads(sources, "// "));
    files
}

/// Returns the manifest of the crate.
fn manifest(model: &Model, package: Option<&PackageName>) -> String {
    let name = match package {
        Some(package) => package.as_str().to_owned(),
        None => crate_name(model),
    };
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "[package]
name = \"{name}\"
version = \"0.1.0\"
edition = \"2024\"
publish = false

[lib]
# Code in the documentation is the service's.
doctest = false

[dependencies]
docent-client = {{ version = \"{version}\", features = [\"tls\"] }}
serde = {{ version = \"1\", features = [\"derive\"] }}
serde_json = \"1\"
"
    )
}

/// Returns a name for the crate, from that of the service.
fn crate_name(model: &Model) -> String {
    let name = model.words.join("-").to_ascii_lowercase();
    if name.is_empty() {
        "service-client".to_owned()
    } else if name.starts_with(|first: char| first.is_ascii_lowercase()) {
        format!("{name}-client")
    } else {
        format!("service-{name}-client")
    }
}

/// Returns the file with an enum for each procedure that declares errors.
fn errors(printer: &Printer<'_>, names: &[RustNames]) -> String {
    let mut out = String::from(
        "//! The errors that procedures declare.

use docent_client::{Fault, FromFault, data_of, first_match};

use crate::types;
",
    );
    for (procedure, names) in printer.model.procedures.iter().zip(names) {
        if let Some(name) = &names.error {
            printer.error_enum(&mut out, procedure, name);
        }
    }
    out
}

/// Returns the root of the crate.
fn root(model: &Model) -> String {
    let mut out = String::new();
    write_lines(&mut out, "//! ", &doc_lines(&model.docs));
    if out.is_empty() {
        out.push_str("//! A client of a JSON-RPC service.\n");
    }
    out.push_str(ALLOWED_LINTS);
    // The compiler follows types that lead to each other, and gives up after 128 steps by default.
    if model.types.len() > FEW_TYPES {
        let limit = (8 * model.types.len()).min(4096);
        let _ = writeln!(out, "#![recursion_limit = \"{limit}\"]");
    }
    out + "
mod client;
pub mod errors;
pub mod types;

pub use client::Client;
pub use docent_client;
pub use docent_client::{ClientError, Http};
"
}
