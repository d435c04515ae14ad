//! Writes a site whose procedures each take a value of an awkward schema, for a browser to fill in its forms:
//! `cargo run -p docent-docs-gen --example forms -- DIR`. With `judge FILE`, it judges what the forms filled in.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use docent_docs_gen::Site;
use docent_tools::read::read;
use serde_json::Value;

#[path = "../../describe/tests/it/views/schemas.rs"]
mod schemas;
#[expect(dead_code, reason = "tests use more of it")]
#[path = "../../describe/tests/it/views/subjects.rs"]
mod subjects;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let subjects = subjects::awkward();
    match &words[..] {
        [folder] => {
            let document = subjects::openrpc(&subjects).to_string();
            let site = Site::builder(read(document.as_bytes())?.description)
                .build()
                .map_err(|problems| format!("{problems:?}"))?;
            site.write_to(Path::new(folder))?;
            Ok(())
        }
        [judge, file] if judge == "judge" => {
            let filled: Vec<(String, Value)> = serde_json::from_str(&fs::read_to_string(file)?)?;
            let mut refused = String::new();
            for (name, value) in &filled {
                if !subjects::validator(&subjects, name).is_valid(value) {
                    writeln!(refused, "{name}: {value} is not accepted")?;
                }
            }
            println!("{} values", filled.len());
            if refused.is_empty() {
                Ok(())
            } else {
                Err(refused.into())
            }
        }
        _ => Err("usage: forms DIR | forms judge FILE".into()),
    }
}
