//! What a version changed, on its page of changes and where it stands.

use docent_describe::ServiceDescription;
use docent_docs_gen::Site;

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
