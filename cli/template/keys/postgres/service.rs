//! The procedures, and the service that they make.

use std::time::Duration;

use deadpool_postgres::{Manager, ManagerConfig, Pool, RecyclingMethod, Runtime};
use docent::{BearerToken, BuildError, Cx, Once, Service, procedures};
use docent_keys::PostgresKeys;
use tokio_postgres::{Config, NoTls};

const NAME: &str = "greeter";
/// Identifies the service. Replace it by a URI of your own.
const ID: &str = "https://example.com/greeter";

/// The time within which the database must give a connection. Calls have longer.
const DEADLINE: Duration = Duration::from_secs(1);

const TABLE: &str = "
    CREATE TABLE IF NOT EXISTS cards (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text NOT NULL,
        text text NOT NULL
    )";

/// The cards that were ordered, in a PostgreSQL database.
struct Cards {
    /// Begins the transactions of writes, and keeps their outcomes.
    keys: PostgresKeys,
    /// The connections for reads.
    pool: Pool,
}

#[procedures]
impl Cards {
    /// Orders a card for a person. A call that is repeated with its key orders nothing more.
    #[procedure(
        name = "card.order",
        repeatable = "24h",
        keys_without_caller, // All callers have the same token.
        returns = "The number of the order.",
        example(params = ["Ada", "Happy birthday!"], result = 1)
    )]
    async fn order(
        &self,
        cx: Cx,
        /// The name of the person.
        #[schemars(length(min = 1, max = 100))]
        name: String,
        /// What the card says.
        #[schemars(length(min = 1, max = 1000))]
        text: String,
    ) -> Result<Once<i64>, docent_keys::Error> {
        // Both the card and the outcome of this call are committed, or neither is.
        cx.once(&self.keys, async |transaction| {
            let sql = "INSERT INTO cards (name, text) VALUES ($1, $2) RETURNING id";
            let row = transaction.query_one(sql, &[&name, &text]).await?;
            Ok(row.get("id"))
        })
        .await
    }

    /// Counts the cards for a person.
    #[procedure(name = "card.count", idempotent, returns = "The number of cards.")]
    async fn count(
        &self,
        /// The name of the person.
        name: String,
    ) -> Result<i64, docent_keys::Error> {
        let client = self.pool.get().await?;
        let sql = "SELECT count(*) FROM cards WHERE name = $1";
        let row = client.query_one(sql, &[&name]).await?;
        Ok(row.get("count"))
    }
}

/// Returns a pool, which connects to the database when it is first used.
pub(crate) fn pool(database: Config) -> Pool {
    let config = ManagerConfig {
        // A connection that does not answer is replaced before a call gets it.
        recycling_method: RecyclingMethod::Verified,
    };
    // For a database on another machine, use TLS, such as with the crate tokio-postgres-rustls.
    let manager = Manager::from_config(database, NoTls, config);
    let pool = Pool::builder(manager)
        .runtime(Runtime::Tokio1)
        .wait_timeout(Some(DEADLINE))
        .create_timeout(Some(DEADLINE))
        .recycle_timeout(Some(DEADLINE));
    pool.build().expect("it has a runtime")
}

/// Creates the table, unless it is there.
pub(crate) async fn create_table(pool: &Pool) -> Result<(), docent_keys::Error> {
    Ok(pool.get().await?.batch_execute(TABLE).await?)
}

/// Builds the service, or returns what is wrong with its description. Callers need the token for changes.
pub(crate) fn service(pool: Pool, token: &str) -> Result<Service, BuildError> {
    let keys = PostgresKeys::new(pool.clone());
    let cards = Cards {
        keys: keys.clone(),
        pool,
    };
    Service::builder(NAME, ID)
        .version("0.1")
        .guard(BearerToken::new(NAME, token, |procedure| {
            !procedure.idempotent
        }))
        .key_store(keys)
        .procedures(cards.procedures())
        .build()
}
