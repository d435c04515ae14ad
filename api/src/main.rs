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

/// The starts of declarations in the HTML, with the words that they start with and their ends.
const DECLARATIONS: [(&str, &str, &str); 4] = [
    ("<pre class=\"rust item-decl\">", "", "</pre>"),
    ("<h4 class=\"code-header\">", "pub ", "</h4>"),
    ("<h3 class=\"code-header\">", "impl", "</h3>"),
    ("<code>", "pub use ", "</code>"),
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
    let all = pages.join("all.html");
    let all = fs::read_to_string(&all).map_err(|error| format!("{}: {error}", all.display()))?;
    let entries = all.split("<li><a href=\"").skip(1);
    let links = entries.filter_map(|link| link.split('"').next());
    // The first links lead to sections of this page.
    let links = links.filter(|link| !link.starts_with('#'));
    let mut list = BTreeSet::new();
    for page in links.chain(["index.html"]) {
        let html = fs::read_to_string(pages.join(page))?;
        // The rest of the page is the same for all types.
        let html = html.split("id=\"synthetic-implementations\"").next();
        for (start, begins, end) in DECLARATIONS {
            let declared = html.unwrap_or_default().split(start).skip(1);
            let declared = declared.filter_map(|rest| rest.split(end).next().map(text));
            let declared = declared.filter(|text| text.starts_with(begins));
            list.extend(declared.map(|text| format!("{}: {text}\n", page.replace(".html", ""))));
        }
    }
    Ok(list.into_iter().collect())
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
    let tags = html.split('<').enumerate();
    let bare = tags.filter_map(|(at, part)| {
        if at == 0 {
            Some(part)
        } else {
            part.split_once('>').map(|(_, text)| text)
        }
    });
    let mut text: String = bare.collect();
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
