//! nginx in front of instances of the library that share a database.

use std::ffi::OsStr;
use std::fmt::Display;
use std::fs;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::client::Client;
use crate::compose::{Compose, INSTANCES};
use crate::started::Started;

/// Far longer than anything here takes, so that every test ends.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// The token that write calls require on every instance.
pub(crate) const TOKEN: &str = "a-token-that-all-instances-know";

/// nginx with this repository's configuration, and instances of the library behind it.
pub(crate) struct Setup {
    pub(crate) instances: Vec<Started>,
    nginx: Nginx,
}

/// nginx with this repository's configuration.
pub(crate) struct Nginx {
    address: SocketAddr,
    process: Child,
    folder: TempDir,
}

impl Setup {
    /// Starts as many instances as the configuration names.
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("library.db");
        let instances: Vec<_> = (0..2)
            .map(|_| Started::new(&database, &["--token", TOKEN]))
            .collect();
        let nginx = Nginx::before([instances[0].address, instances[1].address], folder);
        Self { instances, nginx }
    }

    pub(crate) fn client(&self) -> Client {
        self.nginx.client()
    }
}

impl Nginx {
    /// Starts nginx in front of these instances, with its files in a folder.
    pub(crate) fn before(instances: [SocketAddr; 2], folder: TempDir) -> Self {
        let names = ["127.0.0.1:8081", "127.0.0.1:8082"];
        let shown = include_str!("../../nginx/instances.conf");
        let instances = with_addresses(shown, names.into_iter().zip(&instances));
        // If root starts nginx, its workers must be able to read a folder that only root may read.
        Self::start(folder, &instances, &["-g", "daemon off; user root;"])
    }

    /// Starts nginx as the compose file does, in front of these instances.
    pub(crate) fn composed(compose: &Compose, instances: &[SocketAddr]) -> Self {
        let words = compose.words("proxy", "/command");
        let ["nginx", "-p", _, "-c", _, others @ ..] = &*words else {
            panic!("{words:?}");
        };
        let others: Vec<_> = others
            .iter()
            .map(|word| word.replace("user nginx;", "user root;"))
            .collect();
        let names = INSTANCES.map(|name| format!("{name}:8080"));
        let shown = include_str!("../../container/instances.conf");
        let instances = with_addresses(shown, names.iter().zip(instances));
        Self::start(tempfile::tempdir().unwrap(), &instances, &others)
    }

    fn start(folder: TempDir, instances: &str, arguments: &[impl AsRef<OsStr>]) -> Self {
        let file = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        file("nginx.conf", include_str!("../../nginx/nginx.conf"));
        file("instances.conf", instances);
        let (process, address) = start_nginx(folder.path(), arguments);
        Self {
            address,
            process,
            folder,
        }
    }

    pub(crate) fn client(&self) -> Client {
        Client::of(self.address)
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // nginx itself sends SIGTERM. If its master process were killed, the workers would keep
        // running.
        let stopped = nginx(self.folder.path()).args(["-s", "stop"]).status();
        if stopped.is_err() {
            let _ = self.process.kill();
        }
        let _ = self.process.wait();
    }
}

/// Returns the list of instances that the repository has for nginx, with these addresses instead.
fn with_addresses<'a>(
    shown: &str,
    addresses: impl Iterator<Item = (impl Display, &'a SocketAddr)>,
) -> String {
    let mut text = shown.to_owned();
    for (written, real) in addresses {
        let server = format!("server {written} ");
        assert_eq!(text.matches(&server).count(), 1, "{server}");
        text = text.replace(&server, &format!("server {real} "));
    }
    text
}

/// Starts nginx in the foreground and waits until it listens.
fn start_nginx(folder: &Path, arguments: &[impl AsRef<OsStr>]) -> (Child, SocketAddr) {
    // Another process may take an address that was free a moment ago.
    for _ in 0..5 {
        let address = free_address();
        fs::write(folder.join("listen.conf"), format!("listen {address};\n")).unwrap();
        let mut nginx = nginx(folder)
            .args(arguments)
            .spawn()
            .expect("nginx: `cargo xtask proxy` installs it");
        if listens(&mut nginx, address) {
            return (nginx, address);
        }
    }
    panic!("{:?}", fs::read_to_string(folder.join("error.log")));
}

/// Waits until a program listens. Stops waiting if the program has ended.
fn listens(program: &mut Child, address: SocketAddr) -> bool {
    let end = Instant::now() + PATIENCE;
    while program.try_wait().unwrap().is_none() && Instant::now() < end {
        if TcpStream::connect(address).is_ok() {
            return true;
        }
        thread::sleep(Duration::from_millis(10));
    }
    false
}

fn nginx(folder: &Path) -> Command {
    // Debian installs nginx where only root looks for programs.
    let place = Path::new("/usr/sbin/nginx");
    let mut nginx = Command::new(if place.exists() {
        place
    } else {
        Path::new("nginx")
    });
    nginx.arg("-p").arg(folder);
    nginx.arg("-c").arg(folder.join("nginx.conf"));
    nginx
}

/// Returns an address that was free a moment ago.
fn free_address() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap()
}
