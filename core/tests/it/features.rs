//! The features that items need, in the documentation.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::imports::rust_files;

/// The beginnings of public items, and of blocks that add methods to types that exist without the feature.
const ITEMS: [&str; 9] = [
    "pub struct ",
    "pub enum ",
    "pub trait ",
    "pub type ",
    "impl<S> Procedure<",
    "impl<S> ServiceBuilder<",
    "impl<S, U: CallerArg> Cx<",
    "impl Service ",
    "impl Routes ",
];

/// Returns the modules that a file declares for a feature alone: the feature, and the path without extension.
fn modules_of_features<'a>(file: &Path, text: &'a str) -> Vec<(&'a str, PathBuf)> {
    let folder = if file.ends_with("mod.rs") || file.ends_with("lib.rs") {
        file.with_file_name("")
    } else {
        file.with_extension("")
    };
    text.lines()
        .zip(text.lines().skip(1))
        .filter_map(|(condition, line)| {
            let feature = condition.strip_prefix("#[cfg(feature = \"")?;
            let name = line.strip_prefix("mod ")?.strip_suffix(';')?;
            Some((feature.strip_suffix("\")]")?, folder.join(name)))
        })
        .collect()
}

/// The pages of `docent` show items of other crates. rustdoc knows the conditions of these items there, and not those
/// of their modules.
#[test]
fn a_public_item_in_a_module_of_a_feature_names_the_feature_itself() {
    let mut named = 0;
    for folder in ["src", "../http/src"] {
        let mut files = BTreeMap::new();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        rust_files(&folder, &mut files);
        for (file, text) in &files {
            for (feature, module) in modules_of_features(file, text) {
                for (path, text) in &files {
                    if !path.starts_with(&module) && *path != module.with_extension("rs") {
                        continue;
                    }
                    for (before, line) in text.lines().zip(text.lines().skip(1)) {
                        if ITEMS.iter().any(|item| line.starts_with(item)) {
                            let path = path.display();
                            let condition = format!("#[cfg(feature = \"{feature}\")]");
                            assert_eq!(before, condition, "{path}: before `{line}`");
                            named += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(named > 25, "only {named} items were found");
}
