//! Carries a [`Connection`] over two streams: one task drives it, and each stream has a thread that may block.

use std::future::{pending, poll_fn};
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::thread;
use std::time::Duration;

use docent_core::carrier::{Connection, OutgoingMessage, RequestError};
use docent_core::{BoxFuture, Extensions, Runtime, Service};
use docent_http::{MAX_DURATION, TokioRuntime};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::time::{Instant, sleep, sleep_until};

use super::lines::{InputLines, Line};
use super::output::Output;
use crate::signals::Signals;

/// Creates a connection, of JSON-RPC or of MCP.
pub(crate) type Connect = fn(Service, Extensions) -> Connection;

/// Serves a connection over standard input and output, until the input ends or a signal stops the program.
pub(crate) async fn carry_stdio(service: &Service, connect: Connect) -> io::Result<()> {
    let input = io::BufReader::new(io::stdin());
    carry(service, connect, input, io::stdout(), Some(Signals::new())).await
}

/// Serves a connection over a pair of streams, until the input ends. The threads outlive the returned future while the
/// streams block.
pub(crate) async fn carry(
    service: &Service,
    connect: Connect,
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    signals: Option<Signals>,
) -> io::Result<()> {
    let runtime = Arc::new(CarrierRuntime::default());
    let service = service.with_runtime(Arc::clone(&runtime) as Arc<dyn Runtime>);
    let mut extensions = Extensions::new();
    extensions.set_client_local();
    let carrier = Carrier {
        connection: connect(service.clone(), extensions),
        lines: read_lines(input, service.limits().max_body_bytes)?,
        output: Output::start(output)?,
        signals,
        end_of_stop: None,
        service,
        runtime,
    };
    carrier.carry().await
}

/// A connection and its streams.
struct Carrier {
    service: Service,
    runtime: Arc<CarrierRuntime>,
    connection: Connection,
    /// One line is read ahead: a peer that does not read what it gets is not read either.
    lines: Receiver<io::Result<Line>>,
    output: Output,
    signals: Option<Signals>,
    /// The time at which nothing more is waited for, once a signal has come.
    end_of_stop: Option<Instant>,
}

impl Carrier {
    async fn carry(mut self) -> io::Result<()> {
        let carried = self.exchange().await;
        let Self {
            service,
            runtime,
            connection,
            mut signals,
            end_of_stop,
            ..
        } = self;
        drop(connection);
        let end = end_of_stop.unwrap_or_else(|| Instant::now() + timeout(&service));
        let last_signal = async {
            if end_of_stop.is_none() {
                next(&mut signals).await;
            }
            next(&mut signals).await;
        };
        tokio::select! {
            () = runtime.finish_tasks() => {}
            () = sleep_until(end) => {}
            () = last_signal => {}
        }
        carried
    }

    /// Brings messages to the connection, and writes those that it hands over, until both have ended.
    async fn exchange(&mut self) -> io::Result<()> {
        loop {
            let end_of_stop = self.end_of_stop.unwrap_or_else(Instant::now);
            tokio::select! {
                biased;
                () = sleep_until(end_of_stop), if self.end_of_stop.is_some() => return Ok(()),
                () = next(&mut self.signals) => self.stop(),
                written = self.output.written() => match written? {
                    Some(bytes) => self.connection.written(bytes),
                    None => return Ok(()),
                },
                message = poll_fn(|cx| poll(&mut self.connection, &mut self.lines, cx)),
                    if self.output.is_open() => match message? {
                    Message::Read(line) => self.receive(line),
                    Message::ToWrite(message) => self.output.write(message),
                    Message::End => self.output.close(),
                },
            }
        }
    }

    fn receive(&mut self, line: Option<Line>) {
        match line {
            Some(Line::Message(message)) => self.connection.receive(message),
            Some(Line::TooLong) => {
                let limit = self.service.limits().max_body_bytes;
                self.connection
                    .receive_unreadable(RequestError::TooLarge { limit });
            }
            None => self.connection.end_input(),
        }
    }

    /// Stops because of a signal. The second does not wait for calls.
    fn stop(&mut self) {
        let time = match self.end_of_stop {
            None => timeout(&self.service),
            Some(_) => Duration::ZERO,
        };
        self.connection.stop();
        self.end_of_stop = Some(Instant::now() + time);
    }
}

/// A message in one direction or the other.
enum Message {
    /// A line that has been read, or the end of the input.
    Read(Option<Line>),
    ToWrite(Vec<u8>),
    /// There are no more.
    End,
}

/// Polls for the next message that the connection sends, or takes. It is asked whether it takes one only after it was
/// polled, because then one that it had is running.
fn poll(
    connection: &mut Connection,
    lines: &mut Receiver<io::Result<Line>>,
    cx: &mut Context<'_>,
) -> Poll<io::Result<Message>> {
    while let Poll::Ready(message) = connection.poll(cx) {
        let Some(body) = message.map(OutgoingMessage::into_body) else {
            return Poll::Ready(Ok(Message::End));
        };
        // An end that the service does not tell is empty.
        if !body.is_empty() {
            return Poll::Ready(Ok(Message::ToWrite(body)));
        }
    }
    if !connection.wants_message() {
        return Poll::Pending;
    }
    lines
        .poll_recv(cx)
        .map(|line| line.transpose().map(Message::Read))
}

/// Returns the time for which calls are waited for.
fn timeout(service: &Service) -> Duration {
    service.limits().timeout.min(MAX_DURATION)
}

/// Waits for the next signal.
async fn next(signals: &mut Option<Signals>) {
    match signals {
        Some(signals) => signals.next().await,
        None => pending().await,
    }
}

/// The runtime of a connection's calls.
#[derive(Default)]
struct CarrierRuntime {
    /// Each task that runs has a clone.
    running: Arc<()>,
}

impl CarrierRuntime {
    /// Waits for calls whose caller has gone, or has cancelled them: those that change something run to their end.
    async fn finish_tasks(&self) {
        while Arc::strong_count(&self.running) > 1 {
            sleep(Duration::from_millis(10)).await;
        }
    }
}

impl Runtime for CarrierRuntime {
    fn spawn(&self, task: BoxFuture<()>) {
        let running = Arc::clone(&self.running);
        TokioRuntime.spawn(Box::pin(async move {
            task.await;
            drop(running);
        }));
    }

    fn spawn_blocking(&self, work: Box<dyn FnOnce() + Send>) {
        TokioRuntime.spawn_blocking(work);
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<()> {
        TokioRuntime.sleep(duration)
    }

    fn now(&self) -> std::time::Instant {
        TokioRuntime.now()
    }

    fn report(&self, line: &str) {
        TokioRuntime.report(line);
    }
}

/// Starts the thread that reads lines. It outlives the receiver while the stream blocks.
fn read_lines(
    input: impl BufRead + Send + 'static,
    limit: usize,
) -> io::Result<Receiver<io::Result<Line>>> {
    let (read, lines) = channel(1);
    thread::Builder::new()
        .name("docent-in".to_owned())
        .spawn(move || read_all(InputLines::new(input, limit), &read))?;
    Ok(lines)
}

fn read_all<R: BufRead>(mut lines: InputLines<R>, read: &Sender<io::Result<Line>>) {
    while let Some(line) = lines.next().transpose() {
        let is_last = line.is_err();
        if read.blocking_send(line).is_err() || is_last {
            return;
        }
    }
}
