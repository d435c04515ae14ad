//! What waits for callers: bodies of which a part has arrived, and answers of which a part has been
//! taken.
//!
//! A caller may be as slow as it likes within the time that it has, so what waits for it is not the
//! service's to bound by counting calls. It is bounded by the sum of its bytes. Where that is passed,
//! what has waited longest for its caller to go on makes way: an honest caller goes on all the time,
//! and one that holds memory for the sake of holding it does not.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::{Bytes, BytesMut};

/// All that waits for the callers of one service.
#[derive(Debug)]
pub(crate) struct Waiting(Mutex<Shelf>);

#[derive(Debug)]
struct Shelf {
    limit: usize,
    /// The sum of what is there.
    bytes: usize,
    next: u64,
    /// Whoever goes on gets a new number, so the first is the one that has waited longest.
    by_age: BTreeMap<u64, Item>,
}

/// What waits for one caller.
#[derive(Debug)]
struct Item {
    blocks: Vec<BytesMut>,
    /// What the blocks take: no part of one is freed before all of it is.
    size: usize,
}

/// The sizes of the blocks of a body. A body that grew in one piece would leave holes of every size
/// where it was, and memory that is free and cannot be used is as gone as any other.
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
        let place = self.next;
        self.next += 1;
        self.bytes += item.size;
        self.by_age.insert(place, item);
        // What has just come stays, however large: it is within the limits of a call.
        while self.bytes > self.limit && self.by_age.len() > 1 {
            let Some((_, given_up)) = self.by_age.pop_first() else {
                break;
            };
            self.bytes -= given_up.size;
        }
        place
    }

    fn take(&mut self, place: u64) -> Option<Item> {
        let item = self.by_age.remove(&place)?;
        self.bytes -= item.size;
        Some(item)
    }
}

/// Bytes that wait for one caller. They may be gone when it comes back.
#[derive(Debug)]
pub(super) struct Parcel {
    waiting: Arc<Waiting>,
    place: u64,
}

impl Parcel {
    /// A body, of which nothing has arrived.
    pub(super) fn arriving(waiting: &Arc<Waiting>) -> Self {
        Self::new(waiting, Vec::new(), 0)
    }

    /// An answer, of which nothing has been taken.
    pub(super) fn leaving(waiting: &Arc<Waiting>, answer: BytesMut) -> Self {
        let size = answer.capacity();
        Self::new(waiting, vec![answer], size)
    }

    fn new(waiting: &Arc<Waiting>, blocks: Vec<BytesMut>, size: usize) -> Self {
        let place = waiting.shelf().put(Item { blocks, size });
        Self {
            waiting: Arc::clone(waiting),
            place,
        }
    }

    /// Changes what waits, since its caller goes on; `None` where it had to make way.
    fn change<T>(&mut self, change: impl FnOnce(&mut Item) -> T) -> Option<T> {
        let mut item = self.waiting.shelf().take(self.place)?;
        let changed = change(&mut item);
        self.place = self.waiting.shelf().put(item);
        Some(changed)
    }

    /// More of a body has arrived; `None` where it had to make way.
    pub(super) fn append(&mut self, bytes: &[u8]) -> Option<()> {
        self.change(|item| item.append(bytes))
    }

    /// The next piece of an answer; `None` where it had to make way.
    pub(super) fn split_to(&mut self, length: usize) -> Option<Bytes> {
        let split = self.change(|item| {
            let answer = item.blocks.first_mut()?;
            Some(answer.split_to(length.min(answer.len())).freeze())
        });
        split?
    }

    /// A body that has arrived; `None` where it had to make way.
    pub(super) fn open(self) -> Option<Bytes> {
        let item = self.waiting.shelf().take(self.place)?;
        Some(item.blocks.concat().into())
    }
}

impl Drop for Parcel {
    fn drop(&mut self) {
        // Bound to a name, so that the bytes are freed when the shelf is open to others again.
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
    fn what_has_waited_longest_makes_way_and_whoever_goes_on_has_not_waited() {
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
    fn what_has_just_come_stays_however_large_it_is() {
        let waiting = Waiting::new(100);
        let mut large = answer(&waiting, 1_000);
        assert_eq!(large.split_to(10).map(|piece| piece.len()), Some(10));
    }

    #[test]
    fn a_body_counts_as_it_grows_and_is_whole_in_the_end() {
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
}
