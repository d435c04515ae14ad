//! The program itself: how it starts, and what a kill leaves behind.

use std::collections::{BTreeMap, HashSet};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::http::{Client, TOKEN, call};
use crate::keyed::keyed;
use crate::started::Started;

fn library(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_library"));
    command.args(arguments);
    command
}

/// The running program.
struct Program {
    started: Started,
    client: Client<'static>,
}

impl Program {
    fn start(database: &Path) -> Self {
        Self::start_with(database, &["--token", TOKEN])
    }

    fn start_with(database: &Path, arguments: &[&str]) -> Self {
        let started = Started::new(database, arguments);
        Self {
            client: Client::new(started.address),
            started,
        }
    }

    /// Returns the value of `Authorization` in the call that is printed at the start.
    fn printed_credential(&mut self) -> String {
        self.started
            .out
            .by_ref()
            .lines()
            .map_while(Result::ok)
            .find_map(|line| {
                let (_, rest) = line.split_once("-H 'Authorization: ")?;
                Some(rest.split_once('\'')?.0.to_owned())
            })
            .expect("a call that changes something")
    }

    /// Sends SIGKILL, which no process can catch.
    fn kill(mut self) {
        self.started.child.kill().unwrap();
        self.started.child.wait().unwrap();
    }
}

/// The requests of a writer: the key of each, and the loan in the response, if one arrived.
type Sent = BTreeMap<String, Option<u64>>;

/// Lends copies of one book until the service stops responding.
fn lend_until_it_breaks(client: Client<'_>, book: &Value, card: &str, sent: &Mutex<Sent>) {
    for n in 0.. {
        let key = format!("{card}-{n}");
        sent.lock().unwrap().insert(key.clone(), None);
        let params = json!({"book": book, "member": card});
        let start = keyed("loan.start", &params, &key);
        let Some(response) = client.try_send("POST", "/rpc", &start) else {
            return;
        };
        let Some(loan) = response.json()["result"]["id"].as_u64() else {
            panic!("{response:?}");
        };
        sent.lock().unwrap().insert(key, Some(loan));
        let end = call("loan.end", &json!([loan]), 1).to_string();
        if client.try_send("POST", "/rpc", &end).is_none() {
            return;
        }
    }
}

fn every_loan_of(client: Client<'_>, book: &Value) -> Vec<u64> {
    let mut loans = Vec::new();
    let mut next = json!(0);
    while next != Value::Null {
        let params = json!({"book": book, "offset": next, "limit": 100});
        let page = client.call("loan.list", &params);
        for loan in page["loans"].as_array().unwrap() {
            loans.push(loan["id"].as_u64().unwrap());
        }
        next = page["page"]["next"].clone();
    }
    loans
}

#[test]
fn after_a_kill_every_acknowledged_loan_is_there_once_and_the_rest_can_be_asked_for_again() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("library.db");
    let mut program = Program::start(&database);
    let add = json!({"title": "Survivor", "language": "en", "copies": 20});
    let book = program.client.call("book.add", &add)["id"].clone();
    for round in 0..4 {
        let client = program.client;
        let cards: Vec<String> = (0..4)
            .map(|n| client.call("member.add", &json!([format!("Writer {round} {n}")])))
            .map(|member| member["card"].as_str().unwrap().to_owned())
            .collect();
        let sent = Mutex::new(Sent::new());
        thread::scope(|scope| {
            for card in &cards {
                let (book, sent) = (&book, &sent);
                scope.spawn(move || lend_until_it_breaks(client, book, card, sent));
            }
            // Kill at a later point of the work in each round.
            let told = || sent.lock().unwrap().values().flatten().count();
            while told() < 10 + 7 * round {
                thread::sleep(Duration::from_millis(1));
            }
            thread::sleep(Duration::from_micros(700 * round as u64));
            program.kill();
        });
        let sent = sent.into_inner().unwrap();
        program = Program::start(&database);
        check(program.client, &book, &sent);
    }
}

fn check(client: Client<'_>, book: &Value, sent: &Sent) {
    let there = every_loan_of(client, book);
    let distinct: HashSet<u64> = there.iter().copied().collect();
    assert_eq!(there.len(), distinct.len());
    let acknowledged: Vec<u64> = sent.values().copied().flatten().collect();
    assert!(
        !acknowledged.is_empty(),
        "the kill came before the first response"
    );
    for loan in &acknowledged {
        assert!(distinct.contains(loan), "loan {loan} is lost");
    }
    // Any other request may or may not have been carried out. Repeated with its key, it is carried
    // out once.
    for (key, told) in sent {
        let (card, _) = key.split_once('-').unwrap();
        let params = json!({"book": book, "member": card});
        let again = client.send("POST", "/rpc", &keyed("loan.start", &params, key));
        let loan = again.json()["result"]["id"].as_u64().unwrap();
        assert!(
            told.is_none_or(|told| told == loan),
            "{key} was carried out twice"
        );
        assert!(told.is_some() || !acknowledged.contains(&loan));
    }
    let after = every_loan_of(client, book);
    let unanswered = sent.len() - acknowledged.len();
    assert!(after.len() <= there.len() + unanswered);
}

#[test]
fn it_starts_at_once_where_there_is_a_library_already() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("library.db");
    drop(Program::start(&database));
    let start = Instant::now();
    let program = Program::start(&database);
    let books = program.client.call("stats", &json!({}))["books"].as_u64();
    // Far more than it takes, because a machine that runs tests is busy with other things.
    assert!(
        start.elapsed() < Duration::from_secs(5),
        "{:?}",
        start.elapsed()
    );
    assert!(books > Some(500));
}

#[test]
fn without_a_token_of_ones_own_it_makes_and_prints_another_at_each_start() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("library.db");
    let mut before = None;
    for _ in 0..2 {
        let mut program = Program::start_with(&database, &[]);
        let credential = program.printed_credential();
        let token = credential.strip_prefix("Bearer ").unwrap();
        assert!(token.len() >= 32, "{token}");
        assert_ne!(before.as_ref(), Some(&credential));
        let add = call("member.add", &json!(["Tove Berg"]), 1);
        for (brought, status) in [(Some(&*credential), 200), (before.as_deref(), 401)] {
            let response = program.client.bringing(brought).post(&add);
            assert_eq!(response.status, status, "{response:?}");
        }
        before = Some(credential);
    }
}

#[test]
fn a_token_that_was_given_is_not_printed() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("library.db");
    let mut program = Program::start_with(&database, &["--token=Sesame-8"]);
    assert_eq!(program.printed_credential(), "Bearer TOKEN");
    let add = call("member.add", &json!(["Tove Berg"]), 1);
    for (credential, status) in [("Bearer Sesame-8", 200), ("Bearer TOKEN", 401)] {
        let response = program.client.bringing(Some(credential)).post(&add);
        assert_eq!(response.status, status, "{response:?}");
    }
}

#[test]
fn calls_are_counted_for_those_who_ask_for_it_alone() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("library.db");
    let program = Program::start(&database);
    assert_eq!(program.client.send("GET", "/metrics", "").status, 404);
    drop(program);
    let program = Program::start_with(&database, &["--metrics"]);
    program.client.get("stats");
    program
        .client
        .post(&call("member.add", &json!(["Tove Berg"]), 1));
    let told = program.client.send("GET", "/metrics", "");
    assert!(told.has("content-type: application/openmetrics-text; version=1.0.0; charset=utf-8"));
    for series in [
        r#"{mount="/rpc",procedure="stats",protocol="2.0",code="ok"} 1"#,
        r#"{mount="/rpc",procedure="member.add",protocol="2.0",code="-32007"} 1"#,
    ] {
        let line = format!("\ndocent_calls_total{series}\n");
        assert!(told.body.contains(&line), "{line}{}", told.body);
    }
}

/// Returns the exit code and the only line on stderr.
fn failure(mut command: Command) -> (Option<i32>, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().unwrap();
    assert_eq!(String::from_utf8(stdout).unwrap(), "");
    let text = String::from_utf8(stderr).unwrap();
    assert_eq!(text.trim_end().lines().count(), 1, "{text}");
    (status.code(), text.trim_end().to_owned())
}

#[test]
fn what_keeps_it_from_starting_is_said_in_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("notes.txt");
    std::fs::write(
        &file,
        "Not a database, and longer than the header of one is. ".repeat(9),
    )
    .unwrap();
    let file = file.to_str().unwrap();
    let (code, text) = failure(library(&["--listen", "127.0.0.1:0", "--database", file]));
    assert_eq!(code, Some(1));
    assert!(
        text.starts_with("library: cannot open the library ") && text.contains(file),
        "{text}"
    );

    let (code, text) = failure(library(&[
        "--listen",
        "127.0.0.1:0",
        "--database",
        "/no/such/folder/library.db",
    ]));
    assert_eq!(code, Some(1));
    assert!(text.contains("/no/such/folder/library.db"), "{text}");

    // Whether the program was built with PostgreSQL or not, it neither creates a file nor repeats the
    // password.
    let url = "postgres://reader:friend@127.0.0.1:port/books";
    let (code, text) = failure(library(&["--listen", "127.0.0.1:0", "--database", url]));
    assert_eq!(code, Some(1));
    assert!(
        text.starts_with("library: cannot open the library ") && !text.contains("friend"),
        "{text}"
    );

    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let database = folder.path().join("library.db");
    let database = database.to_str().unwrap();
    let (code, text) = failure(library(&["--listen", &address, "--database", database]));
    assert_eq!(code, Some(1));
    assert!(
        text.starts_with(&format!("library: cannot listen on {address}: ")),
        "{text}"
    );
    // Another process may be using the database.
    assert!(!folder.path().join("library.db").exists());

    for arguments in [
        ["--port", "80"],
        ["--listen", "80"],
        ["--public-url", "library"],
        ["--token", "open sesame"],
    ] {
        let (code, text) = failure(library(&arguments));
        assert_eq!(code, Some(2));
        assert!(text.starts_with("library: "), "{text}");
    }
}

#[test]
fn help_is_no_failure() {
    let output = library(&["--help"]).output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    for flag in [
        "--listen",
        "--database",
        "--public-url",
        "--token",
        "--metrics",
    ] {
        assert!(text.contains(flag));
    }
}

/// The program, which serves over standard input and output.
struct Lines {
    child: Child,
    /// `None` once the input has ended.
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Lines {
    fn start(database: &Path) -> Self {
        let mut child = library(&["--stdio", "--database", database.to_str().unwrap()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Self {
            input: child.stdin.take(),
            output: BufReader::new(child.stdout.take().unwrap()),
            child,
        }
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.input.as_mut().unwrap(), "{message}").unwrap();
    }

    fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }
}

#[test]
fn over_standard_input_and_output_a_line_is_a_message_until_the_input_ends() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("library.db");
    let mut lines = Lines::start(&database);
    lines.send(&call("book.find", &json!({"words": "whale"}), 7));
    let found = lines.receive();
    assert_eq!(
        (&found["id"], &found["result"]["books"][0]["id"]),
        (&json!(7), &json!(1))
    );
    lines.send(&call("loan.end", &json!([1]), 8));
    let refused = lines.receive();
    assert_eq!(
        (&refused["id"], &refused["error"]["code"]),
        (&json!(8), &json!(-32007))
    );
    lines.send(&call("loan.watch", &json!({"after": "0.0"}), 9));
    let response = json!({"jsonrpc": "2.0", "result": "s1", "id": 9});
    assert_eq!(lines.receive(), response);
    // Another process lends a book.
    let program = Program::start(&database);
    let loan = program.client.call("loan.start", &json!([2, "L000004"]));
    let item = lines.receive();
    assert_eq!(item["method"], "loan.watch");
    assert_eq!(
        item["params"]["result"],
        json!({"kind": "lent", "loan": loan})
    );
    lines.input = None;
    let mut rest = String::new();
    lines.output.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "");
    assert!(lines.child.wait().unwrap().success());
}

#[cfg(unix)]
#[test]
fn over_standard_input_and_output_a_signal_stops_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut lines = Lines::start(&folder.path().join("library.db"));
    lines.send(&call("stats", &json!([]), 1));
    assert_eq!(lines.receive()["id"], 1);
    let pid = lines.child.id().to_string();
    let stopped = Command::new("kill").args(["-TERM", &pid]).status();
    assert!(stopped.unwrap().success());
    assert!(lines.child.wait().unwrap().success());
}
