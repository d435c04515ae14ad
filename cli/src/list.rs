//! `docent list`: the procedures of a service, one on each line.
//!
//! A terminal gets a table, and a pipe one name on each line, with the rest after a tab, for `cut` and `fzf`.
//! Other commands select procedures by names and globs in the same way ([`selected`], [`expand_glob`]).

use docent_describe::json::{Json, Object};
use docent_describe::{ProcedureDescription, ServiceDescription};

use crate::args::ListArgs;
use crate::failure::Result;
use crate::glob;
use crate::http::Client;
use crate::input::Described;
use crate::remote::unknown;
use crate::terminal::{Style, Terminal, TextPage, count, one_line, text_or_null};

/// The maximum length of names whose summaries start in the same column.
const MAX_ALIGNED_NAME: usize = 40;

/// Lists the procedures that are asked for.
pub(crate) fn run(args: &ListArgs, client: &Client, terminal: Terminal) -> Result {
    let described = args.input.read(client)?;
    terminal.warn_all(described.left_out());
    write(&selected(described, &args.names)?, args.json, terminal)
}

/// Returns a description with the procedures that some names and globs stand for, or with all if there
/// are none.
pub(crate) fn selected(described: Described, globs: &[String]) -> Result<ServiceDescription> {
    let service = described.reading.description;
    let mut names = Vec::new();
    for glob in globs {
        names.extend(expand_glob(&service, glob, &described.display_name)?);
    }
    Ok(match &*names {
        [] => service,
        names => service.excerpt(names),
    })
}

/// Returns the names of the procedures that a name or a glob stands for.
pub(crate) fn expand_glob(
    service: &ServiceDescription,
    glob: &str,
    display_name: &str,
) -> Result<Vec<String>> {
    // A name that is known is no glob.
    if service.procedure(glob).is_some() {
        return Ok(vec![glob.to_owned()]);
    }
    let names: Vec<String> = service
        .procs
        .iter()
        .map(|procedure| &procedure.name)
        .filter(|name| glob::matches(glob, name))
        .cloned()
        .collect();
    if names.is_empty() {
        return Err(unknown(service, glob, display_name));
    }
    Ok(names)
}

/// Prints the procedures of a service.
pub(crate) fn write(service: &ServiceDescription, as_json: bool, terminal: Terminal) -> Result {
    if as_json {
        let procedures: Json = service.procs.iter().map(to_json).collect();
        return terminal.write_json(&format!("{procedures:#}"));
    }
    let mut page = terminal.page();
    if terminal.is_terminal() {
        write_heading(&mut page, service);
        let name_width = name_width(service);
        for procedure in &service.procs {
            write_row(&mut page, procedure, name_width);
        }
        return terminal.print(&page);
    }
    for procedure in &service.procs {
        page.line(&procedure.name);
        let mut texts = Vec::new();
        texts.extend(procedure.summary.clone());
        texts.extend(mark(procedure).map(|mark| format!("({mark})")));
        if !texts.is_empty() {
            page.text("\t").line(&texts.join(" "));
        }
        page.end();
    }
    terminal.print(&page)
}

fn to_json(procedure: &ProcedureDescription) -> Json {
    let members = Object::new()
        .with("name", procedure.name.as_str())
        .with("summary", text_or_null(procedure.summary.as_ref()))
        .with("idempotent", procedure.idempotent)
        .with("guarded", procedure.is_restricted())
        .with("deprecated", procedure.deprecated.is_some())
        .with("notification", procedure.notification)
        .with("subscription", procedure.subscription.is_some())
        .with("sent", !procedure.is_called_by_clients());
    Json::Object(members)
}

fn write_heading(page: &mut TextPage, service: &ServiceDescription) {
    page.styled(Style::HEADING, &service.name);
    if let Some(version) = &service.version {
        page.text(" ").styled(Style::VALUE, version);
    }
    page.text("  ")
        .styled(Style::DIM, &count(service.procs.len(), "procedure"))
        .end();
    if let Some(summary) = &service.summary {
        page.line(summary).end();
    }
    page.end();
}

/// Returns the width of the column of names.
fn name_width(service: &ServiceDescription) -> usize {
    service
        .procs
        .iter()
        .map(|procedure| width(&procedure.name))
        .filter(|width| *width <= MAX_ALIGNED_NAME)
        .max()
        .unwrap_or(0)
}

/// Returns the number of columns of a name as it is printed.
fn width(name: &str) -> usize {
    one_line(name).chars().count()
}

/// Returns the mark of a procedure that a single request does not call: the service sends it, or it answers with items.
pub(crate) fn mark(procedure: &ProcedureDescription) -> Option<&'static str> {
    if !procedure.is_called_by_clients() {
        return Some("sent by the service");
    }
    procedure.subscription.as_ref().map(|_| "subscription")
}

/// Writes a line such as `book.find   Finds books by words in their title. (deprecated)`.
fn write_row(page: &mut TextPage, procedure: &ProcedureDescription, name_width: usize) {
    page.styled(Style::NAME, &procedure.name)
        .space(name_width.saturating_sub(width(&procedure.name)) + 2);
    page.line(procedure.summary.as_deref().unwrap_or_default());
    if let Some(mark) = mark(procedure) {
        page.text(" ").styled(Style::VALUE, &format!("({mark})"));
    }
    if procedure.deprecated.is_some() {
        page.text(" ").styled(Style::WARNING, "(deprecated)");
    }
    if procedure.is_restricted() {
        page.text(" ").styled(Style::DIM, "(restricted)");
    }
    page.end();
}

#[cfg(test)]
mod tests {
    use docent_describe::{ProcedureDescription, ServiceDescription};

    use super::expand_glob;

    #[test]
    fn a_star_stands_for_any_text() {
        let known = ["book.find", "book.get", "loan.list", "a*b"];
        let mut service = ServiceDescription::default();
        service.procs = known.map(ProcedureDescription::new).into();
        for (glob, expected) in [
            ("book.*", &["book.find", "book.get"][..]),
            ("*.?i*", &["book.find", "loan.list"]),
            ("*", &known),
            ("a*b", &["a*b"]),
            ("book.get", &["book.get"]),
            ("none.*", &[]),
            ("none", &[]),
        ] {
            let found = expand_glob(&service, glob, "it").unwrap_or_default();
            assert_eq!(found, expected, "{glob}");
        }
    }
}
