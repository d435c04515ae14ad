//! Writes the site of descriptions that attack their reader into a folder, for a browser to open:
//! `cargo run -p docent-docs-gen --example hostile -- DIR`.

use std::error::Error;
use std::path::Path;

use docent_docs_gen::Site;

#[path = "../tests/it/attacks.rs"]
mod attacks;
#[path = "../tests/it/library.rs"]
mod library;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).ok_or("usage: hostile DIR")?;
    let folder = Path::new(&folder);
    // The service without any attack keeps the rest honest: a check that fails there is itself wrong.
    let mut builder = Site::builder(library::library());
    for attack in attacks::ATTACKS {
        builder = builder.and(attacks::everywhere(attack));
    }
    let site = builder
        .build()
        .map_err(|problems| format!("{problems:?}"))?;
    let report = site.write_to(folder)?;
    std::fs::write(folder.join("single.html"), site.single_file())?;
    println!("{} files, {} bytes", report.files, report.bytes);
    Ok(())
}
