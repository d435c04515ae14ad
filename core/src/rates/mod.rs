//! Limits how often callers call procedures ([`rate`]) and show wrong credentials ([`attempts`]).
//!
//! In come a caller, or the address of one who is unknown, and a moment; out comes yes, or how long to wait:
//!
//! ```text
//! rate(3, 60 s)     calls at 0 s: yes yes yes, wait 20 s;   at 20 s: yes, wait 20 s
//! ```
//!
//! Both count with the generic cell rate algorithm: one moment for each caller, at which it has its whole limit again. A
//! window that slides would need a list for each caller, and one that does not lets twice the limit pass at once, at its border.
//! The table is bounded, and a caller that it forgets gains nothing.
//!
//! A rate counts calls at once. An attempt is undecided until its credentials have been checked, so it takes a permit
//! before, and gives it back unless the credentials were wrong: otherwise a thousand guesses that arrive together would
//! all be checked before the first is counted.
//!
//! A procedure without limits of its own pays one branch for those that have some (`Call::keep_limits`). Limits on how many
//! calls run at the same time are in [`call`](crate::call), and know no callers.

mod attempts;
mod rate;

pub(crate) use attempts::{Attempts, LoginAttempt};
pub(crate) use rate::Rate;
