//! `docent list`: the procedures of a service.

use docent_describe::json::{Json, Object};
use docent_describe::{ProcedureDescription, ServiceDescription};

use crate::args::ListArgs;
use crate::failure::Failure;
use crate::http::Client;
use crate::input::Described;
use crate::terminal::{Style, Terminal, TextPage, count, fit, one_line, width};

/// The maximum width of names whose summaries start in the same column.
const ALIGNED: usize = 40;

pub(crate) fn run(args: &ListArgs, client: &Client, terminal: Terminal) -> Result<(), Failure> {
    let described = Described::new(&args.input, args.input.fetch(client, None)?)?;
    let service = &described.reading.description;
    if args.json {
        let procedures = service.procs.iter().map(json).collect();
        let procedures = Json::Array(procedures);
        return terminal.write_json(|out| writeln!(out, "{procedures:#}"));
    }
    let mut page = terminal.page();
    if terminal.is_terminal() {
        heading(&mut page, service);
        for procedure in &service.procs {
            row(&mut page, procedure, columns(service), terminal.columns());
        }
        return terminal.show(&page);
    }
    for procedure in &service.procs {
        page.line(&procedure.name);
        if let Some(summary) = &procedure.summary {
            page.text("\t").line(summary);
        }
        page.end();
    }
    terminal.print(&page)
}

fn json(procedure: &ProcedureDescription) -> Json {
    let text = |text: &Option<String>| text.as_deref().map_or(Json::Null, Json::from);
    let mut members = Object::new();
    members.insert("name".to_owned(), Json::from(procedure.name.as_str()));
    members.insert("summary".to_owned(), text(&procedure.summary));
    for (name, value) in [
        ("idempotent", procedure.idempotent),
        ("guarded", procedure.is_restricted()),
        ("deprecated", procedure.deprecated.is_some()),
        ("notification", procedure.notification),
    ] {
        members.insert(name.to_owned(), Json::Bool(value));
    }
    Json::Object(members)
}

fn heading(page: &mut TextPage, service: &ServiceDescription) {
    page.styled(Style::Heading, &service.name);
    if let Some(version) = &service.version {
        page.text(" ").styled(Style::Value, version);
    }
    let number = count(service.procs.len(), "procedure");
    page.text("  ").styled(Style::Dim, &number).end();
    if let Some(summary) = &service.summary {
        page.line(summary).end();
    }
    page.end();
}

/// Returns the width of the column of names.
fn columns(service: &ServiceDescription) -> usize {
    let widths = service.procs.iter().map(|procedure| width(&procedure.name));
    widths.filter(|width| *width <= ALIGNED).max().unwrap_or(0)
}

/// Writes a line such as `book.find   Finds books by words in their title.  GET`.
fn row(page: &mut TextPage, procedure: &ProcedureDescription, names: usize, columns: usize) {
    page.styled(Style::Name, &procedure.name);
    let taken = width(&procedure.name);
    let mut left = columns.saturating_sub(taken.max(names) + 2);
    let marks = [
        (procedure.deprecated.is_some(), Style::Warning, "deprecated"),
        (procedure.is_restricted(), Style::Dim, "restricted"),
    ];
    let marks = marks.into_iter().filter(|(is_set, ..)| *is_set);
    left -= left.min(marks.clone().map(|(_, _, mark)| width(mark) + 3).sum());
    page.space(names.saturating_sub(taken) + 2);
    if let Some(summary) = &procedure.summary {
        page.text(&fit(&one_line(summary), left.max(20)));
    }
    for (_, style, mark) in marks {
        page.text(" ").styled(style, &format!("({mark})"));
    }
    page.end();
}
