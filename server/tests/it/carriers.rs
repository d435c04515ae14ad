//! The HTTP contract does not depend on its carrier.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the files in a folder and its subfolders.
fn files(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .flat_map(|path| {
            if path.is_dir() {
                files(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}

#[test]
fn nothing_but_the_adapter_names_anything_of_actix() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let source = package.join("src");
    let contract = files(&package.join("../http/src"));
    let adapter = source.join("actix");
    let root = source.join("lib.rs");
    let (inside, outside): (Vec<_>, Vec<_>) = files(&source)
        .into_iter()
        .chain(contract)
        .partition(|file| file.starts_with(&adapter));
    assert!(inside.len() > 20 && outside.len() > 50);
    let mut named = Vec::new();
    for file in outside {
        // The root of the crate re-exports items of the adapter.
        if file == root {
            continue;
        }
        let text = fs::read_to_string(&file).expect("a file");
        for (line, code) in text.lines().enumerate() {
            let code = code.split("//").next().unwrap_or_default();
            if code.contains("actix") {
                named.push(format!("{}:{}: {code}", file.display(), line + 1));
            }
        }
    }
    assert!(named.is_empty(), "{named:#?}");
}
