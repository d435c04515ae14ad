//! Compares the description of a service with a file.
//!
//! A change of types changes the description without anyone noticing. A golden file makes it a diff
//! that somebody reads.

use std::env;
use std::fmt::Display;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use docent_core::Service;
use docent_describe::json::Json;

/// The number of lines that a message shows before and after those that have changed.
const CONTEXT: usize = 3;

/// The limit of the lines that have changed in one place, for them to be shown.
const MAX_CHANGED_LINES: usize = 60;

/// Checks that the description of a service is the one in a golden file, so that every change of the interface
/// shows up in a review. The path is relative to the package.
///
/// Run the test with `DOCENT_UPDATE=1` in the environment to write the file: the description, pretty-printed.
///
/// ```no_run
/// use docent::testing::assert_matches_golden;
/// # use docent::{Cx, Fault, Procedure, Service};
/// # let service = Service::builder("greeter", "urn:uuid:41544946-415a-495a-5645-454441534608")
/// #     .procedure(Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello")))
/// #     .build()
/// #     .expect("no mistakes");
///
/// assert_matches_golden(&service, "tests/golden/greeter.json");
/// ```
///
/// # Panics
/// The description differs from the file, or there is no such file. The message shows the first lines
/// that have changed, with those around them.
#[track_caller]
pub fn assert_matches_golden(service: &Service, path: impl AsRef<Path>) {
    let update = env::var_os("DOCENT_UPDATE").is_some_and(|value| value == "1");
    if let Err(message) = compare(service, path.as_ref(), update) {
        panic!("{message}");
    }
}

/// Compares a description with a file, or writes the file.
fn compare(service: &Service, path: &Path, update: bool) -> Result<(), String> {
    let name = path.display();
    let rendered = service.rendered_description();
    let description = json(&"the description", &String::from_utf8_lossy(&rendered))?;
    let file = in_package(path);
    if update {
        return write(&file, &format!("{description:#}\n"))
            .map_err(|error| format!("cannot write {name}: {error}"));
    }
    let text = fs::read_to_string(&file)
        .map_err(|error| format!("cannot read {name}: {error}; DOCENT_UPDATE=1 writes the file"))?;
    let golden = json(&name, &text)?;
    if golden == description {
        return Ok(());
    }
    Err(format!(
        "the description differs from {name}; DOCENT_UPDATE=1 updates the file, and then \
         `docent diff git:HEAD {name}` says which changes break callers\n{}",
        first_change(&format!("{golden:#}"), &format!("{description:#}"))
    ))
}

fn write(file: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(file, text)
}

/// Returns the first lines that differ, in both texts, with the lines around them.
fn first_change(old: &str, new: &str) -> String {
    let old: Vec<_> = old.lines().collect();
    let new: Vec<_> = new.lines().collect();
    let start = old
        .iter()
        .zip(&new)
        .take_while(|(old, new)| old == new)
        .count();
    let (removed, added) = changed_lines(&old[start..], &new[start..]);
    let rest = &new[start + added..];
    let before = &new[start.saturating_sub(CONTEXT)..start];
    let rest_of_old = &old[start + removed..];
    let unchanged = rest_of_old
        .iter()
        .zip(rest)
        .take_while(|(old, new)| old == new)
        .count();
    let after = &rest[..unchanged.min(CONTEXT)];
    let mut lines = vec![format!("line {}:", start + 1)];
    lines.extend(marked("  ", before));
    lines.extend(marked("- ", &old[start..start + removed]));
    lines.extend(marked("+ ", &new[start..start + added]));
    lines.extend(marked("  ", after));
    if rest_of_old != rest {
        lines.push("and more below".to_owned());
    }
    lines.join("\n")
}

/// Returns how many lines have been removed and added before both texts go on alike.
fn changed_lines(old: &[&str], new: &[&str]) -> (usize, usize) {
    for changed in 1..MAX_CHANGED_LINES {
        for removed in 0..=changed {
            let added = changed - removed;
            // Brackets alone stand on many lines, so one line that is alike may be another one.
            if let (Some(old), Some(new)) = (old.get(removed..), new.get(added..))
                && old.iter().take(2).eq(new.iter().take(2))
            {
                return (removed, added);
            }
        }
    }
    (old.len().min(CONTEXT), new.len().min(CONTEXT))
}

/// Returns lines with a mark in front.
fn marked(mark: &str, lines: &[&str]) -> impl Iterator<Item = String> {
    lines.iter().map(move |line| format!("{mark}{line}"))
}

fn json(name: &impl Display, text: &str) -> Result<Json, String> {
    text.parse()
        .map_err(|error| format!("{name} is not JSON: {error}"))
}

/// Returns a path in the package. Cargo runs tests in the folder of their package; some other runners
/// only set the variable.
fn in_package(path: &Path) -> PathBuf {
    match env::var_os("CARGO_MANIFEST_DIR") {
        Some(package) => Path::new(&package).join(path),
        None => path.to_owned(),
    }
}
