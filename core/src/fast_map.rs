//! Maps whose keys are hashed fast.
//!
//! These are for names that the author chose. What callers choose goes into maps with random seeds,
//! because a caller could otherwise fill one bucket.

use std::collections::HashMap;

use foldhash::fast::FixedState;

/// A map with a fast hash that is the same in every process: only for keys that callers do not choose,
/// or for a bounded number of entries.
pub(crate) type FastMap<K, V> = HashMap<K, V, FixedState>;
