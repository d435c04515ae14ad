//! Measures what a large site takes: `cargo run --release -p docent-docs-gen --example scale -- DIR
//! [PROCEDURES [SERVICES]]`. It fails where a page is missing, and where 10,000, or a catalogue of
//! 100,000, take more memory than they may.

use std::time::Instant;

use docent_describe::{ServiceDescription, render};
use docent_docs_gen::{Catalogue, Problem, Site};
use docent_tools::read::read;

/// The most memory that a site of 10,000 procedures may take, in kB.
const MEMORY: u64 = 300_000;

#[path = "../tests/it/library.rs"]
#[expect(dead_code, reason = "tests use more of it")]
mod library;

/// The most memory that a catalogue of 1,000 services of 100 procedures may take, in kB.
const CATALOGUE_MEMORY: u64 = 600_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments
        .next()
        .ok_or("usage: scale DIR [PROCEDURES [SERVICES]]")?;
    let count: usize = arguments.next().map_or(Ok(10_000), |count| count.parse())?;
    if let Some(services) = arguments.next() {
        return catalogue(&folder, count, services.parse()?);
    }
    let started = Instant::now();
    let site = Site::builder(service(count))
        .build()
        .map_err(|problems| format!("{problems:?}"))?;
    let planned = started.elapsed();
    let report = site.write_to(&folder)?;
    println!("planned in {planned:?}, written in {:?}", started.elapsed());
    println!(
        "{} files, {} bytes, {} heavy",
        report.files,
        report.bytes,
        report.heavy.len()
    );
    check_pages(&folder, count)?;
    check_memory((count <= 10_000).then_some(MEMORY))
}

/// Builds a catalogue, each service read from its text.
fn catalogue(
    folder: &str,
    count: usize,
    services: usize,
) -> Result<(), Box<dyn std::error::Error>> {
    let started = Instant::now();
    let pattern = service(count);
    let (mut files, mut bytes) = (0, 0);
    let failed = |problems: Vec<Problem>| format!("{problems:?}");
    let mut catalogue = Catalogue::builder().catalogue().map_err(failed)?;
    for at in 0..services {
        let mut named = pattern.clone();
        named.name = format!("service{at}");
        named.id = format!("urn:example:service{at}");
        let text = render::describe(&named).to_string();
        let description = read(text.as_bytes())?.description;
        let site = catalogue
            .add(Site::builder(description), &[])
            .map_err(failed)?;
        let report = site.write_to(folder)?;
        files += report.files;
        bytes += report.bytes;
    }
    let report = catalogue.front(0).map_err(failed)?.write_to(folder)?;
    println!("written in {:?}", started.elapsed());
    println!(
        "{} files, {} bytes",
        files + report.files,
        bytes + report.bytes
    );
    for at in 0..services {
        check_pages(&format!("{folder}/service{at}"), count)?;
    }
    check_memory((count * services <= 100_000).then_some(CATALOGUE_MEMORY))
}

/// Returns the description of a service with this many procedures.
fn service(count: usize) -> ServiceDescription {
    let mut service = library::library();
    let pattern = service.procs.clone();
    service.procs = (0..count)
        .map(|at| {
            let one = &pattern[at % pattern.len()];
            let name = format!("area{}.{}{at}", at % 100, one.name.replace('.', "_"));
            let mut procedure = one.clone();
            procedure.name = name;
            procedure.tags = Vec::new();
            procedure
        })
        .collect();
    service
}

/// Fails where a page is missing. The pages of procedures stand in the folder itself and begin as the
/// names above do.
fn check_pages(folder: &str, count: usize) -> Result<(), Box<dyn std::error::Error>> {
    let names = std::fs::read_dir(folder)?
        .flatten()
        .map(|entry| entry.file_name());
    let pages = names
        .filter(|name| {
            let name = name.to_string_lossy();
            name.starts_with("area") && name.ends_with(".html")
        })
        .count();
    if pages < count {
        return Err(format!("{count} procedures have {pages} pages").into());
    }
    Ok(())
}

/// Fails if this process took more memory than it may.
fn check_memory(most: Option<u64>) -> Result<(), Box<dyn std::error::Error>> {
    let memory = peak().unwrap_or_default();
    println!("{memory} kB of memory");
    match most {
        Some(most) if memory > most => {
            Err(format!("building took {memory} kB, and may take {most}").into())
        }
        _ => Ok(()),
    }
}

/// The most memory that this process had in use, in kB; only Linux says.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}
