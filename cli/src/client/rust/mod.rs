//! Clients in Rust, with reqwest, serde and serde_json.

mod types;

use std::fmt::Write as _;

use docent_describe::ServiceDescription;

use super::model::{Model, Passing, Procedure, Type};
use super::names::{Scope, pascal, snake, words};
use super::text;
use super::{Files, busy_codes};
use types::Printer;

/// Words of the language, and the methods of a client.
const RESERVED: &[&str] = &[
    "abstract",
    "as",
    "async",
    "await",
    "become",
    "box",
    "break",
    "const",
    "continue",
    "crate",
    "do",
    "dyn",
    "else",
    "enum",
    "extern",
    "false",
    "final",
    "fn",
    "for",
    "gen",
    "if",
    "impl",
    "in",
    "let",
    "loop",
    "macro",
    "match",
    "mod",
    "move",
    "mut",
    "override",
    "priv",
    "pub",
    "ref",
    "return",
    "self",
    "static",
    "struct",
    "super",
    "trait",
    "true",
    "try",
    "type",
    "typeof",
    "union",
    "unsafe",
    "unsized",
    "use",
    "virtual",
    "where",
    "while",
    "yield",
    "new",
    "send",
    "batch",
    "notify",
    "token",
    "repeats",
    "without_get",
    "with_transport",
    "attempt",
    "exchange",
    "query",
    "clone",
    "drop",
    "values",
];

/// Words of the language that are no names of fields.
const FIELD_RESERVED: &[&str] = RESERVED;

/// Names and text are those of the description.
const ALLOWED: &str = "\
#![allow(
    clippy::doc_markdown,
    clippy::doc_lazy_continuation,
    clippy::enum_variant_names,
    clippy::fn_params_excessive_bools,
    clippy::large_enum_variant,
    clippy::module_name_repetitions,
    clippy::option_option,
    clippy::should_implement_trait,
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
        ("src/rpc.rs", include_str!("rpc.rs").to_owned()),
        ("src/types.rs", printer.file()),
    ];
    let (manifest, sources): (Files, Files) = files
        .into_iter()
        .partition(|(path, _)| *path == "Cargo.toml");
    let mut files = super::with_heads(manifest, "# ");
    files.extend(super::with_heads(sources, "// "));
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

/// Text as the lines of a documentation comment. rustdoc would run code in it, and would show HTML and
/// links that are not the reader's.
fn doc_lines(docs: &str) -> Vec<String> {
    if docs.is_empty() {
        return Vec::new();
    }
    let harmless = |line: &String| {
        let line: Vec<&str> = line.split_whitespace().collect();
        let line = line.join(" ");
        let mut out = String::new();
        for character in line.chars() {
            match character {
                '<' | '[' | ']' | '~' => out.extend(['\\', character]),
                _ => out.push(character),
            }
        }
        out.replace("```", "'''")
    };
    text::lines(docs).iter().map(harmless).collect()
}

fn docs(out: &mut String, indent: &str, docs: &str) {
    for line in doc_lines(docs) {
        let _ = writeln!(out, "{}", format!("{indent}/// {line}").trim_end());
    }
}

fn quoted(text: &str) -> String {
    text::quoted(text, |character| {
        format!("\\u{{{:x}}}", u32::from(character))
    })
}

/// The names of a procedure's method and of its errors' type.
struct Names {
    method: String,
    error: String,
}

fn names(model: &Model) -> Vec<Names> {
    let mut methods = Scope::new("procedure", RESERVED);
    let mut errors = Scope::new("Procedure", &["Self"]);
    let names = model.procedures.iter().map(|procedure| Names {
        method: methods.take_word(&snake(&procedure.words)),
        error: match procedure.errors[..] {
            [] => "NoErrors".to_owned(),
            _ => errors.take(&format!("{}Error", pascal(&procedure.words))),
        },
    });
    names.collect()
}

fn error_path(names: &Names) -> String {
    match &*names.error {
        "NoErrors" => "NoErrors".to_owned(),
        name => format!("errors::{name}"),
    }
}

/// The declaration of the parameters, and how they are passed on.
fn parameters(printer: &Printer<'_>, procedure: &Procedure) -> (String, &'static str) {
    if let Some(place) = procedure.params_type {
        let name = &printer.model.named(place).name;
        return (format!("params: &types::{name}"), "params");
    }
    if procedure.passing != Passing::Variadic {
        return (String::new(), "");
    }
    let of = match procedure
        .params
        .first()
        .map(|it| printer.model.shape(&it.of))
    {
        Some(Err(Type::List(of))) => printer.write(of, "types::"),
        _ => "serde_json::Value".to_owned(),
    };
    (format!("values: &[{of}]"), "values")
}

fn calls(printer: &Printer<'_>, names: &[Names]) -> String {
    let mut functions = String::new();
    for (procedure, names) in printer.model.procedures.iter().zip(names) {
        functions.push('\n');
        docs(&mut functions, "", &format!("Calls `{}`.", procedure.wire));
        let (declared, passed) = parameters(printer, procedure);
        let returns = printer.write(&procedure.returns, "types::");
        functions.push_str("#[must_use]\n");
        let _ = writeln!(
            functions,
            "pub fn {}({declared}) -> Call<{returns}, {}> {{",
            names.method,
            error_path(names)
        );
        let mut call = format!("Call::new({})", quoted(&procedure.wire));
        match procedure.passing {
            Passing::ByPosition if !procedure.params.is_empty() => {
                let required = procedure.params.iter().rposition(|it| it.required);
                let mut list = format!("Positions::new({})", required.map_or(0, |at| at + 1));
                for field in types::fields(&procedure.params) {
                    let _ = write!(list, ".and(&params.{})", field.name);
                }
                let _ = write!(call, ".params(&{list})");
            }
            _ if passed.is_empty() => {}
            _ => {
                let _ = write!(call, ".params({passed})");
            }
        }
        for (is_so, what) in [(procedure.idempotent, "idempotent"), (procedure.get, "get")] {
            if is_so {
                let _ = write!(call, ".{what}()");
            }
        }
        let _ = writeln!(functions, "    {call}\n}}");
    }
    let mut out = String::from(
        "//! The calls, to be sent together as a [`Batch`](crate::Batch) or as notifications.\n\n",
    );
    let code = text::without_comments(&functions, &['/']);
    let mut used: Vec<&str> = Vec::new();
    for name in ["Call", "NoErrors", "Positions"] {
        if code.contains(name) {
            used.push(name);
        }
    }
    for (module, path) in [("errors", "errors::"), ("types", "types::")] {
        if code.contains(path) {
            used.push(module);
        }
    }
    if !used.is_empty() {
        let _ = writeln!(out, "use crate::{{{}}};", used.join(", "));
    }
    out + &functions
}

fn methods(printer: &Printer<'_>, names: &[Names]) -> String {
    let mut methods = String::new();
    for (procedure, names) in printer.model.procedures.iter().zip(names) {
        if !methods.is_empty() {
            methods.push('\n');
        }
        docs(&mut methods, "    ", &procedure.docs);
        if let Some(reason) = &procedure.deprecated {
            docs(&mut methods, "    ", &format!("\n\nDeprecated. {reason}"));
        }
        if !procedure.docs.is_empty() {
            methods.push_str("    ///\n");
        }
        methods.push_str("    /// # Errors\n");
        let of_error = match &*names.error {
            "NoErrors" => "See [`Error`].".to_owned(),
            name => format!("[`errors::{name}`], and see [`Error`]."),
        };
        let _ = writeln!(methods, "    /// {of_error}");
        let (declared, passed) = parameters(printer, procedure);
        let declared = if declared.is_empty() {
            declared
        } else {
            format!(", {declared}")
        };
        let (returns, error, send) = if procedure.notification {
            ("()".to_owned(), "NoErrors".to_owned(), "notify")
        } else {
            (
                printer.write(&procedure.returns, "types::"),
                error_path(names),
                "send",
            )
        };
        let name = &names.method;
        let _ = writeln!(
            methods,
            "    pub async fn {name}(&self{declared}) -> Result<{returns}, Error<{error}>> {{"
        );
        let _ = writeln!(
            methods,
            "        self.{send}(calls::{name}({passed})).await\n    }}"
        );
    }
    if methods.is_empty() {
        return "//! The service has no procedures.\n".to_owned();
    }
    let code = text::without_comments(&methods, &['/']);
    let mut used = vec!["Client", "Error"];
    if code.contains("NoErrors") {
        used.push("NoErrors");
    }
    used.extend(["Transport", "calls"]);
    for (module, path) in [("errors", "errors::"), ("types", "types::")] {
        if code.contains(path) {
            used.push(module);
        }
    }
    format!(
        "use crate::{{{}}};\n\nimpl<H: Transport> Client<H> {{\n{methods}}}\n",
        used.join(", ")
    )
}

fn errors(printer: &Printer<'_>, names: &[Names]) -> String {
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
        let make = |(error, variant): &(&super::model::ErrorType, String)| match error.data {
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
