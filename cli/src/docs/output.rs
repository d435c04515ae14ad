//! The output of `docent docs`. Files that this command did not write are never lost.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use docent_docs_gen::{Report, Site};

use super::folder::Folder;
use crate::args::DocsArgs;
use crate::failure::Failure;
use crate::files;
use crate::input::Input;
use crate::terminal::{Terminal, count};

/// The maximum number of oversized pages that are listed.
const SHOWN: usize = 10;

/// The folder or file that a site is written to.
pub(super) enum SiteOutput {
    Folder(Folder),
    File(PathBuf),
    Stdout,
}

impl SiteOutput {
    /// Determines the output, and checks that it may be written.
    pub(super) fn new(args: &DocsArgs) -> Result<Self, Failure> {
        // clap requires it unless --print-templates is set.
        let path = args.output.as_deref().unwrap_or(Path::new("."));
        if !args.single_file {
            return Folder::new(path, args.force).map(Self::Folder);
        }
        if path.as_os_str() == "-" {
            return Ok(Self::Stdout);
        }
        let shown = path.display();
        let is_output =
            |input: &Input| matches!(input, Input::File(input) if same_file(input, path));
        if path.is_dir() {
            return Err(Failure::usage(format_args!(
                "{shown} is a folder, but --single-file writes a file"
            )));
        }
        if args.inputs.iter().any(is_output) {
            return Err(Failure::usage(format_args!(
                "{shown} is an input and would be overwritten"
            )));
        }
        Ok(Self::File(path.to_owned()))
    }

    /// Writes the site, and reports the files written.
    pub(super) fn write(
        &self,
        site: &Site,
        start: Instant,
        terminal: Terminal,
    ) -> Result<(), Failure> {
        match self {
            Self::Stdout => return terminal.write(site.single_file()),
            Self::File(path) => {
                let bytes = site.single_file();
                files::write_output(path, &bytes)?;
                terminal.progress(format_args!(
                    "{}: {}, in {:.1?}",
                    path.display(),
                    size(bytes.len() as u64),
                    start.elapsed()
                ));
            }
            Self::Folder(folder) => {
                let report = folder.write_all(|writing| writing.add(site))?;
                tell(folder, &report, start, terminal);
            }
        }
        Ok(())
    }
}

/// Reports what was written to a folder, and pages that are too large.
pub(super) fn tell(folder: &Folder, report: &Report, start: Instant, terminal: Terminal) {
    let (folder, pages) = (folder.path(), &report.heavy);
    terminal.progress(format_args!(
        "{}: {}, {}, in {:.1?}",
        folder.display(),
        count(report.files, "file"),
        size(report.bytes),
        start.elapsed()
    ));
    for heavy in pages.iter().take(SHOWN) {
        terminal.warn(format_args!(
            "{}: {} kB compressed with everything it loads, over 25 kB: its schemas or examples \
             are very large",
            folder.join(&heavy.path).display(),
            heavy.bytes.div_ceil(1000),
        ));
    }
    if let Some(more @ 1..) = pages.len().checked_sub(SHOWN) {
        terminal.warn(format_args!(
            "{}: {} more over 25 kB",
            folder.display(),
            count(more, "page")
        ));
    }
}

fn same_file(a: &Path, b: &Path) -> bool {
    fs::canonicalize(a).is_ok_and(|a| fs::canonicalize(b).is_ok_and(|b| a == b))
}

fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        _ => format!("{} kB", bytes.div_ceil(1_000)),
    }
}
