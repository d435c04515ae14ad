//! Decides how much of the received data to pass on: one request, and nothing of the next one until
//! the response has been sent.

use super::chunks::Chunks;
use super::head::{self, BodyLength};

/// The longest body that is passed on as fast as it arrives. actix-http can have all of it in its buffer,
/// and then it is not copied.
const WHOLE: u64 = 128 << 10;

/// The position of a connection in its requests.
#[derive(Debug)]
pub(super) struct Inlet {
    phase: Phase,
    /// The number of bytes of an incomplete head that have been checked.
    seen: usize,
    /// True if the client of the last head waits for permission to send its body.
    waits: bool,
    /// True if the body of the last head is passed on in portions.
    in_portions: bool,
    /// The reason why the head that has arrived is not passed on.
    fault: Option<&'static str>,
}

#[derive(Debug, Clone, Copy)]
enum Phase {
    /// A head that has not ended.
    Head,
    /// A body with this many bytes left.
    Sized(u64),
    Chunked(Chunks),
    /// The end of a complete request.
    Behind,
}

impl Inlet {
    pub(super) fn new() -> Self {
        Self {
            phase: Phase::Head,
            seen: 0,
            waits: false,
            in_portions: false,
            fault: None,
        }
    }

    /// Returns whether the next bytes belong to the head of a new request.
    pub(super) fn is_in_head(&self) -> bool {
        matches!(self.phase, Phase::Head)
    }

    /// Returns whether a complete request has been passed on.
    pub(super) fn is_behind(&self) -> bool {
        matches!(self.phase, Phase::Behind)
    }

    /// Returns whether the client of the last head waits for permission to send its body.
    pub(super) fn waits(&self) -> bool {
        self.waits
    }

    /// Returns whether the body of the last head is passed on in portions, because it is too long for
    /// actix-http to have at once, or does not say how long it is.
    pub(super) fn is_in_portions(&self) -> bool {
        self.in_portions
    }

    /// Returns why the head that has arrived is not passed on.
    pub(super) fn fault(&self) -> Option<&'static str> {
        self.fault
    }

    /// Admits the next request.
    pub(super) fn next(&mut self) {
        self.phase = Phase::Head;
    }

    /// Returns whether this many bytes would all belong to the current request.
    pub(super) fn takes_all_of(&self, bytes: usize) -> bool {
        matches!(self.phase, Phase::Sized(left) if left >= bytes as u64)
    }

    /// Returns how many bytes at the start to pass on. A head is passed on only as a whole: until
    /// its end has arrived, nothing of it is, and `bytes` start with it again the next time.
    pub(super) fn admit(&mut self, bytes: &mut [u8]) -> usize {
        let mut admitted = 0;
        loop {
            let rest = &mut bytes[admitted..];
            match &mut self.phase {
                Phase::Head => {
                    let empty = head::empty_lines(rest);
                    admitted += empty;
                    if empty > 0 {
                        // The part that has been checked may have been the start of an empty line.
                        self.seen = 0;
                    }
                    let Some(head) = head::read(&mut rest[empty..], &mut self.seen) else {
                        return admitted;
                    };
                    if head.fault.is_some() {
                        self.fault = head.fault;
                        return admitted;
                    }
                    admitted += head.length;
                    self.waits = head.waits;
                    (self.phase, self.in_portions) = match head.body {
                        BodyLength::Sized(length) => (Phase::Sized(length), length > WHOLE),
                        BodyLength::Chunked => (Phase::Chunked(Chunks::new()), true),
                    };
                }
                Phase::Sized(left) => {
                    let length = usize::try_from(*left).unwrap_or(usize::MAX).min(rest.len());
                    admitted += length;
                    *left -= length as u64;
                    if *left > 0 {
                        return admitted;
                    }
                    self.phase = Phase::Behind;
                }
                Phase::Chunked(chunks) => {
                    admitted += chunks.pass(rest);
                    if !chunks.is_over() {
                        return admitted;
                    }
                    self.phase = Phase::Behind;
                }
                Phase::Behind => return admitted,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZED: &str = "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello";
    const CHUNKED: &str =
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n";
    const BODILESS: &str = "GET / HTTP/1.1\r\n\r\n";

    #[test]
    fn one_request_is_passed_on_and_nothing_of_the_next() {
        for request in [SIZED, CHUNKED, BODILESS] {
            for next in [SIZED, CHUNKED, BODILESS, "\r\n", "x"] {
                let mut inlet = Inlet::new();
                let mut bytes = format!("{request}{next}").into_bytes();
                assert_eq!(inlet.admit(&mut bytes), request.len());
                assert!(inlet.is_behind());
                assert_eq!(inlet.admit(&mut bytes[request.len()..]), 0);
                inlet.next();
                assert!(inlet.is_in_head());
            }
        }
    }

    #[test]
    fn bodies_that_are_long_or_may_be_are_passed_on_in_portions() {
        let mut inlet = Inlet::new();
        for (framing, in_portions) in [
            ("Content-Length: 131073", true),
            ("Content-Length: 131072", false),
            ("Transfer-Encoding: chunked", true),
            ("Host: x", false),
        ] {
            let mut head = format!("POST / HTTP/1.1\r\n{framing}\r\n\r\n").into_bytes();
            assert_eq!(inlet.admit(&mut head), head.len());
            assert_eq!(inlet.is_in_portions(), in_portions, "{framing}");
            inlet.next();
        }
    }

    #[test]
    fn any_bytes_can_be_parsed_without_a_panic() {
        const PIECES: [&str; 9] = [
            "\r",
            "\n",
            "GET / HTTP/1.1",
            "Content-Length: 3",
            "Transfer-Encoding: chunked",
            "Connection: Upgrade",
            "0",
            "a;",
            ":",
        ];
        let mut random = 1_u32;
        for _ in 0..20_000 {
            let mut inlet = Inlet::new();
            let mut waiting = Vec::new();
            for _ in 0..12 {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let piece = PIECES[(random >> 16) as usize % PIECES.len()];
                waiting.extend_from_slice(piece.as_bytes());
                let admitted = inlet.admit(&mut waiting);
                waiting.drain(..admitted);
                if inlet.is_behind() {
                    inlet.next();
                }
            }
        }
    }

    #[test]
    fn empty_lines_before_a_request_may_come_byte_by_byte() {
        for lines in ["\r\n", "\r\n\r\n"] {
            let mut inlet = Inlet::new();
            let (mut waiting, mut passed) = (Vec::new(), 0);
            let text = format!("{lines}{SIZED}");
            for byte in text.bytes() {
                waiting.push(byte);
                let admitted = inlet.admit(&mut waiting);
                waiting.drain(..admitted);
                passed += admitted;
            }
            assert_eq!(passed, text.len(), "{lines:?}");
            assert!(inlet.is_behind());
        }
    }

    #[test]
    fn a_body_is_passed_on_as_it_arrives_and_a_head_as_a_whole() {
        for request in [SIZED, CHUNKED, BODILESS] {
            let head = request.find("\r\n\r\n").expect("an end") + 4;
            for size in 1..request.len() {
                let mut inlet = Inlet::new();
                let (mut waiting, mut passed) = (Vec::new(), 0);
                for piece in request.as_bytes().chunks(size) {
                    waiting.extend_from_slice(piece);
                    let admitted = inlet.admit(&mut waiting);
                    waiting.drain(..admitted);
                    passed += admitted;
                    assert!(passed == 0 || passed >= head);
                    assert!(waiting.is_empty() || passed == 0);
                }
                assert_eq!(passed, request.len());
                assert!(inlet.is_behind());
            }
        }
    }
}
