//! The room of a store, in keys and bytes, and the share of it that a caller may use.
//!
//! Callers choose keys, so each may fill a store. These are the limits that keep one caller from
//! taking the room of the others, for stores of any kind.

/// The number of keys that a known caller may use in any store.
const MIN_KEYS_OF_CALLER: u64 = 100;

/// The maximum size of a running call's outcome with its key, in bytes: 16 KiB and a little more.
const MAX_RUNNING_BYTES: u64 = 17 * 1024;

/// A number of keys, and the size of their outcomes: the limits of a [`KeyStore`](crate::KeyStore), the
/// share of a caller, or the room in use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg(feature = "keys")]
pub struct KeyRoom {
    /// The number of keys.
    pub keys: u64,
    /// The size of keys and outcomes, in bytes.
    pub bytes: u64,
}

impl KeyRoom {
    /// Returns the share of a caller in a store with these limits: 1 %, but at least 100 keys. Calls
    /// without a known caller share half of the store.
    ///
    /// ```
    /// use docent::KeyRoom;
    ///
    /// let store = KeyRoom { keys: 100_000, bytes: 1_000_000_000 };
    /// assert_eq!(store.share_of(Some("ada")), KeyRoom { keys: 1_000, bytes: 10_000_000 });
    /// assert_eq!(store.share_of(None), KeyRoom { keys: 50_000, bytes: 500_000_000 });
    /// ```
    pub fn share_of(self, caller: Option<&str>) -> Self {
        match caller {
            Some(_) => self.share((self.keys / 100).max(MIN_KEYS_OF_CALLER)),
            None => Self {
                keys: self.keys / 2,
                bytes: self.bytes / 2,
            },
        }
    }

    /// Returns a share with this number of keys and a proportional part of the bytes, but at least 17 KiB
    /// for each of the first 100 keys.
    pub fn share(self, keys: u64) -> Self {
        let part = self.bytes / self.keys.max(1);
        let least = keys.min(MIN_KEYS_OF_CALLER) * MAX_RUNNING_BYTES;
        Self {
            keys,
            bytes: part.saturating_mul(keys).max(least),
        }
    }

    /// Returns whether this fits within `limits`.
    pub fn fits(self, limits: Self) -> bool {
        self.keys <= limits.keys && self.bytes <= limits.bytes
    }
}
