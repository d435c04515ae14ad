//! Lines that wait for a thread to write them.
//!
//! A thread, and not the workers, because writing to a pipe or a full disk may block, and then so
//! would every call of the worker. The queue is bounded, because a writer that blocks must not fill
//! the memory.

use std::io::{self, BufWriter, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime};

use super::line::{self, LineFormat};
use crate::stderr;

/// The maximum number of lines that wait.
const MAX_WAITING_LINES: usize = 8_192;

/// The time that an ending process waits for the last lines to be written.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub(super) struct LineQueue {
    /// The sender of lines; `None` while the queue is dropped.
    lines: Option<SyncSender<String>>,
    dropped: Arc<AtomicU64>,
    /// Disconnected when the last line has been written.
    done: Mutex<Receiver<()>>,
}

impl LineQueue {
    /// Starts the thread. The line with the number of missing ones has this format.
    pub(super) fn new(writer: impl Write + Send + 'static, format: LineFormat) -> Self {
        let (lines, waiting) = sync_channel(MAX_WAITING_LINES);
        let (ending, done) = channel::<()>();
        let dropped = Arc::new(AtomicU64::new(0));
        let log = Log {
            out: BufWriter::new(writer),
            dropped: Arc::clone(&dropped),
            reported: 0,
            format,
        };
        let thread = thread::Builder::new()
            .name("docent-access-log".to_owned())
            .spawn(move || {
                log.run(&waiting);
                drop(ending);
            });
        if let Err(error) = thread {
            // Every line is counted as dropped.
            stderr::error(&format!("the access log has no thread: {error}"));
        }
        Self {
            lines: Some(lines),
            dropped,
            done: Mutex::new(done),
        }
    }

    /// Adds a line, unless too many wait.
    pub(super) fn push(&self, line: String) {
        let taken = self.lines.as_ref().map(|lines| lines.try_send(line));
        if !matches!(taken, Some(Ok(()))) {
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }

    pub(super) fn dropped(&self) -> u64 {
        self.dropped.load(Ordering::Relaxed)
    }
}

impl Drop for LineQueue {
    fn drop(&mut self) {
        // The thread writes what waits, and ends.
        self.lines = None;
        let _ = self
            .done
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .recv_timeout(FLUSH_TIMEOUT);
    }
}

/// The thread's side of the queue, which writes the lines.
struct Log<W: Write> {
    out: BufWriter<W>,
    dropped: Arc<AtomicU64>,
    /// The number of dropped lines that the log has reported.
    reported: u64,
    format: LineFormat,
}

impl<W: Write> Log<W> {
    fn run(mut self, waiting: &Receiver<String>) {
        while let Ok(first) = waiting.recv() {
            let mut lines = 0;
            let mut written = Ok(());
            for line in std::iter::once(first).chain(waiting.try_iter()) {
                written = written.and_then(|()| self.out.write_all(line.as_bytes()));
                lines += 1;
                if lines == MAX_WAITING_LINES {
                    break;
                }
            }
            if let Err(error) = written.and_then(|()| self.finish()) {
                self.dropped.fetch_add(lines as u64, Ordering::Relaxed);
                stderr::error(&format!("the access log could not be written: {error}"));
            }
        }
    }

    /// Writes the number of missing lines, and everything that is buffered.
    fn finish(&mut self) -> io::Result<()> {
        let dropped = self.dropped.load(Ordering::Relaxed);
        if dropped > self.reported {
            let gap = line::gap(self.format, SystemTime::now(), dropped - self.reported);
            self.out.write_all(gap.as_bytes())?;
            self.reported = dropped;
        }
        self.out.flush()
    }
}
