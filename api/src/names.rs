//! Types of signatures that the users of a library cannot name.
//!
//! A library's signatures may have types of the crates below it. Its users depend on the library alone, and
//! the compiler tells them to write such a type where it differs, so the library has to export it.

use std::collections::{BTreeMap, BTreeSet};

use crate::DESCRIBE_INTERNAL;

/// Each library with those whose types its signatures may have. `docent-tools` serves programs that name all
/// crates, and those that use `docent-jwt` name their host, which exports these types.
const BELOW: [(&str, &[&str]); 7] = [
    ("core", &["describe", DESCRIBE_INTERNAL]),
    ("client", &["describe", DESCRIBE_INTERNAL, "core"]),
    ("jsonrpsee", &["describe", DESCRIBE_INTERNAL, "core"]),
    ("http", &["describe", DESCRIBE_INTERNAL, "core", "docs_gen"]),
    ("docs_gen", &["describe", DESCRIBE_INTERNAL]),
    (
        "server",
        &[
            "describe",
            DESCRIBE_INTERNAL,
            "core",
            "http",
            "docs_gen",
            "client",
        ],
    ),
    (
        "tower",
        &["describe", DESCRIBE_INTERNAL, "core", "http", "docs_gen"],
    ),
];

/// Names in the signatures of a library that are those of other crates' types there.
const FOREIGN_TYPES: [(&str, &str); 3] = [
    // That of the crate `bytes`.
    ("http", "Bytes"),
    // Those of the crates `http` and `http-body`.
    ("tower", "Request"),
    ("tower", "Body"),
];

/// An export of a whole module, whose types users can then name.
struct ModuleExport {
    /// The part of the `pub use` that tells it from other exports.
    statement: &'static str,
    /// The library that the module is of.
    library: &'static str,
    /// The start of its pages there.
    pages: &'static str,
}

const MODULE_EXPORTS: [ModuleExport; 7] = [
    ModuleExport {
        statement: "docent_describe::stable as ",
        library: "describe",
        pages: "",
    },
    ModuleExport {
        statement: "docent_core::describe;",
        library: "describe",
        pages: "",
    },
    ModuleExport {
        statement: "docent_core as ",
        library: "core",
        pages: "",
    },
    ModuleExport {
        statement: "docent_core::carrier;",
        library: "core",
        pages: "carrier/",
    },
    ModuleExport {
        statement: "docent_core::code;",
        library: "core",
        pages: "code/",
    },
    ModuleExport {
        statement: "docent_docs_gen as ",
        library: "docs_gen",
        pages: "",
    },
    ModuleExport {
        statement: "docent_http::docs_gen;",
        library: "docs_gen",
        pages: "",
    },
];

/// Returns a sentence for each type of a library below that a signature has and its library does not
/// export. The lists are those of this program, by library.
pub(crate) fn unnamed(lists: &BTreeMap<&str, String>) -> Vec<String> {
    let mut unnamed = BTreeSet::new();
    for (library, below) in BELOW {
        let Some(list) = lists.get(library) else {
            continue;
        };
        let (exports, declarations): (Vec<_>, Vec<_>) =
            list.lines().partition(|line| line.contains(": pub use "));
        let mut nameable = types(list);
        nameable.extend(exports.iter().flat_map(|line| words(line)));
        for module in MODULE_EXPORTS {
            if exports.iter().any(|line| line.contains(module.statement)) {
                nameable.extend(types_of_pages(&lists[module.library], module.pages));
            }
        }
        for other in below {
            let others = types(&lists[other]);
            for declaration in &declarations {
                for name in words(declaration) {
                    if others.contains(name)
                        && !nameable.contains(name)
                        && !FOREIGN_TYPES.contains(&(library, name))
                    {
                        unnamed.insert(format!(
                            "docent_{library} does not export `{name}` of docent_{other}: {declaration}"
                        ));
                    }
                }
            }
        }
    }
    unnamed.into_iter().collect()
}

/// Returns the names of the types and traits that have a page in a list.
fn types(list: &str) -> BTreeSet<&str> {
    types_of_pages(list, "")
}

/// Returns those whose page begins with `start`.
fn types_of_pages<'l>(list: &'l str, start: &str) -> BTreeSet<&'l str> {
    list.lines()
        .filter(|line| line.starts_with(start))
        .filter_map(|line| line.split(": ").next()?.rsplit('/').next()?.split_once('.'))
        .filter(|(kind, _)| ["struct", "enum", "trait", "type"].contains(kind))
        .map(|(_, name)| name)
        .collect()
}

/// Returns the words of a text that may be names.
pub(crate) fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|character: char| !character.is_alphanumeric() && character != '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_of_another_library_in_a_signature_is_exported() {
        let lists = |exports: &str| {
            BTreeMap::from([
                (
                    "describe",
                    "json/enum.Json: pub enum Json { Null, }\n".to_owned(),
                ),
                (
                    DESCRIBE_INTERNAL,
                    "schema/struct.View: pub struct View\n".to_owned(),
                ),
                (
                    "core",
                    format!("{exports}trait.Guard: fn scheme(&self) -> Option<(String, Json)>\n"),
                ),
            ])
        };
        let found = unnamed(&lists(""));
        assert_eq!(
            found,
            ["docent_core does not export `Json` of docent_describe: \
              trait.Guard: fn scheme(&self) -> Option<(String, Json)>"]
        );
        for exports in [
            "index: pub use docent_describe::stable as describe;\n",
            "index: pub use docent_describe::json::Json;\n",
            "enum.Json: pub enum Json { Null, }\n",
        ] {
            assert_eq!(unnamed(&lists(exports)), [""; 0], "{exports}");
        }
    }
}
