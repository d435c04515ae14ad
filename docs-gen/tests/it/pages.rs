//! Helpers for tests: the files of a site, and the properties that every page has.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use docent_describe::ServiceDescription;
use docent_docs_gen::Site;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::html;
use crate::library::library;

pub(crate) fn site(description: ServiceDescription) -> Site {
    Site::builder(description)
        .build()
        .expect("a description alone is never a problem")
}

pub(crate) fn text(site: &Site, path: &str) -> String {
    String::from_utf8(
        site.page(path)
            .unwrap_or_else(|| panic!("{path} exists"))
            .bytes,
    )
    .expect("UTF-8")
}

/// Returns the path of a style sheet or script, by its name without what marks its content.
pub(crate) fn asset_path(site: &Site, name: &str) -> String {
    let (stem, extension) = name.rsplit_once('.').expect("an extension");
    let is_it = |path: &&str| {
        path.strip_prefix(&*format!("assets/{stem}-"))
            .is_some_and(|rest| rest.len() == 9 + extension.len() && rest.ends_with(extension))
    };
    site.paths().find(is_it).expect("an asset").to_owned()
}

pub(crate) fn asset(site: &Site, name: &str) -> String {
    text(site, &asset_path(site, name))
}

/// Checks that a page has each of these parts.
#[track_caller]
pub(crate) fn check_parts(page: &str, parts: &[&str]) {
    for part in parts {
        assert!(page.contains(part), "{part}: {page}");
    }
}

/// Checks every page of a site: well formed, no duplicate id, no link that leads nowhere, nothing
/// from another host, no inline script, style or handler.
pub(crate) fn check(site: &Site) {
    check_all(&[site]);
}

/// Checks the pages of sites that are written into one folder.
pub(crate) fn check_all(sites: &[&Site]) {
    let paths: BTreeSet<&str> = sites.iter().flat_map(|site| site.paths()).collect();
    let all = sites.iter().map(|site| site.paths().len()).sum::<usize>();
    assert_eq!(paths.len(), all, "no file is written twice");
    let mut pages = BTreeMap::new();
    for page in sites.iter().flat_map(|site| site.pages()) {
        if !page.path.ends_with(".html") {
            continue;
        }
        let html = String::from_utf8(page.bytes).expect("UTF-8");
        assert!(
            !html.contains("template ") || !html.contains("Error rendering"),
            "{}: {html}",
            page.path
        );
        let tags = html::tags(&html);
        let ids = html::ids(&tags);
        pages.insert(page.path, (tags, ids));
    }
    for (path, (tags, _)) in &pages {
        for tag in tags {
            check_tag(path, tag);
            for key in ["href", "src"] {
                if let Some(link) = tag.attributes.get(key) {
                    check_link(path, tag, link, &paths, &pages);
                }
            }
            for key in ["for", "aria-labelledby", "aria-controls", "popovertarget"] {
                if let Some(id) = tag.attributes.get(key) {
                    assert!(
                        pages[path].1.contains(id),
                        "{path}: {key} {id:?} leads nowhere"
                    );
                }
            }
        }
    }
}

fn check_tag(path: &str, tag: &html::Tag) {
    assert!(!tag.attributes.contains_key("style"), "{path}: {tag:?}");
    assert!(
        !tag.attributes.keys().any(|key| key.starts_with("on")),
        "{path}: {tag:?}"
    );
    let known = [
        "html",
        "head",
        "meta",
        "title",
        "link",
        "script",
        "body",
        "a",
        "header",
        "button",
        "span",
        "kbd",
        "div",
        "nav",
        "ul",
        "ol",
        "li",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "code",
        "pre",
        "main",
        "article",
        "section",
        "p",
        "b",
        "strong",
        "em",
        "del",
        "ins",
        "blockquote",
        "br",
        "wbr",
        "hr",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "dl",
        "dt",
        "dd",
        "details",
        "summary",
        "footer",
        "dialog",
        "form",
        "fieldset",
        "legend",
        "label",
        "input",
        "select",
        "option",
        "textarea",
    ];
    let class = tag.attributes.get("class").map(String::as_str);
    let is_logo = tag.name == "img" && class == Some("logo");
    assert!(
        is_logo || known.contains(&tag.name.as_str()),
        "{path}: {tag:?}"
    );
    if tag.name == "script" {
        assert!(tag.attributes.contains_key("src"), "{path}: inline script");
    }
}

fn check_link(
    path: &str,
    tag: &html::Tag,
    link: &str,
    paths: &BTreeSet<&str>,
    pages: &BTreeMap<String, (Vec<html::Tag>, BTreeSet<String>)>,
) {
    if link.starts_with("https://") || link.starts_with("http://") || link.starts_with("mailto:") {
        let is_said = tag
            .attributes
            .get("rel")
            .is_some_and(|rel| rel == "canonical");
        assert!(tag.name == "a" || is_said, "{path}: {link} is fetched");
        return;
    }
    assert!(
        !link.contains(':') && !link.starts_with('/'),
        "{path}: {link:?} is not relative"
    );
    let (file, fragment) = link.split_once('#').unwrap_or((link, ""));
    let target = if file.is_empty() {
        path.to_owned()
    } else {
        join(path, file)
    };
    // On a live site, addresses leave out what a server fills in.
    let ends = ["", ".html", "index.html"];
    let target = ends.iter().map(|end| format!("{target}{end}"));
    let target = { target }.find(|target| paths.contains(target.as_str()));
    let target = target.unwrap_or_else(|| panic!("{path}: {link:?} leads nowhere"));
    if !fragment.is_empty() {
        assert!(
            pages[&target].1.contains(fragment),
            "{path}: {link:?} leads to no anchor"
        );
    }
}

/// Returns where a relative link leads from a page.
pub(crate) fn join(from: &str, to: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in to.split('/') {
        if part == ".." {
            parts.pop().expect("a link stays inside the site");
        } else if part != "." {
            parts.push(part);
        }
    }
    parts.join("/")
}

pub(crate) fn gzip(bytes: &[u8]) -> usize {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("in memory");
    encoder.finish().expect("in memory").len()
}

/// A service with `count` procedures, each a little different.
pub(crate) fn many(count: usize) -> ServiceDescription {
    let mut service = library();
    let pattern = service.procs.clone();
    service.procs = (0..count)
        .map(|at| {
            let one = &pattern[at % pattern.len()];
            let mut procedure = one.clone();
            procedure.name = format!("area{}.{}{at}", at % 40, one.name.replace('.', "_"));
            procedure
        })
        .collect();
    service
}
