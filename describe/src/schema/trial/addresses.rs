//! Sets and maps of what is identified by its address in memory.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// A set of addresses. Clients cannot choose them, so the hash need not resist crafted keys.
pub(super) type Addresses<T> = HashSet<*const T, BuildHasherDefault<AddressHasher>>;

/// A map by addresses.
pub(super) type ByAddress<T, V> = HashMap<*const T, V, BuildHasherDefault<AddressHasher>>;

/// Hashes an address with one multiplication.
#[derive(Default)]
pub(super) struct AddressHasher(u64);

impl Hasher for AddressHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_usize(byte.into());
        }
    }

    fn write_usize(&mut self, address: usize) {
        self.0 = (self.0 ^ address as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    /// Folds the upper half into the lower, which maps use most and which varies little in a product.
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}
