//! Writes the site of three versions of a small service, and a catalogue, into a folder, for a browser to open: `cargo
//! run -p docent-docs-gen --example versions -- DIR`.

use std::error::Error;
use std::path::Path;

use docent_docs_gen::{Catalogue, CatalogueUpdate, Problem, Site};

#[path = "../tests/it/library.rs"]
mod library;
#[path = "../tests/it/releases.rs"]
mod releases;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).ok_or("usage: versions DIR")?;
    let folder = Path::new(&folder);
    let guide = "# Start\n\nCall `book.find`, then read on in [Book](Book).\n";
    let site = releases::three()
        .guide("start.md", guide)
        .base_url("https://example.com/library/")
        .build()
        .map_err(|problems| format!("{problems:?}"))?;
    let report = site.write_to(folder)?;
    std::fs::write(folder.join("single.html"), site.single_file())?;
    println!("{} files, {} bytes", report.files, report.bytes);
    town(&folder.join("town"), guide)
}

/// Writes a catalogue of the library and of a museum, which has the same procedures.
fn town(folder: &Path, guide: &str) -> Result<(), Box<dyn Error>> {
    let failed = |problems: Vec<Problem>| format!("{problems:?}");
    let guide = guide.replace("`book.find`, then read on in [Book](Book)", "something");
    let builder = releases::compared(Catalogue::builder())
        .title("Town")
        .guide("start.md", guide);
    let mut town = builder.catalogue().map_err(failed)?;
    let update = |date: &str, before: &str, after: &str| CatalogueUpdate {
        date: Some(date.to_owned()),
        before: Some(releases::version(before).into()),
        after: releases::version(after).into(),
    };
    let updates = [
        update("2026-02-01T10:00:00Z", "1.9", "1.10"),
        update("2026-03-01T10:00:00Z", "1.10", "2.0"),
    ];
    let versions = Site::builder(releases::version("1.9"))
        .and(releases::version("1.10"))
        .date("2026-02-01");
    town.add(versions, &updates)
        .map_err(failed)?
        .write_to(folder)?;
    let mut museum = library::library();
    "museum".clone_into(&mut museum.name);
    town.add(Site::builder(museum), &[])
        .map_err(failed)?
        .write_to(folder)?;
    town.front(2).map_err(failed)?.write_to(folder)?;
    Ok(())
}
