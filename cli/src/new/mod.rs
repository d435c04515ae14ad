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
//! Templates replace some words and have no conditions: a language of templates would keep them from being compiled.
//! With `--keys`, the sources are others, and [`template`] says which.
//!
//! The templates are files of services called `greeter`, so that they can be read and compiled as they are: the
//! tests of `examples/quickstart` do so.

mod template;
mod workspace;

use std::fs;
use std::io;
use std::path::Path;

use crate::args::NewArgs;
use crate::failure::Failure;
use crate::files::{display_path, failed, replace};
use crate::terminal::Terminal;
use template::Template;

/// The name in the templates, which that of the new service replaces.
const TEMPLATE_NAME: &str = "greeter";
/// The text in the template of `Cargo.toml` that stands for [`VERSION`], or for the path of a clone.
const DEPENDENCY_WORD: &str = "\"DOCENT_VERSION\"";
/// The words that stand for the same beside features: those of this project, and those of its stores of keys.
const DOCENT_WORD: &str = "DOCENT_SOURCE";
const KEYS_WORD: &str = "DOCENT_KEYS_SOURCE";
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

/// The beginning of the settings in `Cargo.toml` that cargo reads at the root of a workspace only.
const ROOT_SETTINGS: &str = "\n# Dependencies without debug information";

/// Creates the folder, and says how to go on.
pub(crate) fn run(args: &NewArgs, terminal: Terminal) -> Result<(), Failure> {
    let name = &args.name;
    let template = Template::of(args.keys);
    if template.crates.contains(&&**name) {
        return Err(Failure::usage(format_args!(
            "the service depends on a crate of the name {name}; choose another, such as {name}-service"
        )));
    }
    let folder = Path::new(name);
    let current = std::env::current_dir().map_err(Failure::system)?;
    let workspace = workspace::of(&current.join(name))?;
    fs::create_dir(folder).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Failure::usage(format_args!(
            "{name} exists already; choose another name, or remove it"
        )),
        _ => failed(folder, error),
    })?;
    let (manifest, _) = template
        .manifest
        .split_once(ROOT_SETTINGS)
        .filter(|_| workspace.is_some())
        .unwrap_or((template.manifest, ""));
    write(folder, "Cargo.toml", manifest, args)?;
    for (path, template) in template.files {
        write(folder, path, template, args)?;
    }
    let member = if let Some(workspace) = workspace {
        workspace.add_member()?;
        format!(
            ", a member of the workspace in {}",
            display_path(&workspace.file)
        )
    } else {
        write(folder, ".gitignore", template.gitignore, args)?;
        for (path, template) in template.files_to_build {
            if args.path.is_none() {
                write(folder, path, template, args)?;
            }
        }
        String::new()
    };
    terminal.write(format!(
        "Created a service in {name}/{member}. To try it:\n\n  cd {name}\n  {}cargo test\n  TOKEN=s3cret cargo run\n",
        template.test_variables
    ))
}

/// Returns the dependency on this project without features: its version, or its path from the new folder.
fn dependency(clone: Option<&Path>) -> String {
    match clone {
        None => format!("\"{VERSION}\""),
        Some(_) => format!("{{ {} }}", source(clone, "server")),
    }
}

/// Returns where a dependency on a crate of this project is from, as a member of its table in `Cargo.toml`: its
/// version, or its path from the new folder.
fn source(clone: Option<&Path>, crate_folder: &str) -> String {
    let Some(clone) = clone else {
        return format!("version = \"{VERSION}\"");
    };
    // An absolute path stays as it is.
    let path = Path::new("..").join(clone).join(crate_folder);
    // The escapes of a text are those of JSON too.
    let path = serde_json::Value::from(path.to_string_lossy());
    format!("path = {path}")
}

/// Writes a file from its template.
fn write(folder: &Path, path: &str, template: &str, args: &NewArgs) -> Result<(), Failure> {
    let clone = args.path.as_deref();
    let text = template
        .replace(TEMPLATE_NAME, &args.name)
        .replace(DEPENDENCY_WORD, &dependency(clone))
        .replace(DOCENT_WORD, &source(clone, "server"))
        .replace(KEYS_WORD, &source(clone, "keys"))
        .replace(RELEASE_WORD, env!("CARGO_PKG_VERSION"))
        .replace(REPOSITORY_WORD, env!("CARGO_PKG_REPOSITORY"));
    let file = folder.join(path);
    replace(&file, text.as_bytes()).map_err(|error| failed(&file, error))
}
