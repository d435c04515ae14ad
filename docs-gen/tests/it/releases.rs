//! Three versions of one service, for tests and for a browser.

#[path = "../../../cli/src/docs/changes.rs"]
mod changes;

use docent_describe::{ParamDescription, ServiceDescription, TypeCode};
use docent_docs_gen::{Site, SiteBuilder};

use crate::library::{json, library};

/// The library, in a version.
pub(crate) fn version(number: &str) -> ServiceDescription {
    let mut library = library();
    library.version = Some(number.to_owned());
    library
}

/// Three versions: one loses a procedure and asks for more, the last changes words only.
pub(crate) fn three() -> SiteBuilder {
    let old = version("1.9");
    let mut new = version("1.10");
    new.procs
        .retain(|procedure| procedure.name != "book.search");
    let find = new
        .procs
        .iter_mut()
        .find(|procedure| procedure.name == "book.find");
    let mut shelf = ParamDescription::new("shelf", json(r#"{"type": "string"}"#));
    shelf.type_code = TypeCode::Str;
    shelf.required = true;
    shelf.description = Some("Where.".to_owned());
    find.expect("it is there").params.insert(0, shelf);
    let mut newest = new.clone();
    newest.version = Some("2.0".to_owned());
    newest.summary = Some("Other words.".to_owned());
    // The order in which they are given says nothing.
    compared(Site::builder(new).and(old).and(newest))
}

/// The site with the pages of changes that `docent docs` writes.
pub(crate) fn compared(site: SiteBuilder) -> SiteBuilder {
    site.changes(changes::changes)
}
