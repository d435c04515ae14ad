//! Generates a site from every document in a folder and measures what each costs. The documents
//! belong to others and cannot be stored here, so you run this by hand.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use docent_tools::read::read;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::{BoxError, process};

pub(crate) fn run(docent: &Path, folder: &Path) -> Result<(), BoxError> {
    let mut documents = Vec::new();
    find(folder, &mut documents).map_err(|error| failed(folder, &error))?;
    documents.sort();
    if documents.is_empty() {
        return Err(format!("{}: no *.json", folder.display()).into());
    }
    println!(
        "{:<46} {:>6} {:>5} {:>8} {:>8} {:>6} {:>9} {:>9} {:>8}",
        "document", "procs", "warn", "time", "memory", "pages", "weight", "median", "max"
    );
    let mut broken = Vec::new();
    for document in &documents {
        let name = document.strip_prefix(folder).unwrap_or(document).display();
        match measure(docent, document) {
            Ok(measured) => println!("{name:<46} {}", measured.row()),
            Err(error) => {
                println!("{name:<46} {error}");
                broken.push(name.to_string());
            }
        }
    }
    println!(
        "\nweight: all files, uncompressed; median and max: a procedure's page and what it loads, compressed"
    );
    if broken.is_empty() {
        Ok(())
    } else {
        Err(format!("no site of {}", broken.join(", ")).into())
    }
}

/// Finds every `*.json` file in a folder and its subfolders, apart from the schemas stored beside
/// the documents.
fn find(folder: &Path, documents: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            find(&path, documents)?;
        } else if is_document(&path) {
            documents.push(path);
        }
    }
    Ok(())
}

fn is_document(path: &Path) -> bool {
    let stem = path.file_stem().unwrap_or_default().as_encoded_bytes();
    path.extension()
        .is_some_and(|extension| extension == "json")
        && !stem.ends_with(b"schema")
}

/// The cost and the size of a site.
struct Measured {
    procedures: usize,
    warnings: usize,
    time: Duration,
    /// Peak memory in bytes. Only Linux reports it.
    memory: Option<u64>,
    pages: usize,
    bytes: u64,
    /// The size of each procedure's page, in ascending order.
    procedure_pages: Vec<usize>,
}

impl Measured {
    fn row(&self) -> String {
        let sizes = &self.procedure_pages;
        let mut row = format!(
            "{:>6} {:>5} {:>5} ms",
            self.procedures,
            self.warnings,
            self.time.as_millis()
        );
        let memory = match self.memory {
            Some(bytes) => format!("{} MB", bytes / 1_000_000),
            None => "–".to_owned(),
        };
        // Writing to a `String` cannot fail.
        let _ = write!(
            row,
            " {memory:>8} {:>6} {:>6} kB {:>9} {:>8}",
            self.pages,
            self.bytes / 1000,
            kilobytes(sizes.get(sizes.len() / 2)),
            kilobytes(sizes.last()),
        );
        row
    }
}

fn kilobytes(bytes: Option<&usize>) -> String {
    match bytes {
        Some(bytes) => format!("{}.{} kB", bytes / 1000, bytes % 1000 / 100),
        None => "–".to_owned(),
    }
}

fn measure(docent: &Path, document: &Path) -> Result<Measured, BoxError> {
    let site = tempfile::tempdir()?;
    let start = Instant::now();
    let mut child = Command::new(docent)
        .arg("docs")
        .arg(document)
        .arg("--output")
        .arg(site.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(fs::File::create(site.path().join(".stderr"))?)
        .spawn()?;
    let memory = process::peak_until_end(&mut child)?;
    let time = start.elapsed();
    let status = child.wait()?;
    if !status.success() {
        let complaint = fs::read_to_string(site.path().join(".stderr")).unwrap_or_default();
        return Err(format!("{status}: {}", complaint.trim()).into());
    }
    // Read the document only now: if it made the child process panic, it would make this one panic
    // too.
    let text = fs::read(document).map_err(|error| failed(document, &error))?;
    let reading = read(&text)?;
    let mut measured = Measured {
        procedures: reading.description.procs.len(),
        warnings: reading.warnings.len(),
        time,
        memory,
        pages: 0,
        bytes: 0,
        procedure_pages: Vec::new(),
    };
    weigh(site.path(), site.path(), &mut measured).map_err(|error| failed(site.path(), &error))?;
    measured.procedure_pages.sort_unstable();
    Ok(measured)
}

/// Adds up the files in a folder of a site.
fn weigh(folder: &Path, root: &Path, measured: &mut Measured) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        let name = entry.file_name();
        if entry.file_type()?.is_dir() {
            weigh(&path, root, measured)?;
            continue;
        }
        // Hidden files are not part of the site.
        if name.as_encoded_bytes().starts_with(b".") {
            continue;
        }
        measured.bytes += entry.metadata()?.len();
        if path
            .extension()
            .is_some_and(|extension| extension == "html")
        {
            measured.pages += 1;
            // In the root, every page other than these two is a procedure's.
            if folder == root && name != "index.html" && name != "get.html" {
                measured
                    .procedure_pages
                    .push(with_what_it_loads(&path, root)?);
            }
        }
    }
    Ok(())
}

/// Returns the compressed size of a page with the styles and scripts that it loads at once.
fn with_what_it_loads(page: &Path, root: &Path) -> io::Result<usize> {
    let text = fs::read_to_string(page)?;
    let mut bytes = compressed(text.as_bytes())?;
    let loads = ["<link rel=\"stylesheet\" href=\"", "<script src=\""];
    for (before, _) in loads.iter().flat_map(|start| text.match_indices(start)) {
        let address = text[before..]
            .split('"')
            .find(|part| part.contains("assets/"));
        if let Some((_, asset)) = address.and_then(|address| address.split_once("assets/")) {
            bytes += compressed(&fs::read(root.join("assets").join(asset))?)?;
        }
    }
    Ok(bytes)
}

fn compressed(bytes: &[u8]) -> io::Result<usize> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    encoder.finish().map(|bytes| bytes.len())
}

fn failed(path: &Path, error: &io::Error) -> BoxError {
    format!("{}: {error}", path.display()).into()
}
