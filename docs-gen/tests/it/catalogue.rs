//! A catalogue that is built service by service.

use std::sync::Arc;

use docent_describe::Origin;
use docent_describe::json::Json;
use docent_docs_gen::{Catalogue, CatalogueUpdate, Site, SiteBuilder};

use crate::library::{json, library};
use crate::pages::{check_all, check_parts, text};
use crate::releases::{compared, version};

fn update(date: Option<&str>, before: Option<&str>, after: &str) -> CatalogueUpdate {
    CatalogueUpdate {
        date: date.map(str::to_owned),
        before: before.map(|before| Arc::new(version(before))),
        after: Arc::new(version(after)),
    }
}

/// The catalogue of [`town`] without options.
fn plain_town() -> (Site, Site, Site) {
    town(|builder| builder)
}

/// A library in three versions and a service of tools with a hostile name, and the front.
fn town(options: impl Fn(SiteBuilder) -> SiteBuilder) -> (Site, Site, Site) {
    let builder = options(compared(Catalogue::builder()));
    let mut catalogue = builder.catalogue().expect("fine options");
    let versions = Site::builder(version("1.9")).date("2026-01-01");
    let versions = versions.and(version("1.10")).date("2026-02-01");
    let updates = [
        update(Some("2026-01-01T10:00:00Z"), None, "1.9"),
        update(Some("2026-02-01T10:00:00Z"), Some("1.9"), "1.10"),
        update(None, Some("1.10"), "1.10"),
    ];
    let library = catalogue.add(versions, &updates).expect("a site");
    let mut hostile = self::library();
    "]]></title>&\u{1}\u{ffff}: \"'\n---\n# <script>".clone_into(&mut hostile.name);
    hostile.summary = Some("a: b\n- c # d".to_owned());
    hostile.origin = Origin::Mcp;
    let news = CatalogueUpdate {
        date: Some("2026-03-01T10:00:00Z".to_owned()),
        before: None,
        after: Arc::new(hostile.clone()),
    };
    let hostile = catalogue
        .add(Site::builder(hostile), &[news])
        .expect("a site");
    (library, hostile, catalogue.front(3).expect("a front"))
}

#[test]
fn every_link_between_the_parts_of_a_catalogue_leads_somewhere() {
    let guide = "# Start\n\nRead on.";
    let (library, hostile, front) = town(|builder| builder.guide("start.md", guide));
    check_all(&[&library, &hostile, &front]);
    // With a base URL, the page for what is missing has absolute links.
    let clean = |builder: SiteBuilder| builder.clean_addresses(true);
    let (library, hostile, front) = town(clean);
    check_all(&[&library, &hostile, &front]);
}

#[test]
fn the_newest_version_has_the_address_of_the_service() {
    let (library, _, front) = plain_town();
    let page = text(&library, "Library/index.html");
    check_parts(
        &page,
        &["data-index=\"Library/\"", "href=\"../index.html\""],
    );
    let older = text(&library, "Library/versions/1.9/book.find.html");
    check_parts(
        &older,
        &[
            "Older version",
            "../../../assets/",
            "data-index=\"Library/\"",
        ],
    );
    let changes = text(&library, "Library/changes/index.html");
    check_parts(&changes, &["Changes since 1.9", "2026-02-01"]);
    assert!(!library.paths().any(|path| path.starts_with("assets/")));
    assert!(text(&front, "index.html").contains("1.10"));
}

#[test]
fn the_page_of_changes_is_newest_first() {
    let (.., front) = plain_town();
    let page = text(&front, "changes.md");
    let places: Vec<_> = [
        "2026-03-01",
        "2026-02-01",
        "1.9 → 1.10",
        "2026-01-01",
        "3 older",
    ]
    .iter()
    .map(|part| page.find(part).unwrap_or_else(|| panic!("{part}: {page}")))
    .collect();
    assert!(places.is_sorted(), "{page}");
    // A change that changes nothing is none.
    assert!(!page.contains("Not committed"), "{page}");
    let html = text(&front, "changes.html");
    check_parts(
        &html,
        &["Library/changes/index.html", "href=\"changes.atom\""],
    );
    assert!(text(&front, "index.html").contains("application/atom+xml"));
}

#[test]
fn nothing_of_hidden_procedures_is_in_the_changes() {
    let with = |summary: &str| {
        let mut service = version("1.10");
        service.procs[0].tags = vec!["internal".to_owned()];
        service.procs[0].summary = Some(summary.to_owned());
        Arc::new(service)
    };
    let update = CatalogueUpdate {
        date: None,
        before: Some(with("One.")),
        after: with("Two."),
    };
    let builder = compared(Catalogue::builder()).hide_tag("internal");
    let mut catalogue = builder.catalogue().expect("fine options");
    let site = Site::builder(version("1.10"));
    catalogue.add(site, &[update]).expect("a site");
    let front = catalogue.front(0).expect("a front");
    assert!(!front.paths().any(|path| path == "changes.html"));
}

#[test]
fn programs_find_the_services_of_a_catalogue() {
    let (_, hostile, front) = town(|builder| builder.base_url("https://docs.a.example/x/"));
    let path = hostile.paths().next().expect("a page");
    let folder = path.split('/').next().expect("a folder");
    let catalog = json(&text(&front, ".well-known/api-catalog"));
    let linkset = catalog.get("linkset").and_then(Json::as_array);
    assert_eq!(linkset.map(<[_]>::len), Some(3));
    assert!(text(&front, "robots.txt").contains("https://docs.a.example/x/sitemap.xml"));
    let index = text(&front, "sitemap.xml");
    check_parts(&index, &["/x/Library/sitemap.xml", "/x/sitemap-front.xml"]);
    let map = text(&hostile, &format!("{folder}/sitemap.xml"));
    assert!(map.contains(&format!("/x/{folder}/book.find.html")));
}

#[test]
fn a_feed_keeps_its_ids_when_the_site_moves() {
    let ids = |feed: &str| -> Vec<String> {
        let ids = feed.split("<id>").skip(1);
        ids.map(|rest| rest.split('<').next().unwrap_or_default().to_owned())
            .collect()
    };
    let here = text(&plain_town().2, "changes.atom");
    let there = text(
        &town(|builder| builder.base_url("https://a.example/")).2,
        "changes.atom",
    );
    assert_eq!((ids(&here), ids(&here).len()), (ids(&there), 4));
    assert!(here.contains("href=\"Library/changes/index.html\""));
    assert!(there.contains("href=\"https://a.example/Library/changes/\""));
    check_parts(
        &here,
        &[
            "<updated>2026-03-01T10:00:00Z</updated>",
            "]]&gt;&lt;/title&gt;&amp;",
        ],
    );
    assert!(!here.contains(['\u{1}', '\u{ffff}']));
}

#[test]
fn the_index_of_all_services_has_no_parts() {
    let (library, _, front) = plain_town();
    let all = text(&front, "assets/index.js");
    check_parts(
        &all,
        &[
            "v\\tLibrary/index.html\\tLibrary",
            "p\\tLibrary/book.find.html\\tbook.find",
        ],
    );
    assert!(!all.contains("\\n\\t") && !all.contains("versions/"));
    let own = text(&library, "Library/assets/index.js");
    check_parts(&own, &["\\n\\t", "Library/versions/1.9/"]);
}

#[test]
fn a_card_says_which_service_it_is_and_when_it_last_changed() {
    let (.., front) = plain_town();
    let page = text(&front, "index.html");
    check_parts(
        &page,
        &[
            "<button class=\"find\" type=\"button\" hidden><span>Search names",
            "<li><h2 dir=\"auto\"><a href=\"Library/index.html\">Library</a></h2>\
             <p class=\"text\" dir=\"auto\">Finds and lends the books of the town’s libraries.</p>\
             <p class=\"fact\"><span class=\"version\">1.10</span> <span class=\"count\">",
            " procedures</span> <span class=\"count\">changed 2026-02-01</span></p></li>",
        ],
    );
    // The day is told only of what has one.
    assert_eq!(page.matches("changed ").count(), 1, "{page}");
    let markdown = text(&front, "index.md");
    check_parts(&markdown, &["procedures, changed 2026-02-01: Finds and"]);
}
