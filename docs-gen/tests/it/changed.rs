//! The changes of a version, on its page of changes and where they stand.

use std::sync::atomic::{AtomicUsize, Ordering};

use docent_describe::{
    ErrorDescription, ParamDescription, ProcedureDescription, ServiceDescription,
};
use docent_docs_gen::{Site, SiteBuilder, VersionChanges};

use crate::library::json;
use crate::pages::{check, check_parts, text};
use crate::releases::{compared, version};

/// Changes texts of authors: of a procedure, a parameter, an error, a result, and a field of a type.
fn reworded() -> ServiceDescription {
    let mut service = version("2");
    let find = &mut service.procs[0];
    find.description = Some(
        "Words are compared without regard to case and accents. A book is found when *some* word is in it."
            .to_owned(),
    );
    find.params[0].description = Some("Words, <img src=x onerror=alert(1)>.".to_owned());
    find.errors[0].description = None;
    let returns = find.returns.as_mut().expect("a result");
    returns.description = Some(format!("{}.", "Many books. ".repeat(2000)));
    let book = service.components.schemas.get_mut("Book").expect("a type");
    let written = book
        .to_string()
        .replace("\"title\":{", "\"title\":{\"title\":\"The name\",");
    *book = json(&written);
    service
}

#[test]
fn a_change_of_documentation_shows_the_texts_before_and_after() {
    let site = compared(Site::builder(version("1")).and(reworded()));
    let site = site.build().expect("a site");
    check(&site);
    let page = text(&site, "Library-2/changes/index.html");
    check_parts(
        &page,
        &[
            // Of a long text, the sentence that differs.
            "<dt>Description, before</dt><dd dir=\"auto\"><del>… A book is found when *every* word is in its title.</del>",
            "<dt>Description, now</dt><dd dir=\"auto\"><ins>… A book is found when *some* word is in it.</ins>",
            "<del>What to look for, separated by spaces.</del>",
            "<ins>Words, &lt;img src=x onerror=alert(1)&gt;.</ins>",
            "<del>The shelf was closed or never existed.</del>",
            "<dt>Title, now</dt><dd dir=\"auto\"><ins>The name</ins>",
        ],
    );
    // A text that is gone has nothing after it, and a long one is cut.
    assert_eq!(page.matches("<del>").count(), 4, "{page}");
    assert_eq!(page.matches("<ins>").count(), 4, "{page}");
    assert!(page.contains("Many books. Many…</ins>") || page.contains("…</ins>"));
    assert!(page.len() < 20_000, "{}", page.len());
    let markdown = text(&site, "Library-2/changes/index.md");
    check_parts(
        &markdown,
        &[
            "  - Description, before: What to look for, separated by spaces.\n",
            "  - Description, now: Words, \\<img src=x onerror=alert(1)>.\n",
        ],
    );
    let german = compared(Site::builder(version("1")).and(reworded())).language("de", false);
    let page = text(
        &german.build().expect("a site"),
        "Library-2/changes/index.html",
    );
    check_parts(
        &page,
        &[
            "<dt>Beschreibung, bisher</dt>",
            "<dt>Beschreibung, jetzt</dt>",
        ],
    );
}

#[test]
fn what_only_became_longer_is_shown_from_its_last_sentence_on() {
    let mut old = version("1");
    old.summary = Some("Lends books. Keeps them.".to_owned());
    let mut new = version("2");
    new.summary = Some("Lends books. Keeps them. Reads them.".to_owned());
    let site = compared(Site::builder(old).and(new))
        .build()
        .expect("a site");
    let page = text(&site, "Library-2/changes/index.html");
    check_parts(
        &page,
        &[
            "<dt>Summary, before</dt><dd dir=\"auto\"><del>… Keeps them.</del>",
            "<dt>Summary, now</dt><dd dir=\"auto\"><ins>… Keeps them. Reads them.</ins>",
        ],
    );
}

/// Three versions. The second adds a parameter, a field of a parameter, an error and a field of a type; the third lowers a
/// maximum, rewrites a text of an error, and begins with another procedure, so that all others have another position.
fn marked() -> SiteBuilder {
    let mut old = version("1.0");
    let filter = r#"{"type": "object", "properties": {"a": {"type": "string"}}}"#;
    old.procs[0]
        .params
        .push(ParamDescription::new("filter", json(filter)));
    let mut middle = old.clone();
    middle.version = Some("1.1".to_owned());
    let find = &mut middle.procs[0];
    let filter = find.params.last_mut().expect("a parameter");
    filter.schema = json(
        r#"{"type": "object", "required": ["b"],
            "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}"#,
    );
    find.params.push(ParamDescription::new(
        "shelf",
        json(r#"{"type": "string"}"#),
    ));
    find.errors
        .push(ErrorDescription::new(1409, "Shelf is locked"));
    let book = middle.components.schemas.get_mut("Book").expect("a type");
    *book = json(&book.to_string().replace(
        "\"properties\":{",
        "\"properties\":{\"spine\":{\"type\":\"string\"},",
    ));
    let mut new = middle.clone();
    new.version = Some("2.0".to_owned());
    let find = &mut new.procs[0];
    find.params[1].schema =
        json(r#"{"type": "integer", "minimum": 1, "maximum": 50, "default": 20}"#);
    find.errors[0].description = Some("The shelf was closed.".to_owned());
    new.procs.insert(0, ProcedureDescription::new("a.first"));
    compared(Site::builder(old).and(middle).and(new))
}

/// Returns the row of a value, up to its texts.
fn row<'p>(page: &'p str, anchor: &str) -> &'p str {
    let (_, row) = page
        .split_once(&format!("<li id=\"{anchor}\">"))
        .expect("a row");
    row.split_once("</div>").expect("its end").0
}

/// Returns the mark of what version 1.1 has added.
fn added(anchor: &str) -> String {
    format!(
        "<a class=\"mark since\" href=\"../Library-1.1/changes/index.html#{anchor}\" title=\"Added in version 1.1.\">since 1.1</a>"
    )
}

/// Returns the mark of what version 2.0 has changed.
fn altered(anchor: &str) -> String {
    format!(
        "<a class=\"mark changed\" href=\"../Library-2.0/changes/index.html#{anchor}\" title=\"Changed in version 2.0.\">changed in 2.0</a>"
    )
}

#[test]
fn what_a_version_added_or_changed_is_marked_where_it_stands() {
    let site = marked().build().expect("a site");
    check(&site);
    let page = text(&site, "Library-2.0/book.find.html");
    for (anchor, mark) in [
        ("param.shelf", added("param-added.book.find.shelf")),
        (
            "param.filter.b",
            added("param-narrowed.book.find.filter.properties.b"),
        ),
        ("param.limit", altered("param-narrowed.book.find.limit")),
        (
            "return.spine",
            added("return-member-added.Book.properties.spine"),
        ),
    ] {
        assert!(
            row(&page, anchor).contains(&mark),
            "{mark}: {}",
            row(&page, anchor)
        );
    }
    for anchor in [
        "param.words",
        "param.filter",
        "param.filter.a",
        "return",
        "return.isbn",
    ] {
        assert!(
            !row(&page, anchor).contains("mark "),
            "{}",
            row(&page, anchor)
        );
    }
    check_parts(
        &page,
        &[
            &format!(
                "Shelf is locked {}",
                added("error-added.book.find.error.1409")
            ),
            &format!(
                "No such shelf {}",
                altered("words-changed.book.find.error.1404")
            ),
        ],
    );
    // A type's field is marked on its page, too, and what is marked is listed.
    let page = text(&site, "Library-2.0/types/Book.html");
    assert!(
        row(&page, "field.spine").contains(">since 1.1</a>"),
        "{page}"
    );
    let changes = text(&site, "Library-1.1/changes/index.html");
    assert!(
        changes.contains("<li id=\"param-added.book.find.shelf\">"),
        "{changes}"
    );
    let markdown = text(&site, "Library-2.0/book.find.md");
    check_parts(
        &markdown,
        &[
            "`shelf`: string, since 1.1.",
            "since 1.1: Added in version 1.1.",
        ],
    );
    let german = marked().language("de", false).build().expect("a site");
    let page = text(&german, "Library-2.0/book.find.html");
    check_parts(&page, &[">seit 1.1</a>", ">geändert in 2.0</a>"]);
}

#[test]
fn a_page_marks_nothing_of_later_versions_and_nothing_that_always_was() {
    let site = marked().build().expect("a site");
    let middle = text(&site, "Library-1.1/book.find.html");
    assert!(row(&middle, "param.shelf").contains(">since 1.1</a>"));
    assert!(!middle.contains("changed in"), "{middle}");
    let without_comparison = Site::builder(version("1")).and(reworded()).build();
    for (site, folder) in [
        (site, "Library-1.0"),
        (without_comparison.expect("a site"), "Library-2"),
    ] {
        for page in [
            format!("{folder}/book.find.html"),
            format!("{folder}/types/Book.html"),
        ] {
            let page = text(&site, &page);
            assert!(
                !page.contains("mark since") && !page.contains("mark changed"),
                "{page}"
            );
        }
    }
}

#[test]
fn of_several_changes_of_a_value_the_newest_is_marked() {
    let mut newest = version("3.0");
    newest.procs[0].params[1].schema =
        json(r#"{"type": "integer", "minimum": 1, "maximum": 40, "default": 20}"#);
    let site = marked().and(newest).build().expect("a site");
    check(&site);
    let page = text(&site, "Library-3.0/book.find.html");
    assert!(
        row(&page, "param.limit").contains(">changed in 3.0</a>"),
        "{page}"
    );
    // A removed member is a change of its type.
    let page = text(&site, "Library-3.0/types/Book.html");
    assert!(page.contains("</h1>\n<a class=\"mark changed\""), "{page}");
}

#[test]
fn marks_lead_to_changes_in_the_single_file() {
    let site = marked().build().expect("a site");
    let single = String::from_utf8(site.single_file()).expect("UTF-8");
    let anchor = "/Library-1.1/changes/index:param-added.book.find.shelf";
    check_parts(
        &single,
        &[
            &format!("href=\"#{anchor}\""),
            &format!("<li id=\"{anchor}\">"),
        ],
    );
}

/// The number of comparisons that [`counted`] has made.
static COMPARISONS: AtomicUsize = AtomicUsize::new(0);

/// Counts a comparison in which nothing has changed.
fn counted(
    _: &ServiceDescription,
    _: &ServiceDescription,
    _: &dyn Fn(&str) -> Option<String>,
) -> VersionChanges {
    COMPARISONS.fetch_add(1, Ordering::Relaxed);
    VersionChanges::default()
}

#[test]
fn two_versions_are_compared_once_for_all_pages() {
    let site = marked().changes(counted).build().expect("a site");
    assert!(site.pages().count() > 30);
    site.single_file();
    assert_eq!(COMPARISONS.load(Ordering::Relaxed), 2);
}
