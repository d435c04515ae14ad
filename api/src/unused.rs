//! Public items that no other crate, guide or example names.
//!
//! Names are looked for as words in texts, so an item whose name something else has, too, is not found. A text that
//! only exports an item does not name it.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::names::words;

/// A file that may name public items.
pub(crate) struct Source {
    /// The path from the root of the repository.
    pub(crate) path: String,
    pub(crate) text: String,
}

/// Reads the sources and the guides of the repository.
pub(crate) fn sources(root: &Path) -> Result<Vec<Source>, Box<dyn Error>> {
    let listed = Command::new("git")
        .args(["ls-files", "*.rs", "*.md"])
        .current_dir(root)
        .output()?;
    let mut sources = Vec::new();
    for path in String::from_utf8(listed.stdout)?.lines() {
        // The changelog tells of items, and shows no use of one.
        if path != "CHANGELOG.md" {
            sources.push(Source {
                path: path.to_owned(),
                text: fs::read_to_string(root.join(path))?,
            });
        }
    }
    Ok(sources)
}

/// Returns the items and methods in the lists of libraries that only their own library names.
pub(crate) fn unused(lists: &BTreeMap<&str, String>, sources: &[Source]) -> Vec<String> {
    let mut unused = Vec::new();
    for (library, list) in lists {
        let folder = library.replace('_', "-");
        let own = ["src", "tests"].map(|part| format!("{folder}/{part}/"));
        let named: HashSet<_> = sources
            .iter()
            .filter(|source| !own.iter().any(|own| source.path.starts_with(own)))
            .flat_map(|source| without_exports(&source.text))
            .flat_map(words)
            .collect();
        let items: BTreeSet<_> = list.lines().filter_map(item).collect();
        for Item { page, name } in items {
            if !named.contains(name) {
                unused.push(format!("{library}: {page}: {name}"));
            }
        }
    }
    unused
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Item<'l> {
    page: &'l str,
    name: &'l str,
}

/// Returns the item or the method that a line of a list declares, unless it is an implementation or an export.
fn item(line: &str) -> Option<Item<'_>> {
    let (page, declaration) = line.split_once(": ")?;
    if declaration.starts_with("impl") || declaration.starts_with("pub use") {
        return None;
    }
    let name = match declaration.split_once("fn ") {
        Some((qualifiers, function)) if !qualifiers.contains('{') => words(function).next()?,
        _ => page.rsplit('.').next()?,
    };
    Some(Item { page, name })
}

/// Returns the parts of a source between `pub use …;`.
fn without_exports(text: &str) -> impl Iterator<Item = &str> {
    let mut parts = text.split("pub use ");
    let first = parts.next();
    let rests = parts.filter_map(|part| part.split_once(';').map(|(_, rest)| rest));
    first.into_iter().chain(rests)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_is_used_if_a_text_beside_its_library_does_more_than_export_it() {
        let lists = BTreeMap::from([(
            "docs_gen",
            "fn.build: pub fn build()\n\
             struct.Page: impl Clone for Page\n\
             struct.Page: pub const fn title(&self) -> &str\n\
             struct.Page: pub fn text(&self) -> Text\n\
             struct.Page: pub struct Page { pub run: fn (Text) , }\n\
             index: pub use other::Text;\n"
                .to_owned(),
        )]);
        let source = |path: &str, text: &str| Source {
            path: path.to_owned(),
            text: text.to_owned(),
        };
        let sources = [
            source("docs-gen/src/lib.rs", "pub fn build() { page.title() }"),
            source("docs-gen/tests/it/main.rs", "build();"),
            source(
                "server/src/lib.rs",
                "pub use docs_gen::{\n    Page,\n    build,\n}; fn run() { page.text() }",
            ),
        ];
        assert_eq!(
            unused(&lists, &sources),
            [
                "docs_gen: fn.build: build",
                "docs_gen: struct.Page: Page",
                "docs_gen: struct.Page: title",
            ]
        );
        let guide = source(
            "docs-gen/guide.md",
            "`build` returns a [`Page`], `title` its title",
        );
        let named: Vec<_> = sources.into_iter().chain([guide]).collect();
        assert_eq!(unused(&lists, &named), [""; 0]);
    }
}
