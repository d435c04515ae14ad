//! Serves tools over standard input and output.
//!
//! An agent starts the program and ends it. Nothing else may write to standard output meanwhile;
//! logs belong on standard error.

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use docent_core::carrier::{Incoming, McpVersion, RequestError};
use docent_core::{Extensions, Service};
use docent_http::TokioRuntime;
use futures_util::StreamExt;
use futures_util::future::{AbortHandle, Abortable};
use futures_util::stream::FuturesUnordered;
use tokio::sync::mpsc::{self, Receiver, Sender};

use super::cancel::PendingRequests;
use crate::lines::{InputLines, Line};

/// Serves the [tools](crate::Procedure::tool) of a service over standard input and output, until the input
/// ends and all requests are answered. For programs that an agent starts.
///
/// Each line is a message of the Model Context Protocol. Without header fields, callers cannot show
/// credentials, so guarded procedures are not offered. The program must not write anything else to
/// standard output.
///
/// ```no_run
/// # use docent::{Cx, Fault, Procedure, Service};
/// # #[docent::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let service = Service::builder("greeter", "urn:uuid:41544946-415a-495a-5645-454441534612")
///     .procedure(Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello")).tool())
///     .build()?;
/// docent::mcp::serve_stdio(&service).await?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// Standard input cannot be read, or standard output cannot be written.
pub async fn serve_stdio(service: &Service) -> io::Result<()> {
    serve(service, io::BufReader::new(io::stdin()), io::stdout()).await
}

/// Serves tools like [`serve_stdio`], over any pair of streams. Each stream gets a thread, which outlives
/// the returned future while the stream blocks.
///
/// # Errors
/// The input cannot be read, or the output cannot be written.
pub async fn serve(
    service: &Service,
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    let service = service.with_runtime(Arc::new(TokioRuntime));
    // One line is read ahead: a client that does not read its responses is not read either.
    let (read, lines) = mpsc::channel(1);
    let lines_of_input = InputLines::new(input, service.limits().max_body_bytes);
    thread::Builder::new()
        .name("docent-mcp-in".to_owned())
        .spawn(move || read_all(lines_of_input, &read))?;
    let (responses, written) = mpsc::channel(1);
    let writer = thread::Builder::new()
        .name("docent-mcp-out".to_owned())
        .spawn(move || write_all(output, written))?;
    let answered = answer_all(&service, lines, &responses).await;
    drop(responses);
    if answered.is_err() && !writer.is_finished() {
        // The output may block for ever.
        return answered;
    }
    // The thread ends at once, or after it has written the last response.
    while !writer.is_finished() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    writer
        .join()
        .unwrap_or_else(|_| Err(io::Error::other("the thread that writes panicked")))?;
    answered
}

/// Answers messages concurrently, and writes each response when it is ready.
async fn answer_all(
    service: &Service,
    mut lines: Receiver<io::Result<Line>>,
    responses: &Sender<Vec<u8>>,
) -> io::Result<()> {
    let mut running = FuturesUnordered::new();
    let mut pending = PendingRequests::default();
    let mut is_open = true;
    let mut messages = 0_usize;
    while is_open || !running.is_empty() {
        let response = tokio::select! {
            line = lines.recv(), if is_open => match line.transpose()? {
                None => {
                    is_open = false;
                    None
                }
                Some(Line::TooLong) => {
                    let limit = service.limits().max_body_bytes;
                    service.carrier().fail_mcp_message(RequestError::TooLarge { limit }, None).into_body()
                }
                Some(Line::Message(message)) => {
                    let (handle, registration) = AbortHandle::new_pair();
                    pending.receive(messages, &message, handle);
                    let answer = answer(service, message, pending.version.clone());
                    let abortable = Abortable::new(answer, registration);
                    let position = messages;
                    running.push(async move { (position, abortable.await) });
                    messages += 1;
                    None
                }
            },
            Some((position, answered)) = running.next(), if !running.is_empty() => {
                pending.remove(position);
                // A cancelled request is not answered.
                answered.ok().flatten()
            }
        };
        if let Some(response) = response
            && responses.send(response).await.is_err()
        {
            // The writing thread reports the reason.
            break;
        }
    }
    finish_writes(service).await;
    Ok(())
}

async fn answer(
    service: &Service,
    message: Vec<u8>,
    version: Option<McpVersion>,
) -> Option<Vec<u8>> {
    let mut extensions = Extensions::new();
    extensions.set_client_local();
    if let Some(version) = version {
        extensions.insert(version);
    }
    service
        .mcp(
            Incoming::new(message).extensions(Arc::new(extensions)),
            None,
        )
        .await
        .reply
        .into_body()
}

/// Waits for cancelled calls of procedures that change something: they run to their end.
async fn finish_writes(service: &Service) {
    let finished = async {
        while service.running_calls() > 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let _ = tokio::time::timeout(service.limits().timeout, finished).await;
}

fn read_all<R: BufRead>(mut lines: InputLines<R>, read: &Sender<io::Result<Line>>) {
    while let Some(line) = lines.next().transpose() {
        let is_last = line.is_err();
        if read.blocking_send(line).is_err() || is_last {
            return;
        }
    }
}

fn write_all(mut output: impl Write, mut responses: Receiver<Vec<u8>>) -> io::Result<()> {
    while let Some(mut response) = responses.blocking_recv() {
        // A response is one line. A line break in it is white space in a handler's own JSON, because
        // strings have none.
        for byte in &mut response {
            if matches!(byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
        response.push(b'\n');
        output.write_all(&response)?;
        output.flush()?;
    }
    Ok(())
}
