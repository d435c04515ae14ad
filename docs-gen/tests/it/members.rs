//! Each member of the format of descriptions is on a page, or listed as left out.

use std::collections::{BTreeMap, BTreeSet};

use docent_describe::json::{Json, Pointer};
use docent_docs_gen::Site;
use docent_tools::read::read;

use crate::member_samples::{MemberSample, assert_left_out, member_samples};
use crate::pages::site;

/// The members and whole objects that no page shows. Types are those of the schemas, and Markdown shows tags if there
/// are others.
const NOT_ON_PAGES: [&str; 5] = [
    "parameter.type",
    "procedure.cache",
    "procedure.tags",
    "procedure.unchecked",
    "return.type",
];

/// Returns the page that shows a member, without its extension: that of its procedure, or the overview.
fn page_of_member(sample: &MemberSample) -> String {
    let tokens: Vec<String> = sample.pointer.tokens().collect();
    match &tokens[..] {
        [procs, index, ..] if procs == "procs" => {
            let name = Pointer::resolve(&format!("/procs/{index}/name"), &sample.with);
            name.and_then(Json::as_str).expect("a name").to_owned()
        }
        _ => "index".to_owned(),
    }
}

/// Returns the site of a description, if it can be read.
fn site_of_description(description: &Json) -> Option<Site> {
    let read = read(description.to_string().as_bytes()).ok()?;
    Some(site(read.description))
}

/// Returns a page as HTML and as Markdown.
fn page_forms(site: Option<&Site>, page: &str) -> [Option<Vec<u8>>; 2] {
    ["html", "md"].map(|extension| {
        let page = site?.page(&format!("{page}.{extension}"))?;
        Some(page.bytes)
    })
}

#[test]
fn each_member_is_on_a_page() {
    let mut shown: BTreeMap<String, [bool; 2]> = BTreeMap::new();
    let mut example = Json::Null;
    let mut site = None;
    let mut tried = BTreeSet::new();
    for sample in member_samples() {
        if sample.with != example {
            example = sample.with.clone();
            site = site_of_description(&example);
            tried.clear();
        }
        let found = shown.entry(sample.name.clone()).or_default();
        let page = page_of_member(&sample);
        // A site takes long, so each page is asked once for a member.
        if *found == [true; 2] || !tried.insert((sample.name.clone(), page.clone())) {
            continue;
        }
        let with = page_forms(site.as_ref(), &page);
        let without = page_forms(site_of_description(&sample.without()).as_ref(), &page);
        for (index, is_shown) in found.iter_mut().enumerate() {
            *is_shown |= with[index] != without[index];
        }
    }
    let hidden = shown.iter().filter(|(_, forms)| **forms != [true; 2]);
    assert_left_out(
        "a page (docs-gen/src/view/ and both templates, as procedure.hbs and markdown/procedure.hbs)",
        hidden.map(|(member, _)| &**member),
        &NOT_ON_PAGES,
    );
}
