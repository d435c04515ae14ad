//! Runs the library's tests on PostgreSQL, with a server that exists only for them.
//!
//! The server listens on a socket in a temporary folder, so that it needs no port, disturbs no other
//! server, and leaves nothing behind.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::command::{self, BoxError, cargo};
use crate::install;

/// The folder of Debian with the server's programs, in one folder for each version.
const VERSIONS_FOLDER: &str = "/usr/lib/postgresql";

/// The file with the settings of Debian's installation.
const SETTINGS_FILE: &str = "/etc/postgresql-common/createcluster.conf";

/// The setting that keeps the installation from creating and starting a server.
const CREATE_NO_SERVER: &str = "create_main_cluster = false\n";

/// The time within which the server must have started.
const START_TIMEOUT: Duration = Duration::from_secs(60);

/// Runs the tests.
pub(crate) fn run() -> Result<(), BoxError> {
    let server = Server::start(&prepare()?, Commits::InMemory)?;
    let words = "test --locked --workspace --test postgres";
    let mut tests = cargo();
    tests.args(words.split(' '));
    command::run(tests.env("LIBRARY_POSTGRES", server.url()))
}

/// Installs PostgreSQL if it is missing. Returns the folder of its programs.
pub(crate) fn prepare() -> Result<PathBuf, BoxError> {
    if let Some(programs) = programs() {
        return Ok(programs);
    }
    install::announce("PostgreSQL (package postgresql)")?;
    let settings = Path::new(SETTINGS_FILE);
    if !settings.exists() {
        fs::create_dir_all(settings.parent().unwrap_or(Path::new("/")))?;
        fs::write(settings, CREATE_NO_SERVER)?;
    }
    install::packages(["postgresql"])?;
    programs().ok_or_else(|| format!("no programs of PostgreSQL in {VERSIONS_FOLDER}").into())
}

fn programs() -> Option<PathBuf> {
    fs::read_dir(VERSIONS_FOLDER)
        .ok()?
        .filter_map(Result::ok)
        .map(|version| version.path().join("bin"))
        .filter(|folder| folder.join("postgres").is_file())
        .max()
}

/// The moment at which a transaction is committed.
#[derive(Clone, Copy)]
pub(crate) enum Commits {
    /// Committed before the data is on disk. No test switches the machine off.
    InMemory,
    /// Committed when the data is on disk, as outside of tests.
    OnDisk,
}

/// A server with its data and its socket in a folder, and without a port. Dropping this stops the
/// server and removes the folder.
pub(crate) struct Server {
    programs: PathBuf,
    folder: PathBuf,
    commits: Commits,
    process: Option<Child>,
}

impl Server {
    pub(crate) fn start(programs: &Path, commits: Commits) -> Result<Self, BoxError> {
        // The path must be short, since that of a socket has a limit of about a hundred characters.
        let folder = std::env::temp_dir().join(format!("docent-pg-{}", std::process::id()));
        let mut server = Self {
            programs: programs.to_owned(),
            folder,
            commits,
            process: None,
        };
        fs::create_dir(&server.folder)?;
        if is_root() {
            let owner = Command::new("chown")
                .arg("postgres:")
                .arg(&server.folder)
                .status()?;
            if !owner.success() {
                return Err("there is no user postgres to run the server as".into());
            }
        }
        let mut create = server.program("initdb");
        create.args(["--username=postgres", "--auth=trust", "--encoding=UTF8"]);
        create.args(["--no-locale", "--no-sync", "--pgdata"]);
        command::output(create.arg(server.data()))?;
        server.launch()?;
        Ok(server)
    }

    /// Starts the server and waits until it answers.
    pub(crate) fn launch(&mut self) -> Result<(), BoxError> {
        let mut postgres = self.program("postgres");
        postgres
            .arg("-D")
            .arg(self.data())
            .arg("-k")
            .arg(&self.folder);
        let fsync = match self.commits {
            Commits::InMemory => "fsync=off",
            Commits::OnDisk => "fsync=on",
        };
        postgres.args(["-c", "listen_addresses=", "-c", fsync]);
        let log = fs::File::create(self.folder.with_extension("log"))?;
        postgres.stdout(Stdio::null()).stderr(log);
        self.process = Some(postgres.spawn()?);
        let end = Instant::now() + START_TIMEOUT;
        while !self.is_ready()? {
            let ended = match &mut self.process {
                Some(process) => process.try_wait()?.is_some(),
                None => true,
            };
            if ended || Instant::now() > end {
                let log = fs::read_to_string(self.folder.with_extension("log"))?;
                return Err(format!("PostgreSQL did not start: {log}").into());
            }
            thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    /// Kills the server as a crash would, and starts it again.
    pub(crate) fn restart(&mut self) -> Result<(), BoxError> {
        self.stop();
        self.launch()
    }

    fn stop(&mut self) {
        if let Some(mut process) = self.process.take() {
            let mut stop = self.program("pg_ctl");
            stop.args(["stop", "--silent", "--mode=immediate", "--pgdata"]);
            let status = stop.arg(self.data()).status();
            if !status.is_ok_and(|status| status.success()) {
                let _ = process.kill();
            }
            let _ = process.wait();
        }
    }

    /// Returns the address of the server, to which a slash and the name of a database are added.
    pub(crate) fn url(&self) -> String {
        let folder = self.folder.to_string_lossy().replace('/', "%2F");
        format!("postgres://postgres@{folder}")
    }

    fn is_ready(&self) -> Result<bool, BoxError> {
        let mut ready = Command::new(self.programs.join("pg_isready"));
        ready.arg("--quiet").arg("--host").arg(&self.folder);
        Ok(ready.status()?.success())
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    /// Returns a command for a program of PostgreSQL. The server refuses to run as root.
    fn program(&self, name: &str) -> Command {
        let path = self.programs.join(name);
        let mut program = Command::new(&path);
        if is_root() {
            program = Command::new("setpriv");
            program.args(["--reuid=postgres", "--regid=postgres", "--init-groups"]);
            program.arg(&path);
        }
        // The current folder must be one that this user may enter.
        program.current_dir(&self.folder);
        program
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
        let _ = fs::remove_dir_all(&self.folder);
        let _ = fs::remove_file(self.folder.with_extension("log"));
    }
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|id| id.stdout.trim_ascii() == b"0")
}
