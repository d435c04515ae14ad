//! Clients in TypeScript: compiled with every strict option, with and without the types of Node, and
//! called.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::{ClientTests, copy_calls, text};
use crate::command::{self, BoxError};
use crate::packages::Packages;
use crate::running::WRITE_TOKEN;

const NODE_PACKAGES: Packages = Packages {
    name: "typescript",
    packages: &[
        "typescript@5.9.3",
        "@types/node@20.19.0",
        "undici-types@6.21.0",
    ],
};

/// The settings of the compiler for a client without the types of a platform.
const STANDALONE_SETTINGS: &str = r#"{"compilerOptions": {"strict": true, "target": "ES2022", "lib": ["ES2022"], "types": [],
  "module": "NodeNext", "erasableSyntaxOnly": true, "allowImportingTsExtensions": true, "noEmit": true},
  "files": ["library/index.ts"]}
"#;

pub(super) fn test(tests: &ClientTests) -> Result<(), BoxError> {
    let tools = NODE_PACKAGES.npm()?;
    let folder = tests.generate("typescript")?;
    copy_calls("calls.ts", &folder)?;
    copy_calls("hostile.ts", &folder)?;
    copy_calls("odd.ts", &folder)?;
    tests.copy_values("values.ts", &folder)?;
    fs::write(folder.join("package.json"), "{\"type\":\"module\"}\n")?;
    let types = text(&tools.join("node_modules/@types").canonicalize()?)?;
    let options = format!(
        r#"{{"compilerOptions": {{"strict": true, "noUnusedLocals": true, "noUncheckedIndexedAccess": true,
  "exactOptionalPropertyTypes": true, "noImplicitOverride": true, "target": "ES2022",
  "lib": ["ES2022", "DOM", "DOM.Iterable"], "module": "NodeNext", "types": ["node"],
  "rewriteRelativeImportExtensions": true, "erasableSyntaxOnly": true, "typeRoots": ["{types}"],
  "outDir": "built"}}, "include": ["**/*.ts"]}}
"#
    );
    fs::write(folder.join("tsconfig.json"), options)?;
    let compiler = tools.join("node_modules/typescript/bin/tsc");
    command::run(node(&folder).arg(&compiler).args(["-p", "."]))?;
    // A client by itself needs no types of a platform.
    fs::write(folder.join("alone.json"), STANDALONE_SETTINGS)?;
    command::run(node(&folder).arg(&compiler).args(["-p", "alone.json"]))?;
    let mut caller = node(&folder);
    command::run(
        caller
            .arg("built/calls.js")
            .args([&*tests.url, WRITE_TOKEN]),
    )?;
    tests.test_odd_values(node(&folder).arg("built/odd.js"))?;
    match &tests.hostile {
        Some(hostile) => command::run(node(&folder).arg("built/hostile.js").arg(hostile)),
        None => Ok(()),
    }
}

fn node(folder: &Path) -> Command {
    let mut node = Command::new("node");
    node.current_dir(folder);
    node
}
