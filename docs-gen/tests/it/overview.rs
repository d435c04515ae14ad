//! The overview, and the pages of types.

use docent_docs_gen::Site;

use crate::library::{json, library};
use crate::pages::{check, many, site, text};

#[test]
fn the_overview_says_procedures_once_and_the_rest_at_full_width_or_folded() {
    let mut service = library();
    service.description = Some("All about the library.".to_owned());
    let site = Site::builder(service)
        .limit("Body", "1 MiB")
        .build()
        .expect("fine");
    check(&site);
    let page = text(&site, "index.html");
    let (_, main) = page.split_once("<main").expect("its main part");
    assert_eq!(main.matches(">Procedures<").count(), 1, "{main}");
    let parts = [
        "<ul class=\"rows\">",
        "<div class=\"prose description\" dir=\"auto\"><p>All about the library.",
        "<dl class=\"about\">",
        "How to call it",
        "<details><summary><h2 id=\"conventions\">",
        "<details><summary><h2 id=\"limits\">",
        "<h2 id=\"errors\">",
        "<a href=\"errors.html\">All errors</a>",
        "<h2 id=\"types\">",
    ];
    let found = parts.map(|part| main.find(part).unwrap_or_else(|| panic!("{part}: {main}")));
    assert!(found.is_sorted(), "{found:?}");
    assert!(
        !main.contains("<table class=\"codes\">"),
        "errors have a page of their own"
    );
}

#[test]
fn many_procedures_of_one_group_are_not_listed_under_a_second_heading_of_their_name() {
    let mut service = many(400);
    for procedure in &mut service.procs {
        procedure.tags.clear();
        procedure.name = procedure.name.replace('.', "-");
    }
    let page = text(&site(service), "index.html");
    let (_, main) = page.split_once("<main").expect("its main part");
    assert_eq!(main.matches(">Procedures<").count(), 1, "{main}");
    assert!(main.contains(">All 400 procedures</a>"), "{main}");
}

#[test]
fn the_page_of_types_says_what_each_is() {
    let mut service = library();
    let book = service.components.schemas.get_mut("Book").expect("a type");
    *book = json(r#"{"type": "object", "description": "A `book`, e.g. a novel. And more."}"#);
    let site = site(service);
    check(&site);
    let page = text(&site, "types.html");
    let row = "<li><a href=\"types/Book.html\"><code>Book</code></a> <span class=\"text\" dir=\"auto\">A <code>book</code>, e.g. a novel.</span> <span class=\"kind\">object</span></li>";
    assert!(page.contains(row), "{page}");
    assert!(
        text(&site, "types.md")
            .contains("- [Book](types/Book.md) (object): A `book`, e.g. a novel.\n")
    );
    let overview = text(&site, "index.html");
    assert!(
        overview.contains("<a href=\"types.html\">6 types</a>"),
        "{overview}"
    );
    let mut none = library();
    none.components.schemas.clear();
    none.procs.clear();
    assert!(crate::pages::site(none).page("types.html").is_none());
}

#[test]
fn what_uses_a_type_is_beside_its_fields_and_above_the_example() {
    let page = text(&site(library()), "types/Book.html");
    let parts = [
        "id=\"fields\"",
        "<div class=\"code\">",
        "id=\"used\"",
        "book.find.html",
        "id=\"example\"",
    ];
    let (_, main) = page.split_once("<main").expect("its main part");
    let found = parts.map(|part| main.find(part).unwrap_or_else(|| panic!("{part}: {main}")));
    assert!(found.is_sorted(), "{found:?}");
}
