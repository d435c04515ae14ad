//! Resuming a subscription: what comes after a cursor has to be what came after it the first time.

use docent_describe::json::Json;

use super::{End, Follower, MAX_SILENCE};
use crate::check::finding::{Finding, short_json};
use crate::check::live::transport::LiveStream;
use crate::check::rule::Rule;

impl Follower<'_, '_> {
    /// Subscribes after the item in the middle, and compares what comes with the cursors of the first time.
    pub(super) fn resume(
        &self,
        known: &[String],
        first_id: &Json,
        stream: Option<Box<dyn LiveStream>>,
    ) -> Option<()> {
        let middle = known.len().checked_sub(1)? / 2;
        let (seen, expected) = known.split_at(middle + 1);
        let cursor = seen.last()?;
        let is_same_connection = stream.is_some();
        let mut running = self.subscribe(Some(cursor), stream)?;
        let call = running.call.clone();
        if is_same_connection && running.id == *first_id {
            let id = short_json(first_id);
            let message = format!("two subscriptions of a connection have the id {id}");
            self.add(&call, Finding::new(Rule::SubscriptionId, message));
        }
        let silence = if expected.is_empty() {
            MAX_SILENCE
        } else {
            self.checker.caller.options.max_time
        };
        self.take_items(&mut running, expected.len().max(1), silence);
        if running.has_lost_items {
            return Some(());
        }
        let is_cut = matches!(running.end, Some(End::Failed | End::Closed));
        if let Some((rule, what)) = difference(seen, expected, &running.cursors, is_cut) {
            let message = format!("after the cursor {cursor:?}, {what}");
            self.add(&call, Finding::new(rule, message));
        }
        Some(())
    }
}

/// Compares the cursors that came after the last one of `seen` with those that came there the first time, of which some
/// may be missing if the stream was cut.
fn difference(
    seen: &[String],
    expected: &[String],
    came: &[String],
    is_cut: bool,
) -> Option<(Rule, String)> {
    for (index, cursor) in came.iter().enumerate() {
        let is_old = seen.contains(cursor) || came[..index].contains(cursor);
        match expected.get(index) {
            _ if is_old => return Some((Rule::ItemRepeated, format!("{cursor:?} came again"))),
            Some(next) if next != cursor => {
                return Some((
                    Rule::ItemSkipped,
                    format!("{cursor:?} came and not {next:?}"),
                ));
            }
            // The first time ended before it.
            Some(_) | None => {}
        }
    }
    let missing = expected.get(came.len()).filter(|_| !is_cut)?;
    Some((Rule::ItemSkipped, format!("{missing:?} did not come again")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Resumes after 2 of 1, 2, 3 and 4, and returns what is wrong with the cursors that came.
    fn resumed(came: &[&str], is_cut: bool) -> Option<(Rule, String)> {
        let texts = |cursors: &[&str]| -> Vec<String> {
            cursors.iter().map(|cursor| (*cursor).to_owned()).collect()
        };
        difference(
            &texts(&["1", "2"]),
            &texts(&["3", "4"]),
            &texts(came),
            is_cut,
        )
    }

    #[test]
    fn an_item_that_comes_again_or_is_skipped_after_its_cursor_is_found() {
        assert_eq!(resumed(&["3", "4"], false), None);
        assert_eq!(resumed(&["3", "4", "5"], false), None);
        let again = |cursor: &str| Some((Rule::ItemRepeated, format!("{cursor:?} came again")));
        assert_eq!(resumed(&["2", "3"], false), again("2"));
        assert_eq!(resumed(&["3", "3"], false), again("3"));
        let skipped = |what: &str| Some((Rule::ItemSkipped, what.to_owned()));
        assert_eq!(resumed(&["4"], false), skipped("\"4\" came and not \"3\""));
        assert_eq!(resumed(&["3"], false), skipped("\"4\" did not come again"));
        assert_eq!(resumed(&["3"], true), None, "the stream was cut");
    }
}
