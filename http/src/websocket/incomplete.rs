//! Counts the bytes of the message that has arrived in part.
//!
//! The account of room needs this number, and tokio-websockets, which reads ahead, does not say how much it keeps. So the
//! heads of a client's frames are read here, too (RFC 6455, section 5.2), as their bytes arrive.

/// The maximum number of bytes of a head: two, the length and the mask.
const MAX_HEAD: usize = 14;

/// The message that has arrived in part.
#[derive(Debug, Default)]
pub(super) struct IncompleteMessage {
    /// The part of the next head that has arrived.
    head: [u8; MAX_HEAD],
    head_bytes: usize,
    /// The number of bytes of the current payload that have not arrived.
    payload_left: u64,
    /// The number of bytes that have arrived of the message, with its framing.
    bytes: usize,
    /// True between the fragments of a message.
    is_fragmented: bool,
}

impl IncompleteMessage {
    /// Returns the number of its bytes that have arrived: 0 if all messages are complete.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Counts bytes that arrive.
    pub(super) fn receive(&mut self, mut bytes: &[u8]) {
        while let Some((first, rest)) = bytes.split_first() {
            if self.payload_left > 0 {
                let length = usize::try_from(self.payload_left)
                    .unwrap_or(usize::MAX)
                    .min(bytes.len());
                self.payload_left -= length as u64;
                self.bytes += length;
                bytes = &bytes[length..];
            } else {
                self.head[self.head_bytes] = *first;
                self.head_bytes += 1;
                self.bytes += 1;
                bytes = rest;
                let Some(length) = self.payload_length() else {
                    continue;
                };
                self.payload_left = length;
            }
            if self.payload_left == 0 {
                self.end_frame();
            }
        }
    }

    /// Returns the length of the payload, if the whole head has arrived.
    fn payload_length(&self) -> Option<u64> {
        let head = &self.head[..self.head_bytes];
        let second = head.get(1)?;
        let mask = if second & 0x80 == 0 { 0 } else { 4 };
        let (length, end) = match second & 0x7f {
            126 => (u16::from_be_bytes(*head.get(2..)?.first_chunk()?).into(), 4),
            127 => (u64::from_be_bytes(*head.get(2..)?.first_chunk()?), 10),
            short => (short.into(), 2),
        };
        (head.len() == end + mask).then_some(length)
    }

    fn end_frame(&mut self) {
        let is_last = self.head[0] & 0x80 != 0;
        let is_control = self.head[0] & 0x08 != 0;
        if !is_control {
            self.is_fragmented = !is_last;
        }
        self.head_bytes = 0;
        // A control frame may come between fragments. It has at most 125 bytes, so it may count with them.
        if !self.is_fragmented {
            self.bytes = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the head of a frame with a mask.
    fn head(first: u8, length: u64) -> Vec<u8> {
        let length_bytes = length.to_be_bytes();
        let (second, length) = match length {
            0..=125 => (length_bytes[7], &[][..]),
            126..=0xffff => (126, &length_bytes[6..]),
            _ => (127, &length_bytes[..]),
        };
        [&[first, 0x80 | second], length, &[1, 2, 3, 4]].concat()
    }

    #[test]
    fn a_message_is_incomplete_until_its_last_byte_however_its_bytes_arrive() {
        const TEXT: u8 = 0x81;
        for length in [0, 1, 125, 126, 0xffff, 0x1_0000] {
            let payload = vec![0x88; usize::try_from(length).expect("it is small")];
            let frame = [head(TEXT, length), payload].concat();
            let (last, beginning) = frame.split_last().expect("a frame");
            for piece_size in [1, 3, frame.len()] {
                let mut message = IncompleteMessage::default();
                for piece in beginning.chunks(piece_size) {
                    message.receive(piece);
                }
                assert_eq!(message.bytes(), beginning.len(), "{length}");
                message.receive(&[*last]);
                assert_eq!(message.bytes(), 0, "{length}");
                // Three at once leave nothing either.
                message.receive(&frame.repeat(3));
                assert_eq!(message.bytes(), 0, "{length}");
            }
        }
    }

    #[test]
    fn a_message_in_fragments_is_incomplete_until_the_last_one() {
        let [first, more, last, ping] = [0x01, 0x00, 0x80, 0x89].map(|first| head(first, 0));
        let mut message = IncompleteMessage::default();
        for frame in [&first, &ping, &more] {
            message.receive(frame);
            assert!(message.bytes() > 0);
        }
        message.receive(&last);
        assert_eq!(message.bytes(), 0);
        message.receive(&ping);
        assert_eq!(message.bytes(), 0);
    }
}
