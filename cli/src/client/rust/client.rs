//! Functions that make calls, and the methods that send them.

use std::fmt::Write as _;

use super::source::{Names, docs, quoted};
use super::types::{self, Printer};
use crate::client::model::{Passing, Procedure, Type};
use crate::client::text;

fn error_path(names: &Names) -> String {
    match &*names.error {
        "NoErrors" => "NoErrors".to_owned(),
        name => format!("errors::{name}"),
    }
}

/// Returns the declaration of the parameters, and the expression that passes them on.
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

pub(super) fn calls(printer: &Printer<'_>, names: &[Names]) -> String {
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
        let traits = [
            (procedure.idempotent, "idempotent"),
            (procedure.repeatable, "repeatable"),
            (procedure.get, "get"),
        ];
        for (is_so, what) in traits {
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
    for (name, mark) in [
        ("Call", "Call::new("),
        ("NoErrors", ", NoErrors>"),
        ("Positions", "Positions::new("),
        ("errors", "errors::"),
        ("types", "types::"),
    ] {
        if code.contains(mark) {
            used.push(name);
        }
    }
    if !used.is_empty() {
        let _ = writeln!(out, "use crate::{{{}}};", used.join(", "));
    }
    out + &functions
}

pub(super) fn methods(printer: &Printer<'_>, names: &[Names]) -> String {
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
    if code.contains("<NoErrors>") {
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
