//! The services of the README and the guide keep to their descriptions.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Once;

use crate::service::{Response, Server};
use crate::support::{Folder, Ran, docent, run, without_time};

const README: &str = include_str!("../../../README.md");
const TUTORIAL: &str = include_str!("../../../server/guide/tutorial.md");
const TOKEN: &str = "0123456789abcdef0123456789abcdef";

/// A running service. It ends when this value is dropped.
struct Running {
    program: Child,
    url: String,
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
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

/// Starts a program, `NAME` or `examples/NAME`, on a free port.
fn start(program: &str, arguments: &[&str]) -> Running {
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
    let running = Running {
        program: child,
        url: format!("http://{address}/rpc"),
    };
    let ready = (0..600).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        std::net::TcpStream::connect(&address).is_ok()
    });
    assert!(ready, "{program}");
    running
}

/// Starts a program, and checks it.
fn check(program: &str, arguments: &[&str], more: &[&str]) -> Ran {
    let running = start(program, arguments);
    let usual = ["check", &running.url, "--seed", "7"];
    let mut command = docent(usual.iter().chain(more));
    command
        .env("DOCENT_TOKEN", TOKEN)
        .output()
        .expect("it runs")
        .into()
}

/// Returns the lines that a page shows below a command, with this address for the one in the command.
fn shown(page: &str, command: &str, url: &str) -> Vec<String> {
    let (_, block) = page
        .split_once(&format!("$ {command}"))
        .expect("the command");
    let (_, block) = block.split_once('\n').expect("its end");
    let (block, _) = block.split_once("\n```").expect("the end of the block");
    let (_, written) = command.split_once("http://").expect("an address");
    block
        .lines()
        .map(|line| line.replace(&format!("http://{written}"), url))
        .collect()
}

/// Returns a line without the time that it took, and the number of calls: that of the calls with which a finding is
/// reduced depends on which thread comes across it first.
fn without_varying_numbers(line: &str) -> String {
    let line = without_time(line);
    let Some((before, after)) = line.split_once(" calls of ") else {
        return line;
    };
    let before = before.trim_end_matches(|letter: char| letter.is_ascii_digit());
    format!("{before}some calls of {after}")
}

/// Checks that a command prints these lines, in this order, apart from numbers that vary. In them, `…` stands for any
/// text or any lines.
#[track_caller]
fn prints(ran: &Ran, shown: &[String]) {
    let printed = format!("{}{}", ran.stdout, ran.stderr);
    let mut lines = printed.lines().map(without_varying_numbers);
    for expected in shown.iter().filter(|line| *line != "…") {
        let expected = without_varying_numbers(expected);
        let (start, end) = expected.split_once('…').unwrap_or((&expected, ""));
        let is_whole = start.len() == expected.len();
        let fits = |line: String| {
            line.strip_prefix(start)
                .is_some_and(|rest| rest.ends_with(end) && (!is_whole || rest.is_empty()))
        };
        assert!(lines.any(fits), "no line {expected:?} in:\n{printed}");
    }
}

/// Runs a check of a page with the seed that it shows.
fn check_as_shown(page: &str, command: &str, running: &Running) {
    let shown = shown(page, command, &running.url);
    let last = shown.last().expect("a last line");
    let (_, seed) = last.split_once("seed ").expect("a seed");
    let (seed, _) = seed.split_once(':').expect("its end");
    let mut arguments: Vec<&str> = command
        .split(' ')
        .skip(1)
        .filter(|option| !option.starts_with("http"))
        .collect();
    arguments.extend([&running.url, "--seed", seed]);
    prints(&run(arguments), &shown);
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
fn the_readme_shows_what_a_check_prints() {
    let quickstart = start("quickstart", &[]);
    let command = "docent check http://127.0.0.1:8080/rpc";
    check_as_shown(README, command, &quickstart);
    let other = start("examples/jsonrpsee", &[]);
    let command = "docent check --unsafe http://127.0.0.1:8081/rpc";
    check_as_shown(README, command, &other);
}

#[test]
fn the_tutorial_shows_what_a_check_prints() {
    let tasks = start("examples/tasks", &[]);
    let command = "docent check http://localhost:8080/rpc";
    check_as_shown(TUTORIAL, command, &tasks);
}

#[test]
fn the_readme_shows_what_a_narrower_range_breaks() {
    let quickstart = start("quickstart", &[]);
    let described = run(["describe", &quickstart.url]).stdout;
    let folder = Folder::new();
    let old = folder.write("greeter.json", &described);
    let narrowed = described.replace("\"maximum\": 5", "\"maximum\": 3");
    assert_ne!(narrowed, described);
    let server =
        Server::start(move |request| Response::of_service(request, "rpc.describe", &narrowed));
    let url = server.url("/rpc");
    let command = "docent diff greeter.json http://127.0.0.1:8080/rpc";
    let shown = shown(README, command, &url);
    prints(&run(["diff", &old, &url]), &shown);
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
    let tried = "of 12 procedures, 0 not tried";
    assert!(without_time(&ran.stdout).contains(tried), "{}", ran.stdout);
}
