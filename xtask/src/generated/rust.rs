//! Clients in Rust, as the members of a workspace of their own, which takes versions, profiles and built
//! dependencies from this one.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::{ClientTests, copy_calls};
use crate::command::{self, BoxError, built, cargo, root, target};
use crate::running::WRITE_TOKEN;

/// The dependencies of the programs that make the calls.
const CALL_DEPENDENCIES: &str = "\n[dev-dependencies]\nfutures-util = { version = \"0.3\", default-features = false }\nreqwest = { version = \"0.13\", default-features = false }\ntokio = { version = \"1\", features = [\"macros\", \"rt\"] }\n";

pub(super) fn test(tests: &ClientTests) -> Result<(), BoxError> {
    let folder = tests.generate("rust")?;
    for name in tests.names() {
        adapt(&folder, name)?;
    }
    let library = folder.join("library");
    let examples = library.join("examples");
    fs::create_dir_all(&examples)?;
    copy_calls("calls.rs", &examples)?;
    copy_calls("hostile.rs", &examples)?;
    let odd = folder.join("odd_values");
    fs::create_dir_all(odd.join("examples"))?;
    copy_calls("odd.rs", &odd.join("examples"))?;
    copy_calls("subscriptions.rs", &odd.join("examples"))?;
    if tests.schemas.is_some() {
        let examples = folder.join("schemas/examples");
        fs::create_dir_all(&examples)?;
        tests.copy_values("values.rs", &examples)?;
    }
    for client in [library, odd] {
        let manifest = client.join("Cargo.toml");
        let with_calls = fs::read_to_string(&manifest)? + CALL_DEPENDENCIES;
        fs::write(manifest, with_calls)?;
    }
    let members: Vec<String> = tests.names().map(|name| format!("\"{name}\"")).collect();
    let manifest = format!(
        "[workspace]\nresolver = \"3\"\nmembers = [{}]\n\n{}",
        members.join(", "),
        profiles()?
    );
    fs::write(folder.join("Cargo.toml"), manifest)?;
    // Use versions that are known to work, and download no others.
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock"))?;
    if tests.hostile.is_some() {
        // It checks all dependencies once more, which takes a while.
        let strict = "clippy --workspace -- -D warnings -W clippy::pedantic";
        command::run(&mut cargo_in(&folder, strict))?;
    }
    let calls = "run --quiet --package library-client --example calls --";
    command::run(cargo_in(&folder, calls).args([&*tests.url, WRITE_TOKEN]))?;
    let odd = "run --quiet --package odd_values-client --example odd --";
    tests.test_odd_values(&mut cargo_in(&folder, odd))?;
    let subscriptions = "run --quiet --package odd_values-client --example subscriptions --";
    command::run(cargo_in(&folder, subscriptions).arg(&tests.counter))?;
    if let Some(programs) = &tests.schemas {
        let values = "run --quiet --package schemas-client --example values";
        let printed = programs.join("printed");
        fs::write(&printed, command::output(&mut cargo_in(&folder, values))?)?;
        let mut judge = Command::new(built("debug", "examples/schemas"));
        command::run(judge.arg("judge").arg(&printed))?;
    }
    if let Some(server) = &tests.hostile {
        let hostile = "run --quiet --package library-client --example hostile --";
        command::run(cargo_in(&folder, hostile).arg(server))?;
    }
    Ok(())
}

/// Returns cargo in a folder. What the workspace has built with the same features is not built again.
fn cargo_in(folder: &Path, words: &str) -> Command {
    let mut cargo = cargo();
    cargo
        .current_dir(folder)
        .args(words.split(' '))
        .env("CARGO_TARGET_DIR", target());
    cargo
}

/// Returns the profiles of this workspace, which stand at the end of its manifest.
fn profiles() -> Result<String, BoxError> {
    let manifest = fs::read_to_string(root().join("Cargo.toml"))?;
    let start = manifest.find("[profile.").ok_or("no profiles")?;
    Ok(manifest[start..].to_owned())
}

/// Gives a client a name that is unique in the workspace, and the crate of this repository to stand on,
/// without TLS: calls over http do not need it, and it takes minutes to build.
fn adapt(folder: &Path, name: &str) -> Result<(), BoxError> {
    let path = folder.join(name).join("Cargo.toml");
    let manifest = fs::read_to_string(&path)?;
    let published = format!(
        "{{ version = \"{}\", features = [\"tls\"] }}",
        env!("CARGO_PKG_VERSION")
    );
    let in_repository = format!("{{ path = \"{}\" }}", root().join("client").display());
    let without_tls = manifest.replace(&published, &in_repository);
    if without_tls == manifest {
        return Err(format!("{} does not ask for docent-client with TLS", path.display()).into());
    }
    let unique_name = format!("name = \"{name}-client\"");
    let mut adapted = String::new();
    for line in without_tls.lines() {
        if line.starts_with("name = ") {
            adapted.push_str(&unique_name);
        } else {
            adapted.push_str(line);
        }
        adapted.push('\n');
    }
    fs::write(&path, adapted)?;
    Ok(())
}
