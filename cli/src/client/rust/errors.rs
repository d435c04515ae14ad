//! The errors that procedures declare, as enums.

use std::fmt::Write as _;

use super::source::{Names, docs, quoted};
use super::types::Printer;
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

/// An error and its variant.
type Variant<'m> = (&'m ErrorType, String);

/// Writes the errors of one procedure as an enum.
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
    arms(out, &errors);
    out.push_str("            _ => None,\n        }\n    }\n\n");
    retry(out, &errors);
}

/// Writes the match arms that find a declared error by its code. Errors with the same code are
/// distinguished by their messages, and the first of them matches any other message; those with the
/// same message too are distinguished by their data.
fn arms(out: &mut String, errors: &[Variant<'_>]) {
    let mut done: Vec<i64> = Vec::new();
    for (error, _) in errors {
        if done.contains(&error.code) {
            continue;
        }
        done.push(error.code);
        let same = errors.iter().filter(|(it, _)| it.code == error.code);
        let mut messages: Vec<(&str, Vec<&Variant<'_>>)> = Vec::new();
        for one in same {
            match messages.iter_mut().find(|(text, _)| *text == one.0.message) {
                Some((_, each)) => each.push(one),
                None => messages.push((&one.0.message, vec![one])),
            }
        }
        messages.rotate_left(1);
        let last = messages.len() - 1;
        for (at, (message, each)) in messages.iter().enumerate() {
            let code = number(error.code);
            let test = format!(" if error.message == {}", quoted(message));
            let test = if at == last { "" } else { &test };
            let _ = writeln!(out, "            {code}{test} => {},", found(each));
        }
    }
}

/// Writes an expression for the first of these errors with matching data.
fn found(each: &[&Variant<'_>]) -> String {
    let with_data = each.iter().filter(|(error, _)| error.data.is_some());
    let with_data = with_data.map(|(_, variant)| format!("error.data().map(Self::{variant})"));
    let with_data: Vec<String> = with_data.collect();
    let with_data = with_data.join(".or_else(|| ") + &")".repeat(with_data.len().max(1) - 1);
    match each.iter().find(|(error, _)| error.data.is_none()) {
        Some((_, variant)) if with_data.is_empty() => format!("Some(Self::{variant})"),
        Some((_, variant)) => format!("{with_data}.or(Some(Self::{variant}))"),
        None => with_data,
    }
}

fn retry(out: &mut String, errors: &[Variant<'_>]) {
    out.push_str("    fn retry(&self) -> Option<bool> {\n        match self {\n");
    for (retry, text) in [
        (Some(true), "Some(true)"),
        (Some(false), "Some(false)"),
        (None, "None"),
    ] {
        let patterns = errors.iter().filter(|(error, _)| error.retry == retry);
        let patterns: Vec<String> = patterns
            .map(|(error, variant)| match error.data {
                Some(_) => format!("Self::{variant}(..)"),
                None => format!("Self::{variant}"),
            })
            .collect();
        if !patterns.is_empty() {
            let _ = writeln!(out, "            {} => {text},", patterns.join(" | "));
        }
    }
    out.push_str("        }\n    }\n}\n");
}

/// Writes a number in the form that clippy expects.
fn number(code: i64) -> String {
    let digits = code.unsigned_abs().to_string();
    let sign = if code < 0 { "-" } else { "" };
    if digits.len() < 6 {
        return format!("{sign}{digits}");
    }
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push('_');
        }
        out.push(digit);
    }
    sign.to_owned() + &out
}
