//! The file of a Unix socket.
//!
//! A file that exists is never replaced, because another process may listen on it. The server
//! removes its own when nothing uses it any more.

use std::fs::{self, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use socket2::{Domain, SockAddr, Socket, Type};

use super::backlog::MAX_BACKLOG;

/// A file that callers connect to. It is removed when the last value for it is dropped.
#[derive(Clone)]
pub(super) struct SocketFile(Arc<Created>);

struct Created(PathBuf);

impl SocketFile {
    pub(super) fn path(&self) -> &Path {
        &self.0.0
    }
}

impl Drop for Created {
    fn drop(&mut self) {
        // Without permission, it stays.
        let _ = fs::remove_file(&self.0);
    }
}

/// Listens on a file that it creates with these permissions.
///
/// # Errors
/// The error names the path. `AddrInUse`: the file exists.
pub(super) fn listen(path: &Path, mode: u32) -> io::Result<(UnixListener, SocketFile)> {
    create(path, mode).map_err(|error| {
        let cure = match error.kind() {
            ErrorKind::AddrInUse => "; if no server uses the file, remove it",
            _ => "",
        };
        let reason = format!("cannot listen on {}: {error}{cure}", path.display());
        io::Error::new(error.kind(), reason)
    })
}

fn create(path: &Path, mode: u32) -> io::Result<(UnixListener, SocketFile)> {
    // The process may change its working directory before it removes the file.
    let absolute = std::path::absolute(path)?;
    let socket = Socket::new(Domain::UNIX, Type::STREAM, None)?;
    socket.bind(&SockAddr::unix(&absolute)?)?;
    let file = SocketFile(Arc::new(Created(absolute)));
    // Clients cannot connect before `listen`.
    fs::set_permissions(file.path(), Permissions::from_mode(mode))?;
    socket.listen(MAX_BACKLOG)?;
    Ok((socket.into(), file))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(path: &Path) -> u32 {
        let metadata = fs::metadata(path).expect("a file");
        metadata.permissions().mode() & 0o777
    }

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("docent-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        folder
    }

    #[test]
    fn a_file_has_its_permissions_and_goes_with_its_last_handle() {
        let path = folder("mode").join("socket");
        for permissions in [0o660, 0o600, 0o666] {
            let (listener, file) = listen(&path, permissions).expect("it listens");
            assert_eq!(mode(&path), permissions);
            let other = file.clone();
            drop((listener, file));
            assert!(path.exists());
            drop(other);
            assert!(!path.exists());
        }
    }

    #[test]
    fn a_file_that_exists_is_never_replaced_and_the_error_says_what_to_do() {
        let folder = folder("existing");
        let path = folder.join("socket");
        let refused = |path: &Path| {
            let error = listen(path, 0o600).err().expect("an error");
            assert_eq!(error.kind(), ErrorKind::AddrInUse);
            assert!(error.to_string().ends_with("remove it"), "{error}");
        };
        let (listener, file) = listen(&path, 0o600).expect("it listens");
        refused(&path);
        drop((listener, file));
        fs::write(&path, "precious").expect("it can be written");
        refused(&path);
        assert_eq!(fs::read(&path).ok().as_deref(), Some(&b"precious"[..]));
        fs::remove_dir_all(&folder).expect("it can be removed");
    }

    #[test]
    fn an_error_names_the_path() {
        for path in ["/nonexistent/socket", &format!("/tmp/{}", "x".repeat(200))] {
            let error = listen(Path::new(path), 0o600).err().expect("an error");
            let expected = format!("cannot listen on {path}: ");
            assert!(error.to_string().starts_with(&expected), "{error}");
        }
    }
}
