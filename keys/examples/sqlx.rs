//! The store of the guide's section about other databases: PostgreSQL over sqlx. `DATABASE` is the address of a database
//! with the tables `payments` and `outcomes`.

use std::env;
use std::time::Duration;

use docent::{
    BegunTransaction, Cx, Fault, KeptOutcome, KeyedCall, Once, Procedure, ResultExt, Server,
    Service, TransactionStore,
};
use sqlx::{PgPool, Postgres, Transaction, query, query_as, query_scalar};

/// Keeps outcomes in this table:
///
/// CREATE TABLE outcomes (caller text, key text, fingerprint text NOT NULL, json text NOT NULL,
///     is_error boolean NOT NULL, until timestamptz NOT NULL, PRIMARY KEY (caller, key))
pub(crate) struct Outcomes(pub(crate) PgPool);

/// Without a lifetime, which the closures of handlers could not have.
pub(crate) struct OwnTransaction(Transaction<'static, Postgres>);

impl TransactionStore for Outcomes {
    type Transaction = OwnTransaction;
    type Error = Fault;

    async fn begin(
        &self,
        call: Option<&KeyedCall>,
    ) -> Result<BegunTransaction<OwnTransaction>, Fault> {
        let mut transaction = self.0.begin().await.internal()?;
        let Some(call) = call else {
            return Ok(BegunTransaction::New(OwnTransaction(transaction)));
        };
        let caller = call.caller().unwrap_or_default();
        let lock = "SELECT pg_try_advisory_xact_lock(hashtextextended($1 || ' ' || $2, 0))";
        let lock = query_scalar(lock).bind(caller).bind(call.key());
        if !lock.fetch_one(&mut *transaction).await.internal()? {
            return Ok(BegunTransaction::Running);
        }
        let find = "SELECT fingerprint, json, is_error FROM outcomes
                    WHERE caller = $1 AND key = $2 AND until > now()";
        let find = query_as(find).bind(caller).bind(call.key());
        let found: Option<(String, String, bool)> =
            find.fetch_optional(&mut *transaction).await.internal()?;
        Ok(match found {
            None => BegunTransaction::New(OwnTransaction(transaction)),
            Some((other, ..)) if other != call.fingerprint() => BegunTransaction::UsedOtherwise,
            Some((_, json, true)) => BegunTransaction::Kept(KeptOutcome::error(json)),
            Some((_, json, false)) => BegunTransaction::Kept(KeptOutcome::result(json)),
        })
    }

    async fn commit(
        &self,
        mut transaction: OwnTransaction,
        record: Option<(&KeyedCall, &KeptOutcome)>,
    ) -> Result<(), Fault> {
        if let Some((call, outcome)) = record {
            // An outcome that is there has expired.
            let keep = "INSERT INTO outcomes
                        VALUES ($1, $2, $3, $4, $5, now() + $6 * interval '1 s')
                        ON CONFLICT (caller, key) DO UPDATE SET fingerprint = excluded.fingerprint,
                        json = excluded.json, is_error = excluded.is_error, until = excluded.until";
            let keep = query(keep)
                .bind(call.caller().unwrap_or_default())
                .bind(call.key());
            let keep = keep.bind(call.fingerprint()).bind(outcome.json());
            let keep = keep
                .bind(outcome.is_error())
                .bind(call.keep_for().as_secs_f64());
            keep.execute(&mut *transaction.0).await.internal()?;
        }
        transaction.0.commit().await.internal()
    }
}

/// Pays invoices, and returns the number of the receipt.
async fn pay(cx: Cx<Outcomes>, invoices: Vec<i64>) -> Result<Once<i64>, Fault> {
    cx.once(cx.state(), async |transaction| {
        let sql = "INSERT INTO payments (invoices) VALUES ($1) RETURNING id";
        let receipt = query_scalar(sql).bind(&invoices);
        receipt.fetch_one(&mut *transaction.0).await.internal()
    })
    .await
}

pub(crate) fn service(outcomes: Outcomes) -> Result<Service, docent::BuildError> {
    let day = Duration::from_secs(86_400);
    let pay = Procedure::new("pay", pay)
        .repeatable(day)
        .keys_without_caller();
    Service::builder("bank", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c54")
        .state(outcomes)
        .procedure(pay)
        .build()
}

#[docent::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pool = PgPool::connect(&env::var("DATABASE")?).await?;
    let server = Server::new(service(Outcomes(pool))?);
    Ok(server.bind("127.0.0.1:8080")?.run().await?)
}
