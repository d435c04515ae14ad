//! Maps whose keys are hashed fast.

use std::collections::HashMap;

use foldhash::fast::FixedState;

/// A map for keys that callers do not choose, or that a bounded number of entries protects: its hashes
/// are the same in every process.
pub(crate) type FastMap<K, V> = HashMap<K, V, FixedState>;
