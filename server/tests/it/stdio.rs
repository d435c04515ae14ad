//! JSON-RPC over standard input and output, or any pair of streams.

use std::io::{self, Cursor, ErrorKind, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use docent::carrier::Incoming;
use docent::stdio::serve_streams;
use docent::{Cx, Fault, Procedure, Service, ServiceBuilder, Subscription, Topic};
use futures_util::stream;
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep};

use crate::streams::{Lines, Output, Raw, pipe};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Echo {
    text: String,
}

fn builder() -> ServiceBuilder {
    let echo = Procedure::sync("echo", |_: Cx, echo: Echo| Ok::<_, Fault>(echo.text));
    Service::builder("lines", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2e58").procedure(echo)
}

fn built(builder: ServiceBuilder) -> Service {
    builder.build().expect("a service")
}

fn call(method: &str, params: impl Into<Value>, id: impl Into<Value>) -> String {
    json!({"jsonrpc": "2.0", "method": method, "params": params.into(), "id": id.into()})
        .to_string()
}

fn result(result: impl Into<Value>, id: impl Into<Value>) -> Value {
    json!({"jsonrpc": "2.0", "result": result.into(), "id": id.into()})
}

/// Sends all of the input, and returns the messages that come back.
async fn exchange(service: &Service, input: impl Into<Vec<u8>>) -> Vec<Value> {
    let output = Output::default();
    serve_streams(service, Cursor::new(input.into()), output.clone())
        .await
        .expect("streams");
    output.messages()
}

/// A peer that writes and reads while the service is served.
struct Peer {
    input: Sender<String>,
    output: Output,
}

impl Peer {
    fn say(&self, message: &str) {
        self.input.send(format!("{message}\n")).expect("a reader");
    }

    /// Waits until there are this many messages, and returns all of them.
    async fn wait_for(&self, count: usize) -> Vec<Value> {
        while self.output.text().lines().count() < count {
            sleep(Duration::from_millis(1)).await;
        }
        self.output.messages()
    }
}

/// Serves a service while a peer talks to it. The input ends with the talk.
async fn talk(service: &Service, say: impl AsyncFnOnce(Peer)) {
    let (input, reader) = pipe();
    let output = Output::default();
    let peer = Peer {
        input,
        output: output.clone(),
    };
    let served = serve_streams(service, reader, output);
    let (served, ()) = futures_util::join!(served, say(peer));
    served.expect("streams");
}

#[tokio::test]
async fn each_line_is_a_message_and_each_response_a_line() {
    let notification = r#"{"jsonrpc":"2.0","method":"echo","params":["x"]}"#;
    let lines = [
        call("echo", json!(["a\nb"]), 1),
        String::new(),
        notification.to_owned(),
        "  ".to_owned(),
        format!(
            "[{},{}]",
            call("echo", json!(["c"]), 2),
            call("echo", json!(["d"]), 3)
        ),
        // The last line has no end.
        call("echo", json!(["e"]), 4),
    ];
    for end in ["\n", "\r\n"] {
        let messages = exchange(&built(builder()), lines.join(end)).await;
        assert_eq!(
            messages,
            [
                result("a\nb", 1),
                json!([result("c", 2), result("d", 3)]),
                result("e", 4)
            ]
        );
    }
}

#[tokio::test]
async fn a_broken_line_is_answered_as_over_post_and_the_next_is_read() {
    let service = built(builder());
    for line in [
        &b"{"[..],
        b"[]",
        b"7",
        b"nonsense",
        b"\xff\xfe",
        b"\0",
        b"{\"jsonrpc\":\"2.0\",\"method\":\"echo\",\"id\":1,\"id\":2}",
        b"{\"jsonrpc\":\"2.0\",\"method\":\"ec\rho\",\"id\":1}",
        "\u{feff}{}".as_bytes(),
        b"Content-Length: 2\r",
    ] {
        let over_post = service.exchange(Incoming::new(line.to_vec())).await;
        let expected: Value =
            serde_json::from_slice(&over_post.into_body().expect("an answer")).expect("JSON");
        let mut input = line.to_vec();
        input.push(b'\n');
        input.extend_from_slice(call("echo", json!(["next"]), 9).as_bytes());
        let messages = exchange(&service, input).await;
        assert_eq!(messages, [expected, result("next", 9)]);
    }
}

#[tokio::test]
async fn a_line_over_the_limit_is_skipped_and_answered_without_an_id() {
    let fits = call("echo", json!(["x".repeat(900)]), 1);
    let service = built(builder().limits(|limits| limits.max_body_bytes = fits.len()));
    for end in ["\n", "\r\n"] {
        let input = format!("{fits}{end}{fits} {end}{fits}{end}");
        let messages = exchange(&service, input).await;
        assert_eq!(messages.len(), 3);
        assert_eq!(messages[0], messages[2]);
        assert_eq!(messages[1]["error"]["code"], -32003);
        assert_eq!(messages[1].get("id"), Some(&Value::Null));
    }
}

#[tokio::test]
async fn calls_run_at_the_same_time_and_are_answered_after_the_end_of_the_input() {
    let gate = Arc::new(Semaphore::new(0));
    let opened = Arc::clone(&gate);
    let wait = Procedure::new("wait", move |_: Cx, (): ()| {
        let gate = Arc::clone(&gate);
        async move {
            gate.acquire().await.map_err(Fault::internal)?.forget();
            Ok::<_, Fault>("waited")
        }
    });
    let output = Output::default();
    let written = output.clone();
    let (input, reader) = pipe();
    let hour = Duration::from_secs(3_600);
    let service = built(
        builder()
            .procedure(wait)
            .limits(|limits| limits.timeout = hour),
    );
    let served = serve_streams(&service, reader, output.clone());
    let talk = async {
        let peer = Peer {
            input,
            output: written,
        };
        peer.say(&call("wait", json!([]), 1));
        peer.say(&call("echo", json!(["first"]), 2));
        assert_eq!(peer.wait_for(1).await, [result("first", 2)]);
        drop(peer);
        opened.add_permits(1);
    };
    futures_util::join!(served, talk).0.expect("streams");
    assert_eq!(output.messages(), [result("first", 2), result("waited", 1)]);
}

fn watched(topic: &Topic<u32>) -> ServiceBuilder<()> {
    let topic = topic.clone();
    let watch = Subscription::new("watch", move |_: Cx, (): ()| {
        let topic = topic.clone();
        async move { Ok::<_, Fault>(topic.follow()) }
    });
    builder().procedure(watch)
}

fn item(subscription: &str, item: u32) -> Value {
    json!({
        "jsonrpc": "2.0",
        "method": "watch",
        "params": {"subscription": subscription, "result": item}
    })
}

#[tokio::test]
async fn items_are_lines_until_the_peer_unsubscribes_or_its_input_ends() {
    let topic = Topic::new(100);
    let service = built(watched(&topic));
    talk(&service, async |peer| {
        // An id may come again.
        peer.say(&call("watch", json!([]), 1));
        peer.say(&call("watch", json!([]), 1));
        let responses = peer.wait_for(2).await;
        assert_eq!(responses, [result("s1", 1), result("s2", 1)]);
        topic.publish(17).expect("it is an item");
        let mut messages = peer.wait_for(4).await;
        messages[2..].sort_by_key(ToString::to_string);
        assert_eq!(messages[2..], [item("s1", 17), item("s2", 17)]);
        for (id, is_open) in [(2, true), (3, false)] {
            peer.say(&call("rpc.unsubscribe", json!(["s1"]), id));
            let messages = peer.wait_for(3 + id).await;
            assert_eq!(messages.last(), Some(&result(is_open, id)));
        }
        topic.publish(18).expect("it is an item");
        let messages = peer.wait_for(7).await;
        assert_eq!(messages.last(), Some(&item("s2", 18)));
    })
    .await;
}

fn panics() -> Result<u32, Fault> {
    panic!("planned")
}

#[tokio::test]
async fn a_source_that_fails_ends_alone() {
    let topic = Topic::new(100);
    let fails = Subscription::<u32>::new("fails", |_: Cx, (): ()| async {
        Ok::<_, Fault>(stream::once(async {
            Err::<u32, _>(Fault::internal("at once"))
        }))
    });
    let panics = Subscription::<u32>::new("panics", |_: Cx, (): ()| async {
        Ok::<_, Fault>(stream::once(async { panics() }))
    });
    let large = Subscription::<String>::new("large", |_: Cx, (): ()| async {
        Ok::<_, Fault>(stream::iter([Ok::<_, Fault>("x".repeat(2_000))]))
    });
    let service = watched(&topic)
        .procedure(fails)
        .procedure(panics)
        .procedure(large)
        .limits(|limits| limits.max_response_bytes = 1_000);
    talk(&built(service), async |peer| {
        peer.say(&call("watch", json!([]), 0));
        let mut count = 1;
        for (method, code) in [("fails", -32603), ("panics", -32603), ("large", -32004)] {
            peer.say(&call(method, json!([]), method));
            count += 2;
            let messages = peer.wait_for(count).await;
            let end = &messages[count - 1];
            assert_eq!(end["method"], method);
            assert_eq!(end["params"]["error"]["code"], code);
        }
        topic.publish(1).expect("it is an item");
        let messages = peer.wait_for(count + 1).await;
        assert_eq!(messages[count], item("s1", 1));
    })
    .await;
}

#[tokio::test]
async fn line_breaks_outside_strings_are_written_as_spaces() {
    let pretty = || {
        let json = "{\r\n\"a\":\n\"\\n\"}".to_owned();
        Ok::<_, Fault>(Raw(
            serde_json::value::RawValue::from_string(json).expect("JSON")
        ))
    };
    let items = Subscription::<Raw>::new("items", move |_: Cx, (): ()| async move {
        Ok::<_, Fault>(stream::iter([pretty()]))
    });
    let one = Procedure::sync("one", move |_: Cx, (): ()| pretty());
    let service = built(builder().procedure(one).procedure(items));
    talk(&service, async |peer| {
        peer.say(&call("one", json!([]), 1));
        peer.wait_for(1).await;
        peer.say(&call("items", json!([]), 2));
        peer.wait_for(4).await;
        let text = peer.output.text();
        assert_eq!(text.matches("{  \"a\": \"\\n\"}").count(), 2, "{text}");
        assert_eq!(text.lines().count(), 4, "{text}");
    })
    .await;
}

/// Output that nobody reads: it takes nothing until the test ends.
struct Unread(Receiver<()>);

impl Write for Unread {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        let _ = self.0.recv();
        Err(ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn a_peer_that_reads_nothing_is_not_read_and_counts_as_gone_after_10_seconds() {
    tokio::time::pause();
    let builder = watched(&Topic::new(1)).limits(|limits| {
        limits.max_body_bytes = 500;
        limits.max_waiting_bytes = 10_000;
    });
    let service = built(builder);
    let flood = Arc::new(AtomicUsize::new(0));
    for line in [
        call("echo", json!(["x"]), 1),
        call("watch", json!([]), 1),
        call("rpc.unsubscribe", json!(["s1"]), 1),
        "{".to_owned(),
        "x".repeat(600),
    ] {
        let count = Arc::clone(&flood);
        let line = line + "\n";
        let lines = std::iter::repeat_with(move || {
            count.fetch_add(1, Ordering::Relaxed);
            line.clone()
        });
        let (_blocked, unread) = channel();
        let began = Instant::now();
        let served = serve_streams(&service, Lines::new(lines), Unread(unread)).await;
        let error = served.expect_err("nobody reads");
        assert_eq!(error.kind(), ErrorKind::TimedOut);
        assert!(began.elapsed() >= Duration::from_secs(10));
        // The shortest answer has 37 bytes, and a few lines are read ahead.
        assert!(flood.swap(0, Ordering::Relaxed) < 10_000 / 37 + 10);
    }
}

#[tokio::test]
async fn writes_run_to_their_end_when_the_output_is_closed_and_idempotent_calls_are_dropped() {
    let ended = Arc::new(AtomicUsize::new(0));
    let write = |name: &str| {
        let ended = Arc::clone(&ended);
        Procedure::new(name, move |_: Cx, (): ()| {
            let ended = Arc::clone(&ended);
            async move {
                sleep(Duration::from_millis(20)).await;
                ended.fetch_add(1, Ordering::Relaxed);
                Ok::<_, Fault>(())
            }
        })
    };
    let builder = builder()
        .procedure(write("write"))
        .procedure(write("read").idempotent());
    let service = built(builder);
    let (closed, output) = channel();
    drop(closed);
    let calls = ["write", "read"].map(|method| call(method, json!([]), 1) + "\n");
    let (input, lines) = pipe();
    for line in calls {
        input.send(line).expect("a reader");
    }
    input
        .send(call("echo", json!(["x"]), 2) + "\n")
        .expect("a reader");
    let served = serve_streams(&service, lines, Unread(output)).await;
    assert_eq!(
        served.expect_err("it is closed").kind(),
        ErrorKind::BrokenPipe
    );
    assert_eq!(ended.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn the_end_of_a_connection_does_not_wait_for_calls_of_another() {
    let wait = Procedure::new("wait", async |_: Cx, (): ()| {
        std::future::pending::<()>().await;
        Ok::<_, Fault>(())
    });
    let service = built(builder().procedure(wait));
    let other = service.exchange(Incoming::new(call("wait", json!([]), 1)));
    let mut other = std::pin::pin!(other);
    assert!(futures_util::poll!(other.as_mut()).is_pending());
    assert_eq!(service.running_calls(), 1);
    let lines = exchange(&service, call("echo", json!(["x"]), 1));
    let messages = tokio::time::timeout(Duration::from_secs(60), lines).await;
    assert_eq!(messages.expect("it ends"), [result("x", 1)]);
}

/// Signals to a program whose peer has gone while it writes.
#[cfg(unix)]
mod signals {
    use std::io::{BufRead as _, BufReader, Lines, Write as _};
    use std::process::{Child, ChildStderr, Command, Stdio};
    use std::sync::mpsc::RecvTimeoutError;
    use std::thread;

    use tokio::signal::unix::{SignalKind, signal};

    use super::*;

    /// The variable that tells a child what it has to do.
    const WRITE: &str = "STDIO_TEST_WRITE";

    /// Reports on standard error that it is dropped.
    struct Dropped;

    impl Drop for Dropped {
        fn drop(&mut self) {
            eprintln!("the peer has gone");
        }
    }

    /// A program that has a write running, and no peer.
    struct Program {
        child: Child,
        reports: Lines<BufReader<ChildStderr>>,
    }

    impl Program {
        fn start(write: &str) -> Self {
            let mut child = Command::new(std::env::current_exe().expect("a path"))
                .args([
                    "--exact",
                    "stdio::signals::child",
                    "--ignored",
                    "--nocapture",
                    // With several threads, the harness may write to the closed output while the test runs, and fail.
                    "--test-threads=1",
                ])
                .env(WRITE, write)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .expect("a child");
            let reports = child.stderr.take().expect("a pipe");
            let mut program = Self {
                child,
                reports: BufReader::new(reports).lines(),
            };
            let mut input = program.child.stdin.take().expect("a pipe");
            for method in ["write", "read"] {
                writeln!(input, "{}", call(method, json!([]), 1)).expect("a reader");
            }
            program.wait_for("the write has begun");
            drop(program.child.stdout.take());
            // A child that another test is about to start has a copy of the pipe for a moment. A response in that
            // moment is written, so further ones are asked for.
            let (gone, is_gone) = channel::<()>();
            let calls = thread::spawn(move || {
                let pause = Duration::from_millis(50);
                while is_gone.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                    // The program may have stopped reading.
                    _ = writeln!(input, "{}", call("echo", json!(["x"]), 2));
                }
            });
            program.wait_for("the peer has gone");
            drop(gone);
            calls.join().expect("the calls end");
            program
        }

        fn wait_for(&mut self, report: &str) {
            let is_told = self.tells(report);
            assert!(is_told, "{report}");
        }

        /// Reads until the program has told this. Returns false if it ends before.
        fn tells(&mut self, report: &str) -> bool {
            self.reports
                .by_ref()
                .any(|line| line.expect("UTF-8").contains(report))
        }

        fn signal(&self) {
            let id = self.child.id().to_string();
            let killed = Command::new("kill").args(["-TERM", &id]).status();
            assert!(killed.expect("a command").success());
        }
    }

    #[tokio::test]
    #[ignore = "the child of another test"]
    async fn child() {
        let Some(write) = std::env::var_os(WRITE) else {
            return;
        };
        let ends = write == "ends";
        let write = Procedure::new("write", move |_: Cx, (): ()| async move {
            let mut signals = signal(SignalKind::terminate()).map_err(Fault::internal)?;
            eprintln!("the write has begun");
            signals.recv().await;
            // The carrier gets the signal, too.
            sleep(Duration::from_millis(50)).await;
            eprintln!("the signal has come");
            if !ends {
                std::future::pending::<()>().await;
            }
            eprintln!("the write has ended");
            Ok::<_, Fault>(())
        });
        let read = Procedure::new("read", async |_: Cx, (): ()| {
            let _dropped = Dropped;
            std::future::pending::<()>().await;
            Ok::<_, Fault>(())
        });
        let service = builder()
            .procedure(write)
            .procedure(read.idempotent())
            .limits(|limits| limits.timeout = Duration::from_secs(3_600));
        let served = docent::stdio::serve(&built(service)).await;
        assert_eq!(
            served.expect_err("the peer has gone").kind(),
            ErrorKind::BrokenPipe
        );
    }

    #[test]
    fn the_first_signal_after_the_peer_has_gone_lets_writes_run_to_their_end() {
        let mut program = Program::start("ends");
        program.signal();
        program.wait_for("the write has ended");
        program.child.wait().expect("it ends");
    }

    #[test]
    fn the_second_signal_after_the_peer_has_gone_does_not_wait_for_writes() {
        let mut program = Program::start("never ends");
        program.signal();
        program.wait_for("the signal has come");
        program.signal();
        assert!(!program.tells("the write has ended"));
        program.child.wait().expect("it ends");
    }
}
