//! Captures the log.

use std::io::Write;
use std::sync::{Arc, Mutex};

use docent::Service;
use tracing_subscriber::util::SubscriberInitExt;

use crate::handle;

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("no panic").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Returns a result and what this thread logs meanwhile.
pub(crate) fn listening<T>(work: impl FnOnce() -> T) -> (T, String) {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt().with_ansi(false);
    let subscriber = subscriber.with_writer(move || writer.clone()).finish();
    let logging = subscriber.set_default();
    let outcome = work();
    drop(logging);
    let log = log.0.lock().expect("no panic");
    (outcome, String::from_utf8(log.clone()).expect("UTF-8"))
}

/// Returns the in-process response to a body and what is logged meanwhile.
pub(crate) fn logged(service: &Service, body: &str) -> (Option<Vec<u8>>, String) {
    listening(|| handle(service, body.as_bytes()))
}
