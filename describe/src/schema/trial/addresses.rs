//! What is known by where it stands in memory.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// A set of addresses. They are nobody's choice, so a hash need not withstand anybody.
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

    /// The lower half of a product says little, and is what maps use most.
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}
