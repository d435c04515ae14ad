//! Writes a client for a service in TypeScript, Python or Rust.
//!
//! In comes a description; out come the names and texts of files, which nothing here writes to a disk.
//!
//! ```
//! let document = br#"{"openrpc": "1.3.2", "info": {"title": "Sums", "version": "1.0"}, "methods": []}"#;
//! let description = docent_tools::read::read(document)?.description;
//! use docent_tools::client::{Integers, typescript};
//! let files = typescript(&description, None, Integers::default());
//! assert!(files.iter().any(|(path, _)| *path == "index.ts"));
//! # Ok::<(), docent_tools::read::ReadError>(())
//! ```
//!
//! All that languages share is decided once. `build.rs` makes a model (`model.rs`) of the client from the description:
//! named types (`types/`), procedures and errors. Each language prints the model. A template for each language would be
//! shorter, but then each would decide anew what a union or a parameter becomes, and clients of one service would
//! differ. Code that is the same for every service is kept as source files next to the printers, where its own
//! language's tools check it.
//!
//! All text of a description is untrusted: it reaches generated code only as a comment or a string
//! literal (`text.rs`), and as an identifier made of ASCII letters, digits and `_` (`names.rs`). The
//! names of the files are fixed.

mod build;
mod files;
mod integers;
mod model;
mod names;
mod package;
mod python;
mod rust;
mod shapes;
mod text;
mod types;
mod typescript;

use docent_describe::ServiceDescription;

pub use files::{Files, GENERATED_NOTICE};
pub use integers::Integers;
pub use package::PackageName;

/// Returns the files of a client in Python 3.10 or later, with httpx: a package, with a `pyproject.toml` if it
/// has a name. The same description leads to the same bytes.
pub fn python(service: &ServiceDescription, package: Option<&PackageName>) -> Files {
    python::files(&build::model(service, python::RESERVED_TYPES), package)
}

/// Returns the files of a client in Rust: a crate on top of `docent-client`. The same description leads
/// to the same bytes.
pub fn rust(
    service: &ServiceDescription,
    package: Option<&PackageName>,
    integers: Integers,
) -> Files {
    let mut model = build::model(service, rust::RESERVED_TYPES);
    model.integers = integers;
    rust::files(&model, package)
}

/// Returns the files of a client in TypeScript, with `fetch` and `WebSocket` and nothing else, and with a
/// `package.json` if it has a name. The same description leads to the same bytes.
pub fn typescript(
    service: &ServiceDescription,
    package: Option<&PackageName>,
    integers: Integers,
) -> Files {
    let mut model = build::model(service, typescript::RESERVED_TYPES);
    model.integers = integers;
    typescript::files(&model, package)
}
