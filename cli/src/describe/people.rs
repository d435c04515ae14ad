//! A description as text, from the pages of the reference site, which already put types, constraints
//! and errors into words.

use std::sync::Arc;

use docent_describe::ServiceDescription;
use docent_docs_gen::Site;

use crate::failure::{Failure, Result};
use crate::terminal::{TextPage, push_markdown};

/// Returns the service, or some of its procedures and types, as text on an empty page.
pub(super) fn text(
    service: ServiceDescription,
    names: &[String],
    mut page: TextPage,
) -> Result<String> {
    for (index, markdown) in pages(service, names)?.iter().enumerate() {
        if index > 0 {
            page.end();
        }
        push_markdown(&mut page, markdown);
    }
    Ok(page.as_str().to_owned())
}

/// Returns the service, or some of its procedures and types, as pages of Markdown.
pub(super) fn pages(service: ServiceDescription, names: &[String]) -> Result<Vec<String>> {
    let service = Arc::new(service);
    let site = Site::builder(Arc::clone(&service))
        .build()
        .map_err(Failure::of_site)?;
    let mut paths = Vec::new();
    let mut names = names.to_owned();
    if names.is_empty() {
        paths.push("index.md".to_owned());
        names.extend(service.procs.iter().map(|procedure| procedure.name.clone()));
    }
    for name in &names {
        // Each page is there as Markdown too.
        if let Some(path) = site.page_of(name)
            && let Some(stem) = path.strip_suffix(".html")
        {
            paths.push(format!("{stem}.md"));
        }
    }
    Ok(paths
        .iter()
        .filter_map(|path| site.page(path))
        .filter_map(|page| String::from_utf8(page.bytes).ok())
        .collect())
}
