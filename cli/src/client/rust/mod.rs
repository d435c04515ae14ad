//! Clients in Rust, with reqwest, serde and serde_json.

mod errors;
mod methods;
mod source;
mod types;

use std::fmt::Write as _;

use docent_describe::ServiceDescription;

use super::files::{Files, busy_codes, with_heads};
use super::model::Model;
use errors::errors;
use methods::{calls, methods};
use source::{doc_lines, names};
use types::Printer;

/// The code that all clients share: one file of the client, in parts.
const RPC: &str = concat!(
    include_str!("rpc/transport.rs"),
    include_str!("rpc/errors.rs"),
    include_str!("rpc/calls.rs"),
    include_str!("rpc/client.rs"),
    include_str!("rpc/answers.rs"),
);
/// The number of types up to which the compiler's default recursion limit is enough.
const FEW_TYPES: usize = 30;

/// Lints that names and texts of a description may break.
const ALLOWED: &str = "\
#![allow(
    clippy::doc_markdown,
    clippy::doc_lazy_continuation,
    clippy::enum_variant_names,
    clippy::fn_params_excessive_bools,
    clippy::large_enum_variant,
    clippy::many_single_char_names,
    clippy::module_name_repetitions,
    clippy::option_option,
    clippy::self_named_constructors,
    clippy::should_implement_trait,
    clippy::similar_names,
    clippy::struct_excessive_bools,
    clippy::struct_field_names,
    clippy::too_long_first_doc_paragraph,
    clippy::too_many_arguments,
    clippy::too_many_lines,
    clippy::type_complexity,
    clippy::wrong_self_convention,
    reason = \"names and text are those of the description\"
)]
";

pub(super) fn files(model: &Model, service: &ServiceDescription) -> Files {
    let printer = Printer::new(model);
    let names = names(model);
    let files = vec![
        ("Cargo.toml", manifest(model)),
        ("src/calls.rs", calls(&printer, &names)),
        ("src/client.rs", methods(&printer, &names)),
        ("src/errors.rs", errors(&printer, &names)),
        ("src/lib.rs", root(model, busy_codes(service))),
        ("src/rpc.rs", RPC.to_owned()),
        ("src/types.rs", printer.file()),
    ];
    let (manifest, sources): (Files, Files) = files
        .into_iter()
        .partition(|(path, _)| *path == "Cargo.toml");
    let mut files = with_heads(manifest, "# ");
    files.extend(with_heads(sources, "// "));
    files
}

fn manifest(model: &Model) -> String {
    let name = match model.words.join("-").to_ascii_lowercase() {
        name if name.starts_with(|it: char| it.is_ascii_lowercase()) => name,
        name if name.is_empty() => "service".to_owned(),
        name => format!("service-{name}"),
    };
    format!(
        "[package]\nname = \"{name}-client\"\nversion = \"0.1.0\"\nedition = \"2024\"\npublish = false\n\n\
         [lib]\n# Code in the documentation is the service's.\ndoctest = false\n\n\
         [dependencies]\n\
         reqwest = {{ version = \"0.13\", default-features = false, features = [\"rustls\"] }}\n\
         serde = {{ version = \"1\", features = [\"derive\"] }}\n\
         serde_json = {{ version = \"1\", features = [\"raw_value\"] }}\n\
         tokio = {{ version = \"1\", features = [\"time\"] }}\n"
    )
}

fn root(model: &Model, busy: &str) -> String {
    let mut out = String::new();
    for line in doc_lines(&model.docs) {
        let _ = writeln!(out, "{}", format!("//! {line}").trim_end());
    }
    if out.is_empty() {
        out.push_str("//! A client of a JSON-RPC service.\n");
    }
    out.push_str(ALLOWED);
    // The compiler follows types that lead to each other, and gives up after 128 steps by default.
    if model.types.len() > FEW_TYPES {
        let limit = (8 * model.types.len()).min(4096);
        let _ = writeln!(out, "#![recursion_limit = \"{limit}\"]");
    }
    out.push_str(
        "\npub mod calls;\nmod client;\npub mod errors;\nmod rpc;\npub mod types;\n\n\
         pub use rpc::{\n    Answers, Batch, Call, Client, Declared, Error, ErrorObject, Http, NoErrors, \
         Place, Positions,\n    Request, Response, Transport, TransportError,\n};\n",
    );
    let _ = writeln!(
        out,
        "\n/// The codes that say that the service is too busy.\nconst BUSY: &[i64] = &[{busy}];"
    );
    out
}
