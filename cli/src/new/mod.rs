//! `docent new`: a service to begin with, in a folder of its own.
//!
//! The templates are files of a service called `greeter`, so that they can be read and compiled as they are: the
//! tests of `examples/quickstart` do so.

mod workspace;

use std::fs;
use std::io;
use std::path::Path;

use crate::args::NewArgs;
use crate::failure::Failure;
use crate::files::{failed, replace, shown};
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

/// The template of `Cargo.toml`. By that name, it would mean something to cargo here, as `.gitignore` to Git.
const MANIFEST: &str = include_str!("../../template/Cargo.toml.in");

/// The other paths in the new folder, and their templates.
const FILES: [(&str, &str); 5] = [
    ("src/main.rs", include_str!("../../template/main.rs")),
    ("src/service.rs", include_str!("../../template/service.rs")),
    ("src/tests.rs", include_str!("../../template/tests.rs")),
    (
        "description.json",
        include_str!("../../template/description.json"),
    ),
    ("README.md", include_str!("../../template/README.md")),
];

/// The files of a service that is no member of a workspace, which has its own.
const FILES_OF_ROOT: [(&str, &str); 3] = [
    (
        ".github/workflows/ci.yml",
        include_str!("../../template/ci.yml"),
    ),
    (
        "Containerfile",
        include_str!("../../template/Containerfile"),
    ),
    (".gitignore", include_str!("../../template/gitignore")),
];

/// The beginning of the settings in `Cargo.toml` that cargo reads at the root of a workspace only.
const ROOT_SETTINGS: &str = "\n# Dependencies without debug information";

/// Creates the folder, and says how to go on.
pub(crate) fn run(args: &NewArgs, terminal: Terminal) -> Result<(), Failure> {
    let name = &args.name;
    let folder = Path::new(name);
    let current = std::env::current_dir().map_err(Failure::system)?;
    let workspace = workspace::of(&current.join(name))?;
    fs::create_dir(folder).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Failure::usage(format_args!(
            "{name} exists already; choose another name, or remove it"
        )),
        _ => failed(folder, error),
    })?;
    let (manifest, _) = MANIFEST
        .split_once(ROOT_SETTINGS)
        .filter(|_| workspace.is_some())
        .unwrap_or((MANIFEST, ""));
    write(folder, "Cargo.toml", manifest, name)?;
    for (path, template) in FILES {
        write(folder, path, template, name)?;
    }
    let member = if let Some(workspace) = workspace {
        workspace.add_member()?;
        format!(", a member of the workspace in {}", shown(&workspace.file))
    } else {
        for (path, template) in FILES_OF_ROOT {
            write(folder, path, template, name)?;
        }
        String::new()
    };
    terminal.write(format!(
        "Created a service in {name}/{member}. To try it:\n\n  cd {name}\n  cargo test\n  TOKEN=s3cret cargo run\n"
    ))
}

/// Writes a file from its template.
fn write(folder: &Path, path: &str, template: &str, name: &str) -> Result<(), Failure> {
    let text = template
        .replace(TEMPLATE_NAME, name)
        .replace(VERSION_WORD, VERSION)
        .replace(RELEASE_WORD, env!("CARGO_PKG_VERSION"))
        .replace(REPOSITORY_WORD, env!("CARGO_PKG_REPOSITORY"));
    let file = folder.join(path);
    replace(&file, text.as_bytes()).map_err(|error| failed(&file, error))
}
