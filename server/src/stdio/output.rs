//! Writes messages to a stream that may block for ever: on a thread of its own, which reports what it has written.

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{Instant, timeout_at};

/// The time in which some of the bytes that wait must be written.
const MAX_STALL: Duration = Duration::from_secs(10);

/// The number of bytes that are written, and reported, at once. A peer that reads fewer in [`MAX_STALL`] is too slow.
const PIECE: usize = 16 << 10;

/// The messages that wait to be written. Their connection limits how many there are.
pub(super) struct Output {
    /// `None` once there are no more.
    messages: Option<Sender<Vec<u8>>>,
    reports: UnboundedReceiver<io::Result<usize>>,
    waiting_bytes: usize,
    /// The time at which the peer is too slow, while bytes wait.
    deadline: Instant,
}

impl Output {
    /// Starts the thread. It outlives this value while the stream blocks.
    pub(super) fn start(stream: impl Write + Send + 'static) -> io::Result<Self> {
        let (messages, to_write) = channel();
        let (report, reports) = unbounded_channel();
        thread::Builder::new()
            .name("docent-out".to_owned())
            .spawn(move || write_all(stream, &to_write, &report))?;
        Ok(Self {
            messages: Some(messages),
            reports,
            waiting_bytes: 0,
            deadline: Instant::now(),
        })
    }

    /// Queues a message.
    pub(super) fn write(&mut self, message: Vec<u8>) {
        if self.waiting_bytes == 0 {
            self.deadline = Instant::now() + MAX_STALL;
        }
        self.waiting_bytes += message.len();
        if let Some(messages) = &self.messages {
            // If the thread has ended, `written` returns the reason.
            let _ = messages.send(message);
        }
    }

    /// Returns whether more messages may follow.
    pub(super) fn is_open(&self) -> bool {
        self.messages.is_some()
    }

    /// Says that no more messages follow.
    pub(super) fn close(&mut self) {
        self.messages = None;
    }

    /// Waits until something has been written, and returns the number of bytes of messages. `None` is the end: there
    /// are no more messages, and all are written.
    ///
    /// # Errors
    /// The stream cannot be written, or its peer reads too slowly.
    pub(super) async fn written(&mut self) -> io::Result<Option<usize>> {
        let next = self.reports.recv();
        let report = if self.waiting_bytes == 0 {
            next.await
        } else {
            timeout_at(self.deadline, next).await.map_err(|_| {
                let seconds = MAX_STALL.as_secs();
                let reason = format!("the peer has read nothing for {seconds} s");
                io::Error::new(io::ErrorKind::TimedOut, reason)
            })?
        };
        match report {
            Some(bytes) => {
                let bytes = bytes?;
                self.waiting_bytes -= bytes;
                self.deadline = Instant::now() + MAX_STALL;
                Ok(Some(bytes))
            }
            None if self.messages.is_none() && self.waiting_bytes == 0 => Ok(None),
            None => Err(io::Error::other("the thread that writes panicked")),
        }
    }
}

fn write_all(
    mut stream: impl Write,
    messages: &Receiver<Vec<u8>>,
    report: &UnboundedSender<io::Result<usize>>,
) {
    while let Ok(message) = messages.recv() {
        if let Err(error) = write_line(&mut stream, message, report) {
            let _ = report.send(Err(error));
            return;
        }
    }
}

fn write_line(
    stream: &mut impl Write,
    mut message: Vec<u8>,
    report: &UnboundedSender<io::Result<usize>>,
) -> io::Result<()> {
    // A line break in it is white space in a handler's own JSON, because strings have none.
    for byte in &mut message {
        if matches!(byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
    let length = message.len();
    message.push(b'\n');
    for start in (0..length).step_by(PIECE) {
        let end = length.min(start + PIECE);
        if end < length {
            stream.write_all(&message[start..end])?;
        } else {
            // The line break is not counted, but what is reported has been flushed with it.
            stream.write_all(&message[start..])?;
            stream.flush()?;
        }
        let _ = report.send(Ok(end - start));
    }
    Ok(())
}
