//! The services of the README and the guide keep to their descriptions.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::support::{Folder, Ran, docent};

const TOKEN: &str = "0123456789abcdef0123456789abcdef";

/// A running service. It ends when this value is dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Builds an example, starts it on a free port, and checks it.
fn check(example: &str, arguments: &[&str], more: &[&str]) -> Ran {
    let build = ["build", "--quiet", "--offline", "--package", example];
    let done = Command::new(env!("CARGO")).args(build).status();
    assert!(done.expect("cargo").success(), "{example}");
    let folder = Path::new(env!("CARGO_BIN_EXE_docent"))
        .parent()
        .expect("a folder");
    let program = folder.with_file_name("debug").join(example);
    let port = std::net::TcpListener::bind("127.0.0.1:0")
        .expect("a port")
        .local_addr();
    let address = port.expect("bound").to_string();
    let mut child = Command::new(program)
        .args(["--listen", &address])
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let out = child.stdout.take().expect("piped");
    let _running = Running(child);
    let mut lines = BufReader::new(out).lines();
    let line = lines.next().expect("a line").expect("UTF-8");
    assert!(line.contains(&address), "{line}");
    let url = format!("http://{address}/rpc");
    // The address is printed before the first connection is accepted.
    let ready = (0..100).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        std::net::TcpStream::connect(&address).is_ok()
    });
    assert!(ready, "{example}");
    let usual = ["check", &url, "--rate", "100000", "--seed", "7"];
    let mut command = docent(usual.iter().chain(more));
    command
        .env("DOCENT_TOKEN", TOKEN)
        .output()
        .expect("it runs")
        .into()
}

#[test]
fn the_quickstart_keeps_to_its_description() {
    let ran = check("quickstart", &[], &[]);
    assert_eq!((ran.code, &*ran.stderr), (0, ""), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("the description holds"),
        "{}",
        ran.stdout
    );
}

#[test]
fn the_library_keeps_to_its_description() {
    let folder = Folder::new();
    let database = folder.arg("library.db");
    let ran = check(
        "library",
        &["--database", &database, "--token", TOKEN],
        &["--unsafe"],
    );
    assert_eq!((ran.code, &*ran.stderr), (0, ""), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("of 11 procedures, 0 not tried"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("the description holds"),
        "{}",
        ran.stdout
    );
}
