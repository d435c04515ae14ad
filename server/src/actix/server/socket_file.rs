//! The file of a Unix socket.

use std::fs::{self, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use socket2::{Domain, SockAddr, Socket, Type};

use super::listener::BACKLOG;

/// A file that callers connect to. It is removed when the last value for it is dropped.
#[derive(Clone)]
pub(super) struct SocketFile(Arc<Created>);

struct Created {
    path: PathBuf,
    /// The device and inode of the file, until it is removed. Another process may have put another one
    /// in its place.
    identity: Mutex<Option<(u64, u64)>>,
}

impl SocketFile {
    fn new(path: PathBuf) -> Self {
        let identity = Mutex::new(identity(&path));
        Self(Arc::new(Created { path, identity }))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0.path
    }

    /// Removes the file.
    pub(super) fn remove(&self) {
        self.0.remove();
    }
}

impl Created {
    fn remove(&self) {
        // No change leaves the state incomplete.
        let created = self.identity.lock();
        let created = created.unwrap_or_else(PoisonError::into_inner).take();
        if created.is_some() && identity(&self.path) == created {
            // Without permission, the next server replaces the file.
            let _ = fs::remove_file(&self.path);
        }
    }
}

impl Drop for Created {
    fn drop(&mut self) {
        self.remove();
    }
}

fn identity(path: &Path) -> Option<(u64, u64)> {
    let metadata = fs::symlink_metadata(path).ok()?;
    Some((metadata.dev(), metadata.ino()))
}

/// Listens on a file that it creates with these permissions. A file that a dead process has left behind
/// is replaced.
///
/// # Errors
/// The error names the path. `AddrInUse`: a server listens on the file, or it is not a socket.
pub(super) fn listen(path: &Path, mode: u32) -> io::Result<(UnixListener, SocketFile)> {
    let named = |error: io::Error| {
        let reason = format!("cannot listen on {}: {error}", path.display());
        io::Error::new(error.kind(), reason)
    };
    // The process may change its working directory before it removes the file.
    let path = &std::path::absolute(path).map_err(named)?;
    let socket = bind(path).map_err(named)?;
    let file = SocketFile::new(path.clone());
    // Clients cannot connect before `listen`.
    fs::set_permissions(path, Permissions::from_mode(mode)).map_err(named)?;
    socket.listen(BACKLOG).map_err(named)?;
    Ok((socket.into(), file))
}

fn bind(path: &Path) -> io::Result<Socket> {
    let socket = Socket::new(Domain::UNIX, Type::STREAM, None)?;
    let address = SockAddr::unix(path)?;
    match socket.bind(&address) {
        Err(error) if error.kind() == ErrorKind::AddrInUse && is_abandoned(path) => {
            fs::remove_file(path)?;
            socket.bind(&address)?;
        }
        bound => bound?,
    }
    Ok(socket)
}

/// Returns whether a file is a socket that no process listens on.
fn is_abandoned(path: &Path) -> bool {
    let metadata = fs::symlink_metadata(path);
    if !metadata.is_ok_and(|metadata| metadata.file_type().is_socket()) {
        return false;
    }
    let connected = || {
        let socket = Socket::new(Domain::UNIX, Type::STREAM, None)?;
        // A server with a full queue would keep us waiting.
        socket.set_nonblocking(true)?;
        socket.connect(&SockAddr::unix(path)?)
    };
    connected().is_err_and(|error| error.kind() == ErrorKind::ConnectionRefused)
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
    fn only_an_abandoned_socket_is_replaced() {
        let folder = folder("abandoned");
        let path = folder.join("socket");
        let refused = |path: &Path| listen(path, 0o600).err().map(|error| error.kind());
        let (listener, file) = listen(&path, 0o600).expect("it listens");
        assert_eq!(refused(&path), Some(ErrorKind::AddrInUse));
        // As after `kill -9`: the file is there and its socket is closed.
        drop(listener);
        std::mem::forget(file);
        let (listener, file) = listen(&path, 0o600).expect("it listens again");
        assert!(std::os::unix::net::UnixStream::connect(&path).is_ok());
        // A file that another process has put there stays.
        fs::remove_file(&path).expect("it can be removed");
        fs::write(&path, "precious").expect("it can be written");
        drop((listener, file));
        assert_eq!(refused(&path), Some(ErrorKind::AddrInUse));
        assert_eq!(fs::read(&path).ok().as_deref(), Some(&b"precious"[..]));
        let link = folder.join("link");
        std::os::unix::fs::symlink(folder.join("nothing"), &link).expect("a link");
        assert_eq!(refused(&link), Some(ErrorKind::AddrInUse));
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
