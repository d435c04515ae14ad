//! The search index: a line for each page, followed by lines for its parts.
//!
//! It is a single string, so that no name in a description becomes a member's name in the reader's
//! browser. The browser splits it on first use. The fields of a line are separated by tabs:
//!
//! - a page: kind, address relative to the site's root, name, summary, service, further words;
//! - a part of the page above: nothing, anchor, name, further words.

mod found;

use docent_describe::json::{push_quoted, shorten};

use crate::links::{Links, Medium};
use crate::plan::PageTarget;
use crate::service::SiteService;
use crate::site::Site;
use crate::text;
use found::words;
pub(crate) use found::{SearchEntry, SearchKind, each};

/// The most characters of a summary that are searched and shown.
const SUMMARY: usize = 120;

/// The most characters of any other field that are searched.
const LONGEST: usize = 2000;

/// Returns the lines of all services.
pub(crate) fn index(site: &Site, medium: Medium) -> String {
    let mut out = String::new();
    for service in site.ordered() {
        add(&mut out, site, service, medium);
    }
    for (at, guide) in site.guides.iter().enumerate() {
        let links = Links::new(&site.lead().plan, medium, None);
        let href = links.to(PageTarget::Guide(at));
        let words = words([&*guide.source]);
        line(&mut out, &["d", &href, &guide.title, "", "", &words]);
        for heading in &guide.headings {
            line(&mut out, &["", &heading.anchor(), &heading.text, ""]);
        }
    }
    out
}

fn add(out: &mut String, site: &Site, service: &SiteService, medium: Medium) {
    let label = if site.is_catalogue() {
        service.label.as_str()
    } else {
        ""
    };
    let links = Links::new(&service.plan, medium, None);
    each(service, &site.strings, &mut |found| {
        let SearchEntry {
            kind,
            target,
            anchor,
            name,
            summary,
            words,
        } = found;
        if kind == SearchKind::Part {
            line(out, &["", &anchor.unwrap_or_default(), &name, &words]);
        } else {
            let href = match anchor {
                Some(anchor) => links.to_anchor(target, &anchor),
                None => links.to(target),
            };
            let summary = shorten(summary, SUMMARY);
            line(out, &[kind.letter(), &href, &name, &summary, label, &words]);
        }
    });
}

fn line(lines: &mut String, fields: &[&str]) {
    for (at, field) in fields.iter().enumerate() {
        if at > 0 {
            lines.push('\t');
        }
        lines.push_str(&shorten(&text::one_line(field), LONGEST));
    }
    lines.push('\n');
}

/// Returns the script that loads the index. A page opened from a folder cannot fetch files, but it
/// can load scripts.
pub(crate) fn script(index: &str) -> String {
    format!("docentIndex({});\n", literal(index))
}

/// Returns the index as a JSON string that is safe inside a script.
pub(crate) fn literal(index: &str) -> String {
    let mut literal = String::with_capacity(index.len() + index.len() / 16);
    push_quoted(&mut literal, index);
    text::script_data(&literal)
}
