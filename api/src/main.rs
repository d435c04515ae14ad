//! Compares the public API that `cargo doc` shows with the lists next to this program. `cargo xtask
//! api` runs it.
//!
//! It also checks that users of a library can name every type of its signatures, and lists what is public and used
//! nowhere.
//!
//! It reads the HTML pages because rustdoc's output for programs is not stable. A list has one line
//! for each declaration: the page, then the declaration.

mod names;
mod unused;

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;
use std::path::Path;

const LIBRARIES: [&str; 11] = [
    "describe",
    "tools",
    "core",
    "client",
    "http",
    "docs_gen",
    "server",
    "tower",
    "jsonrpsee",
    "keys",
    "jwt",
];

/// The list of what `docent-describe` exports for Docent's own crates alone. Nothing of it is promised.
const DESCRIBE_INTERNAL: &str = "describe-internal";

/// How a kind of declaration stands in the HTML of rustdoc.
struct Markup {
    start: &'static str,
    end: &'static str,
    /// The text that such a declaration begins with, because other things are written in the same tags.
    first_word: &'static str,
}

const DECLARATIONS: [Markup; 4] = [
    Markup {
        start: "<pre class=\"rust item-decl\">",
        end: "</pre>",
        first_word: "",
    },
    Markup {
        start: "<h4 class=\"code-header\">",
        end: "</h4>",
        first_word: "pub ",
    },
    Markup {
        start: "<h3 class=\"code-header\">",
        end: "</h3>",
        first_word: "impl",
    },
    Markup {
        start: "<code>",
        end: "</code>",
        first_word: "pub use ",
    },
];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let (documented, write) = match &*arguments {
        [documented] => (documented, false),
        [documented, write] if write == "--write" => (documented, true),
        _ => return Err("usage: api FOLDER_OF_CARGO_DOC [--write]".into()),
    };
    let mut lists = BTreeMap::new();
    for library in LIBRARIES {
        let pages = Path::new(documented).join(crate_name(library));
        lists.insert(library, list(&pages)?);
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let unused = unused::unused(&lists, &unused::sources(&root)?);
    println!("Public, and named by no other crate, guide or example:");
    println!("{}", unused.join("\n"));
    let (stable, internal) = split_stable(&lists["describe"]);
    lists.insert("describe", stable);
    lists.insert(DESCRIBE_INTERNAL, internal);
    let unnamed = names::unnamed(&lists);
    if !unnamed.is_empty() {
        println!("{}", unnamed.join("\n"));
        return Err("users of a library cannot name these types".into());
    }
    let mut changed = Vec::new();
    for (library, list) in &lists {
        let file = format!("{}/{library}.txt", env!("CARGO_MANIFEST_DIR"));
        if write {
            fs::write(file, list)?;
            continue;
        }
        let before = fs::read_to_string(&file).map_err(|error| format!("{file}: {error}"))?;
        let before: BTreeSet<_> = before.lines().collect();
        let now: BTreeSet<_> = list.lines().collect();
        changed.extend(before.difference(&now).map(|line| format!("- {line}")));
        changed.extend(now.difference(&before).map(|line| format!("+ {line}")));
    }
    if changed.is_empty() {
        return Ok(());
    }
    println!("{}", changed.join("\n"));
    Err("the public API has changed: `cargo xtask api --write` lists it anew".into())
}

/// Returns the name of the crate in a folder.
fn crate_name(library: &str) -> String {
    if library == "server" {
        return "docent".to_owned();
    }
    format!("docent_{library}")
}

/// Returns every declaration of a library, one on a line, each after the name of its page.
fn list(pages: &Path) -> Result<String, Box<dyn Error>> {
    let path = pages.join("all.html");
    let all = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut list = BTreeSet::new();
    for page in linked_pages(&all).chain(["index.html"]) {
        let html = fs::read_to_string(pages.join(page))?;
        let name = page.replace(".html", "");
        for declaration in declarations(&html) {
            list.insert(format!("{name}: {declaration}\n"));
        }
    }
    Ok(list.into_iter().collect())
}

/// Returns the pages of items that the page of all items links to.
fn linked_pages(html: &str) -> impl Iterator<Item = &str> {
    html.split("<li><a href=\"")
        .skip(1)
        .filter_map(|link| link.split('"').next())
        // The first links lead to sections of this page.
        .filter(|link| !link.starts_with('#'))
}

/// Returns the declarations on the page of an item.
fn declarations(html: &str) -> Vec<String> {
    // The rest of the page is the same for all types.
    let own = html
        .split("id=\"synthetic-implementations\"")
        .next()
        .unwrap_or_default();
    let mut declarations = Vec::new();
    for markup in DECLARATIONS {
        for rest in own.split(markup.start).skip(1) {
            let declaration = text(rest.split(markup.end).next().unwrap_or_default());
            if declaration.starts_with(markup.first_word) {
                declarations.push(declaration);
            }
        }
    }
    declarations
}

/// Splits the list of `docent-describe` into the module that users see, as if it were the whole crate, and the rest.
fn split_stable(list: &str) -> (String, String) {
    let stable: BTreeSet<_> = list
        .split_inclusive('\n')
        .filter_map(|line| line.strip_prefix("stable/"))
        .collect();
    let internal = list
        .split_inclusive('\n')
        .filter(|line| !line.starts_with("stable/") && !stable.contains(line))
        .collect();
    (stable.into_iter().collect(), internal)
}

/// Returns what a reader of the page sees, on one line.
fn text(html: &str) -> String {
    let (before, tagged) = html.split_once('<').unwrap_or((html, ""));
    let mut text = before.to_owned();
    for tag in tagged.split('<') {
        if let Some((_, after)) = tag.split_once('>') {
            text.push_str(after);
        }
    }
    for (entity, character) in [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&amp;", "&"),
    ] {
        text = text.replace(entity, character);
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_listed_as_a_reader_sees_them() {
        let folder = std::env::temp_dir().join(format!("api-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let page = |name: &str, html: &str| fs::write(folder.join(name), html).expect("written");
        page(
            "all.html",
            "<li><a href=\"#structs\">Structs</a><li><a href=\"struct.A.html\">A</a></li>",
        );
        page(
            "index.html",
            "<code>pub use <a href=\"#\">core</a>::B;</code><code>C</code>",
        );
        page(
            "struct.A.html",
            "<pre class=\"rust item-decl\"><code>pub struct A&lt;T&gt; {\n    <span>b</span>: T,\n}</code></pre>\
             <h4 class=\"code-header\">pub fn <a>new</a>() -&gt; Self</h4>\
             <h4 class=\"code-header\">fn clone(&amp;self)</h4>\
             <h3 class=\"code-header\">impl Clone for A</h3>\
             <h2 id=\"synthetic-implementations\"></h2><h3 class=\"code-header\">impl Send for A</h3>",
        );
        let list = list(&folder);
        fs::remove_dir_all(&folder).expect("removed");
        assert_eq!(
            list.expect("a list"),
            "index: pub use core::B;\n\
             struct.A: impl Clone for A\n\
             struct.A: pub fn new() -> Self\n\
             struct.A: pub struct A<T> { b: T, }\n"
        );
    }
}
