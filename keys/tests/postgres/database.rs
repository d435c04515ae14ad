//! Databases for tests on one PostgreSQL server, which removes them when it stops.

use std::sync::atomic::{AtomicU32, Ordering};

use deadpool_postgres::{Manager, Pool};
use docent_keys::PostgresKeys;
use tokio_postgres::{Config, NoTls};

const TABLE: &str = "CREATE TABLE payments (id bigserial PRIMARY KEY, account text NOT NULL)";

/// A database with the tables of the bank.
pub(crate) struct Database {
    name: String,
}

impl Database {
    pub(crate) async fn new() -> Self {
        let database = Self::missing();
        database.create().await;
        database
    }

    /// Names a database that is not there.
    pub(crate) fn missing() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        Self {
            name: format!("keys_{}", NUMBER.fetch_add(1, Ordering::Relaxed)),
        }
    }

    pub(crate) async fn create(&self) {
        let sql = format!("CREATE DATABASE {}", self.name);
        run("postgres", &sql).await;
        run(&self.name, TABLE).await;
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn url(&self) -> String {
        url(&self.name)
    }

    pub(crate) fn config(&self) -> Config {
        config(&self.name)
    }

    pub(crate) fn pool(&self) -> Pool {
        pool(config(&self.name))
    }

    /// Returns the pool of a server that is not there.
    pub(crate) fn nowhere() -> Pool {
        let mut config = Config::new();
        config.host("127.0.0.1").port(1).user("nobody");
        pool(config)
    }

    /// Returns the store of one more instance.
    pub(crate) fn keys(&self) -> PostgresKeys {
        PostgresKeys::new(self.pool())
    }

    pub(crate) async fn execute(&self, sql: &str) {
        run(&self.name, sql).await;
    }

    pub(crate) async fn number(&self, sql: &str) -> i64 {
        let connection = self.pool().get().await.unwrap();
        let row = connection.query_one(sql, &[]).await.unwrap();
        row.get(0)
    }

    pub(crate) async fn payments(&self) -> i64 {
        self.number("SELECT count(*) FROM payments").await
    }
}

fn url(database: &str) -> String {
    let server =
        std::env::var("LIBRARY_POSTGRES").expect("LIBRARY_POSTGRES: run `cargo xtask postgres`");
    format!("{server}/{database}")
}

fn config(database: &str) -> Config {
    url(database).parse().unwrap()
}

fn pool(config: Config) -> Pool {
    let manager = Manager::new(config, NoTls);
    Pool::builder(manager).max_size(6).build().unwrap()
}

async fn run(database: &str, sql: &str) {
    let client = pool(config(database)).get().await.unwrap();
    client.batch_execute(sql).await.unwrap();
}
