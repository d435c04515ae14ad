//! Checks that a service describes itself in the same way each time.
//!
//! A description that depends on the order of a hash map, or on which instance answers, breaks caches
//! and makes every comparison show changes.

use docent_tools::check::{Finding, Rule};
use docent_tools::compare::compare;

use super::service::select;
use crate::args::CheckArgs;
use crate::http::Client;
use crate::input::{Described, ask};

/// The number of times that the description is requested again.
const MAX_REPEATS: usize = 3;

/// Requests the description of a service again. Returns a finding if it differs.
pub(super) fn described_otherwise(
    described: &Described,
    client: &Client,
    args: &CheckArgs,
) -> Option<Finding> {
    let first = &described.reading.description;
    let exchange = client.exchange(described.fetched.service.as_ref()?).ok()?;
    for _ in 0..MAX_REPEATS {
        let fetched = ask(&exchange, described.fetched.way).ok()?;
        let mut again = Described::new(&described.input, fetched)
            .ok()?
            .reading
            .description;
        select(&mut again, args);
        if again == *first {
            continue;
        }
        let difference = match &*compare(first, &again) {
            [] => "it is worded differently".to_owned(),
            [only] => only.to_string(),
            [first, rest @ ..] => format!("{first} (and {} more)", rest.len()),
        };
        let message =
            format!("asked again, the service answered with another description: {difference}");
        return Some(Finding::new(Rule::Description, message));
    }
    None
}
