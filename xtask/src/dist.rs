//! Builds what a release has beside the crates: `docent` as a program that runs on every Linux.

use std::fs;
use std::process::Command;

use crate::command::{self, BoxError, cargo, output, root};
use crate::install::{Program, announce};

/// The C compiler for musl, with which `ring` is built.
pub(crate) const DIST_PROGRAMS: &[Program] = &[Program::new("musl-gcc", "musl-tools")];

const TARGET: &str = "x86_64-unknown-linux-musl";

/// The shells, and the names under which they look for completions.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "docent.bash"),
    ("zsh", "_docent"),
    ("fish", "docent.fish"),
];

pub(crate) fn run() -> Result<(), BoxError> {
    install_target()?;
    let build = "build --locked --profile dist --package docent-cli --target";
    command::run(cargo().args(build.split(' ')).arg(TARGET))?;

    let name = format!("docent-{}-{TARGET}", env!("CARGO_PKG_VERSION"));
    // The folder `dist` is that of the profile.
    let archives = command::target().join("archives");
    let folder = archives.join(&name);
    fs::create_dir_all(&folder)?;
    let program = folder.join("docent");
    fs::copy(
        command::built(&format!("{TARGET}/dist"), "docent"),
        &program,
    )?;
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        fs::copy(root().join(licence), folder.join(licence))?;
    }
    for (shell, file) in COMPLETIONS {
        let script = output(Command::new(&program).args(["completions", shell]))?;
        fs::write(folder.join(file), script)?;
    }

    let archive = format!("{name}.tar.gz");
    // Without the names and times of this machine.
    let tar = "--sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -czf";
    let mut pack = Command::new("tar");
    pack.current_dir(&archives).args(tar.split(' '));
    command::run(pack.args([&archive, &name]))?;
    let mut sum = Command::new("sha256sum");
    fs::write(
        archives.join("SHA256SUMS"),
        output(sum.current_dir(&archives).arg(&archive))?,
    )?;
    println!("{}", archives.join(archive).display());
    Ok(())
}

/// Installs the standard library of the target unless it is there.
fn install_target() -> Result<(), BoxError> {
    let mut print = Command::new("rustc");
    let libraries = output(print.args(["--print", "target-libdir", "--target", TARGET]))?;
    if fs::exists(libraries.trim())? {
        return Ok(());
    }
    announce(&format!("the target {TARGET}"))?;
    command::run(Command::new("rustup").args(["target", "add", TARGET]))
}
