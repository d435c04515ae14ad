//! `docent new`: a service to begin with, in a folder of its own.
//!
//! The templates are files of a service called `greeter`, so that they can be read and compiled as they are: the
//! tests of `examples/quickstart` do so.

use std::fs;
use std::io;
use std::path::Path;

use crate::args::NewArgs;
use crate::failure::Failure;
use crate::files::{failed, replace};
use crate::terminal::Terminal;

/// The name in the templates, which that of the new service replaces.
const TEMPLATE_NAME: &str = "greeter";
/// The word in the templates that stands for [`VERSION`].
const VERSION_WORD: &str = "DOCENT_VERSION";
/// The version of the crates that the new service asks for: that of this program, which their later patches fit.
const VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION_MAJOR"),
    ".",
    env!("CARGO_PKG_VERSION_MINOR")
);

/// The word in the templates that stands for the version of this program, whose release has an archive.
const RELEASE_WORD: &str = "DOCENT_RELEASE";
/// The word in the templates that stands for the address of the repository with the releases.
const REPOSITORY_WORD: &str = "DOCENT_REPOSITORY";

/// The paths in the new folder, and their templates.
///
/// `Cargo.toml` and `.gitignore` would mean something to cargo and Git here.
const FILES: [(&str, &str); 9] = [
    ("Cargo.toml", include_str!("../template/Cargo.toml.in")),
    ("src/main.rs", include_str!("../template/main.rs")),
    ("src/service.rs", include_str!("../template/service.rs")),
    ("src/tests.rs", include_str!("../template/tests.rs")),
    (
        "description.json",
        include_str!("../template/description.json"),
    ),
    (
        ".github/workflows/ci.yml",
        include_str!("../template/ci.yml"),
    ),
    ("Containerfile", include_str!("../template/Containerfile")),
    (".gitignore", include_str!("../template/gitignore")),
    ("README.md", include_str!("../template/README.md")),
];

/// Creates the folder, and says how to go on.
pub(crate) fn run(args: &NewArgs, terminal: Terminal) -> Result<(), Failure> {
    let name = &args.name;
    let folder = Path::new(name);
    fs::create_dir(folder).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Failure::usage(format_args!(
            "{name} exists already; choose another name, or remove it"
        )),
        _ => failed(folder, error),
    })?;
    for (path, template) in FILES {
        let text = template
            .replace(TEMPLATE_NAME, name)
            .replace(VERSION_WORD, VERSION)
            .replace(RELEASE_WORD, env!("CARGO_PKG_VERSION"))
            .replace(REPOSITORY_WORD, env!("CARGO_PKG_REPOSITORY"));
        let file = folder.join(path);
        replace(&file, text.as_bytes()).map_err(|error| failed(&file, error))?;
    }
    terminal.write(format!(
        "Created a service in {name}/. To try it:\n\n  cd {name}\n  cargo test\n  TOKEN=s3cret cargo run\n"
    ))
}
