//! Tests generated clients. Each is checked as strictly as its language allows, and the client of the
//! library calls both the library and hostile servers.
//!
//! ```text
//! documents ── docent client, twice ──► folders ── compiler, linter, type checker
//!                                          └─ programs that call: the library, odd values, broken streams, hostile servers
//! ```
//!
//! Golden files would show that a client did not change, and not that it compiles or works. So every document is
//! written in each language, and the programs of `cli/tests/clients` call real services with the clients. A
//! [`Pass::Short`] has only the library, because every change has to pass it.

mod odd;
mod python;
mod rust;
mod typescript;

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{self, BoxError, built, output, root, target};
use crate::install::Program;
use crate::running::{ANY_PORT, RunningService};

pub(crate) const CLIENT_PROGRAMS: &[Program] = &[
    Program::new("node", "nodejs"),
    Program::new("npm", "npm"),
    Program::new("python3", "python3-venv"),
];

/// A description to generate clients from.
struct Document {
    /// The name of the client's folder.
    name: String,
    /// The URL or the path of the description.
    input: String,
}

/// The folder of the clients, their documents, and the servers to call.
struct ClientTests {
    folder: PathBuf,
    documents: Vec<Document>,
    url: String,
    /// The service whose procedures return what has arrived.
    values: RunningService,
    /// The address of a server whose streams break off.
    streams: String,
    /// The address of the service of values, behind a proxy that breaks off its streams.
    counter: String,
    /// The address of a hostile server, in a full pass. Its answers take as long as a client's timeout.
    hostile: Option<String>,
    /// The folder with the programs that use types of awkward schemas, in a full pass.
    schemas: Option<PathBuf>,
}

/// The extent of the tests.
#[derive(Clone, Copy)]
enum Pass {
    /// The tests that every change has to pass.
    Short,
    /// Everything.
    Full,
}

/// Tests clients of the library and of documents of every kind.
pub(crate) fn run() -> Result<(), BoxError> {
    test(Pass::Full, |folder| {
        let mut documents = known()?;
        documents.extend(hostile(folder)?);
        Ok(documents)
    })
}

/// Tests only the clients of the library, and those only with the library.
pub(crate) fn of_the_library() -> Result<(), BoxError> {
    test(Pass::Short, |_| Ok(Vec::new()))
}

fn test(
    pass: Pass,
    more: impl FnOnce(&Path) -> Result<Vec<Document>, BoxError>,
) -> Result<(), BoxError> {
    let folder = target().join("generated");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let library = RunningService::library("generated", ANY_PORT, &[])?;
    let url = format!("{}/rpc", library.address);
    let mut documents = vec![Document {
        name: "library".to_owned(),
        input: url.clone(),
    }];
    // Clients in TypeScript that need `bigint` have a parser of their own.
    for (name, path) in [
        ("with_bigint", "cli/tests/clients/exact.json"),
        ("without_bigint", "cli/tests/data/shop.json"),
    ] {
        documents.push(Document {
            name: name.to_owned(),
            input: text(&root().join(path))?,
        });
    }
    let values = RunningService::values()?;
    documents.push(Document {
        name: "odd_values".to_owned(),
        input: format!("{}/rpc", values.address),
    });
    documents.extend(more(&folder)?);
    let schemas = match pass {
        Pass::Short => None,
        Pass::Full => Some(schemas(&folder, &mut documents)?),
    };
    let breaking_off = raw_http::streams::breaking_off(values.socket_address()?);
    let tests = ClientTests {
        schemas,
        streams: format!("http://{}", raw_http::streams::start()),
        counter: format!("http://{breaking_off}/rpc"),
        folder,
        documents,
        url,
        values,
        hostile: match pass {
            Pass::Short => None,
            Pass::Full => Some(format!("http://{}", raw_http::hostile::start())),
        },
    };
    typescript::test(&tests)?;
    python::test(&tests)?;
    rust::test(&tests)
}

/// Returns documents with the traits of those that other tools write.
fn known() -> Result<Vec<Document>, BoxError> {
    let mut documents = Vec::new();
    for folder in ["cli/tests/clients", "cli/tests/data"] {
        let mut paths: Vec<PathBuf> = fs::read_dir(root().join(folder))?
            .map(|entry| Ok(entry?.path()))
            .collect::<std::io::Result<_>>()?;
        paths.retain(|path| path.extension() == Some(OsStr::new("json")));
        paths.sort();
        for path in paths {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            documents.push(Document {
                name: name.replace(['.', '-'], "_"),
                input: text(&path)?,
            });
        }
    }
    Ok(documents)
}

/// Writes a description of awkward schemas, and programs that use their types.
fn schemas(folder: &Path, documents: &mut Vec<Document>) -> Result<PathBuf, BoxError> {
    let programs = folder.join("programs");
    command::run(Command::new(built("debug", "examples/schemas")).arg(&programs))?;
    documents.push(Document {
        name: "schemas".to_owned(),
        input: text(&programs.join("document.json"))?,
    });
    Ok(programs)
}

/// Returns documents that attack their readers.
fn hostile(folder: &Path) -> Result<Vec<Document>, BoxError> {
    let site = folder.join("hostile");
    command::run(Command::new(built("debug", "examples/hostile")).arg(&site))?;
    let mut paths: Vec<PathBuf> = fs::read_dir(&site)?
        .map(|entry| Ok(entry?.path().join("description.json")))
        .collect::<std::io::Result<_>>()?;
    paths.retain(|path| path.is_file() && has_procedures(path));
    paths.sort();
    if paths.len() < 20 {
        return Err(format!("only {} hostile descriptions", paths.len()).into());
    }
    let mut documents = Vec::new();
    for (number, path) in paths.iter().enumerate() {
        documents.push(Document {
            name: format!("hostile_{number}"),
            input: text(path)?,
        });
    }
    Ok(documents)
}

/// Returns whether procedures are left of a description. There is no client of nothing.
fn has_procedures(description: &Path) -> bool {
    let mut list = Command::new(built("debug", "docent"));
    output(list.arg("list").arg(description)).is_ok()
}

impl ClientTests {
    /// Generates the client of each document twice, in a folder with the document's name. The second
    /// run must not change anything.
    fn generate(&self, language: &str) -> Result<PathBuf, BoxError> {
        let folder = self.folder.join(language);
        for Document { name, input } in &self.documents {
            for check in [&[][..], &["--check"]] {
                let mut docent = Command::new(built("debug", "docent"));
                docent.args(["client", input, "--language", language, "-o"]);
                output(docent.arg(folder.join(name)).args(check))?;
            }
        }
        Ok(folder)
    }

    /// Runs a program that sends odd values.
    fn test_odd_values(&self, program: &mut Command) -> Result<(), BoxError> {
        odd::test(program, &format!("{}/rpc", self.values.address))
    }

    /// Copies the program that uses types of awkward schemas.
    fn copy_values(&self, file: &str, folder: &Path) -> Result<(), BoxError> {
        if let Some(programs) = &self.schemas {
            fs::copy(programs.join(file), folder.join(file))?;
        }
        Ok(())
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.documents.iter().map(|document| &*document.name)
    }
}

/// Copies the program that makes the calls.
fn copy_calls(file: &str, folder: &Path) -> Result<PathBuf, BoxError> {
    let copy = folder.join(file);
    fs::copy(root().join("cli/tests/clients").join(file), &copy)?;
    Ok(copy)
}

fn text(path: &Path) -> Result<String, BoxError> {
    let text = path.to_str().ok_or("a path that is not UTF-8")?;
    Ok(text.to_owned())
}
