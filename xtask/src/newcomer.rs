//! Plays the transcript on the first page of the guide, as somebody would who has no checkout.
//!
//! The crates are packaged and unpacked into a folder of sources beside those that they depend on, and that folder
//! takes the place of crates.io. So the commands are those of the page, and only the port is another.
//!
//! After that, services with a name that is no identifier, and with each database, build and pass their tests.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use crate::command::{self, BoxError, cargo, from_root, root};
use crate::features::packages;
use crate::install::Program;
use crate::postgres::{self, Commits, Server};
use crate::running::unused_address;

/// The program with which the transcript calls the service.
pub(crate) const NEWCOMER_PROGRAMS: &[Program] = &[Program::new("curl", "curl")];

/// The address in the transcript.
const WRITTEN_ADDRESS: &str = "127.0.0.1:8080";

/// The folder in that of the newcomer where cargo keeps its settings, and installs programs.
const CARGO_HOME: &str = ".cargo";

/// The folder of the newcomer. Dropping this ends the service and removes the folder.
struct Newcomer {
    folder: PathBuf,
    /// The folder in which the next command runs.
    current: PathBuf,
    address: String,
    service: Option<Child>,
}

impl Drop for Newcomer {
    fn drop(&mut self) {
        if let Some(service) = &mut self.service {
            // This fails only if the process has already ended.
            let _ = service.kill();
            let _ = service.wait();
        }
        let _ = fs::remove_dir_all(&self.folder);
    }
}

pub(crate) fn run() -> Result<(), BoxError> {
    let registry = fs::canonicalize(registry()?)?;
    let name = format!("docent-newcomer-{}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    fs::create_dir_all(folder.join(CARGO_HOME))?;
    let config = format!(
        "[source.crates-io]\nreplace-with = 'packages'\n\n[source.packages]\ndirectory = '{}'\n",
        registry.display()
    );
    fs::write(folder.join(CARGO_HOME).join("config.toml"), config)?;
    let mut newcomer = Newcomer {
        current: folder.clone(),
        folder,
        address: unused_address()?,
        service: None,
    };
    let page = fs::read_to_string(root().join("server/guide/index.md"))?;
    let steps = steps(&page.replace(WRITTEN_ADDRESS, &newcomer.address));
    if steps.len() < 8 {
        return Err(format!("the transcript has only {} commands", steps.len()).into());
    }
    for step in &steps {
        newcomer.play(step)?;
    }
    newcomer.play(&Step {
        command: format!("curl -fs http://{}/docs/ | tail -n 1", newcomer.address),
        printed: vec!["…</html>".to_owned()],
    })?;
    // The name of the transcript is that of the template. Another one, which is no identifier, has to build, too.
    newcomer.test_new("lending-library", "", "cargo test", 5)?;
    newcomer.test_new("lite-cards", "--keys sqlite", "cargo test", 2)?;
    let server = Server::start(&postgres::prepare()?, Commits::InMemory)?;
    let test = format!("TEST_DATABASE={}/postgres cargo test", server.url());
    newcomer.test_new("postgres-cards", "--keys postgres", &test, 2)
}

/// Returns a folder with the sources of all crates: ours as they are packaged, and what they depend on.
fn registry() -> Result<PathBuf, BoxError> {
    let folder = command::target().join("newcomer");
    let registry = folder.join("registry");
    let vendor = ["vendor", "--quiet", "--locked", "--versioned-dirs"];
    command::run(cargo().args(vendor).arg(&registry).stdout(Stdio::null()))?;
    let mut package = cargo();
    package.args([
        "package",
        "--quiet",
        "--no-verify",
        "--allow-dirty",
        "--locked",
        "--target-dir",
    ]);
    package.arg(&folder);
    let published: Vec<_> = packages()?
        .into_iter()
        .filter(|package| package["publish"].is_null())
        .filter_map(|package| Some(package["name"].as_str()?.to_owned()))
        .collect();
    package.args(published.iter().map(|name| format!("--package={name}")));
    command::run(&mut package)?;
    for name in published {
        let crate_name = format!("{name}-{}", env!("CARGO_PKG_VERSION"));
        let file = folder.join("package").join(format!("{crate_name}.crate"));
        command::run(
            Command::new("tar")
                .arg("-xzf")
                .arg(&file)
                .arg("-C")
                .arg(&registry),
        )?;
        // The list of its files may be empty, but must be there.
        fs::write(
            registry.join(crate_name).join(".cargo-checksum.json"),
            r#"{"files":{}}"#,
        )?;
    }
    Ok(registry)
}

/// A command of the transcript, and the lines that it prints.
struct Step {
    command: String,
    printed: Vec<String>,
}

/// Returns the commands in the blocks of a page that are marked `console`.
fn steps(page: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let lines = page
        .split("```console\n")
        .skip(1)
        .flat_map(|block| block.split("\n```").next().unwrap_or_default().lines());
    for line in lines {
        match (line.strip_prefix("$ "), steps.last_mut()) {
            (Some(command), _) => steps.push(Step {
                command: command.to_owned(),
                printed: Vec::new(),
            }),
            (None, Some(step)) if step.command.ends_with('\\') => {
                step.command.push('\n');
                step.command.push_str(line);
            }
            (None, Some(step)) => step.printed.push(line.to_owned()),
            (None, None) => {}
        }
    }
    steps
}

impl Newcomer {
    /// Creates a service, which has to be in form and pass its tests.
    fn test_new(
        &mut self,
        name: &str,
        options: &str,
        test: &str,
        tests: usize,
    ) -> Result<(), BoxError> {
        self.current.clone_from(&self.folder);
        for command in [
            &*format!("docent new {name} {options}"),
            &*format!("cd {name}"),
            "cargo fmt --check",
            "cargo clippy --all-targets -- -D warnings",
        ] {
            self.play(&Step {
                command: command.to_owned(),
                printed: Vec::new(),
            })?;
        }
        self.play(&Step {
            command: test.to_owned(),
            printed: vec![format!("test result: ok. {tests} passed; …")],
        })
    }

    /// Runs a command, and fails if it fails or prints something else.
    fn play(&mut self, step: &Step) -> Result<(), BoxError> {
        eprintln!("newcomer: {}", step.command);
        if let Some(folder) = step.command.strip_prefix("cd ") {
            self.current.push(folder);
            return Ok(());
        }
        let printed = if step.command.ends_with("cargo run") {
            self.start(step)?
        } else {
            let output = self
                .shell(&format!("exec 2>&1\n{}", step.command))
                .output()?;
            let printed = String::from_utf8_lossy(&output.stdout).into_owned();
            if !output.status.success() {
                return Err(format!("it failed:\n{printed}").into());
            }
            printed
        };
        eprintln!("{printed}");
        let mut lines = printed.lines();
        for expected in &step.printed {
            if !lines.any(|line| fits(line, expected)) {
                return Err(format!("expected the line {expected:?} in:\n{printed}").into());
            }
        }
        Ok(())
    }

    /// Starts the service, and returns what it prints up to the last line of the step.
    fn start(&mut self, step: &Step) -> Result<String, BoxError> {
        let last = step.printed.last().map_or("", String::as_str);
        // The service takes the place of the shell, so that it ends with it.
        let mut shell = self.shell(&format!("exec env {} 2>&1", step.command));
        let service = shell.stdout(Stdio::piped()).spawn()?;
        let mut printed = String::new();
        // The output stays open, since the service may print more.
        if let Some(stdout) = &mut self.service.insert(service).stdout {
            for line in BufReader::new(stdout).lines() {
                let line = line?;
                printed.push_str(&line);
                printed.push('\n');
                if fits(&line, last) {
                    break;
                }
            }
        }
        Ok(printed)
    }

    fn shell(&self, command: &str) -> Command {
        let home = self.folder.join(CARGO_HOME);
        let mut paths = vec![home.join("bin")];
        paths.extend(std::env::split_paths(
            &std::env::var_os("PATH").unwrap_or_default(),
        ));
        let mut shell = from_root("sh");
        shell
            .args(["-c", command])
            .current_dir(&self.current)
            .env("PATH", std::env::join_paths(paths).unwrap_or_default())
            .env("LISTEN", &self.address)
            .env("CARGO_HOME", home)
            .env("CARGO_TARGET_DIR", self.folder.join("target"))
            // Optimised, the command takes longer to build than all the rest.
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0");
        shell
    }
}

/// Returns whether a line is as the transcript has it, where `…` stands for any text.
fn fits(line: &str, expected: &str) -> bool {
    match expected.split_once('…') {
        Some((start, end)) => line
            .strip_prefix(start)
            .is_some_and(|rest| rest.ends_with(end)),
        None => line == expected,
    }
}
