//! Clients in TypeScript.

use std::fs;
use std::process::Command;

use super::{Work, copy_calls, text};
use crate::command::{self, Failure};
use crate::packages::Packages;
use crate::running::TOKEN;

const PACKAGES: Packages = Packages {
    name: "typescript",
    packages: &[
        "typescript@5.9.3",
        "@types/node@20.19.0",
        "undici-types@6.21.0",
    ],
};

const ALONE: &str = r#"{"compilerOptions": {"strict": true, "target": "ES2022", "lib": ["ES2022"], "types": [],
  "module": "NodeNext", "erasableSyntaxOnly": true, "allowImportingTsExtensions": true, "noEmit": true},
  "files": ["library/index.ts"]}
"#;

pub(super) fn test(work: &Work) -> Result<(), Failure> {
    let tools = PACKAGES.npm()?;
    let folder = work.generate("typescript")?;
    copy_calls("calls.ts", &folder)?;
    copy_calls("hostile.ts", &folder)?;
    copy_calls("odd.ts", &folder)?;
    work.copy_values("values.ts", &folder)?;
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
    let node = || {
        let mut node = Command::new("node");
        node.current_dir(&folder);
        node
    };
    let compiler = tools.join("node_modules/typescript/bin/tsc");
    command::run(node().arg(&compiler).args(["-p", "."]))?;
    // A client by itself needs no types of a platform.
    fs::write(folder.join("alone.json"), ALONE)?;
    command::run(node().arg(&compiler).args(["-p", "alone.json"]))?;
    command::run(node().arg("built/calls.js").args([&*work.url, TOKEN]))?;
    work.test_odd_values(node().arg("built/odd.js"))?;
    match &work.hostile {
        Some(hostile) => command::run(node().arg("built/hostile.js").arg(hostile)),
        None => Ok(()),
    }
}
