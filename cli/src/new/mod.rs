//! `docent new`: a service to begin with, in a folder of its own.
//!
//! A name goes in, and a folder with a package comes out, which compiles, passes its tests and is in form. What it has
//! depends on where it is:
//!
//! | where | besides the sources and the description |
//! |---|---|
//! | alone | CI, a Containerfile and `.gitignore` |
//! | in a workspace | nothing, for the workspace has its own; [`workspace`] adds the member to its `Cargo.toml` |
//! | beside a clone (`--path`) | `.gitignore`; a checkout elsewhere has no clone to build with |
//!
//! Templates replace four words and have no conditions: a language of templates would keep them from being compiled.
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
/// The text in the template of `Cargo.toml` that stands for [`VERSION`], or for the path of a clone.
const DEPENDENCY_WORD: &str = "\"DOCENT_VERSION\"";
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

/// The files that build a service alone: no member of a workspace, which has its own, and without a clone beside it.
const FILES_TO_BUILD: [(&str, &str); 2] = [
    (
        ".github/workflows/ci.yml",
        include_str!("../../template/ci.yml"),
    ),
    (
        "Containerfile",
        include_str!("../../template/Containerfile"),
    ),
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
    write(folder, "Cargo.toml", manifest, args)?;
    for (path, template) in FILES {
        write(folder, path, template, args)?;
    }
    let member = if let Some(workspace) = workspace {
        workspace.add_member()?;
        format!(", a member of the workspace in {}", shown(&workspace.file))
    } else {
        let ignored = include_str!("../../template/gitignore");
        write(folder, ".gitignore", ignored, args)?;
        for (path, template) in FILES_TO_BUILD {
            if args.path.is_none() {
                write(folder, path, template, args)?;
            }
        }
        String::new()
    };
    terminal.write(format!(
        "Created a service in {name}/{member}. To try it:\n\n  cd {name}\n  cargo test\n  TOKEN=s3cret cargo run\n"
    ))
}

/// Returns the version of the dependency on this project, or its path from the new folder.
fn dependency(clone: Option<&Path>) -> String {
    let Some(clone) = clone else {
        return format!("\"{VERSION}\"");
    };
    // An absolute path stays as it is.
    let path = Path::new("..").join(clone).join("server");
    // The escapes of a text are those of JSON too.
    let path = serde_json::Value::from(path.to_string_lossy());
    format!("{{ path = {path} }}")
}

/// Writes a file from its template.
fn write(folder: &Path, path: &str, template: &str, args: &NewArgs) -> Result<(), Failure> {
    let text = template
        .replace(TEMPLATE_NAME, &args.name)
        .replace(DEPENDENCY_WORD, &dependency(args.path.as_deref()))
        .replace(RELEASE_WORD, env!("CARGO_PKG_VERSION"))
        .replace(REPOSITORY_WORD, env!("CARGO_PKG_REPOSITORY"));
    let file = folder.join(path);
    replace(&file, text.as_bytes()).map_err(|error| failed(&file, error))
}
