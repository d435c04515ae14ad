//! Links: every address that an answer names is answered, too.

use std::collections::BTreeSet;

use serde_json::Value;
use url::Url;

use crate::client::{Request, Response, Server};

/// Addresses from which a service can be found, below its prefix. Some are not there, and say where to look instead.
const STARTS: [&str; 14] = [
    "",
    "/",
    "/rpc",
    "/rpc/a/b",
    "/rpc/nobody",
    "/rpc/rpc.describe",
    "/rpc/rpc.discover",
    "/docs",
    "/docs/nothing",
    "/llms.txt",
    "/openapi.json",
    "/health",
    "/.well-known/api-catalog",
    "/elsewhere",
];

/// Returns the texts between two others.
fn between<'t>(text: &'t str, before: &str, after: &str) -> Vec<&'t str> {
    text.split(before)
        .skip(1)
        .filter_map(|rest| Some(rest.split_once(after)?.0))
        .collect()
}

/// Returns the values of all members with these names.
fn members<'v>(value: &'v Value, names: &[&str], found: &mut Vec<&'v str>) {
    match value {
        Value::Object(members_of_object) => {
            for (name, member) in members_of_object {
                if names.contains(&&**name) {
                    found.extend(member.as_str());
                }
                members(member, names, found);
            }
        }
        Value::Array(elements) => {
            for element in elements {
                members(element, names, found);
            }
        }
        _ => {}
    }
}

/// Returns the links of an answer as they are written.
fn links(response: &Response) -> Vec<String> {
    let mut links: Vec<&str> = response.header("location").into_iter().collect();
    links.extend(between(
        response.header("link").unwrap_or_default(),
        "<",
        ">",
    ));
    let json: Value;
    match response.header("content-type").unwrap_or_default() {
        html if html.starts_with("text/html") => {
            for attribute in ["href=\"", "src=\"", "action=\"", "data-url=\""] {
                links.extend(between(response.text(), attribute, "\""));
            }
        }
        text if text.starts_with("text/plain") || text.starts_with("text/markdown") => {
            links.extend(between(response.text(), "](", ")"));
            for word in response.text().split([' ', '\n', ',']) {
                if word.starts_with('/') && word.len() > 1 {
                    links.push(word);
                }
            }
        }
        kind if kind.contains("json") => {
            json = response.json();
            match json["paths"].as_object() {
                Some(paths) => links.extend(paths.keys().map(String::as_str)),
                None => members(
                    &json,
                    &["href", "anchor", "url", "address", "help"],
                    &mut links,
                ),
            }
        }
        _ => {}
    }
    links.into_iter().map(str::to_owned).collect()
}

/// Follows every link from the addresses of a service below a prefix. OpenAPI documents name the prefix only if the
/// routes know it before any request.
#[track_caller]
pub(crate) fn assert_links_are_answered(server: &Server, prefix: &str, is_known: bool) {
    let root = Url::parse("http://localhost").expect("a URL");
    let resolve = |base: &Url, link: &str| {
        base.join(link)
            .unwrap_or_else(|error| panic!("{link} in {base}: {error}"))
    };
    let starts: BTreeSet<Url> = STARTS
        .iter()
        .map(|start| resolve(&root, &format!("{prefix}{start}")))
        .collect();
    let mut pending: Vec<(Url, String)> = starts
        .iter()
        .map(|start| (start.clone(), "the test".to_owned()))
        .collect();
    let mut seen = starts.clone();
    while let Some((url, from)) = pending.pop() {
        for accept in ["*/*", "text/html", "text/markdown"] {
            let target = &url[url::Position::BeforePath..];
            let request = Request::new("GET", target).header("Accept", accept);
            let response = server.send(&request);
            let is_answered = response.status != 404 || starts.contains(&url);
            assert!(is_answered, "{url} in {from}");
            let is_openapi = url.path().ends_with("/openapi.json");
            for link in links(&response) {
                if is_openapi && !is_known {
                    continue;
                }
                let mut link = resolve(&url, &link);
                link.set_fragment(None);
                let is_own = link.origin() == root.origin();
                if is_own && seen.insert(link.clone()) {
                    assert!(
                        link.path().starts_with(prefix),
                        "{link} in {url}: {:?}",
                        links(&response)
                    );
                    pending.push((link, url.to_string()));
                }
            }
        }
    }
    assert!(seen.len() > 40, "{} addresses", seen.len());
}
