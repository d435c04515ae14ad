//! The errors that procedures declare, as enums.
//!
//! Each implements `docent_client::FromFault`. An error that a procedure does not declare is a `Fault`, and needs no
//! type.

use super::source::{docs, quoted};
use super::types::Printer;
use crate::client::model::ClientProcedure;
use crate::client::names::{IdentifierScope, pascal, words};
use std::fmt::Write as _;

impl Printer<'_> {
    /// Writes the errors of one procedure as an enum that the client can read.
    pub(super) fn error_enum(&self, out: &mut String, procedure: &ClientProcedure, name: &str) {
        let mut scope = IdentifierScope::new("Error", &["Self"]);
        let mut variants = String::new();
        let mut repeated = Vec::new();
        // Of errors with the same code and message, those with data are tried first.
        let mut table: [String; 2] = Default::default();
        for error in self.model.errors_of(procedure) {
            let own = error.name.strip_suffix("Error").unwrap_or(&error.name);
            let variant = scope.take(&pascal(&words(own)));
            let (held, pattern, read) = match &error.data {
                Some(ty) => (
                    format!("({})", self.write(ty, "types::")),
                    format!("Self::{variant}(..)"),
                    format!("|fault| data_of(fault).map(Self::{variant})"),
                ),
                None => (
                    String::new(),
                    format!("Self::{variant}"),
                    format!("|_| Some(Self::{variant})"),
                ),
            };
            docs(&mut variants, "    ", &error.docs);
            let _ = writeln!(variants, "    {variant}{held},");
            let code = error.code;
            let message = quoted(&error.message);
            let _ = writeln!(
                &mut table[usize::from(error.data.is_none())],
                "            ({code}, {message}, {read}),"
            );
            // Only errors for which the description promises that a repetition may help.
            if error.retry == Some(true) {
                repeated.push(pattern);
            }
        }
        let [with_data, without] = table;
        out.push('\n');
        docs(out, "", &format!("The errors of `{}`.", procedure.wire));
        let _ = write!(
            out,
            "#[derive(Debug, Clone, PartialEq)]
pub enum {name} {{
{variants}}}

impl FromFault<'_> for {name} {{
    fn from_fault(fault: &Fault) -> Option<Self> {{
        first_match(fault, &[
{with_data}{without}        ])
    }}
"
        );
        if !repeated.is_empty() {
            let patterns = repeated.join(" | ");
            let _ = write!(
                out,
                "
    fn may_be_repeated(&self) -> bool {{
        matches!(self, {patterns})
    }}
"
            );
        }
        out.push_str("}\n");
    }
}
