//! Clients in Rust.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::{Work, copy_calls};
use crate::command::{self, Failure, built, cargo, root, target};
use crate::running::TOKEN;

/// The dependencies of the program that makes the calls.
const FOR_CALLS: &str = "\n[dev-dependencies]\nreqwest = { version = \"0.13\", default-features = false }\ntokio = { version = \"1\", features = [\"macros\", \"rt\"] }\n";

pub(super) fn test(work: &Work) -> Result<(), Failure> {
    let folder = work.generate("rust")?;
    for name in work.names() {
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
    if work.schemas.is_some() {
        let examples = folder.join("schemas/examples");
        fs::create_dir_all(&examples)?;
        work.copy_values("values.rs", &examples)?;
    }
    for client in [library, odd] {
        let manifest = client.join("Cargo.toml");
        let with_calls = fs::read_to_string(&manifest)? + FOR_CALLS;
        fs::write(manifest, with_calls)?;
    }
    let members: Vec<String> = work.names().map(|name| format!("\"{name}\"")).collect();
    let members = members.join(", ");
    fs::write(
        folder.join("Cargo.toml"),
        format!(
            "[workspace]\nresolver = \"3\"\nmembers = [{members}]\n\n{}",
            profiles()?
        ),
    )?;
    // Use versions that are known to work, and download no others.
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock"))?;
    let cargo = |words: &str| {
        let mut cargo = cargo();
        cargo
            .current_dir(&folder)
            .args(words.split(' '))
            // What the workspace has built with the same features is not built again.
            .env("CARGO_TARGET_DIR", target());
        cargo
    };
    if work.hostile.is_some() {
        // It checks all dependencies once more, which takes a while.
        let strict = "clippy --workspace -- -D warnings -W clippy::pedantic";
        command::run(&mut cargo(strict))?;
    }
    let calls = "run --quiet --package library-client --example calls --";
    command::run(cargo(calls).args([&*work.url, TOKEN]))?;
    let odd = "run --quiet --package odd_values-client --example odd --";
    work.test_odd_values(&mut cargo(odd))?;
    if let Some(programs) = &work.schemas {
        let values = "run --quiet --package schemas-client --example values";
        let printed = programs.join("printed");
        fs::write(&printed, command::output(&mut cargo(values))?)?;
        let mut judge = Command::new(built("debug", "examples/schemas"));
        command::run(judge.arg("judge").arg(&printed))?;
    }
    match &work.hostile {
        Some(server) => {
            let hostile = "run --quiet --package library-client --example hostile --";
            command::run(cargo(hostile).arg(server))
        }
        None => Ok(()),
    }
}

/// Returns the profiles of this workspace, which stand at the end of its manifest.
fn profiles() -> Result<String, Failure> {
    let manifest = fs::read_to_string(root().join("Cargo.toml"))?;
    let start = manifest.find("[profile.").ok_or("no profiles")?;
    Ok(manifest[start..].to_owned())
}

/// Gives a client a name that is unique in the workspace, and the crate of this repository to stand on,
/// without TLS: calls over http do not need it, and it takes minutes to build.
fn adapt(folder: &Path, name: &str) -> Result<(), Failure> {
    let path = folder.join(name).join("Cargo.toml");
    let manifest = fs::read_to_string(&path)?;
    let published = format!(
        "{{ version = \"{}\", features = [\"tls\"] }}",
        env!("CARGO_PKG_VERSION")
    );
    let own = format!("{{ path = \"{}\" }}", root().join("client").display());
    let without_tls = manifest.replace(&published, &own);
    if without_tls == manifest {
        return Err(format!("{} does not ask for docent-client with TLS", path.display()).into());
    }
    let own = format!("name = \"{name}-client\"");
    let lines = without_tls.lines().map(|line| {
        if line.starts_with("name = ") {
            &*own
        } else {
            line
        }
    });
    let lines: Vec<&str> = lines.collect();
    fs::write(&path, lines.join("\n") + "\n")?;
    Ok(())
}
