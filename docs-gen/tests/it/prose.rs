//! Markdown by authors: rendered where readers see it, and plain text where nothing can be marked up.

use docent_describe::ServiceDescription;
use docent_describe::json::Json;
use docent_docs_gen::{Catalogue, Site};

use crate::library::{json, library};
use crate::pages::{check, check_all, site, text};

/// The Markdown of each summary and description.
const MARKDOWN: &str = "Finds a `Book` in *all* [shelves](https://shelves.example/).";

/// The same as it is rendered, where `Book` is a link.
const RENDERED: &str = "Finds a <a href=\"types/Book.html\"><code>Book</code></a> in <em>all</em> \
                        <a rel=\"noopener noreferrer\" href=\"https://shelves.example/\">shelves</a>.";

/// The same as plain text.
const PLAIN: &str = "Finds a Book in all shelves.";

/// Returns a library whose texts are Markdown.
fn written() -> ServiceDescription {
    let mut service = library();
    service.summary = Some(MARKDOWN.to_owned());
    service.procs[0].summary = Some(MARKDOWN.to_owned());
    service.procs[0].tags = vec!["book".to_owned()];
    service.procs[0]
        .extensions
        .insert("$tool".to_owned(), Json::from("find_book"));
    service.procs[0].errors[0].description = Some(format!("{MARKDOWN} More."));
    service.procs[0].examples[0].summary = Some(MARKDOWN.to_owned());
    service.procs[0].params[0].schema =
        json(r#"{"type": "string", "title": "The `words`, *trimmed*"}"#);
    let book = service.components.schemas.get_mut("Book").expect("a type");
    *book = json(&format!(
        r#"{{"type": "object", "title": "A *tome*", "description": "{MARKDOWN} More."}}"#
    ));
    service
}

#[test]
fn lists_show_what_authors_mark_as_code_emphasis_and_links() {
    let site = site(written());
    check(&site);
    let group = RENDERED.replace("types/", "../types/");
    for (path, shown) in [
        ("index.html", RENDERED),
        ("groups/book.html", &group),
        ("types.html", RENDERED),
        ("errors.html", RENDERED),
    ] {
        let page = text(&site, path);
        let (_, main) = page.split_once("<main").expect("its main part");
        assert!(main.contains(shown), "{path}: {main}");
        assert!(
            !main.contains("`Book`") && !main.contains("*all*"),
            "{path}: {main}"
        );
    }
    let page = text(&site, "types/Book.html");
    assert!(page.contains("<p>A <em>tome</em></p>"), "{page}");
    let page = text(&site, "book.find.html");
    assert!(
        page.contains("<p>The <code>words</code>, <em>trimmed</em></p>"),
        "{page}"
    );
}

#[test]
fn what_cannot_be_marked_up_has_no_marks() {
    let site = site(written());
    for path in ["index.html", "book.find.html", "types/Book.html"] {
        let page = text(&site, path);
        for name in ["name=\"description\"", "property=\"og:description\""] {
            let tag = format!("<meta {name} content=\"{PLAIN}");
            assert!(page.contains(&tag), "{path}: {tag}");
        }
    }
    let page = text(&site, "book.find.html");
    assert!(page.contains(&format!("{PLAIN}</label>")), "{page}");
    let list = text(&site, "llms.txt");
    for line in [
        format!("> {PLAIN}\n"),
        format!("- [book.find](book.find.md) (GET) (tool): {PLAIN}\n"),
        format!("- [Book](types/Book.md): {PLAIN}\n"),
    ] {
        assert!(list.contains(&line), "{line}: {list}");
    }
    let index = text(&site, "assets/index.js");
    assert!(index.contains(&format!("book.find\\t{PLAIN}")), "{index}");
    assert!(
        !index.contains("`Book`") && !index.contains("*all*"),
        "{index}"
    );
}

#[test]
fn a_catalogue_renders_the_summaries_of_its_services() {
    let mut catalogue = Catalogue::builder().catalogue().expect("fine options");
    let library = catalogue
        .add(Site::builder(written()), &[])
        .expect("a site");
    let front = catalogue.front(0).expect("a front");
    check_all(&[&library, &front]);
    let page = text(&front, "index.html");
    let shown = "Finds a <code>Book</code> in <em>all</em> \
                 <a rel=\"noopener noreferrer\" href=\"https://shelves.example/\">shelves</a>.";
    assert!(page.contains(shown), "{page}");
    assert!(text(&front, "llms.txt").contains(PLAIN));
    let index = text(&front, "assets/index.js");
    assert!(
        index.contains(PLAIN) && !index.contains("`Book`"),
        "{index}"
    );
}

#[test]
fn a_title_that_spells_a_name_in_another_way_is_not_shown() {
    let mut service = library();
    let schema = r#"{"type": "object", "title": "Due-Loan", "properties": {
        "due_date": {"type": "string", "title": "Due date"},
        "dueTime": {"type": "string", "title": "due_time"},
        "état": {"type": "string", "title": "État", "oneOf": [
            {"const": "on_hold", "title": "On hold"}, {"const": "lost", "title": "Lost for good"}]},
        "$": {"title": "%"},
        "until": {"type": "string", "title": "Due date"}}}"#;
    let schemas = &mut service.components.schemas;
    schemas.insert("DueLoan".to_owned(), json(schema));
    service.procs[0].params[0].schema = json(r#"{"type": "string", "title": "WORDS"}"#);
    let site = site(service);
    let page = text(&site, "types/DueLoan.html");
    let (_, main) = page.split_once("<main").expect("its main part");
    let (main, _) = main.split_once("id=\"schema\"").expect("the schema");
    for hidden in ["Due-Loan", "due_time", "État", "On hold"] {
        assert!(!main.contains(hidden), "{hidden}: {main}");
    }
    assert_eq!(main.matches("Due date").count(), 1, "{main}");
    assert!(
        main.contains("Lost for good") && main.contains("<p>%</p>"),
        "{main}"
    );
    let markdown = text(&site, "types/DueLoan.md");
    let (rows, _) = markdown.split_once("## JSON").expect("the schema");
    assert!(
        !rows.contains("Due-Loan") && !rows.contains("On hold"),
        "{rows}"
    );
    let page = text(&site, "book.find.html");
    assert!(!page.contains("WORDS"), "{page}");
}
