//! nginx in front of instances of the library that share a database.

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
        let places = [
            ("127.0.0.1:8081".to_owned(), instances[0].to_string()),
            ("127.0.0.1:8082".to_owned(), instances[1].to_string()),
        ];
        let listen = (
            "listen 127.0.0.1:8080",
            include_str!("../../nginx/nginx.conf"),
        );
        // If root starts nginx, its workers must be able to read a folder that only root may read.
        Self::start(folder, listen, &places, &["-g", "daemon off; user root;"])
    }

    /// Starts nginx as the compose file does, in front of these instances.
    pub(crate) fn composed(compose: &Compose, instances: &[SocketAddr]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let words = compose.words("proxy", "/command");
        let ["nginx", "-p", _, "-c", file, others @ ..] = &*words else {
            panic!("{words:?}");
        };
        let mounted = format!("./nginx.conf:{file}:ro");
        assert_eq!(compose.words("proxy", "/volumes"), [mounted]);
        let others: Vec<_> = others
            .iter()
            .map(|word| word.replace("user nginx;", "user root;"))
            .collect();
        let others: Vec<_> = others.iter().map(String::as_str).collect();
        let names = INSTANCES.iter().map(|name| format!("{name}:8080"));
        let addresses = instances.iter().map(SocketAddr::to_string);
        let places: Vec<_> = names.zip(addresses).collect();
        let listen = ("listen 8080", include_str!("../../container/nginx.conf"));
        Self::start(folder, listen, &places, &others)
    }

    fn start(
        folder: TempDir,
        (listen, text): (&str, &str),
        places: &[(String, String)],
        arguments: &[&str],
    ) -> Self {
        let mut text = text.to_owned();
        for (written, real) in places {
            let server = format!("server {written} ");
            assert_eq!(text.matches(&server).count(), 1, "{server}");
            text = text.replace(&server, &format!("server {real} "));
        }
        let (process, address) = start_nginx(folder.path(), listen, &text, arguments);
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
fn start_nginx(folder: &Path, listen: &str, text: &str, arguments: &[&str]) -> (Child, SocketAddr) {
    assert_eq!(text.matches(listen).count(), 1, "{listen}");
    let configuration = folder.join("nginx.conf");
    // Another process may take an address that was free a moment ago.
    for _ in 0..5 {
        let address = free_address();
        fs::write(
            &configuration,
            text.replace(listen, &format!("listen {address}")),
        )
        .unwrap();
        let mut nginx = nginx()
            .arg("-p")
            .arg(folder)
            .arg("-c")
            .arg(&configuration)
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

fn nginx() -> Command {
    // Debian installs nginx where only root looks for programs.
    let place = Path::new("/usr/sbin/nginx");
    Command::new(if place.exists() {
        place
    } else {
        Path::new("nginx")
    })
}

/// Returns an address that was free a moment ago.
fn free_address() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap()
}
