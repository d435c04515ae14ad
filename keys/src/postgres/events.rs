//! Events in a PostgreSQL database, for readers in every instance.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use deadpool_postgres::{ClientWrapper, Pool};
use futures_util::future::try_join;
use futures_util::stream::{self, Stream, StreamExt};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::{Notify, OnceCell, watch};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use tokio_postgres::tls::{MakeTlsConnect, TlsConnect};
use tokio_postgres::{AsyncMessage, Config, Row, Socket};

use super::tables::add_tables;
use super::transaction::usable;
use super::{DEADLINE, TypedValue, in_time, numbers, texts};
use crate::error::Error;
use crate::events::{Event, EventLog, PAUSE, Position, SHORT_PAUSE, follow};

/// The channel of NOTIFY.
const CHANNEL: &str = "docent_events";

/// The condition that no transaction is running that could append an event before this one.
const IS_SEEN: &str = "transaction < pg_snapshot_xmin(pg_current_snapshot())::text::bigint";

/// The number of events that are deleted at once.
const MAX_DELETED: i64 = 1_000;

/// The number of events that a reader reads at once.
const BATCH_SIZE: i64 = 100;

/// Events of a PostgreSQL database. Cloning it is cheap.
///
/// An event is seen once every transaction that was writing when it was committed has ended, in any database of the
/// server: a transaction that stays open for a minute delays events by a minute. In return, writers wait for each other
/// only while they commit, because of NOTIFY. The order is that of transaction numbers, which start anew in a database
/// that is restored from a dump, so drop the tables `docent_events` and `docent_event_deleted` there.
///
/// ```no_run
/// use docent::{Cx, Once, Subscription};
/// use docent_keys::{Error, Event, PostgresEvents, PostgresKeys};
///
/// struct Bank {
///     keys: PostgresKeys,
///     events: PostgresEvents,
/// }
///
/// async fn pay(cx: Cx<Bank>, invoices: Vec<i64>) -> Result<Once<i64>, Error> {
///     let Bank { keys, events } = cx.state();
///     cx.once(keys, async |transaction| {
///         let sql = "INSERT INTO payments (invoices) VALUES ($1) RETURNING id";
///         let receipt: i64 = transaction.query_one(sql, &[&invoices]).await?.get(0);
///         events.append(transaction, "payments", &receipt).await?;
///         Ok(receipt)
///     })
///     .await
/// }
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Watch {
///     after: Option<String>,
/// }
///
/// let watch = Subscription::new("payment.watch", async |cx: Cx<Bank>, watch: Watch| {
///     Ok::<_, Error>(cx.state().events.follow::<i64>("payments", watch.after.as_deref()))
/// })
/// .resume_by("after", |event: &Event<i64>| event.cursor.clone());
/// ```
#[derive(Clone)]
pub struct PostgresEvents(Arc<Shared>);

struct Shared {
    pool: Pool,
    deadline: Duration,
    keep_for: Duration,
    end: watch::Sender<Position>,
    /// Told when an event was appended, here or elsewhere.
    appended: Arc<Notify>,
    is_ready: OnceCell<()>,
    tasks: Mutex<Vec<JoinHandle<()>>>,
}

impl PostgresEvents {
    /// The statements that add the tables: for a database in which the service itself must not.
    pub const TABLES: &str = include_str!("events.sql");

    /// Creates the events of the database of a pool, which keeps each for this time. The first use adds the tables.
    /// Without [`listen`](Self::listen), the events of other instances are seen within a second.
    pub fn new(pool: Pool, keep_for: Duration) -> Self {
        Self(Arc::new(Shared {
            pool,
            deadline: DEADLINE,
            keep_for,
            end: watch::Sender::default(),
            appended: Arc::default(),
            is_ready: OnceCell::new(),
            tasks: Mutex::default(),
        }))
    }

    /// Listens on a connection of its own for events of other instances, so that they are seen at once. A connection that
    /// is lost is made again. Through a pooler, connect to the database itself.
    ///
    /// # Panics
    /// Panics outside the context of a tokio runtime.
    pub fn listen<C>(self, config: Config, tls: C) -> Self
    where
        C: MakeTlsConnect<Socket> + Clone + Send + 'static,
        C::Stream: Send,
        C::TlsConnect: Send,
        <C::TlsConnect as TlsConnect<Socket>>::Future: Send,
    {
        let appended = Arc::downgrade(&self.0.appended);
        let task = tokio::spawn(listen(appended, config, tls));
        self.0.tasks().push(task);
        self
    }

    /// Appends an event in a transaction. It is seen once that is committed.
    ///
    /// # Errors
    /// Returns an error if the value cannot be written as JSON, or the database fails.
    pub async fn append<T: Serialize + ?Sized>(
        &self,
        transaction: &ClientWrapper,
        topic: &str,
        value: &T,
    ) -> Result<(), Error> {
        self.prepare().await?;
        let json = serde_json::to_string(value).map_err(|error| Error::Failed(error.into()))?;
        let sql = format!(
            "WITH appended AS (INSERT INTO docent_events (topic, json) VALUES ($1, $2)) \
             SELECT pg_notify('{CHANNEL}', '')"
        );
        in_time(
            self.0.deadline,
            transaction.query_typed(&sql, &texts(&[topic, &json])),
        )
        .await?;
        self.0.appended.notify_one();
        Ok(())
    }

    /// Follows a topic: after a cursor, or from now on. It never ends by itself.
    ///
    /// # Errors
    /// The stream yields [`Error::CannotResume`] if the events after the cursor are not kept, and another error if the
    /// database fails. It ends with it. A database that cannot be reached for a while only delays events.
    pub fn follow<T: DeserializeOwned + Send + 'static>(
        &self,
        topic: &str,
        cursor: Option<&str>,
    ) -> impl Stream<Item = Result<Event<T>, Error>> + Send + 'static + use<T> {
        follow(self.clone(), topic, cursor)
    }

    /// Sees to it that the tables are there, and that new events are looked for.
    async fn prepare(&self) -> Result<(), Error> {
        self.0.is_ready.get_or_try_init(|| self.start()).await?;
        Ok(())
    }

    /// Adds the tables, and starts the tasks that look for new events and delete old ones.
    async fn start(&self) -> Result<(), Error> {
        let shared = &self.0;
        let last = "docent_event_deleted";
        add_tables(&shared.pool, shared.deadline, last, Self::TABLES).await?;
        let events = Arc::downgrade(shared);
        let appended = Arc::clone(&shared.appended);
        shared.tasks().extend([
            tokio::spawn(look_for_events(events.clone(), appended)),
            tokio::spawn(delete_old_events(events)),
        ]);
        Ok(())
    }
}

impl Shared {
    fn tasks(&self) -> MutexGuard<'_, Vec<JoinHandle<()>>> {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn query(&self, sql: &str, values: &[TypedValue<'_>]) -> Result<Vec<Row>, Error> {
        let client = in_time(self.deadline, self.pool.get()).await?;
        let rows = in_time(self.deadline, client.query_typed(sql, values)).await;
        usable(client, rows)
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        for task in self.tasks().drain(..) {
            task.abort();
        }
    }
}

/// Looks for new events: when one was appended, until readers see it, and by the clock.
async fn look_for_events(events: Weak<Shared>, appended: Arc<Notify>) {
    let mut pause = PAUSE;
    loop {
        let Some(shared) = events.upgrade() else {
            return;
        };
        // The next look may succeed. After an event, others may be seen soon.
        if let Ok(true) = shared.look().await {
            pause = SHORT_PAUSE;
        }
        drop(shared);
        pause = match timeout(pause, appended.notified()).await {
            Ok(()) => SHORT_PAUSE,
            Err(_) => PAUSE.min(2 * pause),
        };
    }
}

/// Deletes events that are too old.
async fn delete_old_events(events: Weak<Shared>) {
    loop {
        sleep(PAUSE).await;
        let Some(shared) = events.upgrade() else {
            return;
        };
        // The next attempt may succeed.
        let _ = shared.delete_old().await;
    }
}

/// Listens for events of other instances.
async fn listen<C>(appended: Weak<Notify>, config: Config, tls: C)
where
    C: MakeTlsConnect<Socket> + Clone,
{
    while let Some(appended) = appended.upgrade() {
        let connected = timeout(DEADLINE, config.connect(tls.clone())).await;
        if let Ok(Ok((client, mut connection))) = connected {
            let sql = format!("LISTEN {CHANNEL}");
            let mut messages = stream::poll_fn(move |cx| connection.poll_message(cx));
            // The statement is sent while the messages are read.
            let statement = client.batch_execute(&sql);
            let notifications = async {
                while let Some(Ok(message)) = messages.next().await {
                    if let AsyncMessage::Notification(_) = message {
                        appended.notify_one();
                    }
                }
                Ok(())
            };
            let _ = try_join(statement, notifications).await;
        }
        sleep(PAUSE).await;
    }
}

impl Shared {
    /// Looks for the last event that readers see. Returns whether there is a new one.
    async fn look(&self) -> Result<bool, Error> {
        let end = self.end().await?;
        Ok(self
            .end
            .send_if_modified(|last| std::mem::replace(last, end) != end))
    }

    async fn end(&self) -> Result<Position, Error> {
        let sql = format!(
            "(SELECT transaction, number FROM docent_events WHERE {IS_SEEN} \
                 ORDER BY transaction DESC, number DESC LIMIT 1) \
             UNION ALL SELECT transaction, number FROM docent_event_deleted \
             ORDER BY transaction DESC, number DESC LIMIT 1"
        );
        let rows = self.query(&sql, &[]).await?;
        rows.first().map_or(Ok(Position::default()), position)
    }

    async fn delete_old(&self) -> Result<(), Error> {
        let sql = format!(
            "WITH old AS (DELETE FROM docent_events WHERE (transaction, number) IN ( \
                 SELECT transaction, number FROM docent_events \
                 WHERE at < now() - $1 * interval '1 second' AND {IS_SEEN} \
                 ORDER BY transaction, number LIMIT $2 FOR UPDATE SKIP LOCKED) \
                 RETURNING transaction, number), \
             last AS (SELECT transaction, number FROM old ORDER BY transaction DESC, number DESC LIMIT 1) \
             UPDATE docent_event_deleted AS deleted \
             SET transaction = last.transaction, number = last.number FROM last \
             WHERE (deleted.transaction, deleted.number) < (last.transaction, last.number)"
        );
        let seconds = i64::try_from(self.keep_for.as_secs()).unwrap_or(i64::MAX);
        self.query(&sql, &numbers(&[seconds, MAX_DELETED])).await?;
        Ok(())
    }
}

fn position(row: &Row) -> Result<Position, Error> {
    Ok(Position {
        transaction: row.try_get(0)?,
        number: row.try_get(1)?,
    })
}

impl EventLog for PostgresEvents {
    async fn read(
        &self,
        topic: &str,
        after: Position,
    ) -> Result<Option<Vec<(Position, String)>>, Error> {
        // It has no row if events after the position were deleted, and one without an event if there is none.
        let sql = format!(
            "SELECT event.transaction, event.number, event.json FROM docent_event_deleted AS deleted \
             LEFT JOIN ( \
                 SELECT transaction, number, json FROM docent_events \
                 WHERE topic = $1 AND (transaction, number) > ($2, $3) AND {IS_SEEN} \
                 ORDER BY transaction, number LIMIT $4) AS event ON true \
             WHERE (deleted.transaction, deleted.number) <= ($2, $3) \
             ORDER BY event.transaction, event.number"
        );
        let row_texts = [topic];
        let row_numbers = [after.transaction, after.number, BATCH_SIZE];
        let values = [texts(&row_texts), numbers(&row_numbers)].concat();
        let rows = self.0.query(&sql, &values).await?;
        if rows.is_empty() {
            return Ok(None);
        }
        let mut events = Vec::new();
        for row in rows {
            if let Some(json) = row.try_get(2)? {
                events.push((position(&row)?, json));
            }
        }
        Ok(Some(events))
    }

    async fn end(&self) -> Result<Position, Error> {
        self.prepare().await?;
        self.0.end().await
    }

    fn changes(&self) -> watch::Receiver<Position> {
        self.0.end.subscribe()
    }
}

impl fmt::Debug for PostgresEvents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresEvents").finish_non_exhaustive()
    }
}
