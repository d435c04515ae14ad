//! Imports within a crate run one way: no two files need each other, directly or through others.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Files by the path of their module, such as `service::batch`. The root has the empty path.
type Files = BTreeMap<String, String>;

/// The modules that each module imports.
type Imports = BTreeMap<String, BTreeSet<String>>;

/// Returns the files of a crate, by the name of its folder.
fn files(folder: &str) -> Files {
    let mut files = Files::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(folder)
        .join("src");
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let text = fs::read_to_string(&path).expect("a file of text");
                files.insert(module(path.strip_prefix(&root).expect("below")), text);
            }
        }
    }
    files
}

/// Returns the path of the module in a file.
fn module(file: &Path) -> String {
    let path: PathBuf = file.with_extension("");
    path.iter()
        .map(|name| name.to_str().expect("UTF-8"))
        .filter(|name| !matches!(*name, "mod" | "lib"))
        .collect::<Vec<_>>()
        .join("::")
}

/// Returns whether a module exists only for tests, which may import anything.
fn is_for_tests(module: &str) -> bool {
    module.split("::").any(|name| name == "tests")
}

/// Returns the code of a file without comments and without the tests at its end.
fn code(text: &str) -> String {
    text.lines()
        .map(|line| line.split("//").next().unwrap_or(""))
        .take_while(|line| *line != "#[cfg(test)]")
        .collect::<Vec<_>>()
        .join("\n")
}

/// Returns the paths in a piece of code that point to modules of the crate, relative to the crate's
/// root. `use a::{b, c::d};` yields `a::b` and `a::c::d`.
fn paths(files: &Files, module: &str, code: &str) -> BTreeSet<String> {
    let mut paths = BTreeSet::new();
    let mut add = |path: &str| {
        let absolute = if let Some(rest) = path.strip_prefix("crate::") {
            rest.to_owned()
        } else {
            let mut from: Vec<&str> = module.split("::").filter(|name| !name.is_empty()).collect();
            let mut rest = path;
            while let Some(above) = rest.strip_prefix("super::") {
                from.pop();
                rest = above;
            }
            from.push(rest);
            from.join("::")
        };
        paths.extend(target(files, &absolute));
    };
    for start in ["crate::", "super::"] {
        for (at, _) in code.match_indices(start) {
            let before = &code[..at];
            let is_inside =
                |letter: char| letter == ':' || letter.is_alphanumeric() || letter == '_';
            // A visibility names a module, and imports nothing.
            if !before.ends_with(is_inside) && !before.ends_with("pub(in ") {
                expand("", &code[at..], &mut add);
            }
        }
    }
    // The imports and re-exports of modules below.
    for line in code.split("use ").skip(1) {
        if !["crate::", "super::", "std::"]
            .iter()
            .any(|prefix| line.starts_with(prefix))
        {
            expand("", line, &mut add);
        }
    }
    paths
}

/// Calls `add` for each path at the start of a text, once for each part of a group in braces.
fn expand(before: &str, text: &str, add: &mut impl FnMut(&str)) {
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':';
    let end = text.find(|letter| !is_name(letter)).unwrap_or(text.len());
    let path = format!("{before}{}", &text[..end]);
    let Some(group) = text[end..]
        .strip_prefix('{')
        .filter(|_| path.ends_with("::"))
    else {
        add(path.trim_end_matches(':'));
        return;
    };
    let mut depth = 0;
    let mut part = 0;
    for (at, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                expand(&path, group[part..at].trim(), add);
                part = at + 1;
                if letter == '}' {
                    return;
                }
            }
            _ => {}
        }
    }
}

/// Returns the module whose file a path points to: the longest prefix of the path that is a module.
fn target(files: &Files, path: &str) -> Option<String> {
    let mut prefix = path;
    while !files.contains_key(prefix) {
        (prefix, _) = prefix.rsplit_once("::")?;
    }
    Some(prefix.to_owned())
}

/// Returns what each module imports.
fn imports(files: &Files) -> Imports {
    let mut imports = Imports::new();
    for (module, text) in files.iter().filter(|(module, _)| !is_for_tests(module)) {
        let paths = paths(files, module, &code(text));
        imports.insert(module.clone(), paths);
    }
    for (module, imported) in &mut imports {
        imported.remove(module);
    }
    imports
}

/// Returns a path from a module back to itself, if there is one.
fn circle(imports: &Imports) -> Option<String> {
    let mut done = BTreeSet::new();
    imports.keys().find_map(|module| {
        let mut way = vec![module.as_str()];
        leads_back(imports, &mut way, &mut done).then(|| way.join(" -> "))
    })
}

/// Returns whether a path can be extended until it meets itself. If so, it has been extended.
fn leads_back<'a>(
    imports: &'a Imports,
    way: &mut Vec<&'a str>,
    done: &mut BTreeSet<&'a str>,
) -> bool {
    let here = way[way.len() - 1];
    for next in imports.get(here).into_iter().flatten() {
        let is_back = way.contains(&next.as_str());
        way.push(next);
        if is_back || !done.contains(next.as_str()) && leads_back(imports, way, done) {
            return true;
        }
        way.pop();
    }
    done.insert(here);
    false
}

#[test]
fn imports_run_one_way() {
    // An empty result could mean that nothing was read, so each crate comes with an import that it
    // has.
    for (folder, module, imported) in [
        ("core", "call::callee", "call::gauge"),
        ("cli", "input::service", "http"),
        ("docs-gen", "search::entries", "schema"),
        ("macros", "methods", "handler"),
        ("http", "request", "headers"),
        ("client", "call", "client"),
        ("tools", "compare::report", "compare::values"),
        ("server", "actix::server::bound", "actix::server::settings"),
        ("describe", "schema::valid", "schema::check"),
    ] {
        let imports = imports(&files(folder));
        let imported_by = &imports[module];
        assert!(imported_by.contains(imported), "{imported_by:?}");
        assert_eq!(circle(&imports), None, "{folder}");
    }
}

/// Returns the text of all Rust files in a folder and the folders below it, by path.
pub(crate) fn rust_files(folder: &Path, files: &mut BTreeMap<PathBuf, String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && !path.ends_with("target") {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("a file of text");
            files.insert(path, text);
        }
    }
}

/// The compiler says nothing of a file that no other names, so tests in it would never run.
#[test]
fn each_file_of_integration_tests_is_a_module_of_its_binary() {
    let mut files = BTreeMap::new();
    rust_files(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join(".."),
        &mut files,
    );
    let with_paths: String = files
        .values()
        .flat_map(|text| text.lines())
        .filter(|line| line.trim_start().starts_with("#[path = "))
        .collect();
    let mut count = 0;
    for path in files.keys() {
        let main = path.with_file_name("main.rs");
        let stem = path.file_stem().expect("a name").to_str().expect("UTF-8");
        let Some(binary) = files.get(&main).filter(|_| stem != "main") else {
            continue;
        };
        if path
            .parent()
            .is_some_and(|folder| folder.ends_with("tests/it"))
        {
            count += 1;
            let is_named = binary.contains(&format!("mod {stem};"))
                || with_paths.contains(&format!("/{stem}.rs\""));
            assert!(is_named, "no line `mod {stem};` in {}", main.display());
        }
    }
    assert!(count > 100, "{count}");
}

#[test]
fn a_circle_is_found_however_it_is_written() {
    for (one, other) in [
        ("use crate::b::B;", "use crate::a::A;"),
        (
            "use super::b;",
            "pub(crate) use super::{c::C, a::{self, A}};",
        ),
        ("fn f() { crate::b::g(); }", "impl super::a::A for B {}"),
        ("use crate::c::C;", "use crate::a::A;"),
    ] {
        let file = |module: &str, code: &str| (module.to_owned(), code.to_owned());
        let files = [
            file("", "mod a; mod b; mod c;"),
            file("a", one),
            file("b", other),
            // A re-export is an import.
            file("c", "mod d; pub(crate) use d::D;"),
            file("c::d", "use crate::b::B; // crate::e::E"),
            file("e", "use crate::a::A;"),
        ];
        let found = circle(&imports(&files.into())).expect("a circle");
        assert!(found.contains("a -> ") && !found.contains('e'), "{found}");
    }
    let one_way = [
        ("a", "use crate::b::B; // crate::a::A"),
        ("b", "pub(in crate::a) fn f() {}"),
    ];
    let one_way = one_way.map(|(module, code)| (module.to_owned(), code.to_owned()));
    assert_eq!(circle(&imports(&one_way.into())), None);
}
