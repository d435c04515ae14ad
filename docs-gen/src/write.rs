//! Writes a site to a folder, on all cores.
//!
//! Each thread takes a run of files, renders one after the other and drops it, so memory does not grow with the site.
//! The files of a run share the schemas that have been read (`pages`). Pages are weighed on the way, so that authors
//! learn which of them readers have to wait for.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, ScopedJoinHandle};

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::pages::Renderer;
use crate::schema::RUN_LENGTH;
use crate::site::{Page, PageSource, Site};

/// The maximum number of bytes of the first page that a reader loads, compressed: the page, its style
/// sheet and its scripts.
const MAX_FIRST_LOAD: usize = 25_000;

/// The minimum number of bytes of a page that is compressed to find its weight. A smaller one is below
/// the limit even if it compresses only half as well as usual.
const MIN_WEIGHED_PAGE: usize = 30_000;

/// A summary of the files that were written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The number of files.
    pub files: usize,
    /// Their total size in bytes.
    pub bytes: u64,
    /// The pages over 25 kB including the files that they load, largest first.
    pub heavy: Vec<HeavyPage>,
}

/// A page that is too large, because of its text, schemas or examples.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct HeavyPage {
    /// The path of the page.
    pub path: String,
    /// The compressed size, including its style sheet and scripts.
    pub bytes: usize,
}

impl Site {
    /// Writes all files to the folder, which is created if necessary. Other files in the folder are
    /// kept.
    ///
    /// ```
    /// # use docent::describe::ServiceDescription;
    /// # use docent::docs_gen::Site;
    /// let site = Site::builder(ServiceDescription::new("empty", "urn:example:empty"))
    ///     .build()
    ///     .map_err(|problems| format!("{problems:?}"))?;
    /// let folder = std::env::temp_dir().join(format!("site-{}", std::process::id()));
    /// site.write_to(&folder)?;
    /// assert!(folder.join("index.html").exists());
    /// # std::fs::remove_dir_all(&folder)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The file system returned an error. Only the first one is returned.
    pub fn write_to(&self, folder: impl AsRef<Path>) -> io::Result<Report> {
        let folder = folder.as_ref();
        let overhead = self.overhead();
        let next = AtomicUsize::new(0);
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let reports: Vec<io::Result<Report>> = thread::scope(|scope| {
            let threads: Vec<_> = (0..cores)
                .map(|_| scope.spawn(|| self.write_some(folder, &next, overhead)))
                .collect();
            threads.into_iter().map(join).collect()
        });
        let mut total = Report::default();
        for report in reports {
            total.add(report?);
        }
        total
            .heavy
            .sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.path.cmp(&b.path)));
        Ok(total)
    }

    /// Returns the size of the files that every page loads besides itself.
    fn overhead(&self) -> usize {
        // The form is loaded when it is first used.
        ["style.css", "theme.js", "docent.js"]
            .into_iter()
            .filter_map(|name| self.asset(name))
            .map(|asset| compressed(asset.text.as_bytes(), Compression::default()))
            .sum()
    }

    /// Writes runs of files, as long as there is one that no other thread has taken.
    fn write_some(&self, folder: &Path, next: &AtomicUsize, overhead: usize) -> io::Result<Report> {
        let mut report = Report::default();
        loop {
            // The last files take longest, because they list everything. So they come first, beside all others.
            let taken = next.fetch_add(RUN_LENGTH, Ordering::Relaxed);
            let end = self.entries.len().saturating_sub(taken);
            if end == 0 {
                return Ok(report);
            }
            let start = end.saturating_sub(RUN_LENGTH);
            let schemas = self.schemas();
            let mut renderer = Renderer::new(self, &schemas);
            for (path, source) in self.entries.get_range(start..end).into_iter().flatten() {
                let file = folder.join(path);
                if let Some(parent) = file.parent() {
                    fs::create_dir_all(parent)?;
                }
                report.files += 1;
                if let PageSource::Download(..) | PageSource::LlmsFullText(_) = source {
                    let mut out = BufWriter::new(File::create(file)?);
                    self.write_large(*source, &mut out)?;
                    report.bytes += out.into_inner()?.metadata()?.len();
                    continue;
                }
                let page = renderer.render(path, *source);
                fs::write(file, &page.bytes)?;
                report.bytes += page.bytes.len() as u64;
                report.heavy.extend(weigh(page, *source, overhead));
            }
        }
    }
}

impl Report {
    /// Adds what another thread has written.
    fn add(&mut self, other: Self) {
        self.files += other.files;
        self.bytes += other.bytes;
        self.heavy.extend(other.heavy);
    }
}

/// Waits for a thread, and returns what it has written.
fn join(thread: ScopedJoinHandle<'_, io::Result<Report>>) -> io::Result<Report> {
    thread
        .join()
        .unwrap_or_else(|_| Err(io::Error::other("a thread has panicked")))
}

/// Returns a page that is too large together with the files that it loads, which have `overhead` bytes.
fn weigh(page: Page, source: PageSource, overhead: usize) -> Option<HeavyPage> {
    if !matches!(source, PageSource::Page(..)) || page.bytes.len() < MIN_WEIGHED_PAGE {
        return None;
    }
    // A quick compression shows of most pages that they are below the limit.
    if overhead + compressed(&page.bytes, Compression::fast()) <= MAX_FIRST_LOAD {
        return None;
    }
    let bytes = overhead + compressed(&page.bytes, Compression::default());
    (bytes > MAX_FIRST_LOAD).then_some(HeavyPage {
        path: page.path,
        bytes,
    })
}

/// Returns the size of a file as a server would send it.
fn compressed(bytes: &[u8], level: Compression) -> usize {
    let mut encoder = GzEncoder::new(Vec::new(), level);
    // Writing to memory does not fail. If it did, the uncompressed size would be the correct result.
    match encoder.write_all(bytes).and_then(|()| encoder.finish()) {
        Ok(compressed) => compressed.len(),
        Err(_) => bytes.len(),
    }
}
