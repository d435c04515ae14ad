//! WebSockets, as far as a client needs them that knows what the server sends: connections, calls as bytes, and the
//! number of messages in what is read.

use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use crate::BoxError;

/// A server that does not answer for this long is broken.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(20);

/// The first byte of a frame that is a whole message of text.
const TEXT: u8 = 0x81;

/// The longest payload of a frame whose length has one byte, and the value of that byte if the length has two.
const MAX_SHORT_LENGTH: u8 = 125;
const MEDIUM_LENGTH: u8 = 126;

/// The bit of a length that says that a key follows.
const MASKED: u8 = 0x80;

/// The key that all frames are masked with.
const MASK: [u8; 4] = [0x5a, 0xa5, 0x3c, 0xc3];

/// Opens a WebSocket.
pub(crate) fn open(address: SocketAddr) -> Result<TcpStream, BoxError> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(ANSWER_TIMEOUT))?;
    stream.write_all(
        b"GET /rpc HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
          Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
    )?;
    // Nothing follows the head before the first call.
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte)?;
        head.push(byte[0]);
    }
    if !head.starts_with(b"HTTP/1.1 101 ") {
        return Err(String::from_utf8_lossy(&head).into_owned().into());
    }
    Ok(stream)
}

/// Returns the frame of a message from a client.
pub(crate) fn masked(message: &str) -> Result<Vec<u8>, BoxError> {
    let mut frame = vec![TEXT];
    if let Ok(length @ ..=MAX_SHORT_LENGTH) = u8::try_from(message.len()) {
        frame.push(MASKED | length);
    } else {
        frame.push(MASKED | MEDIUM_LENGTH);
        frame.extend(u16::try_from(message.len())?.to_be_bytes());
    }
    frame.extend(MASK);
    let masks = MASK.iter().cycle();
    frame.extend(message.bytes().zip(masks).map(|(byte, mask)| byte ^ mask));
    Ok(frame)
}

/// Sends frames and reads this many messages, none of which may be an error.
pub(crate) fn exchange(
    stream: &mut TcpStream,
    frames: &[u8],
    count: usize,
) -> Result<Vec<u8>, BoxError> {
    stream.write_all(frames)?;
    let mut messages = Messages::default();
    let mut response = Vec::new();
    let mut piece = [0; 4096];
    let mut ended = 0;
    while ended < count {
        let read = stream.read(&mut piece)?;
        if read == 0 {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
        }
        response.extend_from_slice(&piece[..read]);
        ended += messages.count(&piece[..read])?;
    }
    let text = String::from_utf8_lossy(&response);
    if text.contains(r#""error""#) {
        return Err(text.into_owned().into());
    }
    Ok(response)
}

/// Counts the messages in what a server sends, however it is divided. None may be longer than 64 kB.
#[derive(Default)]
pub(crate) struct Messages {
    /// The header of the frame that comes, as far as it has come.
    header: Vec<u8>,
    /// The number of bytes of its payload that have come.
    passed: usize,
    /// The length that each message must have.
    length: Option<usize>,
}

impl Messages {
    /// Creates a counter that refuses messages that are not as long as this one.
    pub(crate) fn like(message: &[u8]) -> Self {
        Self {
            length: payload_length(message),
            ..Self::default()
        }
    }

    /// Returns how many messages end in these bytes.
    pub(crate) fn count(&mut self, mut bytes: &[u8]) -> Result<usize, BoxError> {
        let mut ended = 0;
        while let [byte, rest @ ..] = bytes {
            let Some(length) = payload_length(&self.header) else {
                self.header.push(*byte);
                bytes = rest;
                continue;
            };
            let more = bytes.len().min(length - self.passed);
            self.passed += more;
            bytes = &bytes[more..];
            if self.passed < length {
                break;
            }
            // Others are pings.
            if self.header[0] == TEXT {
                ended += 1;
                if self.length.is_some_and(|expected| expected != length) {
                    return Err("a message is not as long as the first one".into());
                }
            }
            self.header.clear();
            self.passed = 0;
        }
        Ok(ended)
    }
}

/// Returns the length of a frame's payload, once enough of its header has come.
fn payload_length(header: &[u8]) -> Option<usize> {
    match *header {
        [_, short @ ..=MAX_SHORT_LENGTH, ..] => Some(short.into()),
        [_, MEDIUM_LENGTH, high, low, ..] => Some(u16::from_be_bytes([high, low]).into()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_counted_however_they_are_divided() {
        let long = [&[TEXT, MEDIUM_LENGTH, 1, 0], &[b'x'; 256][..]].concat();
        let bytes = [&long[..], &[0x89, 0], &[TEXT, 2], b"{}", &long].concat();
        for size in [1, 3, 100, 1_000] {
            let mut messages = Messages::default();
            let pieces = bytes.chunks(size);
            let ended: usize = pieces
                .map(|piece| messages.count(piece).expect("frames"))
                .sum();
            assert_eq!(ended, 3, "{size}");
        }
    }

    #[test]
    fn a_message_that_is_not_as_long_as_the_first_one_is_an_error() {
        let mut messages = Messages::like(&[TEXT, 2, b'1', b'2']);
        assert_eq!(messages.count(&[TEXT, 2, b'3', b'4']).ok(), Some(1));
        assert!(messages.count(&[TEXT, 1, b'5']).is_err());
    }
}
