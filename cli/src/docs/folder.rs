//! Turns a folder into a site.
//!
//! A site is written into a temporary folder inside its target, and its files are moved when it is
//! complete. A build that fails changes nothing. Swapping two folders would take one step instead
//! of many. But it would take away the folder that a web server, a container's mount or a shell is
//! in, with all files that are not part of the site, and a mount cannot be renamed at all. While
//! the files are moved, which takes milliseconds, each of them is complete.
//!
//! A list of the files is stored with them. It distinguishes a site from other folders, and says
//! which pages to remove when the site no longer has them.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use docent_docs_gen::{Report, Site};

use crate::failure::Failure;
use crate::files::{create_folder, failed, if_there, read_text, refuse_link};

/// The list of files.
pub(super) const LIST_FILE: &str = ".docent-site";
/// The folder into which the next site is written. Only a killed build leaves it behind, and the next
/// build removes it.
const NEXT_FOLDER: &str = ".docent-next";
/// The first line of the list, for people who find it, and for [`SiteFolder::new`].
const LIST_HEAD: &str = "Written by `docent docs`. Files listed here are removed once they are no \
                         longer part of the site:";

/// A folder that can become a site.
pub(super) struct SiteFolder {
    path: PathBuf,
    /// True if the folder may hold files that no site has written.
    force: bool,
}

impl SiteFolder {
    /// Checks that the folder can become a site: it does not exist, it is empty apart from hidden
    /// files, it is a site already, or `force` is set.
    pub(super) fn new(path: &Path, force: bool) -> Result<Self, Failure> {
        let folder = Self {
            path: path.to_owned(),
            force,
        };
        refuse_link(path)?;
        let has_only_hidden = if_there(fs::read_dir(path))
            .map_err(|error| failed(path, error))?
            .into_iter()
            .flatten()
            .flatten()
            .all(|entry| is_hidden(&entry.file_name()));
        if force || has_only_hidden || folder.is_site() {
            return Ok(folder);
        }
        Err(Failure::usage(format_args!(
            "{} has files that this command did not write; use --force to write into it anyway",
            path.display()
        )))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the sites that `write` adds, one after the other. Either all of them are written, or the
    /// folder is as it was.
    pub(super) fn write_all(
        &self,
        write: impl FnOnce(&mut SiteWriter<'_>) -> Result<(), Failure>,
    ) -> Result<Report, Failure> {
        let next = self.path.join(NEXT_FOLDER);
        let mut writer = SiteWriter {
            folder: self,
            next: &next,
            paths: BTreeSet::new(),
            report: Report::default(),
        };
        let written = create_folder(&self.path)
            .and_then(|()| if_there(fs::remove_dir_all(&next)))
            .map_err(|error| failed(&self.path, error))
            .and_then(|_| write(&mut writer))
            .and_then(|()| self.take_over(&writer.paths, &next));
        // If writing failed, that error is the one to report.
        let _ = fs::remove_dir_all(&next);
        written.map(|()| writer.report)
    }

    /// Makes the files that were written the site, if no file of somebody else is in their place.
    fn take_over(&self, new: &BTreeSet<String>, next: &Path) -> Result<(), Failure> {
        let old = self.list();
        let lost: Vec<_> = new
            .difference(&old)
            .filter(|path| fs::symlink_metadata(self.path.join(path)).is_ok())
            .collect();
        if let Some(first) = lost.first()
            && !self.force
        {
            return Err(Failure::usage(format_args!(
                "{} is not part of the site and would be overwritten ({} such files); use --force \
                 to replace it",
                self.path.join(first).display(),
                lost.len()
            )));
        }
        // The way to a file must not lead through a link.
        let mut folders = BTreeSet::new();
        for path in old.union(new) {
            folders.extend(Path::new(path).ancestors().skip(1));
        }
        for folder in folders {
            refuse_link(&self.path.join(folder))?;
        }
        self.replace(&old, new, next)
            .map_err(|error| failed(&self.path, error))
    }

    /// Moves the new files in and removes those that are no longer part of the site.
    fn replace(
        &self,
        old: &BTreeSet<String>,
        new: &BTreeSet<String>,
        next: &Path,
    ) -> io::Result<()> {
        // Even if the build is killed, every file of the site is in the list.
        self.write_list(next, old.union(new))?;
        for path in new {
            let target = self.path.join(path);
            target.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::rename(next.join(path), target)?;
        }
        for path in old.difference(new) {
            self.remove(path)?;
        }
        self.write_list(next, new.iter())
    }

    /// Removes a file, and the folders that become empty.
    fn remove(&self, path: &str) -> io::Result<()> {
        if_there(fs::remove_file(self.path.join(path)))?;
        let mut path = path;
        while let Some((parent, _)) = path.rsplit_once('/') {
            // A folder that is not empty stays.
            if fs::remove_dir(self.path.join(parent)).is_err() {
                break;
            }
            path = parent;
        }
        Ok(())
    }

    /// Returns whether an earlier run has written the folder.
    fn is_site(&self) -> bool {
        read_text(&self.path.join(LIST_FILE)).is_ok_and(|list| list.starts_with(LIST_HEAD))
    }

    /// Returns the files that were written last time.
    fn list(&self) -> BTreeSet<String> {
        read_text(&self.path.join(LIST_FILE))
            .unwrap_or_default()
            .strip_prefix(LIST_HEAD)
            .unwrap_or_default()
            .lines()
            .filter(|path| is_inside(path))
            .map(str::to_owned)
            .collect()
    }

    /// Writes the list of files, in one step.
    fn write_list<'p>(
        &self,
        next: &Path,
        paths: impl Iterator<Item = &'p String>,
    ) -> io::Result<()> {
        let mut list = format!("{LIST_HEAD}\n");
        for path in paths {
            list.push_str(path);
            list.push('\n');
        }
        let new = next.join(LIST_FILE);
        fs::write(&new, list)?;
        fs::rename(new, self.path.join(LIST_FILE))
    }
}

/// Sites that are written into one folder.
pub(super) struct SiteWriter<'f> {
    folder: &'f SiteFolder,
    /// The temporary folder in which the next site is written.
    next: &'f Path,
    /// The files that have been written so far.
    paths: BTreeSet<String>,
    report: Report,
}

impl SiteWriter<'_> {
    /// Writes a site.
    pub(super) fn add(&mut self, site: &Site) -> Result<(), Failure> {
        let report = site
            .write_to(self.next)
            .map_err(|error| failed(&self.folder.path, error))?;
        self.report.files += report.files;
        self.report.bytes += report.bytes;
        self.report.heavy.extend(report.heavy);
        self.paths.extend(site.paths().map(str::to_owned));
        Ok(())
    }
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// Returns whether a site can have this path. The list may have been edited.
fn is_inside(path: &str) -> bool {
    path.split('/').all(|part| {
        !matches!(part, "" | "." | "..")
            && part
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"._-~".contains(&byte))
    })
}
