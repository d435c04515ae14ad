//! Writes the site of a description in a file, in any format that can be read: `cargo run -p
//! docent-docs-gen --example document -- FILE DIR`.

use std::error::Error;

use docent_docs_gen::Site;
use docent_tools::read::read;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let [file, folder] = arguments.as_slice() else {
        return Err("usage: document FILE DIR".into());
    };
    let reading = read(&std::fs::read(file)?)?;
    println!("{}, {} warnings", reading.format, reading.warnings.len());
    let site = Site::builder(reading.description)
        .build()
        .map_err(|problems| format!("{problems:?}"))?;
    let report = site.write_to(folder)?;
    println!("{} files, {} bytes", report.files, report.bytes);
    for heavy in report.heavy {
        println!("{} weighs {} bytes", heavy.path, heavy.bytes);
    }
    Ok(())
}
