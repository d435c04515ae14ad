//! Room for bytes that are stored for callers: bodies that have partly arrived, and responses that
//! have partly been read.
//!
//! A caller may be slow within its timeout, so a limit on calls does not bound the memory for callers.
//! A limit on the sum of bytes does. While all room is taken, no call starts, a body that grows is
//! rejected, and responses wait, in the order in which they were ready. Nothing is dropped to make
//! room, but a caller that reads less of a response than 256 KiB in the write timeout loses it.

use std::io::{self, ErrorKind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::traffic::{Exchange, Room, Traffic};

/// The block sizes of a body. A body that grows in one piece would fragment memory with holes of
/// every size, and unusable free memory is lost memory.
const SMALL_BLOCK: usize = 4 << 10;
const LARGE_BLOCK: usize = 64 << 10;

/// The part of a body that has arrived so far.
#[derive(Debug)]
pub(crate) struct BodyBuffer {
    traffic: Arc<Traffic>,
    blocks: Vec<(BytesMut, Room)>,
}

impl BodyBuffer {
    /// Creates an empty body.
    pub(crate) fn new(traffic: &Arc<Traffic>) -> Self {
        Self {
            traffic: Arc::clone(traffic),
            blocks: Vec::new(),
        }
    }

    /// Adds bytes. Returns `None` if there is no room for them.
    pub(crate) fn append(&mut self, mut bytes: &[u8]) -> Option<()> {
        while !bytes.is_empty() {
            match self.blocks.last_mut() {
                Some((block, _)) if block.len() < block.capacity() => {
                    let free = block.capacity() - block.len();
                    let (fits, rest) = bytes.split_at(free.min(bytes.len()));
                    block.extend_from_slice(fits);
                    bytes = rest;
                }
                _ => {
                    let is_large = bytes.len() > SMALL_BLOCK;
                    let size = if is_large { LARGE_BLOCK } else { SMALL_BLOCK };
                    let room = self.traffic.try_take(size)?;
                    self.blocks.push((BytesMut::with_capacity(size), room));
                }
            }
        }
        Some(())
    }

    /// Returns the body, which has arrived completely.
    pub(crate) fn into_bytes(self) -> Bytes {
        let length = self.blocks.iter().map(|(block, _)| block.len()).sum();
        let mut body = BytesMut::with_capacity(length);
        for (block, _) in &self.blocks {
            body.extend_from_slice(block);
        }
        body.freeze()
    }
}

/// The bytes of a response that its caller has to read within the write timeout, unless fewer are left.
pub const MIN_PROGRESS: usize = 256 << 10;

/// A response that is being read. It is dropped if its caller reads too slowly.
#[derive(Debug)]
pub struct OwnText {
    rest: Arc<Mutex<Option<UnreadText>>>,
    /// The number of bytes still to be read.
    left: usize,
    _exchange: Exchange,
    /// The task that watches the caller. It ends with the response.
    _watch: JoinSet<()>,
}

/// The unread part of a response.
#[derive(Debug)]
struct UnreadText {
    text: BytesMut,
    /// The number of bytes of the text that have been read since the caller was last checked.
    read: usize,
    _room: Room,
}

impl OwnText {
    /// Creates a response whose caller is checked at intervals of the exchange's write timeout.
    pub(crate) fn new(text: BytesMut, room: Room, exchange: Exchange) -> Self {
        let left = text.len();
        let rest = Arc::new(Mutex::new(Some(UnreadText {
            text,
            read: 0,
            _room: room,
        })));
        let mut watch = JoinSet::new();
        watch.spawn(drop_if_slow(
            Arc::downgrade(&rest),
            exchange.write_timeout(),
        ));
        Self {
            rest,
            left,
            _exchange: exchange,
            _watch: watch,
        }
    }

    /// Returns the remaining length.
    pub(crate) fn length(&self) -> usize {
        self.left
    }

    /// Returns the next piece, of at most this many bytes.
    ///
    /// # Errors
    /// The caller has read too slowly.
    pub(crate) fn next(&mut self, max_length: usize) -> Option<io::Result<Bytes>> {
        let length = self.left.min(max_length);
        if length == 0 {
            return None;
        }
        self.left -= length;
        let mut rest = lock(&self.rest);
        let Some(rest) = &mut *rest else {
            return Some(Err(ErrorKind::TimedOut.into()));
        };
        rest.read += length;
        Some(Ok(rest.text.split_to(length).freeze()))
    }
}

/// Drops a response of which too little was read in two intervals in a row. One is not enough: the system
/// takes bytes in lumps, and may take none for a while from a caller that reads steadily.
async fn drop_if_slow(rest: Weak<Mutex<Option<UnreadText>>>, interval: Duration) {
    let mut before = MIN_PROGRESS;
    loop {
        sleep(interval).await;
        let Some(rest) = rest.upgrade() else { return };
        match &mut *lock(&rest) {
            Some(rest) if before + rest.read >= MIN_PROGRESS => {
                before = std::mem::take(&mut rest.read);
            }
            slow => {
                *slow = None;
                return;
            }
        }
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;
    use crate::options::HttpOptions;

    /// Returns the traffic of a service that stores this many bytes for its callers.
    fn storing(max_buffered_bytes: usize) -> Arc<Traffic> {
        Traffic::new(&HttpOptions {
            max_buffered_bytes,
            ..HttpOptions::default()
        })
    }

    fn leaving(room: Room, size: usize, interval: Duration) -> OwnText {
        let options = HttpOptions {
            write_timeout: interval,
            ..HttpOptions::default()
        };
        let exchange = Traffic::new(&options).begin();
        OwnText::new(BytesMut::zeroed(size), room, exchange)
    }

    /// Returns whether a caller can read this many bytes.
    fn read(leaving: &mut OwnText, length: usize) -> bool {
        let piece = leaving.next(length).expect("it has not ended");
        piece.is_ok_and(|piece| piece.len() == length)
    }

    #[test]
    fn room_is_given_in_the_order_of_asking_and_what_is_too_large_gets_all_of_it() {
        let traffic = storing(100);
        let first = traffic.try_take(60).expect("there is room");
        let mut larger = Box::pin(traffic.take(1_000));
        assert!(larger.as_mut().now_or_never().is_none());
        let mut small = Box::pin(traffic.take(1));
        assert!(small.as_mut().now_or_never().is_none());
        assert!(traffic.free() == 0 && traffic.try_take(1).is_none());
        drop(first);
        assert!(small.as_mut().now_or_never().is_none());
        let larger = larger.now_or_never().expect("its turn has come");
        assert!(small.as_mut().now_or_never().is_none());
        drop(larger);
        drop(small.now_or_never().expect("its turn has come"));
        assert_eq!(traffic.free(), 100);
    }

    #[test]
    fn who_no_longer_waits_takes_no_room() {
        let traffic = storing(100);
        let first = traffic.try_take(60);
        let mut gone = Box::pin(traffic.take(90));
        assert!(gone.as_mut().now_or_never().is_none());
        drop((gone, first));
        assert_eq!(traffic.free(), 100);
    }

    #[tokio::test]
    async fn a_caller_who_reads_too_little_in_its_time_loses_the_response() {
        const INTERVAL: Duration = Duration::from_millis(20);
        let size = 3 * MIN_PROGRESS;
        let traffic = storing(2 * size);
        let room = || traffic.try_take(size).expect("there is room");
        let mut slow = leaving(room(), size, INTERVAL);
        assert!(read(&mut slow, MIN_PROGRESS - 1));
        let mut honest = leaving(room(), size, Duration::from_secs(3_600));
        // The room of the slow one is given back by itself.
        drop(traffic.take(size).await);
        assert!(!read(&mut slow, 1));
        for _ in 0..3 {
            assert!(read(&mut honest, MIN_PROGRESS));
        }
        drop(honest);
        assert_eq!(traffic.free(), 2 * size);
    }

    #[tokio::test]
    async fn a_caller_who_reads_in_lumps_keeps_the_response() {
        const INTERVAL: Duration = Duration::from_secs(60);
        tokio::time::pause();
        let traffic = storing(4 * MIN_PROGRESS);
        let room = traffic.try_take(4 * MIN_PROGRESS).expect("there is room");
        let mut steady = leaving(room, 4 * MIN_PROGRESS, INTERVAL);
        for _ in 0..3 {
            // Nothing in one interval of 60 s, and a lump in the next.
            sleep(Duration::from_secs(119)).await;
            assert!(read(&mut steady, MIN_PROGRESS));
        }
        sleep(3 * INTERVAL).await;
        assert!(!read(&mut steady, MIN_PROGRESS));
    }

    #[test]
    fn a_body_is_counted_as_it_grows_and_is_complete_at_the_end() {
        let all = 10 * LARGE_BLOCK;
        let traffic = storing(all);
        let mut body = BodyBuffer::new(&traffic);
        let mut sent = Vec::new();
        for (length, size) in [
            (1, SMALL_BLOCK),
            (SMALL_BLOCK - 1, SMALL_BLOCK),
            (2 * LARGE_BLOCK, SMALL_BLOCK + 2 * LARGE_BLOCK),
            (17, 2 * SMALL_BLOCK + 2 * LARGE_BLOCK),
        ] {
            let chunk = vec![u8::try_from(sent.len() % 251).expect("it is small"); length];
            assert_eq!(body.append(&chunk), Some(()));
            sent.extend_from_slice(&chunk);
            assert_eq!(traffic.free(), all - size);
        }
        // Bytes without room are not taken.
        let mut other = BodyBuffer::new(&traffic);
        assert_eq!(other.append(&vec![0; all]), None);
        drop(other);
        assert_eq!(body.into_bytes(), sent);
        assert_eq!(traffic.free(), all);
    }
}
