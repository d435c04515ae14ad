//! Calls whose effects and outcomes are in one transaction of a database.

use std::collections::HashMap;
use std::future::ready;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use docent_core::carrier::{Incoming, Reply};
use docent_core::{
    BegunTransaction, BoxFuture, Claim, Cx, EarlierCall, Fault, KeptOutcome, KeyStore, KeyedCall,
    Once, Procedure, Service, TransactionStore,
};
use futures_util::FutureExt;
use schemars::JsonSchema;
use serde::Serialize;

use crate::{Tokio, builder};

/// The contents of the database.
#[derive(Clone, Default)]
struct Tables {
    paid: Vec<String>,
    outcomes: HashMap<String, (String, KeptOutcome)>,
}

/// A database that several instances share. Locks are those of running transactions.
#[derive(Default)]
struct Database {
    tables: Mutex<Tables>,
    locks: Mutex<Vec<String>>,
    /// True if the connection breaks after the next commit.
    breaks: Mutex<bool>,
    /// True if the next transaction cannot be begun.
    is_down: Mutex<bool>,
}

struct Transaction {
    tables: Tables,
    database: Arc<Database>,
    lock: Option<String>,
}

impl Drop for Transaction {
    fn drop(&mut self) {
        let mut locks = self.database.locks.lock().expect("no panic");
        locks.retain(|lock| Some(lock) != self.lock.as_ref());
    }
}

struct Bank(Arc<Database>);

impl TransactionStore for Bank {
    type Transaction = Transaction;
    type Error = Fault;

    async fn begin(
        &self,
        call: Option<&KeyedCall>,
    ) -> Result<BegunTransaction<Transaction>, Fault> {
        tokio::task::yield_now().await;
        if std::mem::take(&mut *self.0.is_down.lock().expect("no panic")) {
            return Err(Fault::internal("the database does not start"));
        }
        let tables = self.0.tables.lock().expect("no panic").clone();
        let mut lock = None;
        if let Some(call) = call {
            let key = call.key().to_owned();
            let mut locks = self.0.locks.lock().expect("no panic");
            if locks.contains(&key) {
                return Ok(BegunTransaction::Running);
            }
            match tables.outcomes.get(&key) {
                Some((print, outcome)) if print == call.fingerprint() => {
                    return Ok(BegunTransaction::Kept(outcome.clone()));
                }
                Some(_) => return Ok(BegunTransaction::UsedOtherwise),
                None => locks.push(key.clone()),
            }
            lock = Some(key);
        }
        let database = Arc::clone(&self.0);
        Ok(BegunTransaction::New(Transaction {
            tables,
            database,
            lock,
        }))
    }

    async fn commit(
        &self,
        mut transaction: Transaction,
        record: Option<(&KeyedCall, &KeptOutcome)>,
    ) -> Result<(), Fault> {
        if let Some((call, outcome)) = record {
            let row = (call.fingerprint().to_owned(), outcome.clone());
            transaction
                .tables
                .outcomes
                .insert(call.key().to_owned(), row);
        }
        *self.0.tables.lock().expect("no panic") = transaction.tables.clone();
        if std::mem::take(&mut *self.0.breaks.lock().expect("no panic")) {
            return Err(Fault::internal("the connection is lost"));
        }
        Ok(())
    }
}

async fn pay(cx: Cx<Bank>, to: Vec<String>) -> Result<Once<usize>, Fault> {
    let to = to.concat();
    let paid = cx
        .once(cx.state(), async |transaction| {
            transaction.tables.paid.push(to.clone());
            tokio::time::sleep(Duration::from_millis(5)).await;
            match &*to {
                "panic" => panic!("halfway"),
                "nobody" => Err(Fault::new(1404, "Nobody")),
                "broken" => Err(Fault::internal("the disk is full")),
                _ => Ok(transaction.tables.paid.len()),
            }
        })
        .await;
    assert_ne!(to, "panic later", "after the commit");
    paid
}

/// Returns one of several instances on this database.
fn instance(database: &Arc<Database>) -> Service {
    without_runtime(database).with_runtime(Arc::new(Tokio))
}

fn without_runtime(database: &Arc<Database>) -> Service {
    let pay = Procedure::new("pay", pay).error(1404, "Nobody");
    builder()
        .state(Bank(Arc::clone(database)))
        .procedure(
            pay.repeatable(Duration::from_secs(60))
                .keys_without_caller(),
        )
        .build()
        .expect("a service")
}

fn body(to: &str, key: &str) -> String {
    let key = match key {
        "" => String::new(),
        key => format!(r#","x-idempotency-key":"{key}""#),
    };
    format!(r#"{{"jsonrpc":"2.0","method":"pay","params":["{to}"],"id":1{key}}}"#)
}

async fn send(service: &Service, to: &str, key: &str) -> Reply {
    service.exchange(Incoming::new(body(to, key))).await
}

fn text(reply: &Reply) -> String {
    String::from_utf8(reply.body().unwrap_or_default().into_owned()).expect("UTF-8")
}

fn paid(database: &Database) -> Vec<String> {
    database.tables.lock().expect("no panic").paid.clone()
}

const ONE: &str = r#"{"jsonrpc":"2.0","result":1,"id":1}"#;

#[tokio::test]
async fn an_outcome_that_was_committed_with_its_effect_is_found_after_a_restart() {
    let database = Arc::default();
    assert_eq!(text(&send(&instance(&database), "ada", "k").await), ONE);
    for _ in 0..2 {
        let restarted = instance(&database);
        for _ in 0..2 {
            let again = send(&restarted, "ada", "k").await;
            assert_eq!(text(&again), ONE);
            assert!(again.is_replayed());
        }
        assert_eq!(
            send(&restarted, "bob", "k").await.error_code(),
            Some(-32010)
        );
    }
    assert_eq!(paid(&database), ["ada"]);
    for _ in 0..2 {
        assert!(!send(&instance(&database), "eve", "").await.is_replayed());
    }
    assert_eq!(paid(&database).len(), 3);
}

#[tokio::test]
async fn of_two_instances_one_does_it_and_the_other_says_that_it_is_running() {
    let database = Arc::default();
    let one = instance(&database);
    let other = instance(&database);
    let (first, second) = tokio::join!(send(&one, "ada", "k"), send(&other, "ada", "k"));
    let codes = [first.error_code(), second.error_code()];
    assert!(
        codes.contains(&None) && codes.contains(&Some(-32009)),
        "{codes:?}"
    );
    for service in [one, other] {
        let again = send(&service, "ada", "k").await;
        assert_eq!(text(&again), ONE);
        assert!(again.is_replayed());
    }
    assert_eq!(paid(&database), ["ada"]);
}

#[tokio::test]
async fn a_transaction_that_is_rolled_back_leaves_its_key_free() {
    let database = Arc::default();
    let service = instance(&database);
    for to in ["panic", "broken"] {
        for _ in 0..2 {
            let reply = send(&service, to, to).await;
            assert_eq!(
                (reply.error_code(), reply.is_replayed()),
                (Some(-32603), false)
            );
            assert!(!text(&reply).contains("outcome"), "{}", text(&reply));
        }
    }
    // A declared error is an outcome like a result.
    let first = send(&service, "nobody", "n").await;
    let again = send(&service, "nobody", "n").await;
    assert_eq!(
        (text(&first), first.error_code()),
        (text(&again), Some(1404))
    );
    assert!(again.is_replayed());
    assert_eq!(paid(&database), [""; 0]);
}

#[tokio::test]
async fn what_was_committed_is_the_outcome_whatever_the_handler_does_then() {
    let database = Arc::default();
    let service = instance(&database);
    for replayed in [false, true] {
        let reply = send(&service, "panic later", "k").await;
        assert_eq!(
            (text(&reply), reply.is_replayed()),
            (ONE.to_owned(), replayed)
        );
    }
    assert_eq!(paid(&database), ["panic later"]);
}

#[tokio::test]
async fn a_commit_in_doubt_is_found_out_by_the_repetition() {
    let database: Arc<Database> = Arc::default();
    let service = instance(&database);
    *database.breaks.lock().expect("no panic") = true;
    assert_eq!(send(&service, "ada", "k").await.error_code(), Some(-32603));
    let again = send(&service, "ada", "k").await;
    assert_eq!(text(&again), ONE);
    assert!(again.is_replayed());
    assert_eq!(paid(&database), ["ada"]);
}

#[tokio::test]
async fn a_call_whose_caller_is_gone_commits_both_or_nothing() {
    let database = Arc::default();
    let service = instance(&database);
    assert!(send(&service, "ada", "k").now_or_never().is_none());
    while paid(&database).is_empty() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    tokio::time::sleep(Duration::from_millis(5)).await;
    assert_eq!(text(&send(&service, "ada", "k").await), ONE);
    assert_eq!(paid(&database), ["ada"]);
}

#[tokio::test]
async fn a_call_whose_transaction_could_not_be_begun_runs_when_it_is_repeated() {
    let database = Arc::<Database>::default();
    let service = instance(&database);
    *database.is_down.lock().expect("no panic") = true;
    let failed = send(&service, "ada", "k").await;
    assert_eq!(failed.error_code(), Some(-32603));
    assert_eq!(text(&send(&service, "ada", "k").await), ONE);
}

#[tokio::test]
async fn a_call_that_is_dropped_in_its_transaction_runs_when_it_is_repeated() {
    let database = Arc::<Database>::default();
    let service = without_runtime(&database);
    // In `begin`, and in the transaction.
    for polls in 1..=2 {
        let mut call = Box::pin(send(&service, "ada", "k"));
        for _ in 0..polls {
            assert!((&mut call).now_or_never().is_none());
        }
    }
    assert_eq!(text(&send(&service, "ada", "k").await), ONE);
    assert_eq!(paid(&database), ["ada"]);
}

/// A database that looks for an outcome only after a transaction has failed.
struct Late(Bank);

impl TransactionStore for Late {
    type Transaction = Transaction;
    type Error = Fault;

    async fn begin(
        &self,
        call: Option<&KeyedCall>,
    ) -> Result<BegunTransaction<Transaction>, Fault> {
        Ok(match self.0.begin(call).await? {
            BegunTransaction::Kept(_) | BegunTransaction::UsedOtherwise => {
                self.0.begin(None).await?
            }
            begun => begun,
        })
    }

    async fn commit(
        &self,
        transaction: Transaction,
        record: Option<(&KeyedCall, &KeptOutcome)>,
    ) -> Result<(), Fault> {
        if let Some((call, _)) = record
            && transaction.tables.outcomes.contains_key(call.key())
        {
            return Err(Fault::internal("the key has an outcome"));
        }
        self.0.commit(transaction, record).await
    }

    async fn find(&self, call: &KeyedCall) -> Result<Option<EarlierCall>, Fault> {
        let tables = self.0.0.tables.lock().expect("no panic");
        Ok(match tables.outcomes.get(call.key()) {
            None => None,
            Some((print, outcome)) if print == call.fingerprint() => {
                Some(EarlierCall::Kept(outcome.clone()))
            }
            Some(_) => Some(EarlierCall::UsedOtherwise),
        })
    }
}

/// Returns an instance that pays each account once at most, and says so with an error that may be repeated.
fn late_instance(database: &Arc<Database>) -> Service {
    #[expect(
        clippy::needless_pass_by_value,
        reason = "handlers get their arguments by value"
    )]
    fn pay_once(cx: Cx<Late>, to: Vec<String>) -> Result<Once<usize>, Fault> {
        cx.once_blocking(cx.state(), |transaction| {
            let paid = &mut transaction.tables.paid;
            let to = to.concat();
            if paid.contains(&to) && to != "again" {
                return Err(Fault::new(1409, "Paid"));
            }
            paid.push(to);
            Ok(paid.len())
        })
    }

    let pay = Procedure::blocking("pay", pay_once).error(1409, "Paid");
    let service = builder()
        .state(Late(Bank(Arc::clone(database))))
        .procedure(
            pay.repeatable(Duration::from_secs(60))
                .keys_without_caller(),
        )
        .build()
        .expect("a service");
    service.with_runtime(Arc::new(Tokio))
}

#[tokio::test]
async fn a_repetition_does_not_get_the_effects_of_the_earlier_call_as_an_error() {
    let database = Arc::default();
    for (account, key, result) in [("ada", "1", 1), ("again", "2", 2)] {
        let first = send(&late_instance(&database), account, key).await;
        // The work fails because the account is paid, or its commit does because the key has an outcome.
        let again = send(&late_instance(&database), account, key).await;
        assert_eq!(
            text(&first),
            format!(r#"{{"jsonrpc":"2.0","result":{result},"id":1}}"#)
        );
        assert_eq!((text(&again), again.is_replayed()), (text(&first), true));
    }
    let otherwise = send(&late_instance(&database), "eve", "1").await;
    assert_eq!(otherwise.error_code(), Some(-32010));
    let without_key = send(&late_instance(&database), "ada", "").await;
    assert_eq!(without_key.error_code(), Some(1409));
    assert_eq!(paid(&database), ["ada", "again"]);
}

/// A store that keeps outcomes in transactions alone.
struct InTransactions;

impl KeyStore for InTransactions {
    fn claim(&self, _: &Arc<KeyedCall>) -> BoxFuture<Result<Claim, Fault>> {
        Box::pin(ready(Ok(Claim::Granted)))
    }

    fn keep(&self, _: &Arc<KeyedCall>, outcome: KeptOutcome) -> BoxFuture<Result<(), Fault>> {
        assert!(outcome.is_error(), "a result is kept in its transaction");
        Box::pin(ready(Ok(())))
    }

    fn release(&self, _: &Arc<KeyedCall>) -> BoxFuture<()> {
        Box::pin(ready(()))
    }

    fn requires_once(&self) -> bool {
        true
    }
}

/// The number of a receipt.
#[derive(Serialize, JsonSchema)]
struct Receipt {
    number: u32,
}

#[test]
fn the_type_of_a_result_keeps_its_name() {
    let pay = |_: Cx, (): ()| Err::<Once<Receipt>, _>(Fault::internal("not asked"));
    let service = builder().procedure(Procedure::sync("pay", pay)).build();
    let service = service.expect("a service");
    let procedure = &service.description().procs[0];
    let returns = procedure.returns.as_ref().expect("a result");
    assert!(returns.schema.to_string().contains("/Receipt"));
}

#[test]
fn a_client_gets_the_value_of_a_result() {
    let result: Once<u32> = serde_json::from_str("7").expect("a result");
    assert_eq!(result.into_value(), Some(7));
}

#[tokio::test]
async fn a_store_of_transactions_serves_only_handlers_that_return_once() {
    let build = |procedure: Procedure<Bank>| {
        let store: Arc<dyn KeyStore> = Arc::new(InTransactions);
        builder()
            .state(Bank(Arc::default()))
            .key_store(store)
            .procedure(
                procedure
                    .repeatable(Duration::from_secs(60))
                    .keys_without_caller(),
            )
            .build()
    };
    let sync = Procedure::sync("sync", |_: Cx<Bank>, (): ()| Ok::<_, Fault>(1));
    let mistake = build(sync).expect_err("a mistake").to_string();
    assert!(
        mistake.contains("\"sync\"") && mistake.contains("cx.once"),
        "{mistake}"
    );
    let service = build(Procedure::new("pay", pay)).expect("a service");
    for _ in 0..2 {
        assert_eq!(text(&send(&service, "ada", "k").await), ONE);
    }
    // The result is described as what it is.
    let procedure = &service.description().procs[0];
    let returns = procedure.returns.as_ref().expect("a result");
    assert!(returns.schema.to_string().contains("integer"));
}
