//! nginx in front of instances of the library that share a database.

use std::fs;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::client::Client;
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
        let (process, address) = start_nginx(folder.path(), instances);
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
        let stopped = nginx()
            .arg("-p")
            .arg(self.folder.path())
            .arg("-c")
            .arg(self.folder.path().join("nginx.conf"))
            .args(["-s", "stop"])
            .status();
        if stopped.is_err() {
            let _ = self.process.kill();
        }
        let _ = self.process.wait();
    }
}

/// Starts nginx in the foreground and waits until it listens.
fn start_nginx(folder: &Path, instances: [SocketAddr; 2]) -> (Child, SocketAddr) {
    // Another process may take an address that was free a moment ago.
    for _ in 0..5 {
        let address = free_address();
        let places = [
            ("127.0.0.1:8080", address),
            ("127.0.0.1:8081", instances[0]),
            ("127.0.0.1:8082", instances[1]),
        ];
        let mut nginx = nginx()
            .arg("-p")
            .arg(folder)
            .arg("-c")
            .arg(configuration(folder, &places))
            // If root starts nginx, its workers must be able to read a folder that only root may
            // read.
            .args(["-g", "daemon off; user root;"])
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

fn nginx() -> Command {
    // Debian installs nginx where only root looks for programs.
    let place = Path::new("/usr/sbin/nginx");
    Command::new(if place.exists() {
        place
    } else {
        Path::new("nginx")
    })
}

/// Writes the repository's configuration with the addresses of this test.
fn configuration(folder: &Path, places: &[(&str, SocketAddr)]) -> PathBuf {
    let mut text = include_str!("../../nginx/nginx.conf").to_owned();
    for (written, real) in places {
        assert!(text.contains(&format!(" {written}")), "{written}");
        text = text.replace(written, &real.to_string());
    }
    let path = folder.join("nginx.conf");
    fs::write(&path, text).unwrap();
    path
}

/// Returns an address that was free a moment ago.
fn free_address() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap()
}
