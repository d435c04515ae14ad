//! Writes the site of three versions of a small service into a folder, for a browser to open: `cargo run -p
//! docent-docs-gen --example versions -- DIR`.

use std::error::Error;
use std::path::Path;

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
    Ok(())
}
