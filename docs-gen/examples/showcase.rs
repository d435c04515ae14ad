//! Writes the site of a small service into a folder: `cargo run -p docent-docs-gen --example
//! showcase -- DIR`.

use docent_docs_gen::Site;

#[path = "../tests/it/library.rs"]
#[expect(dead_code, reason = "tests use more of it")]
mod library;

const GUIDE: &str = "# Start\n\nFind a book, then [lend it](loan.begin). The [plan](../plan.md) says more.\n\n\
                     ## A call\n\n```console\n$ curl -sS 'https://town.example/rpc' \\\n  -d @call.json\n{\"result\": true}\n\
                     $ echo done\n```\n\n### In Rust\n\n```rust\nlet x = 1; // one\n```\n\n## Errors\n\n\
                     They are listed on each page.\n\n## Errors\n\nAgain.\n";

fn main() {
    let Some(folder) = std::env::args_os().nth(1) else {
        eprintln!("usage: showcase DIR");
        std::process::exit(2);
    };
    let site = Site::builder(library::library())
        .limit("Body", "2 MiB")
        .limit("Batch", "1,000 entries")
        .guide("start.md", GUIDE)
        .build();
    let site = match site {
        Ok(site) => site,
        Err(problems) => {
            for problem in problems {
                eprintln!("{problem}");
            }
            std::process::exit(1);
        }
    };
    let folder = std::path::Path::new(&folder);
    let written = site.write_to(folder).and_then(|report| {
        std::fs::write(folder.join("single.html"), site.single_file()).map(|()| report)
    });
    match written {
        Ok(report) => println!(
            "{} files, {} bytes, {:?}",
            report.files, report.bytes, report.heavy
        ),
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(1);
        }
    }
}
