//! A cache of the descriptions of services that were called, in the user's cache folder.
//!
//! Each is kept under a hash of the service's address and the caller's credentials, because a service
//! may describe itself differently to other callers. Only the user can read them.

use std::env;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use docent_describe::json::{Json, Object};

use crate::input::way::Way;

/// The size of the largest description to keep, in bytes. Larger ones are requested each time.
const LARGEST: usize = 16 << 20;
/// The maximum number of descriptions that are kept.
const KEPT: usize = 200;

/// A cache of descriptions.
#[derive(Debug, Clone)]
pub(crate) struct Cache {
    folder: Option<PathBuf>,
}

/// The description of a service, as it was received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The way by which the service described itself.
    pub(crate) way: Way,
    /// The validator of the description, if it has one.
    pub(crate) etag: Option<String>,
    pub(crate) address: Option<String>,
    pub(crate) bytes: Vec<u8>,
}

impl Cache {
    /// Returns the cache in the user's folder, if there is one.
    pub(crate) fn of_user() -> Self {
        Self { folder: folder() }
    }

    /// Returns a cache that keeps nothing.
    pub(crate) fn none() -> Self {
        Self { folder: None }
    }

    /// Returns the entry that is kept under a key.
    pub(crate) fn get(&self, key: &str) -> Option<Entry> {
        let bytes = fs::read(self.folder.as_ref()?.join(key)).ok()?;
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let (head, rest) = bytes.split_at(end);
        let head: Json = std::str::from_utf8(head).ok()?.parse().ok()?;
        let text = |name: &str| head.get(name).and_then(Json::as_str);
        Some(Entry {
            way: Way::from_word(text("way")?)?,
            etag: text("etag").map(str::to_owned),
            address: text("address").map(str::to_owned),
            bytes: rest.get(1..)?.to_vec(),
        })
    }

    /// Keeps an entry. A cache that cannot be written is no reason to fail.
    pub(crate) fn put(&self, key: &str, entry: &Entry) {
        if let Some(folder) = &self.folder
            && entry.bytes.len() <= LARGEST
        {
            let _ = write(folder, key, entry);
        }
    }
}

/// Returns the folder for files that can be fetched again.
fn folder() -> Option<PathBuf> {
    let absolute = |name: &str| {
        let path = PathBuf::from(env::var_os(name)?);
        path.is_absolute().then_some(path)
    };
    let home = || absolute("HOME");
    let folder = if cfg!(windows) {
        absolute("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        absolute("XDG_CACHE_HOME").or_else(|| Some(home()?.join("Library/Caches")))
    } else {
        absolute("XDG_CACHE_HOME").or_else(|| Some(home()?.join(".cache")))
    };
    Some(folder?.join("docent").join("descriptions"))
}

fn write(folder: &Path, key: &str, entry: &Entry) -> io::Result<()> {
    make_folder(folder)?;
    let mut head = Object::new();
    head.insert("way", Json::from(entry.way.as_word()));
    for (name, value) in [("etag", &entry.etag), ("address", &entry.address)] {
        if let Some(value) = value {
            head.insert(name, Json::from(value.as_str()));
        }
    }
    // Another docent may be reading or writing the same entry.
    let beside = folder.join(format!(".{key}.{}", std::process::id()));
    let mut file = private(&beside)?;
    let written = writeln!(file, "{}", Json::Object(head))
        .and_then(|()| file.write_all(&entry.bytes))
        .and_then(|()| fs::rename(&beside, folder.join(key)));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    prune(folder);
    written
}

#[cfg(unix)]
fn make_folder(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
}

#[cfg(not(unix))]
fn make_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

/// Creates a file that only the user can read.
fn private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(path)
}

/// Removes the oldest entries if there are too many.
fn prune(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<(SystemTime, PathBuf)> = entries
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    if files.len() <= KEPT {
        return;
    }
    files.sort();
    for (_, path) in &files[..files.len() - KEPT] {
        let _ = fs::remove_file(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_comes_back_and_only_the_user_can_read_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = Cache {
            folder: Some(folder.path().join("a/b")),
        };
        let entry = Entry {
            way: Way::Query,
            etag: Some("\"x\"".to_owned()),
            address: None,
            bytes: b"{\n}".to_vec(),
        };
        assert_eq!(cache.get("k"), None);
        cache.put("k", &entry);
        assert_eq!(cache.get("k"), Some(entry));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &str| {
                let metadata = fs::metadata(folder.path().join(path)).expect("there");
                metadata.permissions().mode() & 0o777
            };
            assert_eq!((mode("a/b"), mode("a/b/k")), (0o700, 0o600));
        }
        fs::write(folder.path().join("a/b/k"), "nonsense").expect("written");
        assert_eq!(cache.get("k"), None);
    }
}
