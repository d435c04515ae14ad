//! `docent client`: writes a client for a service in TypeScript, Python or Rust.
//!
//! The text of the files comes from `docent_tools::client`. This command decides which of them are written, and never
//! over the work of a person: [`folder`] replaces only files that begin with the notice of generated files. With
//! `--check`, it writes nothing and fails if the files would change, so that CI notices a client that is out of date.
//!
//! Beside the client, it keeps a list of the procedures that the client may call. `docent diff --used` reads such
//! lists, to tell which changes hit whom.

mod folder;

use docent_tools::client::{Integers, PackageName, python, rust, typescript};

use crate::args::{ClientArgs, IntegerType, Language};
use crate::failure::Failure;
use crate::http::Client;
use crate::list::selected;
use crate::terminal::{Terminal, count};
use crate::uses;

/// Writes the files of a client, or compares them with those that are there.
pub(crate) fn run(args: &ClientArgs, client: &Client, terminal: Terminal) -> Result<(), Failure> {
    let package = match &args.package {
        Some(name) => Some(package_name(name, args.language)?),
        None => None,
    };
    let integers = match (args.integers, args.language) {
        (None, _) => Integers::Published,
        (Some(IntegerType::Number), Language::Typescript) => Integers::Number,
        (Some(IntegerType::Bigint), Language::Typescript) => Integers::Bigint,
        (Some(IntegerType::I128), Language::Rust) => Integers::I128,
        (Some(_), _) => {
            return Err(Failure::usage(
                "--integers is number or bigint for TypeScript, and i128 for Rust; Python has integers of any size",
            ));
        }
    };
    let described = args.input.read(client)?;
    terminal.progress(described.summary());
    terminal.warn_all(described.warnings());
    let service = selected(described, &args.only)?;
    let package = package.as_ref();
    let mut files = match args.language {
        Language::Typescript => typescript(&service, package, integers),
        Language::Python => python(&service, package),
        Language::Rust => rust(&service, package, integers),
    };
    // A list that a person keeps stays.
    if args.force || !folder::is_foreign(&args.output.join(uses::LIST_FILE))? {
        files.push((
            uses::LIST_FILE,
            uses::list(&service, args.client_name.as_deref())?,
        ));
    }
    if args.check {
        return folder::check(&args.output, &files);
    }
    folder::write(&args.output, &files, args.force)?;
    let files = count(files.len(), "file");
    terminal.progress(format_args!("{}: {files}", args.output.display()));
    Ok(())
}

fn package_name(name: &str, language: Language) -> Result<PackageName, Failure> {
    PackageName::new(name, language == Language::Typescript).ok_or_else(|| {
        Failure::usage(format_args!(
            "no package can be called `{name}`; use lower-case letters, digits, - and _"
        ))
    })
}
