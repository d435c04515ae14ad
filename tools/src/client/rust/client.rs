//! The struct with a method for each procedure.
//!
//! Each method is one call of a `docent_client::Client`, which does everything else.

use super::source::{RESERVED_NAMES, RustNames, docs, quoted};
use super::types::Printer;
use crate::client::model::{ClientProcedure, ParamPassing};
use crate::client::names::snake_fields;
use std::fmt::Write as _;

/// Returns the declaration of a method's parameters, and an expression for a reference to what is sent.
fn parameters(printer: &Printer<'_>, procedure: &ClientProcedure) -> (String, String) {
    if procedure.passing == ParamPassing::Variadic {
        let ty = printer.write(printer.model.variadic(procedure), "types::");
        return (format!(", values: &[{ty}]"), "values".to_owned());
    }
    let Some(ty) = &procedure.params_type else {
        return (String::new(), "&()".to_owned());
    };
    let declared = format!(", params: &{}", printer.write(ty, "types::"));
    if procedure.passing != ParamPassing::ByPosition {
        return (declared, "params".to_owned());
    }
    let mut sent = "&Positions::new()".to_owned();
    for (name, field) in snake_fields(&procedure.params, RESERVED_NAMES) {
        let add = if field.required { "and" } else { "maybe" };
        let _ = write!(sent, ".{add}({}, &params.{name})", quoted(&field.wire));
    }
    (declared, sent)
}

/// Writes the method of a procedure.
fn method(out: &mut String, printer: &Printer<'_>, procedure: &ClientProcedure, names: &RustNames) {
    let output = printer.write(&procedure.output, "types::");
    let error = match &names.error {
        Some(name) if !procedure.notification => format!("errors::{name}"),
        _ => "Infallible".to_owned(),
    };
    let (returns, call) = if procedure.is_subscription {
        (format!("Items<{output}, {error}>"), "subscribe")
    } else if procedure.notification {
        ("()".to_owned(), "notifying().call")
    } else if procedure.idempotent {
        (output, "call_idempotent")
    } else if procedure.repeatable {
        (output, "call_repeatable")
    } else {
        (output, "call")
    };
    let (declared, sent) = parameters(printer, procedure);
    let mut text = procedure.docs.clone();
    if text.is_empty() {
        text = format!("Calls `{}`.", procedure.wire);
    }
    out.push('\n');
    docs(out, "    ", &text);
    let name = &names.method;
    let wire = quoted(&procedure.wire);
    let _ = write!(
        out,
        "    pub fn {name}(&self{declared}) -> ResponseFuture<{returns}, {error}> {{\n        \
         self.0.{call}({wire}, {sent})\n    }}\n"
    );
}

/// Returns the file of the client.
pub(super) fn client(printer: &Printer<'_>, names: &[RustNames]) -> String {
    // Only services that Docent serves define GET, and codes of a service that is too busy.
    let (http, busy) = if printer.model.is_docent {
        ("http.into().use_get()", "")
    } else {
        ("http.into()", ".busy_codes(&[])")
    };
    let mut out = format!(
        "use std::convert::Infallible;
use std::time::Duration;

use docent_client::{{Http, Items, Positions, ResponseFuture}};

use crate::{{errors, types}};

/// A client of the service. Its field makes batches and notifications.
#[derive(Debug, Clone)]
pub struct Client(pub docent_client::Client);

impl From<docent_client::Client> for Client {{
    fn from(client: docent_client::Client) -> Self {{
        Self(client)
    }}
}}

impl Client {{
    /// Creates a client of the service at a URL, or with settings of its own. Calls that are safe to
    /// repeat are repeated up to twice, within 30 seconds.
    #[must_use]
    pub fn new(http: impl Into<Http>) -> Self {{
        let client = docent_client::Client::from({http});
        Self(client.repeats(2, Duration::from_secs(30)){busy})
    }}
"
    );
    for (procedure, names) in printer.model.procedures.iter().zip(names) {
        method(&mut out, printer, procedure, names);
    }
    out + "}\n"
}
