//! Each member of the format of descriptions is on a page, or listed as left out.

use std::collections::{BTreeMap, BTreeSet};

use docent_describe::json::{Json, Pointer};
use docent_docs_gen::{Catalogue, Site};
use docent_tools::read::read;

use crate::member_samples::{MemberSample, assert_left_out, member_samples};

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

/// Returns the site of a description, if it can be read. Services of a catalogue share their templates, which take long
/// to compile.
fn site_of_description(catalogue: &mut Catalogue, description: &Json) -> Option<Site> {
    let read = read(description.to_string().as_bytes()).ok()?;
    catalogue.add(Site::builder(read.description), &[]).ok()
}

/// Returns a page as HTML and as Markdown, without the name of its folder.
fn page_forms(site: Option<&Site>, page: &str) -> [Option<String>; 2] {
    ["html", "md"].map(|extension| {
        let (folder, _) = site?.paths().next()?.split_once('/')?;
        let page = site?.page(&format!("{folder}/{page}.{extension}"))?;
        let text = String::from_utf8(page.bytes).expect("a text");
        Some(text.replace(folder, ""))
    })
}

#[test]
fn each_member_is_on_a_page() {
    let mut catalogue = Catalogue::builder().catalogue().expect("a catalogue");
    let mut shown: BTreeMap<String, [bool; 2]> = BTreeMap::new();
    let mut example = Json::Null;
    let mut site = None;
    let mut tried = BTreeSet::new();
    for sample in member_samples() {
        if sample.with != example {
            example = sample.with.clone();
            // The first folder has the service's own name, which is in texts too; further ones end in a hash.
            site_of_description(&mut catalogue, &example);
            site = site_of_description(&mut catalogue, &example);
            tried.clear();
        }
        let found = shown.entry(sample.name.clone()).or_default();
        let page = page_of_member(&sample);
        // A site takes long, so each page is asked once for a member.
        if *found == [true; 2] || !tried.insert((sample.name.clone(), page.clone())) {
            continue;
        }
        let with = page_forms(site.as_ref(), &page);
        let other = site_of_description(&mut catalogue, &sample.without());
        let without = page_forms(other.as_ref(), &page);
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
