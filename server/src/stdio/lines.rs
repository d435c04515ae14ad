//! Messages that are separated by line breaks.
//!
//! A line may be of any length, so one that is too long is read and dropped, and the next is read
//! as usual. What a message says is the business of the [carrier](super::carrier).

use std::io::{self, BufRead, Read as _};

/// A line of input.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A message, without the line break.
    Message(Vec<u8>),
    /// A message over the limit. It is not kept.
    TooLong,
}

/// Reads lines without using more memory for any of them than the limit.
pub(crate) struct InputLines<R> {
    input: R,
    limit: usize,
    /// True if the rest of a line that is too long comes next.
    skips: bool,
}

impl<R: BufRead> InputLines<R> {
    pub(crate) fn new(input: R, limit: usize) -> Self {
        Self {
            input,
            limit,
            skips: false,
        }
    }

    /// Returns the next line that is not blank, or `None` at the end. A line that is too long is
    /// reported as soon as that is known, because it may never end.
    pub(crate) fn next(&mut self) -> io::Result<Option<Line>> {
        // With the line break, which does not count.
        let max_bytes = (self.limit as u64).saturating_add(2);
        let mut line = Vec::new();
        loop {
            if std::mem::take(&mut self.skips) {
                self.input.skip_until(b'\n')?;
            }
            line.clear();
            let read = self
                .input
                .by_ref()
                .take(max_bytes)
                .read_until(b'\n', &mut line)?;
            if read == 0 {
                return Ok(None);
            }
            let is_whole = line.pop_if(|byte| *byte == b'\n').is_some();
            line.pop_if(|byte| *byte == b'\r');
            if line.len() > self.limit {
                self.skips = !is_whole;
                return Ok(Some(Line::TooLong));
            }
            if !line.trim_ascii().is_empty() {
                return Ok(Some(Line::Message(line)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &str, limit: usize) -> Vec<String> {
        // A small buffer, so that lines come in parts.
        let input = io::BufReader::with_capacity(3, input.as_bytes());
        let mut lines = InputLines::new(input, limit);
        let mut all = Vec::new();
        while let Some(line) = lines.next().expect("memory can be read") {
            all.push(match line {
                Line::Message(text) => String::from_utf8(text).expect("text"),
                Line::TooLong => "too long".to_owned(),
            });
        }
        all
    }

    #[test]
    fn lines_end_at_line_breaks_and_at_the_end() {
        assert_eq!(
            lines("one\n\n  \r\ntwo\r\nthree", 10),
            ["one", "two", "three"]
        );
        assert_eq!(lines("", 10), Vec::<String>::new());
        assert_eq!(lines("\n", 10), Vec::<String>::new());
    }

    #[test]
    fn a_line_that_is_too_long_is_reported_once_and_the_next_is_read() {
        assert_eq!(lines("12345\n123456\n12\n", 5), ["12345", "too long", "12"]);
        assert_eq!(
            lines("12345\r\n123456\r\n12345\r", 5),
            ["12345", "too long", "12345"]
        );
        assert_eq!(lines("123456789012345\nnext", 5), ["too long", "next"]);
        assert_eq!(lines("123456789012345", 5), ["too long"]);
    }
}
