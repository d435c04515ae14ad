//! The search index: one line for each page, with tabs between its fields.
//!
//! It is a single string, so that no name in a description becomes a member's name in the reader's
//! browser. The browser splits it on first use.

use crate::links::{Links, Medium};
use crate::plan::Target;
use crate::schema;
use crate::service::Service;
use crate::site::Site;
use crate::text;
use docent_describe::json::{push_quoted, shorten};

/// How many characters of a summary are searched and shown.
const SUMMARY: usize = 120;

/// How many further words of a procedure are searched.
const MOST_TERMS: usize = 60;

/// Returns the lines of all services: kind, address relative to the site's root, name, summary,
/// service, and further words that find the page.
pub(crate) fn index(site: &Site, medium: Medium) -> String {
    let mut entries = String::new();
    for service in &site.services {
        let service_name = if site.is_catalogue() {
            service.label.as_str()
        } else {
            ""
        };
        let links = Links::new(&service.plan, medium, Target::Overview);
        let href = |target| match medium {
            Medium::Folder => format!("{}{}", service.plan.prefix, links.to(target)),
            Medium::Single | Medium::Twins => links.to(target),
        };
        for (index, procedure) in service.options.description.procs.iter().enumerate() {
            let summary = procedure.summary.as_deref().unwrap_or_default();
            let terms = terms(service, index);
            let fields = [
                "p",
                &href(Target::Procedure(index)),
                &procedure.name,
                summary,
                service_name,
                &terms,
            ];
            line(&mut entries, fields);
        }
        for (index, (name, schema)) in service
            .options
            .description
            .components
            .schemas
            .iter()
            .enumerate()
        {
            let summary = schema
                .get("description")
                .and_then(|text| text.as_str())
                .unwrap_or_default();
            line(
                &mut entries,
                [
                    "t",
                    &href(Target::Type(index)),
                    name,
                    summary,
                    service_name,
                    "",
                ],
            );
        }
        for (index, group) in service.plan.groups.iter().enumerate() {
            if let Some(name) = &group.name {
                line(
                    &mut entries,
                    [
                        "g",
                        &href(Target::Group(index, 0)),
                        name,
                        "",
                        service_name,
                        "",
                    ],
                );
            }
        }
    }
    entries
}

fn line(entries: &mut String, fields: [&str; 6]) {
    for (at, field) in fields.into_iter().enumerate() {
        if at > 0 {
            entries.push('\t');
        }
        entries.push_str(&shorten(
            &text::one_line(field),
            if at == 3 { SUMMARY } else { 2000 },
        ));
    }
    entries.push('\n');
}

/// Returns the parameters, types, required credentials and error codes of a procedure.
fn terms(service: &Service, index: usize) -> String {
    let procedure = &service.options.description.procs[index];
    let mut types = std::collections::BTreeSet::new();
    for param in &procedure.params {
        schema::collect_refs(&param.schema, &mut types);
    }
    if let Some(returns) = &procedure.returns {
        schema::collect_refs(&returns.schema, &mut types);
    }
    let params = procedure.params.iter().map(|param| param.name.clone());
    let errors = procedure
        .errors
        .iter()
        .flat_map(|error| [error.code.to_string(), error.message.clone()]);
    let schemes = procedure.security.keys().cloned();
    let terms = params.chain(types).chain(schemes).chain(errors);
    let terms: Vec<String> = terms.take(MOST_TERMS).collect();
    terms.join(" ")
}

/// Returns the script that loads the index. A page opened from a folder cannot fetch files, but it
/// can load scripts.
pub(crate) fn script(index: &str) -> String {
    format!("docentIndex({});\n", literal(index))
}

/// Returns the index as a JSON string that is safe inside a script.
pub(crate) fn literal(index: &str) -> String {
    let mut literal = String::with_capacity(index.len() + index.len() / 16);
    push_quoted(&mut literal, index);
    text::script_data(&literal)
}
