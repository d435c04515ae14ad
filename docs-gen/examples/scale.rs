//! What a large site takes: `cargo run --release -p docent-docs-gen --example scale -- DIR
//! [PROCEDURES]`. It fails where a page is missing, and where 10,000 take more memory than they may.

use std::time::Instant;

use docent_describe::ProcedureDescription;
use docent_docs_gen::Site;

/// The most memory that a site of 10,000 procedures may take, in kB.
const MEMORY: u64 = 300_000;

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
    let report = site.write_to(&folder)?;
    println!("planned in {planned:?}, written in {:?}", started.elapsed());
    println!(
        "{} files, {} bytes, {} heavy",
        report.files,
        report.bytes,
        report.heavy.len()
    );
    // The pages of procedures stand in the folder itself and begin as the names above do.
    let names = std::fs::read_dir(&folder)?
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
    match peak() {
        Some(memory) if count <= 10_000 && memory > MEMORY => {
            Err(format!("building took {memory} kB, and may take {MEMORY}").into())
        }
        memory => {
            println!("{} kB of memory", memory.unwrap_or_default());
            Ok(())
        }
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
