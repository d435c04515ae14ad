//! The bank of the guide's section about keys for writes, with a store on SQLite.
#![expect(clippy::unwrap_used, reason = "as short as the guide")]

use std::borrow::Cow;
use std::env;
use std::future::ready;
use std::sync::{Arc, Mutex};

use docent::{
    ApiKey, BoxFuture, BuildError, Caller, Claim, Cx, Fault, Identity, KeptOutcome, KeyStore,
    KeyedCall, ResultExt, Server, Service, procedures,
};
use rusqlite::Connection;

/// Keeps outcomes in a table of SQLite, for a service with one process.
struct SqliteKeys(Arc<Mutex<Connection>>);

impl SqliteKeys {
    fn new(database: Arc<Mutex<Connection>>) -> rusqlite::Result<Self> {
        // A killed process leaves claims without an outcome. They end here.
        database.lock().unwrap().execute_batch(
            "CREATE TABLE IF NOT EXISTS keys (caller TEXT, key TEXT, fingerprint TEXT, json TEXT,
                 is_error INTEGER, until INTEGER, PRIMARY KEY (caller, key));
             DELETE FROM keys WHERE json IS NULL;",
        )?;
        Ok(Self(database))
    }
}

impl KeyStore for SqliteKeys {
    fn claim(&self, call: &Arc<KeyedCall>) -> BoxFuture<Result<Claim, Fault>> {
        Box::pin(ready(claim(&self.0.lock().unwrap(), call).internal()))
    }

    fn keep(&self, call: &Arc<KeyedCall>, outcome: KeptOutcome) -> BoxFuture<Result<(), Fault>> {
        let kept = keep(&self.0.lock().unwrap(), call, &outcome);
        Box::pin(ready(kept.internal()))
    }

    fn release(&self, call: &Arc<KeyedCall>) -> BoxFuture<()> {
        let sql = "DELETE FROM keys WHERE caller = ?1 AND key = ?2 AND json IS NULL";
        // If this fails, the claim ends with the process.
        let _ = self.0.lock().unwrap().execute(sql, name(call));
        Box::pin(ready(()))
    }
}

fn name(call: &KeyedCall) -> [&str; 2] {
    [call.caller().unwrap_or_default(), call.key()]
}

fn claim(database: &Connection, call: &KeyedCall) -> rusqlite::Result<Claim> {
    database.execute("DELETE FROM keys WHERE until <= unixepoch()", [])?;
    let [caller, key] = name(call);
    let sql = "INSERT INTO keys (caller, key, fingerprint) VALUES (?1, ?2, ?3)
               ON CONFLICT DO NOTHING";
    if database.execute(sql, [caller, key, call.fingerprint()])? == 1 {
        return Ok(Claim::Granted);
    }
    let sql = "SELECT fingerprint, json, is_error FROM keys WHERE caller = ?1 AND key = ?2";
    database.query_row(sql, [caller, key], |row| {
        let json: Option<String> = row.get(1)?;
        Ok(match json {
            _ if row.get_ref(0)?.as_str()? != call.fingerprint() => Claim::UsedOtherwise,
            None => Claim::Running,
            Some(json) if row.get(2)? => Claim::Kept(KeptOutcome::error(json)),
            Some(json) => Claim::Kept(KeptOutcome::result(json)),
        })
    })
}

fn keep(database: &Connection, call: &KeyedCall, outcome: &KeptOutcome) -> rusqlite::Result<()> {
    let [caller, key] = name(call);
    let seconds = u32::try_from(call.keep_for().as_secs()).unwrap_or(u32::MAX);
    let values = (caller, key, outcome.json(), outcome.is_error(), seconds);
    let sql = "UPDATE keys SET json = ?3, is_error = ?4, until = unixepoch() + ?5
               WHERE caller = ?1 AND key = ?2 AND json IS NULL";
    database.execute(sql, values).map(|_| ())
}

struct Shop;

impl Identity for Shop {
    fn id(&self) -> Cow<'_, str> {
        Cow::from("corner shop")
    }
}

struct Bank(Arc<Mutex<Connection>>);

#[procedures(blocking)]
impl Bank {
    /// Pays an invoice, and returns the number of the receipt.
    #[procedure(repeatable = "24h")]
    fn pay(&self, cx: Cx, _shop: Caller<Shop>, invoice: u32) -> Result<i64, Fault> {
        let mut database = self.0.lock().unwrap();
        let transaction = database.transaction().internal()?;
        let sql = "INSERT INTO payments (invoice) VALUES (?1)";
        transaction.execute(sql, [invoice]).internal()?;
        let receipt = transaction.last_insert_rowid();
        let outcome = KeptOutcome::from_result(&receipt).internal()?;
        if let Some(key) = cx.running_key() {
            keep(&transaction, key.call(), &outcome).internal()?;
        }
        transaction.commit().internal()?;
        if let Some(key) = cx.running_key() {
            key.committed(outcome);
        }
        Ok(receipt)
    }
}

fn service(database: Connection) -> Result<Service, Box<dyn std::error::Error>> {
    let sql = "CREATE TABLE IF NOT EXISTS payments (id INTEGER PRIMARY KEY, invoice INTEGER)";
    database.execute(sql, [])?;
    let database = Arc::new(Mutex::new(database));
    let shops = ApiKey::sync("X-Api-Key", |key| (key == "s3cret").then_some(Shop));
    let builder = Service::builder("bank", "urn:uuid:9d2c7a14-3b5e-4f60-8a91-0c1d2e3f4a5d")
        .authenticate(shops)
        .key_store(SqliteKeys::new(Arc::clone(&database))?)
        .procedures(Bank(database).procedures());
    builder.build().map_err(BuildError::into)
}

#[docent::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = env::var("DATABASE").unwrap_or_else(|_| ":memory:".to_owned());
    let listen = env::var("LISTEN").unwrap_or_else(|_| "127.0.0.1:8080".to_owned());
    let service = service(Connection::open(path)?)?;
    Ok(Server::new(service).bind(listen)?.run().await?)
}

#[cfg(test)]
mod tests {
    use docent::Service;
    use rusqlite::Connection;

    use super::service;

    async fn pay(service: &Service, invoice: u32, key: &str) -> Result<i64, i64> {
        let call = service
            .request("pay", &[invoice])
            .field("X-Api-Key", "s3cret");
        let paid = call.field("Idempotency-Key", key).call().await;
        paid.map_err(|error| error.code().unwrap_or_default())
    }

    fn payments(path: &str) -> i64 {
        let database = Connection::open(path).unwrap();
        let sql = "SELECT count(*) FROM payments";
        database.query_row(sql, [], |row| row.get(0)).unwrap()
    }

    #[docent::test]
    async fn a_payment_happens_once_also_after_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bank.db");
        let path = path.to_str().unwrap();
        let open = || service(Connection::open(path).unwrap()).unwrap();
        let before = open();
        assert_eq!(pay(&before, 7, "a").await, Ok(1));
        assert_eq!(pay(&before, 7, "a").await, Ok(1));
        assert_eq!(pay(&before, 8, "a").await, Err(-32010));
        drop(before);
        let after = open();
        assert_eq!(pay(&after, 7, "a").await, Ok(1));
        assert_eq!(pay(&after, 7, "b").await, Ok(2));
        assert_eq!(payments(path), 2);
    }

    #[docent::test]
    async fn a_claim_ends_with_its_process() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bank.db");
        let path = path.to_str().unwrap();
        let service = service(Connection::open(path).unwrap()).unwrap();
        pay(&service, 7, "a").await.unwrap();
        // As a process leaves it that is killed while the call runs.
        let killed = Connection::open(path).unwrap();
        killed.execute("UPDATE keys SET json = NULL", []).unwrap();
        assert_eq!(pay(&service, 7, "a").await, Err(-32009));
        let after = super::service(killed).unwrap();
        assert_eq!(pay(&after, 7, "a").await, Ok(2));
    }

    #[docent::test]
    async fn calls_at_once_with_one_key_pay_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bank.db");
        let path = path.to_str().unwrap();
        let service = service(Connection::open(path).unwrap()).unwrap();
        let calls = (0..8).map(|_| pay(&service, 7, "a"));
        for paid in futures_util::future::join_all(calls).await {
            assert!(matches!(paid, Ok(1) | Err(-32009)), "{paid:?}");
        }
        assert_eq!(payments(path), 1);
    }
}
