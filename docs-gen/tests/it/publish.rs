//! Addresses, and what is said about them to others.

use std::collections::BTreeSet;

use docent_describe::ProcedureDescription;
use docent_docs_gen::Site;

use crate::html;
use crate::library::library;
use crate::pages::{asset_path, check_parts, join, text};

#[test]
fn pages_name_their_canonical_address_and_what_a_link_to_them_shows() {
    let site = Site::builder(library())
        .base_url("https://town.example/docs")
        .logo(*b"\x89PNG\r\n\x1a\n")
        .build()
        .expect("fine");
    let page = text(&site, "book.find.html");
    check_parts(
        &page,
        &[
            "<link rel=\"canonical\" href=\"https://town.example/docs/book.find.html\">",
            "<meta property=\"og:url\" content=\"https://town.example/docs/book.find.html\">",
            "<meta property=\"og:title\" content=\"book.find · Library\">",
            "<meta property=\"og:image\" content=\"https://town.example/docs/assets/logo-",
        ],
    );
    assert!(text(&site, "index.html").contains("canonical\" href=\"https://town.example/docs/\""));
    let sitemap = text(&site, "sitemap.xml");
    let pages = site
        .paths()
        .filter(|path| path.ends_with(".html") && *path != "404.html");
    assert_eq!(sitemap.matches("<loc>").count(), pages.count());
    assert!(!sitemap.contains("lastmod") && !sitemap.contains("/404.html"));
    assert!(text(&site, "robots.txt").contains("Sitemap: https://town.example/docs/sitemap.xml"));
    let missing = text(&site, "404.html");
    assert!(missing.contains("content=\"noindex\"") && missing.contains("src=\"/docs/assets/"));

    let nowhere = Site::builder(library()).build().expect("fine");
    assert!(nowhere.page("sitemap.xml").is_none() && nowhere.page("robots.txt").is_none());
    assert!(!text(&nowhere, "index.html").contains("canonical"));
}

#[test]
fn every_link_between_clean_addresses_leads_to_a_page() {
    let mut second = library();
    second.name = "Second".to_owned();
    // Names that could be those of other files.
    for name in [
        "llms.txt",
        "llms-full.txt",
        "book.find.md",
        "x.html",
        "404",
        "index",
        "types",
    ] {
        let procedure = ProcedureDescription::new(name);
        second.procs.push(procedure);
    }
    for site in [
        Site::builder(library()).live(true).build(),
        Site::builder(second.clone()).live(true).build(),
        Site::builder(library())
            .and(second)
            .clean_addresses(true)
            .build(),
    ] {
        let site = site.expect("fine");
        let mut addresses = BTreeSet::new();
        for page in site
            .pages()
            .filter(|page| page.path.ends_with(".html") && page.path != "404.html")
        {
            let html = String::from_utf8(page.bytes).expect("UTF-8");
            let address = page.path.strip_suffix(".html").expect("a page");
            let address = address
                .strip_suffix("index")
                .filter(|folder| folder.is_empty() || folder.ends_with('/'))
                .unwrap_or(address);
            assert!(addresses.insert(address.to_owned()), "{address}");
            assert_eq!(
                site.page(address).map(|page| page.path),
                Some(page.path.clone())
            );
            for tag in html::tags(&html) {
                let link = tag.attributes.get("href").or(tag.attributes.get("src"));
                let Some(link) = link.filter(|link| !link.contains(':')) else {
                    continue;
                };
                let link = link.split('#').next().unwrap_or_default();
                assert!(!link.ends_with(".html"), "{}: {link}", page.path);
                if !link.is_empty() {
                    let target = join(address, link);
                    assert!(
                        site.page(&target).is_some(),
                        "{}: {link} is {target}",
                        page.path
                    );
                    assert_eq!(site.redirect(&target), None, "{}: {link}", page.path);
                }
            }
        }
    }
    let live = Site::builder(library()).live(true).build().expect("fine");
    assert_eq!(live.redirect("types/Book.html").as_deref(), Some("Book"));
    assert_eq!(live.redirect("index.html").as_deref(), Some("./"));
    assert_eq!(live.redirect("nothing.html"), None);
    assert_eq!(live.page_of("book.find").as_deref(), Some("book.find"));
}

#[test]
fn names_of_assets_change_with_their_content() {
    let plain = Site::builder(library()).build().expect("fine");
    let coloured = Site::builder(library())
        .colour("accent", "#000080")
        .build()
        .expect("fine");
    assert_ne!(
        asset_path(&plain, "style.css"),
        asset_path(&coloured, "style.css")
    );
    assert_eq!(
        asset_path(&plain, "theme.js"),
        asset_path(&coloured, "theme.js")
    );
    for path in plain.paths() {
        let is_kept = path.starts_with("assets/") && path != "assets/index.js";
        assert_eq!(plain.is_immutable(path), is_kept, "{path}");
    }
}
