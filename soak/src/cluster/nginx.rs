//! nginx with the library's configuration.
//!
//! It is the configuration that the example recommends, so its settings are tested too.

use std::fs;
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use super::instances::free_address;
use crate::BoxError;
use crate::program::START_TIMEOUT;

/// The configuration that the library's documentation shows. The addresses are in files of their own.
const NGINX_CONFIGURATION: &str = include_str!("../../../examples/library/nginx/nginx.conf");

/// The setting that bounds how long streams of events keep nginx's old workers, and a shorter one, since
/// there are many reloads.
const SHUTDOWN_TIMEOUT: [&str; 2] = [
    "worker_shutdown_timeout 35s;",
    "worker_shutdown_timeout 3s;",
];

/// The time by which nginx's old workers must finish their calls and exit.
const RELOAD_TIMEOUT: Duration = Duration::from_secs(30);

pub(super) struct Nginx {
    folder: PathBuf,
    address: SocketAddr,
    instances: Vec<SocketAddr>,
    process: Child,
}

impl Nginx {
    /// Starts nginx in front of these instances.
    pub(super) fn start(folder: &Path, instances: &[SocketAddr]) -> Result<Self, BoxError> {
        let address = free_address()?;
        let [recommended, shorter] = SHUTDOWN_TIMEOUT;
        let configuration = NGINX_CONFIGURATION.replace(recommended, shorter);
        fs::write(folder.join("nginx.conf"), configuration)?;
        fs::write(folder.join("listen.conf"), format!("listen {address};\n"))?;
        write_instances(folder, instances, |_| true)?;
        let mut process = nginx(folder);
        // If root starts nginx, its workers must be able to read a folder that only root may read.
        process.args(["-g", "daemon off; user root;"]);
        let nginx = Self {
            folder: folder.to_owned(),
            address,
            instances: instances.to_vec(),
            process: process.spawn()?,
        };
        let end = Instant::now() + START_TIMEOUT;
        while TcpStream::connect(address).is_err() {
            if Instant::now() > end {
                return Err(BoxError::from("nginx did not start"));
            }
            thread::sleep(Duration::from_millis(20));
        }
        Ok(nginx)
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Sends calls only to the chosen instances. `is_chosen` receives their indexes.
    pub(super) fn send_to(&self, is_chosen: impl Fn(usize) -> bool) -> Result<(), BoxError> {
        write_instances(&self.folder, &self.instances, is_chosen)?;
        let old = self.workers();
        let reloaded = nginx(&self.folder).args(["-s", "reload"]).status()?;
        if !reloaded.success() {
            return Err(BoxError::from("nginx did not reload its configuration"));
        }
        // As long as an old worker runs, it may send calls to an instance that was not chosen.
        let end = Instant::now() + RELOAD_TIMEOUT;
        while self.workers().iter().any(|worker| old.contains(worker)) {
            if Instant::now() > end {
                return Err(BoxError::from("nginx's old workers do not leave"));
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
        // nginx ends its workers itself. If its master process were killed, they would keep running.
        let stopped = nginx(&self.folder).args(["-s", "stop"]).status();
        if !stopped.is_ok_and(|status| status.success()) {
            let _ = self.process.kill();
        }
        let _ = self.process.wait();
    }
}

fn nginx(folder: &Path) -> Command {
    // Debian installs nginx in a folder that is only on root's PATH.
    let place = Path::new("/usr/sbin/nginx");
    let name = if place.exists() {
        place
    } else {
        Path::new("nginx")
    };
    let mut nginx = Command::new(name);
    nginx.arg("-p").arg(folder);
    nginx.arg("-c").arg(folder.join("nginx.conf"));
    nginx
}

/// Writes the file from which the configuration takes the instances.
fn write_instances(
    folder: &Path,
    instances: &[SocketAddr],
    is_chosen: impl Fn(usize) -> bool,
) -> Result<(), BoxError> {
    let lines = instances.iter().enumerate().map(|(number, instance)| {
        let state = if is_chosen(number) { "" } else { " down" };
        format!("server {instance} max_fails=0{state};\n")
    });
    Ok(fs::write(
        folder.join("instances.conf"),
        lines.collect::<String>(),
    )?)
}
