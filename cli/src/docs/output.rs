//! The output of `docent docs`: a folder, one file, or standard output.
//!
//! It is determined before anything is read, so that a long build does not fail at its end. Files that
//! this command did not write are never lost.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use docent_docs_gen::{Report, Site};

use super::folder::SiteFolder;
use crate::args::DocsArgs;
use crate::failure::Failure;
use crate::files;
use crate::input::Input;
use crate::terminal::{Terminal, count};

/// The maximum number of oversized pages that are listed.
const MAX_SHOWN_PAGES: usize = 10;

/// The folder or file that a site is written to.
pub(super) enum SiteOutput {
    /// A folder, which holds a file for each page.
    SiteFolder(SiteFolder),
    /// A single file with all pages.
    File(PathBuf),
    /// The same file, written to standard output.
    Stdout,
}

impl SiteOutput {
    /// Determines the output, and checks that it may be written.
    pub(super) fn new(args: &DocsArgs) -> Result<Self, Failure> {
        // clap requires it unless --print-templates is set.
        let path = args.output.as_deref().unwrap_or(Path::new("."));
        if !args.single_file {
            return SiteFolder::new(path, args.force).map(Self::SiteFolder);
        }
        if path.as_os_str() == "-" {
            return Ok(Self::Stdout);
        }
        let display_name = path.display();
        if path.is_dir() {
            return Err(Failure::usage(format_args!(
                "{display_name} is a folder, but --single-file writes a file"
            )));
        }
        for input in &args.inputs {
            if matches!(input, Input::File(file) if is_same_file(file, path)) {
                return Err(Failure::usage(format_args!(
                    "{display_name} is an input and would be overwritten"
                )));
            }
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
            Self::SiteFolder(folder) => {
                let report = folder.write_all(|writer| writer.add(site))?;
                report_output(folder, &report, start, terminal);
            }
        }
        Ok(())
    }
}

/// Reports what was written to a folder, and pages that are too large.
pub(super) fn report_output(
    folder: &SiteFolder,
    report: &Report,
    start: Instant,
    terminal: Terminal,
) {
    let folder = folder.path();
    let heavy_pages = &report.heavy;
    terminal.progress(format_args!(
        "{}: {}, {}, in {:.1?}",
        folder.display(),
        count(report.files, "file"),
        size(report.bytes),
        start.elapsed()
    ));
    for heavy in heavy_pages.iter().take(MAX_SHOWN_PAGES) {
        terminal.warn(format_args!(
            "{}: {} kB compressed with everything it loads, over 25 kB: its text, schemas or \
             examples are very large",
            folder.join(&heavy.path).display(),
            heavy.bytes.div_ceil(1000),
        ));
    }
    if let Some(more @ 1..) = heavy_pages.len().checked_sub(MAX_SHOWN_PAGES) {
        terminal.warn(format_args!(
            "{}: {} more over 25 kB",
            folder.display(),
            count(more, "page")
        ));
    }
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    match (fs::canonicalize(one), fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        _ => format!("{} kB", bytes.div_ceil(1_000)),
    }
}
