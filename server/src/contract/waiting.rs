//! Bytes that are buffered for callers: bodies that have partly arrived, and responses that have
//! partly been read.
//!
//! A caller may be slow within its timeout, so a limit on calls does not bound the memory for
//! callers. A limit on the sum of bytes does. Above it, the transfer that has stalled longest is
//! dropped: honest callers make progress all the time, and callers that only hold memory do not.
//!
//! A response that is compressed while it is read also counts the memory of its compressor. Nothing
//! is dropped for that, because the response can be sent uncompressed.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::{Bytes, BytesMut};

use super::compressor::{self, Compressor};

/// Everything that one service buffers for its callers.
#[derive(Debug)]
pub(crate) struct Waiting(Mutex<Shelf>);

#[derive(Debug)]
struct Shelf {
    limit: usize,
    /// The sum of all sizes.
    bytes: usize,
    next: u64,
    /// A transfer that makes progress gets a new number, so the first one has stalled longest.
    by_age: BTreeMap<u64, Item>,
}

/// What is buffered for one caller.
#[derive(Debug)]
struct Item {
    blocks: Vec<BytesMut>,
    /// The compressor of a response, until it has produced its last output. `None` without
    /// compression.
    compressor: Option<Compressor>,
    /// The memory of all blocks. A block is freed only as a whole.
    size: usize,
}

/// The block sizes of a body. A body that grows in one piece would fragment memory with holes of
/// every size, and unusable free memory is lost memory.
const SMALL_BLOCK: usize = 4 << 10;
const LARGE_BLOCK: usize = 64 << 10;

impl Item {
    fn append(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let room = self
                .blocks
                .last()
                .map_or(0, |block| block.capacity() - block.len());
            let Some(block) = self.blocks.last_mut().filter(|_| room > 0) else {
                let size = if bytes.len() > SMALL_BLOCK {
                    LARGE_BLOCK
                } else {
                    SMALL_BLOCK
                };
                self.blocks.push(BytesMut::with_capacity(size));
                self.size += size;
                continue;
            };
            let (fits, rest) = bytes.split_at(room.min(bytes.len()));
            block.extend_from_slice(fits);
            bytes = rest;
        }
    }

    /// Removes at most this many bytes from a response.
    fn split_to(&mut self, length: usize) -> Option<BytesMut> {
        let answer = self.blocks.first_mut()?;
        Some(answer.split_to(length.min(answer.len())))
    }

    /// Compresses at most this many bytes of a response. The output may be empty while more
    /// follows. Returns `None` at the end.
    fn compress(&mut self, length: usize) -> io::Result<Option<Bytes>> {
        let plain = self.split_to(length).unwrap_or_default();
        match &mut self.compressor {
            Some(compressor) if !plain.is_empty() => compressor.compress(&plain).map(Some),
            _ => self.compressor.take().map(Compressor::finish).transpose(),
        }
    }
}

impl Waiting {
    pub(crate) fn new(limit: usize) -> Arc<Self> {
        Arc::new(Self(Mutex::new(Shelf {
            limit,
            bytes: 0,
            next: 0,
            by_age: BTreeMap::new(),
        })))
    }

    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shelf {
    fn put(&mut self, item: Item) -> u64 {
        self.bytes += item.size;
        self.place(item)
    }

    /// Inserts an item whose size has been counted.
    fn place(&mut self, item: Item) -> u64 {
        let place = self.next;
        self.next += 1;
        self.by_age.insert(place, item);
        // The newest item stays, however large. It is within the limits of a call.
        while self.bytes > self.limit && self.by_age.len() > 1 {
            let Some((_, given_up)) = self.by_age.pop_first() else {
                break;
            };
            self.bytes -= given_up.size;
        }
        place
    }

    /// Puts back an item that was counted with another size.
    fn replace(&mut self, size: usize, item: Item) -> u64 {
        self.bytes = self.bytes - size + item.size;
        self.place(item)
    }

    fn take(&mut self, place: u64) -> Option<Item> {
        let item = self.by_age.remove(&place)?;
        self.bytes -= item.size;
        Some(item)
    }

    /// Counts memory in advance if it fits without dropping anything.
    fn reserve(&mut self, size: usize) -> bool {
        let fits = self.bytes.saturating_add(size) <= self.limit;
        if fits {
            self.bytes += size;
        }
        fits
    }
}

/// A response was dropped in favour of callers that make progress.
#[derive(Debug)]
pub(crate) struct GivenUp;

impl std::fmt::Display for GivenUp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the caller took too long to read the response")
    }
}

impl std::error::Error for GivenUp {}

/// Room for a response that is being created; nothing is dropped for it.
#[derive(Debug)]
pub(crate) struct Room {
    waiting: Arc<Waiting>,
    size: usize,
}

impl Room {
    /// Reserves room of this size, if there is any.
    pub(crate) fn reserve(waiting: &Arc<Waiting>, size: usize) -> Option<Self> {
        waiting.shelf().reserve(size).then(|| Self {
            waiting: Arc::clone(waiting),
            size,
        })
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        self.waiting.shelf().bytes -= self.size;
    }
}

/// Bytes buffered for one caller. They may have been dropped when they are needed.
#[derive(Debug)]
pub(crate) struct Parcel {
    waiting: Arc<Waiting>,
    place: u64,
}

impl Parcel {
    /// Creates a body of which nothing has arrived.
    pub(crate) fn arriving(waiting: &Arc<Waiting>) -> Self {
        Self::new(waiting, Vec::new(), 0)
    }

    /// Creates a response of which nothing has been read.
    pub(crate) fn leaving(waiting: &Arc<Waiting>, answer: BytesMut) -> Self {
        let size = answer.capacity();
        Self::new(waiting, vec![answer], size)
    }

    /// Creates a response that is compressed while it is sent. Returns the text if there is no room
    /// for the compressor.
    pub(crate) fn compressing(waiting: &Arc<Waiting>, answer: BytesMut) -> Result<Self, BytesMut> {
        let size = answer.capacity().saturating_add(compressor::SIZE);
        if !waiting.shelf().reserve(size) {
            return Err(answer);
        }
        let item = Item {
            blocks: vec![answer],
            // Created once its room has been counted.
            compressor: Some(Compressor::new()),
            size,
        };
        let place = waiting.shelf().place(item);
        Ok(Self {
            waiting: Arc::clone(waiting),
            place,
        })
    }

    fn new(waiting: &Arc<Waiting>, blocks: Vec<BytesMut>, size: usize) -> Self {
        let item = Item {
            blocks,
            compressor: None,
            size,
        };
        let place = waiting.shelf().put(item);
        Self {
            waiting: Arc::clone(waiting),
            place,
        }
    }

    /// Changes a transfer that makes progress, and counts its new size. Returns `None` if the
    /// transfer was dropped.
    fn change<T>(&mut self, change: impl FnOnce(&mut Item) -> T) -> Option<T> {
        let mut item = self.waiting.shelf().by_age.remove(&self.place)?;
        let before = item.size;
        let outcome = change(&mut item);
        self.place = self.waiting.shelf().replace(before, item);
        Some(outcome)
    }

    /// Adds bytes to a body. Returns `None` if it was dropped.
    pub(crate) fn append(&mut self, bytes: &[u8]) -> Option<()> {
        self.change(|item| item.append(bytes))
    }

    /// Returns the next piece of a response, or `None` if it was dropped.
    pub(crate) fn split_to(&mut self, length: usize) -> Option<Bytes> {
        let split = self.change(|item| item.split_to(length));
        Some(split??.freeze())
    }

    /// Returns the next piece of a compressed response, made from at most `length` bytes of it. A
    /// piece may be empty if more follow. Returns `None` at the end.
    pub(crate) fn compress(&mut self, length: usize) -> io::Result<Option<Bytes>> {
        self.change(|item| item.compress(length))
            .unwrap_or_else(|| Err(io::Error::other(GivenUp)))
    }

    /// Returns a body that has arrived, or `None` if it was dropped.
    pub(crate) fn open(self) -> Option<Bytes> {
        let item = self.waiting.shelf().take(self.place)?;
        Some(item.blocks.concat().into())
    }
}

impl Drop for Parcel {
    fn drop(&mut self) {
        // Bound to a name, so that the bytes are freed after the lock has been released.
        let _freed = self.waiting.shelf().take(self.place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(waiting: &Arc<Waiting>, size: usize) -> Parcel {
        Parcel::leaving(waiting, BytesMut::zeroed(size))
    }

    #[test]
    fn the_transfer_that_has_stalled_longest_is_dropped() {
        let waiting = Waiting::new(100);
        let mut first = answer(&waiting, 40);
        let mut second = answer(&waiting, 40);
        assert_eq!(first.split_to(10).map(|piece| piece.len()), Some(10));
        let mut third = answer(&waiting, 40);
        assert_eq!(second.split_to(10), None);
        assert_eq!(first.split_to(30).map(|piece| piece.len()), Some(30));
        assert_eq!(third.split_to(40).map(|piece| piece.len()), Some(40));
        drop((first, second, third));
        assert_eq!(waiting.shelf().bytes, 0);
    }

    #[test]
    fn the_newest_item_stays_however_large_it_is() {
        let waiting = Waiting::new(100);
        let mut large = answer(&waiting, 1_000);
        assert_eq!(large.split_to(10).map(|piece| piece.len()), Some(10));
    }

    #[test]
    fn a_body_is_counted_as_it_grows_and_is_complete_at_the_end() {
        let waiting = Waiting::new(10 * LARGE_BLOCK);
        let mut body = Parcel::arriving(&waiting);
        let mut whole = Vec::new();
        for (length, size) in [
            (1, SMALL_BLOCK),
            (SMALL_BLOCK - 1, SMALL_BLOCK),
            (2 * LARGE_BLOCK, SMALL_BLOCK + 2 * LARGE_BLOCK),
            (17, 2 * SMALL_BLOCK + 2 * LARGE_BLOCK),
        ] {
            let chunk = vec![u8::try_from(whole.len() % 251).expect("it is small"); length];
            assert_eq!(body.append(&chunk), Some(()));
            whole.extend_from_slice(&chunk);
            assert_eq!(waiting.shelf().bytes, size);
        }
        assert_eq!(body.open().as_deref(), Some(&*whole));
        assert_eq!(waiting.shelf().bytes, 0);
    }

    /// Returns text that hardly repeats itself.
    fn text(length: usize) -> Vec<u8> {
        let words = (0..).map(|n: u32| n.wrapping_mul(2_654_435_761).to_string());
        words.flat_map(String::into_bytes).take(length).collect()
    }

    /// Compresses the rest of a response in pieces of this size.
    fn rest(parcel: &mut Parcel, length: usize) -> Vec<u8> {
        let mut compressed = Vec::new();
        while let Some(piece) = parcel.compress(length).expect("it need not make way") {
            compressed.extend_from_slice(&piece);
        }
        compressed
    }

    #[test]
    fn a_response_is_compressed_to_the_same_bytes_every_time() {
        let waiting = Waiting::new(1 << 20);
        let text = text(300_000);
        let [first, second, divided] = [32 << 10, 32 << 10, 1_000].map(|length| {
            let parcel = Parcel::compressing(&waiting, BytesMut::from(&*text));
            rest(&mut parcel.expect("there is room"), length)
        });
        // A strong validator promises these exact bytes.
        assert!(first == second);
        for compressed in [first, divided] {
            let mut plain = Vec::new();
            let mut decoder = flate2::bufread::GzDecoder::new(&*compressed);
            io::Read::read_to_end(&mut decoder, &mut plain).expect("gzip");
            assert!(plain == text);
        }
        assert_eq!(waiting.shelf().bytes, 0);
    }

    #[test]
    fn compressors_are_counted_and_nothing_is_dropped_for_them() {
        let waiting = Waiting::new(2 * (1_000 + compressor::SIZE) - 1);
        let compressing = || Parcel::compressing(&waiting, BytesMut::zeroed(1_000));
        let mut first = compressing().expect("there is room");
        assert_eq!(waiting.shelf().bytes, 1_000 + compressor::SIZE);
        let given_back = compressing().map(drop).expect_err("there is no room");
        assert_eq!(given_back.len(), 1_000);
        // An uncompressed response is sent, and compressed ones may be dropped for it like any
        // other.
        assert!(Room::reserve(&waiting, compressor::SIZE).is_some());
        let mut plain = answer(&waiting, 2 * compressor::SIZE);
        assert!(first.compress(10).is_err());
        assert!(plain.split_to(10).is_some());
        drop((first, plain));
        assert_eq!(waiting.shelf().bytes, 0);
    }
}
