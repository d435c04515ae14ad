//! The errors that procedures declare, as enums.

use std::fmt::Write as _;

use super::types::Printer;
use super::{Names, docs, quoted};
use crate::client::model::{ErrorType, Procedure};
use crate::client::names::{Scope, pascal, words};
use crate::client::text;

pub(super) fn errors(printer: &Printer<'_>, names: &[Names]) -> String {
    let mut out = String::new();
    for (procedure, names) in printer.model.procedures.iter().zip(names) {
        if !procedure.errors.is_empty() {
            out.push('\n');
            error_enum(&mut out, printer, procedure, names);
        }
    }
    if out.is_empty() {
        return "//! The service declares no errors.\n".to_owned();
    }
    let types = if text::without_comments(&out, &['/']).contains("types::") {
        "use crate::types;\n"
    } else {
        ""
    };
    format!(
        "//! The errors that procedures declare.\n\n{types}use crate::{{Declared, ErrorObject}};\n{out}"
    )
}

/// The errors of one procedure, as an enum.
fn error_enum(out: &mut String, printer: &Printer<'_>, procedure: &Procedure, names: &Names) {
    let model = printer.model;
    let mut scope = Scope::new("Error", &["Self"]);
    let errors: Vec<_> = procedure
        .errors
        .iter()
        .map(|place| &model.errors[*place])
        .map(|error| {
            let name = error.name.strip_suffix("Error").unwrap_or(&error.name);
            (error, scope.take(&pascal(&words(name))))
        })
        .collect();
    docs(out, "", &format!("The errors of `{}`.", procedure.wire));
    out.push_str("#[derive(Debug, Clone, PartialEq)]\n");
    let _ = writeln!(out, "pub enum {} {{", names.error);
    for (error, variant) in &errors {
        docs(out, "    ", &error.docs);
        match &error.data {
            Some(of) => {
                let _ = writeln!(out, "    {variant}({}),", printer.write(of, "types::"));
            }
            None => {
                let _ = writeln!(out, "    {variant},");
            }
        }
    }
    let _ = writeln!(out, "}}\n\nimpl Declared for {} {{", names.error);
    out.push_str(
        "    fn declared(error: &ErrorObject) -> Option<Self> {\n        match error.code {\n",
    );
    let mut seen: Vec<i64> = Vec::new();
    for (error, _) in &errors {
        if seen.contains(&error.code) {
            continue;
        }
        seen.push(error.code);
        let same: Vec<_> = errors
            .iter()
            .filter(|(it, _)| it.code == error.code)
            .collect();
        let make = |(error, variant): &(&ErrorType, String)| match error.data {
            Some(_) => format!("error.data().map(Self::{variant})"),
            None => format!("Some(Self::{variant})"),
        };
        // Errors with one code are told apart by their messages; the first stands for any other.
        let mut chosen = String::new();
        for one in same.iter().skip(1) {
            let _ = write!(
                chosen,
                "{} if error.message == {} => {},\n            ",
                error.code,
                quoted(&one.0.message),
                make(one)
            );
        }
        let _ = writeln!(
            out,
            "            {chosen}{} => {},",
            error.code,
            make(same[0])
        );
    }
    out.push_str("            _ => None,\n        }\n    }\n\n");
    out.push_str("    fn retry(&self) -> Option<bool> {\n        match self {\n");
    for (retry, text) in [
        (Some(true), "Some(true)"),
        (Some(false), "Some(false)"),
        (None, "None"),
    ] {
        let patterns = errors.iter().filter(|(error, _)| error.retry == retry);
        let patterns: Vec<String> = patterns
            .map(|(error, variant)| match error.data {
                Some(_) => format!("Self::{variant}(_)"),
                None => format!("Self::{variant}"),
            })
            .collect();
        if !patterns.is_empty() {
            let _ = writeln!(out, "            {} => {text},", patterns.join(" | "));
        }
    }
    out.push_str("        }\n    }\n}\n");
}
