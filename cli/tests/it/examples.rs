//! The services of the README and the guide keep to their descriptions.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Once;

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

/// Builds the programs, once for all tests.
fn build() {
    static BUILT: Once = Once::new();
    BUILT.call_once(|| {
        let mut build = Command::new(env!("CARGO"));
        // What `cargo test --workspace` has built is not built again: with one crate alone, its dependencies
        // would have other features, and with the variables of this one, build scripts would run again.
        build.args("build --quiet --offline --workspace --bins --examples --tests".split(' '));
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
                build.env_remove(&name);
            }
        }
        assert!(build.status().expect("cargo").success());
    });
}

/// Starts a program, `NAME` or `examples/NAME`, on a free port, and checks it.
fn check(program: &str, arguments: &[&str], more: &[&str]) -> Ran {
    build();
    let folder = Path::new(env!("CARGO_BIN_EXE_docent"))
        .parent()
        .expect("a folder");
    let path = folder.with_file_name("debug").join(program);
    let port = std::net::TcpListener::bind("127.0.0.1:0")
        .expect("a port")
        .local_addr();
    let address = port.expect("bound").to_string();
    let child = Command::new(path)
        .args(["--listen", &address])
        .args(arguments)
        .env("LISTEN", &address)
        .env("TASKS_TOKEN", TOKEN)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let _running = Running(child);
    let url = format!("http://{address}/rpc");
    let ready = (0..600).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        std::net::TcpStream::connect(&address).is_ok()
    });
    assert!(ready, "{program}");
    let usual = ["check", &url, "--rate", "100000", "--seed", "7"];
    let mut command = docent(usual.iter().chain(more));
    command
        .env("DOCENT_TOKEN", TOKEN)
        .output()
        .expect("it runs")
        .into()
}

#[track_caller]
fn holds(ran: &Ran) {
    assert_eq!((ran.code, &*ran.stderr), (0, ""), "{}", ran.stdout);
    let line = "the description holds";
    assert!(ran.stdout.contains(line), "{}", ran.stdout);
}

#[test]
fn the_quickstart_keeps_to_its_description() {
    holds(&check("quickstart", &[], &[]));
}

#[test]
fn the_services_of_the_guide_keep_to_their_descriptions() {
    holds(&check("examples/tasks", &[], &["--unsafe"]));
    holds(&check("examples/attributes", &[], &["--unsafe"]));
    holds(&check("examples/pages", &[], &["--unsafe"]));
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
    holds(&ran);
    let tried = "of 11 procedures, 0 not tried";
    assert!(ran.stdout.contains(tried), "{}", ran.stdout);
}
