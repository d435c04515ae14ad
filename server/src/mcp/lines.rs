//! Messages that are separated by line breaks.

use std::io::{self, BufRead};

/// A line of input.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A message, without the line break.
    Message(Vec<u8>),
    /// A message over the limit. It is not kept.
    TooLong,
}

/// Reads lines without using more memory for any of them than the limit.
pub(super) struct Lines<R> {
    input: R,
    limit: usize,
    /// True if the rest of a line that is too long comes next.
    skips: bool,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R, limit: usize) -> Self {
        Self {
            input,
            limit,
            skips: false,
        }
    }

    /// Returns the next line that is not blank, or `None` at the end. A line that is too long is
    /// reported as soon as that is known, because it may never end.
    pub(super) fn next(&mut self) -> io::Result<Option<Line>> {
        let mut line = Vec::new();
        loop {
            let available = match self.input.fill_buf() {
                Ok(available) => available,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let end = memchr::memchr(b'\n', available);
            let part = &available[..end.unwrap_or(available.len())];
            let is_over = available.is_empty();
            let is_too_long = !self.skips && line.len() + part.len() > self.limit;
            if !self.skips && !is_too_long {
                line.extend_from_slice(part);
            }
            let used = part.len() + usize::from(end.is_some());
            self.input.consume(used);
            if is_too_long {
                self.skips = end.is_none();
                return Ok(Some(Line::TooLong));
            }
            if end.is_none() && !is_over {
                continue;
            }
            let skipped = std::mem::take(&mut self.skips);
            if !skipped && !line.trim_ascii().is_empty() {
                return Ok(Some(Line::Message(line)));
            }
            if is_over {
                return Ok(None);
            }
            line.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &str, limit: usize) -> Vec<String> {
        // A small buffer, so that lines come in parts.
        let input = io::BufReader::with_capacity(3, input.as_bytes());
        let mut lines = Lines::new(input, limit);
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
            ["one", "two\r", "three"]
        );
        assert_eq!(lines("", 10), Vec::<String>::new());
        assert_eq!(lines("\n", 10), Vec::<String>::new());
    }

    #[test]
    fn a_line_that_is_too_long_is_reported_once_and_the_next_is_read() {
        assert_eq!(lines("12345\n123456\n12\n", 5), ["12345", "too long", "12"]);
        assert_eq!(lines("123456789012345\nnext", 5), ["too long", "next"]);
        assert_eq!(lines("123456789012345", 5), ["too long"]);
    }
}
