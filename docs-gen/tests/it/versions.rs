//! Several versions of one service in one site.

use docent_describe::{ProcedureDescription, ServiceDescription};
use docent_docs_gen::Site;
use docent_tools::read::read;

use crate::html;
use crate::library::{json, library};
use crate::pages::{check, check_parts, many, text};
use crate::releases::{compared, three, version};

/// The switch of a page.
fn switch(page: &str) -> &str {
    let (_, rest) = page.split_once("class=\"versions\"").expect("a switch");
    rest.split_once("</details>").expect("its end").0
}

#[test]
fn every_page_leads_to_the_same_page_of_other_versions() {
    let site = three().build().expect("a site");
    check(&site);
    let page = text(&site, "Library-1.9/book.find.html");
    check_parts(
        switch(&page),
        &[
            "Version 1.9</summary>",
            "<strong>1.9</strong> <span class=\"count\">older version</span>",
            "<a href=\"../Library-1.10/book.find.html\">1.10 <span class=\"count\">older version</span></a>",
            "<a href=\"../Library-2.0/book.find.html\">2.0</a>",
        ],
    );
    let at = |version: &str| switch(&page).find(version).expect("listed");
    assert!(at(">2.0<") < at(">1.10 ") && at(">1.10 ") < at(">1.9<"));
    assert!(page.contains("class=\"mark old\" href=\"../Library-2.0/book.find.html\""));
    // A page that another version lacks leads to its overview.
    let gone = text(&site, "Library-1.9/book.search.html");
    let lacks =
        "<a href=\"../Library-2.0/index.html\">2.0 <span class=\"count\">Overview</span></a>";
    assert!(switch(&gone).contains(lacks), "{gone}");
    for (path, link) in [
        ("types/Book.html", "../../Library-2.0/types/Book.html"),
        ("index.html", "../Library-2.0/index.html"),
        ("get.html", "../Library-2.0/get.html"),
    ] {
        let page = text(&site, &format!("Library-1.9/{path}"));
        assert!(
            switch(&page).contains(&format!("href=\"{link}\"")),
            "{path}"
        );
    }
    let live = three().live(true).build().expect("a site");
    check(&live);
    let page = text(&live, "Library-1.9/types/Book");
    assert!(
        switch(&page).contains("href=\"../../Library-2.0/types/Book\""),
        "{page}"
    );
}

#[test]
fn the_page_of_errors_leads_to_that_of_another_version_also_where_a_procedure_has_its_name() {
    let mut new = version("1.10");
    new.procs.push(ProcedureDescription::new("errors"));
    let site = Site::builder(version("1.9")).and(new);
    let site = site.build().expect("a site");
    check(&site);
    let moved = site
        .paths()
        .find(|path| path.starts_with("Library-1.10/errors-") && path.ends_with(".html"))
        .expect("a page of errors");
    let old = text(&site, "Library-1.9/errors.html");
    assert!(switch(&old).contains(&format!("href=\"../{moved}\"")));
    assert!(switch(&text(&site, moved)).contains("href=\"../Library-1.9/errors.html\""));
    let procedure = text(&site, "Library-1.10/errors.html");
    assert!(switch(&procedure).contains("href=\"../Library-1.9/index.html\""));
}

#[test]
fn a_procedure_says_which_version_has_added_it() {
    let mut old = version("1.9");
    old.procs
        .retain(|procedure| procedure.name != "book.search");
    let site = compared(Site::builder(version("1.10")).and(old).and(version("2.0")));
    let site = site.build().expect("a site");
    check(&site);
    let mark = |href: &str| {
        format!(
            "<a class=\"mark since\" href=\"{href}\" title=\"Added in version 1.10.\">since 1.10</a>"
        )
    };
    for (version, href) in [
        ("1.10", "../Library-1.10/index.html"),
        ("2.0", "../Library-1.10/index.html"),
    ] {
        let page = text(&site, &format!("Library-{version}/book.search.html"));
        assert!(page.contains(&mark(href)), "{page}");
    }
    let overview = text(&site, "Library-2.0/index.html");
    assert_eq!(overview.matches(">since 1.10<").count(), 1, "{overview}");
    let always = text(&site, "Library-2.0/book.find.html");
    assert!(!always.contains("mark since"), "{always}");
}

#[test]
fn a_site_of_versions_is_about_one_service() {
    let guide = "# Start\n\nCall `book.find`.\n";
    let site = three().guide("start.md", guide).build().expect("a site");
    check(&site);
    let front = text(&site, "index.html");
    check_parts(
        &front,
        &["<title>Library</title>", "3 versions, the newest first."],
    );
    // The title of the site names the service already.
    let page = text(&site, "Library-1.9/book.find.html");
    assert!(
        page.contains(">Library</a> <span class=\"version\">1.9</span>"),
        "{page}"
    );
    let at = |number: &str| front.find(&format!("Library-{number}/")).expect("listed");
    assert!(at("2.0") < at("1.10") && at("1.10") < at("1.9"));
    // Guides are about the newest.
    let guide = text(&site, "guide/start.html");
    assert!(
        guide.contains("href=\"../Library-2.0/book.find.html\""),
        "{guide}"
    );
    let search = text(&site, "assets/index.js");
    assert!(search.find("Library-2.0/") < search.find("Library-1.9/"));
    let llms = text(&site, "Library-1.10/llms.txt");
    check_parts(
        &llms,
        &[
            "- [Changes since 1.9](changes/index.md)",
            "- [Start](../guide/start.md)",
            "- [2.0](../Library-2.0/llms.txt)\n",
            "- [1.9](../Library-1.9/llms.txt) (older version)",
        ],
    );
    let markdown = text(&site, "Library-1.9/index.md");
    assert!(
        markdown.contains("Other versions: [2.0](../Library-2.0/index.md), [1.10]"),
        "{markdown}"
    );
}

#[test]
fn each_version_lists_what_changed_since_the_one_before() {
    let base = "https://example.com/docs/";
    let site = three().base_url(base).build().expect("a site");
    let page = text(&site, "Library-1.10/changes/index.html");
    check_parts(
        &page,
        &[
            "<h1 dir=\"auto\">Changes since 1.9</h1>",
            "<a href=\"../book.find.html\"><code>book.find</code></a> <strong>Required parameter added</strong> <code class=\"kind\">required-param-added</code>",
            "<a href=\"../../Library-1.9/book.search.html\"><code>book.search</code></a> <span class=\"count\">in 1.9</span> \
         <strong>Procedure removed</strong> <code class=\"kind\">procedure-removed</code>",
            "The procedure <code>book.search</code> is gone.",
        ],
    );
    assert!(page.find("id=\"breaking\"") < page.find("id=\"safe\""));
    let markdown = text(&site, "Library-1.10/changes/index.md");
    assert!(markdown.starts_with("# Changes since 1.9\n"), "{markdown}");
    assert!(
        markdown.contains("[book.search](../../Library-1.9/book.search.md) (in 1.9): "),
        "{markdown}"
    );
    assert!(
        markdown.contains(" is gone. (Procedure removed, `procedure-removed`)"),
        "{markdown}"
    );
    let words = text(&site, "Library-2.0/changes/index.html");
    assert!(
        words.contains("words-changed") && !words.contains("id=\"breaking\""),
        "{words}"
    );
    assert!(site.page("Library-1.9/changes/index.html").is_none());
    let overview = text(&site, "Library-1.10/index.html");
    assert!(overview.contains("<a href=\"changes/index.html\">Changes since 1.9</a>"));
    assert!(!text(&site, "Library-1.9/index.html").contains("Changes since"));
    let sitemap = text(&site, "sitemap.xml");
    assert!(
        sitemap.contains(&format!("{base}Library-2.0/changes/</loc>"))
            || sitemap.contains("Library-2.0/changes/<")
    );
    assert!(text(&site, "assets/index.js").contains("Library-2.0/changes/index.html"));
    let single = String::from_utf8(site.single_file()).expect("UTF-8");
    check_parts(
        &single,
        &[
            "id=\"/Library-1.10/changes/index\"",
            "href=\"#/Library-1.9/book.search\"><code>book.search</code></a> <span class=\"count\">in 1.9",
            "<dt>Other versions</dt><dd dir=\"auto\"><a href=\"#/Library-2.0/index\">2.0</a>",
        ],
    );
}

#[test]
fn changes_are_told_in_the_language_of_the_site() {
    let (mut old, mut new) = (version("1"), version("2"));
    let find = |service: &mut ServiceDescription, schema: &str| {
        let param = &mut service.procs[0].params[0];
        param.schema = json(schema);
        param.description = None;
    };
    find(
        &mut old,
        r#"{"type": ["string", "null"], "maxLength": 9, "minLength": 1}"#,
    );
    find(
        &mut new,
        r#"{"type": "string", "maxLength": 8, "pattern": "^`?x"}"#,
    );
    let site = compared(Site::builder(old).and(new)).language("de", false);
    let site = site.build().expect("a site");
    check(&site);
    let page = html::unescape(&html::without_tags(&text(
        &site,
        "Library-2/changes/index.html",
    )));
    let name = &library().procs[0].params[0].name;
    check_parts(
        &page,
        &[
            "Die Version ist 2, bisher 1.",
            &format!(
                "Der Parameter {name}: kann nicht mehr null sein; null wurde angenommen und wird jetzt abgelehnt."
            ),
            &format!("Der Parameter {name}: maxLength ist 8, war 9"),
            r#"pattern ist "^?x", war keine Angabe"#,
            "Parameter nimmt weniger an param-narrowed",
        ],
    );
    for english in ["The ", " is ", "accepted", "none"] {
        assert!(!page.contains(english), "{english}: {page}");
    }
}

#[test]
fn equal_versions_and_equal_descriptions_are_told_apart() {
    let site = compared(Site::builder(library()).and(library()))
        .build()
        .expect("a site");
    check(&site);
    let paths: Vec<&str> = site
        .paths()
        .filter(|path| path.ends_with("/changes/index.html"))
        .collect();
    let [changes] = paths[..] else {
        panic!("{paths:?}");
    };
    assert!(text(&site, changes).contains("Nothing has changed."));
    let folder = changes
        .trim_end_matches("changes/index.html")
        .trim_end_matches('/');
    let page = text(&site, "Library-1.4/book.find.html");
    assert!(
        switch(&page).contains("<strong>1.4 (Library-1.4)</strong>"),
        "{page}"
    );
    assert!(
        switch(&page).contains(&format!(">1.4 ({folder})</a>")),
        "{page}"
    );
    assert!(!page.contains("older version") && !page.contains("Older version"));
    // Without any version, addresses and folders tell.
    let mut nameless = library();
    nameless.version = None;
    check(
        &Site::builder(nameless.clone())
            .and(nameless)
            .and(library())
            .build()
            .expect("a site"),
    );
}

#[test]
fn descriptions_without_an_id_are_versions_by_their_name() {
    let document = |version: &str| {
        let text = format!(
            r#"{{"openrpc": "1.3.2", "info": {{"title": "Shop", "version": "{version}"}},
                "servers": [{{"url": "https://shop.example/rpc"}}], "methods": []}}"#
        );
        read(text.as_bytes()).expect("a description").description
    };
    let site = compared(Site::builder(document("2")).and(document("10")))
        .build()
        .expect("a site");
    check(&site);
    assert!(site.page("Shop-10/changes/").is_some() && site.page("Shop-2/changes/").is_none());
    // Two documents of one name and version may be of two services.
    let site = compared(Site::builder(document("2")).and(document("2")))
        .build()
        .expect("a site");
    assert!(!text(&site, "index.html").contains("versions"));
    assert!(!site.paths().any(|path| path.contains("changes")));
}

#[test]
fn many_versions_are_listed_in_part() {
    let mut builder = Site::builder(version("1.0"));
    for at in 1..80 {
        builder = builder.and(version(&format!("1.{at}")));
    }
    let site = builder.build().expect("a site");
    let page = text(&site, "Library-1.50/book.find.html");
    assert_eq!(switch(&page).matches("<li>").count(), 61);
    assert!(
        switch(&page).contains("<a href=\"../index.html\">All 80 versions</a>"),
        "{page}"
    );
    assert_eq!(
        text(&site, "Library-1.50/llms.txt")
            .matches("/llms.txt)")
            .count(),
        79
    );
}

#[test]
fn of_very_many_changes_the_first_are_listed() {
    let (mut old, mut new) = (many(2000), many(2000));
    (old.version, new.version) = (Some("1".to_owned()), Some("2".to_owned()));
    for procedure in &mut new.procs {
        procedure.name.push_str(".v2");
    }
    let site = compared(Site::builder(old).and(new))
        .build()
        .expect("a site");
    let page = text(&site, "Library-2/changes/index.html");
    assert!(page.contains("Breaking</a> <span class=\"count\">2000</span>"));
    assert_eq!(page.matches("procedure-removed</code>").count(), 300);
    // Beside those that are added, the version has changed.
    assert!(page.contains("… and 1700 more.") && page.contains("… and 1701 more."));
    assert!(page.len() < 250_000, "{}", page.len());
}

#[test]
fn nothing_in_a_change_becomes_markup() {
    let evil = "`<img src=x onerror=alert(1)>`](javascript:alert(1))\u{202e}";
    let mut old = version(&format!("1 {evil}"));
    old.procs.push(ProcedureDescription::new(evil));
    let schema = json(r#"{"type": "string"}"#);
    old.components.schemas.insert(evil.to_owned(), schema);
    let mut new = version("2");
    new.name = evil.to_owned();
    let site = compared(Site::builder(old).and(new))
        .build()
        .expect("a site");
    check(&site);
    for path in site.paths().filter(|path| path.contains("/changes/")) {
        let page = text(&site, path);
        let page = page.replace("\\<", "");
        assert!(
            !page.contains("<img") && !page.contains('\u{202e}'),
            "{page}"
        );
    }
}
