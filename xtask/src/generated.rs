//! Tests generated clients: each is checked as strictly as its language can, and that of the library
//! calls it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{self, Failure, built, cargo, output, root, target};
use crate::install::{Program, announce};
use crate::running::Running;

pub(crate) const NEEDS: &[Program] = &[
    ("node", "nodejs"),
    ("npm", "npm"),
    ("python3", "python3-venv"),
];

/// What is installed from npm and from PyPI.
const TYPESCRIPT: [&str; 2] = ["typescript@5.9.3", "@types/node@20.19.0"];
const PYTHON: [&str; 2] = ["mypy==2.4.1", "httpx==0.28.1"];

const TOKEN: &str = "a-token-for-tests";

pub(crate) fn run() -> Result<(), Failure> {
    let (typescript, python) = (typescript_tools()?, python_tools()?);
    let build = [
        "build",
        "--locked",
        "--package=docent-cli",
        "--package=library",
    ];
    command::run(cargo().args(build))?;
    let work = target().join("generated");
    if work.exists() {
        fs::remove_dir_all(&work)?;
    }
    fs::create_dir_all(&work)?;
    let database = work.join("library.db");
    let database = database.to_str().ok_or("the target folder is not UTF-8")?;
    let arguments = [
        "--listen",
        "127.0.0.1:0",
        "--database",
        database,
        "--token",
        TOKEN,
    ];
    let library = Running::start("library", &arguments)?;
    let url = format!("{}/rpc", library.address);
    let documents = documents(&work, &url)?;
    in_typescript(&work, &documents, &typescript, &url)?;
    in_python(&work, &documents, &python, &url)?;
    in_rust(&work, &documents, &url)
}

/// The names and the places of the descriptions: the live library first, documents with traits that
/// others have, and those that attack their readers.
fn documents(work: &Path, url: &str) -> Result<Vec<(String, String)>, Failure> {
    let mut documents = vec![("library".to_owned(), url.to_owned())];
    let mut add = |name: String, path: &Path| -> Result<(), Failure> {
        let path = path.to_str().ok_or("a path that is not UTF-8")?;
        documents.push((name, path.to_owned()));
        Ok(())
    };
    for name in ["exact.json", "ledger.openrpc.json"] {
        let path = root().join("cli/tests/clients").join(name);
        add(name.replace('.', "_"), &path)?;
    }
    for name in ["shop.json", "weather.openrpc.json", "clock.1.1.json"] {
        add(
            name.replace('.', "_"),
            &root().join("cli/tests/data").join(name),
        )?;
    }
    let site = work.join("hostile");
    let hostile = "run --quiet --locked --package docent-docs-gen --example hostile --";
    command::run(cargo().args(hostile.split(' ')).arg(&site))?;
    let mut services: Vec<PathBuf> = fs::read_dir(&site)?
        .map(|entry| Ok(entry?.path().join("description.json")))
        .collect::<std::io::Result<_>>()?;
    services.retain(|path| path.is_file());
    services.sort();
    if services.len() < 20 {
        return Err(format!("only {} hostile descriptions", services.len()).into());
    }
    for (number, path) in services.iter().enumerate() {
        add(format!("hostile_{number}"), path)?;
    }
    Ok(documents)
}

/// Writes the client of each document into a folder with its name, twice: the second time nothing may
/// differ.
fn generate(folder: &Path, language: &str, documents: &[(String, String)]) -> Result<(), Failure> {
    for (name, input) in documents {
        for check in [&[][..], &["--check"]] {
            let mut docent = Command::new(built("debug", "docent"));
            docent.args(["client", input, "--language", language, "-o"]);
            output(docent.arg(folder.join(name)).args(check))?;
        }
    }
    Ok(())
}

fn typescript_tools() -> Result<PathBuf, Failure> {
    let tools = target()
        .join("tools")
        .join(TYPESCRIPT.join("-").replace(['@', '/'], "-"));
    if !tools.join("node_modules/.bin/tsc").is_file() {
        announce(&format!(
            "{} into {}",
            TYPESCRIPT.join(" "),
            tools.display()
        ))?;
        fs::create_dir_all(&tools)?;
        fs::write(tools.join("package.json"), "{\"private\":true}\n")?;
        let install = ["install", "--no-audit", "--no-fund", "--save-exact"];
        command::run(
            Command::new("npm")
                .current_dir(&tools)
                .args(install)
                .args(TYPESCRIPT),
        )?;
    }
    Ok(tools)
}

fn python_tools() -> Result<PathBuf, Failure> {
    let tools = target()
        .join("tools")
        .join(PYTHON.join("-").replace("==", "-"));
    let program = tools.join("bin/python");
    if !tools.join("bin/mypy").is_file() {
        announce(&format!("{} into {}", PYTHON.join(" "), tools.display()))?;
        command::run(Command::new("python3").args(["-m", "venv"]).arg(&tools))?;
        let install = [
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
        ];
        command::run(Command::new(&program).args(install).args(PYTHON))?;
    }
    Ok(program)
}

fn in_typescript(
    work: &Path,
    documents: &[(String, String)],
    tools: &Path,
    url: &str,
) -> Result<(), Failure> {
    let folder = work.join("typescript");
    generate(&folder, "typescript", documents)?;
    fs::copy(
        root().join("cli/tests/clients/calls.ts"),
        folder.join("calls.ts"),
    )?;
    fs::write(folder.join("package.json"), "{\"type\":\"module\"}\n")?;
    let types = tools.join("node_modules/@types").canonicalize()?;
    let types = types.to_str().ok_or("the target folder is not UTF-8")?;
    let options = format!(
        r#"{{"compilerOptions": {{"strict": true, "noUnusedLocals": true, "noUncheckedIndexedAccess": true,
  "exactOptionalPropertyTypes": true, "noImplicitOverride": true, "target": "ES2022",
  "lib": ["ES2022", "DOM", "DOM.Iterable"], "module": "NodeNext", "types": ["node"],
  "typeRoots": ["{types}"], "outDir": "built"}}, "include": ["**/*.ts"]}}
"#
    );
    fs::write(folder.join("tsconfig.json"), options)?;
    let compiler = tools.join("node_modules/typescript/bin/tsc");
    command::run(
        Command::new("node")
            .current_dir(&folder)
            .arg(compiler)
            .args(["-p", "."]),
    )?;
    let calls = folder.join("built/calls.js");
    command::run(Command::new("node").arg(calls).args([url, TOKEN]))
}

fn in_python(
    work: &Path,
    documents: &[(String, String)],
    python: &Path,
    url: &str,
) -> Result<(), Failure> {
    let folder = work.join("python");
    generate(&folder, "python", documents)?;
    let calls = folder.join("calls.py");
    fs::copy(root().join("cli/tests/clients/calls.py"), &calls)?;
    let check = ["-m", "mypy", "--strict", "--python-version", "3.10", "."];
    command::run(Command::new(python).current_dir(&folder).args(check))?;
    // What mypy does not run: that each package can be imported.
    let names: Vec<&str> = documents.iter().map(|(name, _)| &**name).collect();
    let import = format!("import {}", names.join(", "));
    command::run(
        Command::new(python)
            .current_dir(&folder)
            .args(["-W", "error", "-c", &import]),
    )?;
    command::run(Command::new(python).arg(calls).args([url, TOKEN]))
}

fn in_rust(work: &Path, documents: &[(String, String)], url: &str) -> Result<(), Failure> {
    let folder = work.join("rust");
    generate(&folder, "rust", documents)?;
    for (name, _) in documents {
        // In one workspace, names are unique; and calls over http need no TLS, which takes minutes to build.
        let path = folder.join(name).join("Cargo.toml");
        let manifest =
            fs::read_to_string(&path)?.replace("features = [\"rustls\"]", "features = []");
        let own = format!("name = \"{name}-client\"");
        let lines: Vec<&str> = manifest
            .lines()
            .map(|line| {
                if line.starts_with("name = ") {
                    &*own
                } else {
                    line
                }
            })
            .collect();
        fs::write(&path, lines.join("\n") + "\n")?;
    }
    let example = folder.join("library/examples");
    fs::create_dir_all(&example)?;
    fs::copy(
        root().join("cli/tests/clients/calls.rs"),
        example.join("calls.rs"),
    )?;
    let mut manifest = fs::read_to_string(folder.join("library/Cargo.toml"))?;
    manifest.push_str(
        "\n[dev-dependencies]\ntokio = { version = \"1\", features = [\"macros\", \"rt\"] }\n",
    );
    fs::write(folder.join("library/Cargo.toml"), manifest)?;
    let members: Vec<String> = documents
        .iter()
        .map(|(name, _)| format!("\"{name}\""))
        .collect();
    let members = members.join(", ");
    fs::write(
        folder.join("Cargo.toml"),
        format!("[workspace]\nresolver = \"3\"\nmembers = [{members}]\n"),
    )?;
    // The versions that are known to work, and no others to download.
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock"))?;
    let strict = [
        "clippy",
        "--workspace",
        "--",
        "-D",
        "warnings",
        "-W",
        "clippy::pedantic",
    ];
    let cargo = || {
        let mut cargo = cargo();
        // Beside the workspace, so that the next run does not build everything again.
        cargo
            .current_dir(&folder)
            .env("CARGO_TARGET_DIR", target().join("tools/generated"));
        cargo
    };
    command::run(cargo().args(strict))?;
    let calls = [
        "run",
        "--quiet",
        "--package",
        "library-client",
        "--example",
        "calls",
        "--",
    ];
    command::run(cargo().args(calls).args([url, TOKEN]))
}
