//! nginx with the library's configuration.

use std::fmt::Write;
use std::fs;
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use super::instances::free_address;
use crate::Failure;
use crate::program::START;

/// The configuration that the library's documentation shows.
const CONFIGURATION: &str = include_str!("../../../examples/library/nginx/nginx.conf");

/// The line of an instance in it, before and after its address.
const INSTANCE: (&str, &str) = ("        server ", " max_fails=0;\n");

/// How long nginx's old workers may take to finish their calls and leave.
const RELOAD: Duration = Duration::from_secs(30);

pub(super) struct Nginx {
    folder: PathBuf,
    address: SocketAddr,
    instances: Vec<SocketAddr>,
    process: Child,
}

impl Nginx {
    /// Starts nginx in front of these instances.
    pub(super) fn start(folder: &Path, instances: &[SocketAddr]) -> Result<Self, Failure> {
        let address = free_address()?;
        let instances = instances.to_vec();
        fs::write(
            file(folder),
            configuration(address, &instances, None).ok_or("nginx.conf names other instances")?,
        )?;
        let mut process = nginx(folder);
        // If root starts nginx, its workers must be able to read a folder that only root may read.
        process.args(["-g", "daemon off; user root;"]);
        let nginx = Self {
            folder: folder.to_owned(),
            address,
            instances,
            process: process.spawn()?,
        };
        let end = Instant::now() + START;
        while TcpStream::connect(address).is_err() {
            if Instant::now() > end {
                return Err(Failure::from("nginx did not start"));
            }
            thread::sleep(Duration::from_millis(20));
        }
        Ok(nginx)
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Sends no more calls to an instance, or calls to all of them.
    pub(super) fn leave_out(&mut self, number: Option<usize>) -> Result<(), Failure> {
        let text = configuration(self.address, &self.instances, number);
        fs::write(
            file(&self.folder),
            text.ok_or("nginx.conf names other instances")?,
        )?;
        let old = self.workers();
        let reloaded = nginx(&self.folder).args(["-s", "reload"]).status()?;
        if !reloaded.success() {
            return Err(Failure::from("nginx did not reload its configuration"));
        }
        // As long as an old worker is there, it may send calls to an instance that is left out.
        let end = Instant::now() + RELOAD;
        while self.workers().iter().any(|worker| old.contains(worker)) {
            if Instant::now() > end {
                return Err(Failure::from("nginx's old workers do not leave"));
            }
            thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    /// Returns the processes that nginx has started.
    fn workers(&self) -> Vec<String> {
        let master = self.process.id();
        let children = fs::read_to_string(format!("/proc/{master}/task/{master}/children"));
        let children = children.unwrap_or_default();
        children.split_whitespace().map(str::to_owned).collect()
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // nginx itself ends its workers. If its master process were killed, they would keep running.
        let stopped = nginx(&self.folder).args(["-s", "stop"]).status();
        if !stopped.is_ok_and(|status| status.success()) {
            let _ = self.process.kill();
        }
        let _ = self.process.wait();
    }
}

fn file(folder: &Path) -> PathBuf {
    folder.join("nginx.conf")
}

fn nginx(folder: &Path) -> Command {
    // Debian installs nginx where only root looks for programs.
    let place = Path::new("/usr/sbin/nginx");
    let name = if place.exists() {
        place
    } else {
        Path::new("nginx")
    };
    let mut nginx = Command::new(name);
    nginx.arg("-p").arg(folder).arg("-c").arg(file(folder));
    nginx
}

/// Returns the configuration with these addresses, or `None` if it has changed too much.
fn configuration(
    address: SocketAddr,
    instances: &[SocketAddr],
    down: Option<usize>,
) -> Option<String> {
    let (before, after) = INSTANCE;
    let start = CONFIGURATION.find(before)?;
    let end = CONFIGURATION.rfind(after)? + after.len();
    let mut lines = String::new();
    for (number, instance) in instances.iter().enumerate() {
        let state = if down == Some(number) { " down" } else { "" };
        let after = after.replacen(';', &format!("{state};"), 1);
        write!(lines, "{before}{instance}{after}").ok()?;
    }
    let text = format!(
        "{}{lines}{}",
        &CONFIGURATION[..start],
        &CONFIGURATION[end..]
    );
    let (listen, shown) = (format!("listen {address};"), "listen 127.0.0.1:8080;");
    text.contains(shown).then(|| text.replace(shown, &listen))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a panic fails the test")]
mod tests {
    use super::configuration;

    #[test]
    fn the_configuration_names_every_instance_and_marks_the_one_that_leaves() {
        let at = |port: u16| format!("127.0.0.1:{port}").parse().unwrap();
        let text = configuration(at(1), &[at(2), at(3), at(4)], Some(1)).unwrap();
        for line in [
            "listen 127.0.0.1:1;",
            "server 127.0.0.1:2 max_fails=0;",
            "server 127.0.0.1:3 max_fails=0 down;",
            "server 127.0.0.1:4 max_fails=0;",
        ] {
            assert!(text.contains(line), "{line}: {text}");
        }
        assert!(!text.contains("server 127.0.0.1:8081"), "{text}");
    }
}
