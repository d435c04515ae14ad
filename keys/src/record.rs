//! The outcome of a call as the tables have it.

use docent_core::{BegunTransaction, EarlierCall, KeptOutcome, KeyedCall};

/// The approximate size of a row without its texts.
const ROW_OVERHEAD: usize = 100;

/// Stands for NUL, which PostgreSQL cannot store, followed by `0`. It is no character of any language, and stands twice
/// for itself.
const NUL_MARK: char = '\u{10ffff}';

/// Returns the text for the caller of a call: nothing if its key belongs to no caller.
pub(crate) fn caller(call: &KeyedCall) -> String {
    let Some(id) = call.caller() else {
        return String::new();
    };
    let mut text = String::with_capacity(id.len() + 1);
    text.push('=');
    for character in id.chars() {
        match character {
            '\0' => text.extend([NUL_MARK, '0']),
            NUL_MARK => text.extend([NUL_MARK, NUL_MARK]),
            other => text.push(other),
        }
    }
    text
}

/// Returns one text for the caller and the key, which has no space.
pub(crate) fn name(call: &KeyedCall) -> String {
    format!("{} {}", caller(call), call.key())
}

/// Returns the room that an outcome takes, in bytes.
pub(crate) fn size(call: &KeyedCall, outcome: &KeptOutcome) -> u64 {
    let texts = call.key().len() + call.fingerprint().len() + outcome.json().len();
    (texts + caller(call).len() + ROW_OVERHEAD) as u64
}

/// Returns how long to keep the outcome, in seconds. More than a century is as good as forever.
pub(crate) fn keep_seconds(call: &KeyedCall) -> i64 {
    u32::try_from(call.keep_for().as_secs())
        .unwrap_or(u32::MAX)
        .into()
}

/// Returns what a row says about a call with its key.
pub(crate) fn earlier(
    call: &KeyedCall,
    fingerprint: &str,
    result: String,
    is_error: bool,
) -> EarlierCall {
    if fingerprint != call.fingerprint() {
        EarlierCall::UsedOtherwise
    } else if is_error {
        EarlierCall::Kept(KeptOutcome::error(result))
    } else {
        EarlierCall::Kept(KeptOutcome::result(result))
    }
}

/// Returns the result of beginning a transaction for a call that was made before.
pub(crate) fn repeated<T>(earlier: EarlierCall) -> BegunTransaction<T> {
    match earlier {
        EarlierCall::Kept(outcome) => BegunTransaction::Kept(outcome),
        EarlierCall::UsedOtherwise => BegunTransaction::UsedOtherwise,
    }
}
