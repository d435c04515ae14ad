//! Writes the site of calls that are awkward to write down and to fill in, for a browser to try:
//! `cargo run -p docent-docs-gen --example corpus -- DIR`.

use std::error::Error;
use std::path::Path;

use docent_docs_gen::Site;

#[path = "../tests/it/attacks.rs"]
mod attacks;
#[path = "../tests/it/corpus.rs"]
mod corpus;
#[path = "../tests/it/library.rs"]
mod library;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).ok_or("usage: corpus DIR")?;
    let mut builder = Site::builder(corpus::corpus()).and(library::library());
    for attack in attacks::ATTACKS {
        builder = builder.and(attacks::everywhere(attack));
    }
    let site = builder
        .build()
        .map_err(|problems| format!("{problems:?}"))?;
    let report = site.write_to(Path::new(&folder))?;
    println!("{} files, {} bytes", report.files, report.bytes);
    Ok(())
}
