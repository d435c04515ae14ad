//! Limits how often callers call procedures ([`rate`]) and show wrong credentials ([`attempts`]).

mod attempts;
mod rate;

pub(crate) use attempts::{Attempt, Attempts};
pub(crate) use rate::Rate;
