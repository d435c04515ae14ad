//! How long a large site takes: `cargo run --release -p docent-docs-gen --example scale -- DIR
//! [PROCEDURES]`.

use std::time::Instant;

use docent_describe::ProcedureDescription;
use docent_docs_gen::Site;

#[path = "../tests/it/library.rs"]
mod library;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("usage: scale DIR [PROCEDURES]")?;
    let count: usize = arguments.next().map_or(Ok(10_000), |count| count.parse())?;
    let mut service = library::library();
    let pattern = service.procs.clone();
    service.procs = (0..count)
        .map(|at| {
            let one = &pattern[at % pattern.len()];
            let name = format!("area{}.{}{at}", at % 100, one.name.replace('.', "_"));
            ProcedureDescription {
                name,
                tags: Vec::new(),
                ..one.clone()
            }
        })
        .collect();
    let started = Instant::now();
    let site = Site::builder(service)
        .build()
        .map_err(|problems| format!("{problems:?}"))?;
    let planned = started.elapsed();
    let report = site.write_to(folder)?;
    println!("planned in {planned:?}, written in {:?}", started.elapsed());
    println!(
        "{} files, {} bytes, {} heavy",
        report.files,
        report.bytes,
        report.heavy.len()
    );
    Ok(())
}
