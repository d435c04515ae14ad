//! Streams in memory, for carriers of lines.

use std::io::{self, BufReader, Read, Write};
use std::sync::mpsc::{IntoIter, Sender, channel};
use std::sync::{Arc, Mutex};

use serde_json::Value;
use serde_json::value::RawValue;

/// A value that is JSON already, of any type.
#[derive(Clone, serde::Serialize)]
#[serde(transparent)]
pub(crate) struct Raw(pub(crate) Box<RawValue>);

impl schemars::JsonSchema for Raw {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Raw".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        true.into()
    }
}

/// Output that can be read at any time.
#[derive(Clone, Default)]
pub(crate) struct Output(Arc<Mutex<Vec<u8>>>);

impl Output {
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.0.lock().expect("no panic").clone()).expect("UTF-8")
    }

    /// Returns the messages, of which each is a whole line.
    pub(crate) fn messages(&self) -> Vec<Value> {
        let text = self.text();
        assert!(text.is_empty() || text.ends_with('\n'), "{text}");
        text.lines()
            .map(|line| serde_json::from_str(line).expect("a line of JSON"))
            .collect()
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no panic").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Input that comes line by line.
pub(crate) struct Lines<I> {
    lines: I,
    rest: Vec<u8>,
}

impl<I: Iterator<Item = String>> Lines<I> {
    pub(crate) fn new(lines: I) -> BufReader<Self> {
        let rest = Vec::new();
        BufReader::new(Self { lines, rest })
    }
}

impl<I: Iterator<Item = String>> Read for Lines<I> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            self.rest = self.lines.next().unwrap_or_default().into_bytes();
        }
        let length = self.rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&self.rest[..length]);
        self.rest.drain(..length);
        Ok(length)
    }
}

/// Returns input that the test writes while it is read. It ends once the sender is dropped.
pub(crate) fn pipe() -> (Sender<String>, BufReader<Lines<IntoIter<String>>>) {
    let (input, lines) = channel();
    (input, Lines::new(lines.into_iter()))
}
