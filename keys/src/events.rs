//! Events that are committed with the writes that they tell of, and read in order from a cursor.
//!
//! A writer appends an event in its transaction, so there is no event without its write, and no write without its event.
//! Readers follow a topic from a position on. One task of each process looks for new events, and wakes the readers; a
//! reader that nothing wakes asks nothing of the database.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use futures_util::stream::{self, Stream, TryStreamExt};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::watch;
use tokio::time::sleep;

use crate::error::Error;

/// The time after which the database is asked for new events without having been heard of.
pub(crate) const PAUSE: Duration = Duration::from_secs(1);

/// The first pause after an event was heard of that readers do not see yet. It doubles each time, up to [`PAUSE`].
pub(crate) const SHORT_PAUSE: Duration = Duration::from_millis(5);

/// An event, with the cursor after which a reader goes on.
///
/// A stream of events is the source of a subscription that resumes:
/// `resume_by("after", |event: &Event<_>| event.cursor.clone())`. Its items are the values, and each message has the cursor
/// beside its item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Event<T> {
    /// The cursor of this event. To go on after it, give it back.
    #[serde(skip)]
    pub cursor: String,
    /// The value that was appended.
    pub value: T,
}

/// The schema and its name are those of the value, since that is what readers get. A derived implementation would have a
/// name of its own, because the type and its members have documentation.
impl<T> JsonSchema for Event<T>
where
    T: JsonSchema,
{
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

/// The place of an event in the order of all events. On SQLite, the first number is 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position {
    /// The number of the transaction that has appended it.
    pub(crate) transaction: i64,
    pub(crate) number: i64,
}

#[cfg(feature = "sqlite")]
impl Position {
    /// Returns the place of an event that has one number.
    pub(crate) fn of(number: i64) -> Self {
        Self {
            transaction: 0,
            number,
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.transaction, self.number)
    }
}

impl FromStr for Position {
    type Err = Error;

    fn from_str(cursor: &str) -> Result<Self, Error> {
        let (transaction, number) = cursor.split_once('.').ok_or(Error::CannotResume)?;
        Ok(Self {
            transaction: transaction.parse().map_err(|_| Error::CannotResume)?,
            number: number.parse().map_err(|_| Error::CannotResume)?,
        })
    }
}

/// The events of a database.
pub(crate) trait EventLog: Send + Sync + 'static {
    /// Returns some events of a topic after a position, as JSON, in order; `None` if some events after it were deleted.
    fn read(
        &self,
        topic: &str,
        after: Position,
    ) -> impl Future<Output = Result<Option<Vec<(Position, String)>>, Error>> + Send;

    /// Returns the position of the last event that readers see, or of the last that was deleted if that is later.
    fn end(&self) -> impl Future<Output = Result<Position, Error>> + Send;

    /// Returns the position of the last event that readers see, as it changes.
    fn changes(&self) -> watch::Receiver<Position>;
}

/// A reader of a topic.
struct Reader<L> {
    log: L,
    topic: String,
    changes: watch::Receiver<Position>,
    /// The position of the last event that was taken.
    after: Position,
    /// The events that were read, and not taken yet.
    waiting: VecDeque<(Position, String)>,
}

/// Follows a topic: after a cursor, or from now on.
pub(crate) fn follow<L: EventLog, T: DeserializeOwned + Send + 'static>(
    log: L,
    topic: &str,
    cursor: Option<&str>,
) -> impl Stream<Item = Result<Event<T>, Error>> + Send + 'static + use<L, T> {
    let topic = topic.to_owned();
    let cursor = cursor.map(str::to_owned);
    stream::once(Reader::start(log, topic, cursor))
        .map_ok(|reader| stream::try_unfold(reader, next))
        .try_flatten()
}

async fn next<L: EventLog, T: DeserializeOwned>(
    mut reader: Reader<L>,
) -> Result<Option<(Event<T>, Reader<L>)>, Error> {
    let (position, json) = reader.take().await?;
    let value = serde_json::from_str(&json).map_err(|error| Error::Failed(error.into()))?;
    let cursor = position.to_string();
    Ok(Some((Event { cursor, value }, reader)))
}

impl<L: EventLog> Reader<L> {
    async fn start(log: L, topic: String, cursor: Option<String>) -> Result<Self, Error> {
        let end = match cursor {
            // What others append until the log answers could be missed.
            None => log.end().await?,
            Some(_) => until_available(|| log.end()).await?,
        };
        let after = match cursor {
            None => end,
            Some(cursor) => cursor.parse()?,
        };
        // A cursor of another database, of which this one may be an older copy.
        if after > end {
            return Err(Error::CannotResume);
        }
        Ok(Self {
            changes: log.changes(),
            log,
            topic,
            after,
            waiting: VecDeque::new(),
        })
    }

    /// Waits for the next event.
    async fn take(&mut self) -> Result<(Position, String), Error> {
        loop {
            if let Some(event) = self.waiting.pop_front() {
                self.after = event.0;
                return Ok(event);
            }
            // Before it reads, so that it misses no change.
            let end = *self.changes.borrow_and_update();
            let events = until_available(|| self.log.read(&self.topic, self.after)).await?;
            self.waiting = events.ok_or(Error::CannotResume)?.into();
            if self.waiting.is_empty() {
                // It has seen all events until there, so they may be deleted.
                self.after = self.after.max(end);
                // It fails only if the log is gone, which this reader has.
                let _ = self.changes.changed().await;
            }
        }
    }
}

/// Asks a log until it can be reached. Its events wait meanwhile, so nothing is lost.
async fn until_available<T, F>(ask: impl Fn() -> F) -> Result<T, Error>
where
    F: Future<Output = Result<T, Error>>,
{
    loop {
        match ask().await {
            Err(Error::Unavailable(_)) => sleep(PAUSE).await,
            outcome => return outcome,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use futures_util::{FutureExt, StreamExt};

    use super::*;

    /// A log of one topic in memory.
    #[derive(Clone, Default)]
    struct Log {
        numbers: Arc<Mutex<Vec<i64>>>,
        deleted: Arc<Mutex<i64>>,
        end: watch::Sender<Position>,
        /// The number of next answers that are errors, because the log cannot be reached.
        failures: Arc<Mutex<u32>>,
    }

    impl Log {
        fn fail(&self) -> Result<(), Error> {
            let mut failures = self.failures.lock().expect("no panic");
            match failures.checked_sub(1) {
                None => Ok(()),
                Some(left) => {
                    *failures = left;
                    Err(Error::Unavailable("the server restarts".into()))
                }
            }
        }
    }

    fn at(number: i64) -> Position {
        Position {
            transaction: 0,
            number,
        }
    }

    impl EventLog for Log {
        async fn read(
            &self,
            _: &str,
            after: Position,
        ) -> Result<Option<Vec<(Position, String)>>, Error> {
            self.fail()?;
            if after < at(*self.deleted.lock().expect("no panic")) {
                return Ok(None);
            }
            let numbers = self.numbers.lock().expect("no panic");
            Ok(Some(
                numbers
                    .iter()
                    .filter(|number| at(**number) > after)
                    .map(|number| (at(*number), number.to_string()))
                    .collect(),
            ))
        }

        async fn end(&self) -> Result<Position, Error> {
            self.fail()?;
            Ok(*self.end.borrow())
        }

        fn changes(&self) -> watch::Receiver<Position> {
            self.end.subscribe()
        }
    }

    #[test]
    fn an_item_has_the_schema_of_its_value() {
        /// A loan.
        #[derive(JsonSchema)]
        struct Loan {
            #[expect(dead_code, reason = "only its type is read")]
            number: u32,
        }
        let mut generator = SchemaGenerator::default();
        let value = generator.subschema_for::<Loan>();
        assert_eq!(generator.subschema_for::<Event<Loan>>(), value);
        assert_eq!(generator.definitions().len(), 1);
    }

    #[test]
    fn a_reader_of_a_quiet_topic_goes_on_when_the_events_of_others_are_deleted() {
        let log = Log::default();
        let mut reader = Box::pin(follow::<_, i64>(log.clone(), "quiet", None));
        assert!(reader.next().now_or_never().is_none());
        // Events of another topic.
        log.end.send_replace(at(7));
        assert!(reader.next().now_or_never().is_none());
        *log.deleted.lock().expect("no panic") = 7;
        log.numbers.lock().expect("no panic").push(8);
        log.end.send_replace(at(8));
        let event = reader.next().now_or_never().flatten();
        assert_eq!(event.and_then(Result::ok).map(|event| event.value), Some(8));
    }

    #[tokio::test]
    async fn a_log_that_cannot_be_reached_for_a_while_delays_those_who_have_a_cursor() {
        let log = Log::default();
        log.numbers.lock().expect("no panic").extend([1, 2]);
        log.end.send_replace(at(2));
        let fail = |failures| *log.failures.lock().expect("no panic") = failures;
        // The second failure is that of reading.
        fail(2);
        let event = Box::pin(follow::<_, i64>(log.clone(), "a", Some("0.1")))
            .next()
            .await
            .and_then(Result::ok);
        assert_eq!(event.map(|event| event.value), Some(2));
        fail(1);
        let failed = Box::pin(follow::<_, i64>(log.clone(), "a", None))
            .next()
            .await;
        assert!(matches!(failed, Some(Err(Error::Unavailable(_)))));
    }
}
