//! Checks that a service describes itself in the same way each time.

use docent_tools::check::{Finding, Rule};
use docent_tools::compare::compare;

use super::service::select;
use crate::args::CheckArgs;
use crate::http::Client;
use crate::input::{Described, ask};

/// The number of times that the description is requested again.
const TIMES: usize = 3;

/// Requests the description of a service again. Returns a finding if it differs.
pub(super) fn described_otherwise(
    described: &Described,
    client: &Client,
    args: &CheckArgs,
) -> Option<Finding> {
    let first = &described.reading.description;
    let exchange = client.exchange(described.fetched.service.as_ref()?).ok()?;
    for _ in 0..TIMES {
        let fetched = ask(&exchange, described.fetched.way).ok()?;
        let mut again = Described::new(&described.input, fetched).ok()?;
        select(&mut again.reading.description, args);
        let again = &again.reading.description;
        if again == first {
            continue;
        }
        let changes = compare(first, again);
        let what = match &*changes {
            [] => "it is worded differently".to_owned(),
            [only] => only.to_string(),
            [first, rest @ ..] => format!("{first} (and {} more)", rest.len()),
        };
        let message = format!("asked again, the service answered with another description: {what}");
        return Some(Finding::new(Rule::Description, message));
    }
    None
}
