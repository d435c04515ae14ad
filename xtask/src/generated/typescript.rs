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
        "ws@8.23.0",
    ],
};

/// Settings of the compiler under each of which clients compile by themselves: without the types of a platform, for
/// Node.js, for bundlers, and as `tsc --init` writes them.
const SETTINGS: [&str; 4] = [
    r#""strict": true, "target": "ES2022", "lib": ["ES2022"], "module": "NodeNext", "erasableSyntaxOnly": true"#,
    r#""strict": true, "target": "ES2022", "module": "NodeNext", "noUnusedLocals": true, "noUnusedParameters": true"#,
    r#""strict": true, "target": "ES2022", "module": "ESNext", "moduleResolution": "bundler", "isolatedModules": true"#,
    r#""module": "nodenext", "target": "esnext", "sourceMap": true, "declaration": true, "declarationMap": true,
      "noUncheckedIndexedAccess": true, "exactOptionalPropertyTypes": true, "strict": true, "jsx": "react-jsx",
      "verbatimModuleSyntax": true, "isolatedModules": true, "noUncheckedSideEffectImports": true,
      "moduleDetection": "force", "skipLibCheck": true"#,
];

pub(super) fn test(tests: &ClientTests) -> Result<(), BoxError> {
    let tools = NODE_PACKAGES.npm()?;
    let folder = tests.generate("typescript")?;
    copy_calls("calls.ts", &folder)?;
    copy_calls("hostile.ts", &folder)?;
    copy_calls("odd.ts", &folder)?;
    copy_calls("subscriptions.ts", &folder)?;
    copy_calls("websockets.ts", &folder)?;
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
    let clients: Vec<String> = tests
        .names()
        .map(|name| format!("\"{name}/index.ts\""))
        .collect();
    let clients = clients.join(", ");
    for settings in SETTINGS {
        let settings = format!(
            r#"{{"compilerOptions": {{{settings}, "types": [], "outDir": "alone"}}, "files": [{clients}]}}"#
        );
        fs::write(folder.join("alone.json"), settings)?;
        command::run(node(&folder).arg(&compiler).args(["-p", "alone.json"]))?;
    }
    let mut caller = node(&folder);
    command::run(
        caller
            .arg("built/calls.js")
            .args([&*tests.url, WRITE_TOKEN]),
    )?;
    tests.test_odd_values(node(&folder).arg("built/odd.js"))?;
    let mut follower = node(&folder);
    let servers = [&tests.streams, &tests.counter];
    command::run(follower.arg("built/subscriptions.js").args(servers))?;
    let sockets = text(&tools.join("node_modules/ws/wrapper.mjs").canonicalize()?)?;
    let addresses = [&sockets, &tests.url, WRITE_TOKEN, &tests.counter];
    command::run(node(&folder).arg("built/websockets.js").args(addresses))?;
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
