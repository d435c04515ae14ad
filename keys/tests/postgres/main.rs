//! The store in a PostgreSQL database. `cargo xtask postgres` starts a server and runs these tests.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

#[path = "../common/mod.rs"]
mod common;
mod database;
mod events;
mod sqlx;

use std::time::{Duration, Instant};

use common::{DAY, NO_ACCOUNT, Notes, Payment, Response, again, builder, done, pay, repeatable};
use database::Database;
use deadpool_postgres::{ClientWrapper, Pool};
use docent_core::{
    BegunTransaction, Cx, Fault, Once, Procedure, ResultExt, Service, TransactionStore,
};
use docent_keys::{Error, PostgresKeys};
use tokio::task::JoinSet;

/// Pays to an account, and returns the number of the payment.
async fn insert(transaction: &ClientWrapper, account: &str) -> Result<i64, Fault> {
    let sql = "INSERT INTO payments (account) VALUES ($1) RETURNING id";
    let row = transaction
        .query_one(sql, &[&account])
        .await
        .map_err(Error::from)?;
    match account {
        "nobody" => Err(Fault::new(NO_ACCOUNT, "No such account")),
        "broken" => Err(Fault::internal("the disk is full")),
        "panic" => panic!("halfway"),
        // The server ends the connection of this transaction.
        "cut" => {
            let cut = "SELECT pg_terminate_backend(pg_backend_pid())";
            let _ = transaction.execute(cut, &[]).await;
            Ok(0)
        }
        "slow" => {
            let sleep = "SELECT pg_sleep(0.5)";
            transaction.execute(sleep, &[]).await.internal()?;
            Ok(row.get(0))
        }
        _ => Ok(row.get(0)),
    }
}

/// Returns a bank whose handler uses a transaction of the store.
fn bank_for(keys: PostgresKeys, time: Duration, notes: &Notes) -> Service {
    let pay = async |cx: Cx<PostgresKeys>, Payment { account }: Payment| {
        let paid = cx.once(cx.state(), async |transaction| {
            insert(transaction, &account).await
        });
        paid.await
    };
    builder()
        .key_store(keys.clone())
        .state(keys)
        .procedure(repeatable(Procedure::new("pay", pay), time))
        .observer(notes.clone())
        .build()
        .unwrap()
}

fn bank(keys: PostgresKeys) -> Service {
    bank_for(keys, DAY, &Notes::default())
}

/// Waits until a number is as expected.
async fn wait_for(database: &Database, sql: &str, expected: i64) {
    let end = Instant::now() + Duration::from_secs(30);
    while database.number(sql).await != expected {
        assert!(Instant::now() < end, "{sql}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_call_is_done_once_and_gets_the_first_outcome_from_every_instance() {
    let database = Database::new().await;
    let notes = Notes::default();
    let first = pay(&bank_for(database.keys(), DAY, &notes), "ada", "k").await;
    assert_eq!(first, done(1));
    for _ in 0..2 {
        let other = bank_for(database.keys(), DAY, &notes);
        assert_eq!(pay(&other, "ada", "k").await, again(&first));
        assert_eq!(pay(&other, "bob", "k").await.code, Some(-32010));
        assert!(!pay(&other, "ada", "").await.is_replayed);
    }
    assert_eq!(database.payments().await, 3);
    // A replay is told to observers, and is no result that breaks the description.
    let reported: Vec<bool> = notes.all().iter().map(|note| note.is_replayed).collect();
    assert_eq!(reported, [false, true, false, false, true, false, false]);
    assert!(notes.all().iter().all(|note| !note.is_mismatch));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_fails_is_rolled_back_and_only_a_declared_error_is_kept() {
    let database = Database::new().await;
    let service = bank(database.keys());
    for account in ["broken", "panic", "cut"] {
        for _ in 0..2 {
            let mut response = pay(&service, account, account).await;
            // A transaction that was dropped is rolled back soon.
            while response.code == Some(-32009) {
                tokio::time::sleep(Duration::from_millis(1)).await;
                response = pay(&service, account, account).await;
            }
            let expected = if account == "cut" { -32002 } else { -32603 };
            assert_eq!(response.code, Some(expected), "{account}");
        }
    }
    let first = pay(&service, "nobody", "n").await;
    assert_eq!(first.code, Some(NO_ACCOUNT));
    assert_eq!(
        pay(&bank(database.keys()), "nobody", "n").await,
        again(&first)
    );
    assert_eq!(database.payments().await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_commit_has_released_its_key_before_the_caller_gets_the_error() {
    let database = Database::new().await;
    let instances = [bank(database.keys()), bank(database.keys())];
    assert_eq!(pay(&instances[0], "ada", "").await, done(1));
    database
        .execute(
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ \
             BEGIN RAISE EXCEPTION 'not now' USING ERRCODE = '40001'; END $$; \
             CREATE CONSTRAINT TRIGGER refusing AFTER INSERT ON payments \
             DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()",
        )
        .await;
    // It would be -32009 now and then if the database were still at it.
    for round in 0..300 {
        let response = pay(&instances[round % 2], "ada", "k").await;
        assert_eq!(response.code, Some(-32002), "{round}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_instance_reports_a_running_key_without_waiting() {
    let database = Database::new().await;
    let one = bank(database.keys());
    let other = bank(database.keys());
    let slow = tokio::spawn({
        let one = one.clone();
        async move { pay(&one, "slow", "k").await }
    });
    wait_for(
        &database,
        "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep%' AND pid <> pg_backend_pid()",
        1,
    )
    .await;
    for service in [&one, &other] {
        assert_eq!(pay(service, "slow", "k").await.code, Some(-32009));
    }
    assert!(!slow.is_finished(), "the others have not waited");
    let first = slow.await.unwrap();
    assert_eq!(first, done(1));
    assert_eq!(pay(&other, "slow", "k").await, again(&first));
}

/// Pays with the same 20 keys from 16 callers of two instances, each until it has an outcome.
async fn compete(instances: [Service; 2]) {
    let mut callers = JoinSet::new();
    for number in 0..16 {
        let service = instances[number % 2].clone();
        callers.spawn(async move {
            for key in 0..20 {
                let key = format!("k{key}");
                let mut response = pay(&service, "ada", &key).await;
                while matches!(response.code, Some(-32009 | -32002)) {
                    tokio::time::sleep(Duration::from_millis(1)).await;
                    response = pay(&service, "ada", &key).await;
                }
                assert_eq!(response.code, None, "{response:?}");
            }
        });
    }
    callers.join_all().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn many_callers_of_two_instances_pay_once_for_each_key() {
    let database = Database::new().await;
    compete([bank(database.keys()), bank(database.keys())]).await;
    assert_eq!(database.payments().await, 20);
}

struct OwnTransactions {
    pool: Pool,
    keys: PostgresKeys,
    isolation: &'static str,
}

/// Returns a bank whose handler brings a transaction of its own.
fn bank_within(database: &Database, isolation: &'static str) -> Service {
    bank_within_keys(database, database.keys(), isolation)
}

fn bank_within_keys(database: &Database, keys: PostgresKeys, isolation: &'static str) -> Service {
    async fn pay_within(
        cx: Cx<OwnTransactions>,
        Payment { account }: Payment,
    ) -> Result<Once<i64>, Fault> {
        let client = cx.state().pool.get().await.internal()?;
        let begin = format!("BEGIN ISOLATION LEVEL {}", cx.state().isolation);
        client.batch_execute(&begin).await.internal()?;
        let store = cx.state().keys.within(client);
        let paid = cx.once(&store, async |transaction| {
            insert(transaction, &account).await
        });
        paid.await
    }

    builder()
        .key_store(keys.clone())
        .state(OwnTransactions {
            pool: database.pool(),
            keys,
            isolation,
        })
        .procedure(repeatable(Procedure::new("pay", pay_within), DAY))
        .build()
        .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_handler_may_bring_a_transaction_of_its_own_of_any_isolation() {
    for isolation in ["READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"] {
        let database = Database::new().await;
        let service = bank_within(&database, isolation);
        let first = pay(&service, "ada", "k").await;
        assert_eq!(first, done(1));
        for _ in 0..2 {
            let other = bank_within(&database, isolation);
            assert_eq!(pay(&other, "ada", "k").await, again(&first));
            assert_eq!(pay(&other, "bob", "k").await.code, Some(-32010));
            let refused = pay(&other, "nobody", "n").await;
            assert_eq!(refused.code, Some(NO_ACCOUNT));
        }
        compete([bank_within(&database, isolation), service]).await;
        assert_eq!(database.payments().await, 21, "{isolation:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn serializable_calls_with_different_keys_do_not_fail_because_of_the_store() {
    let database = Database::new().await;
    let service = bank_within(&database, "SERIALIZABLE");
    let mut callers = JoinSet::new();
    for caller in 0..8 {
        let service = service.clone();
        callers.spawn(async move {
            for number in 0..20 {
                let key = format!("{caller}-{number}");
                assert_eq!(pay(&service, "ada", &key).await.code, None);
            }
        });
    }
    callers.join_all().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_store_refuses_new_keys_and_still_answers_repetitions() {
    let database = Database::new().await;
    let keys = || database.keys().max_keys(4);
    let service = bank(keys());
    // Calls without a known caller share half of the room.
    let kept = [
        pay(&service, "ada", "1").await,
        pay(&service, "ada", "2").await,
    ];
    for service in [service, bank(keys())] {
        let refused = pay(&service, "ada", "3").await;
        assert_eq!(refused.code, Some(-32002));
        assert_eq!(pay(&service, "ada", "1").await, again(&kept[0]));
        assert_eq!(pay(&service, "ada", "2").await, again(&kept[1]));
        assert_eq!(service.key_usage().unwrap().held.keys, 2);
    }
    // Once the database has added them up, it says when there is room.
    let refused = pay(&bank(keys()), "ada", "4").await;
    let retry_after = refused.value["data"]["retryAfter"].as_u64().unwrap();
    assert!((86_000..=86_401).contains(&retry_after), "{retry_after}");
    assert_eq!(database.payments().await, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_store_still_answers_repetitions_of_serializable_calls() {
    let database = Database::new().await;
    let keys = database.keys().max_keys(2);
    let service = bank_within_keys(&database, keys, "SERIALIZABLE");
    let kept = pay(&service, "ada", "1").await;
    assert_eq!(pay(&service, "ada", "2").await.code, Some(-32002));
    assert_eq!(pay(&service, "ada", "1").await, again(&kept));
    assert_eq!(pay(&service, "bob", "1").await.code, Some(-32010));
}

#[tokio::test(flavor = "multi_thread")]
async fn expired_outcomes_take_no_room() {
    let database = Database::new().await;
    let service = bank(database.keys().max_keys(2));
    assert_eq!(pay(&service, "ada", "1").await, done(1));
    assert_eq!(pay(&service, "ada", "2").await.code, Some(-32002));
    let expire = "UPDATE docent_keys SET until = until - 100000";
    database.execute(expire).await;
    assert_eq!(
        pay(&bank(database.keys().max_keys(2)), "ada", "2").await,
        done(2)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_expired_outcome_is_as_none_and_is_deleted_in_the_background() {
    let database = Database::new().await;
    let service = bank(database.keys());
    assert_eq!(pay(&service, "ada", "k").await, done(1));
    // The clock of the database decides, so its time is set back here.
    let expire = "UPDATE docent_keys SET until = until - 100000";
    database.execute(expire).await;
    assert_eq!(pay(&service, "ada", "k").await, done(2));
    database.execute(expire).await;
    wait_for(&database, "SELECT count(*) FROM docent_keys", 0).await;
    let room = "SELECT (sum(keys) + sum(bytes) + count(*))::bigint FROM docent_key_room";
    wait_for(&database, room, 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_call_takes_no_room_also_beside_another_store() {
    let database = Database::new().await;
    let keys = database.keys().max_keys(2);
    let pay = async |cx: Cx<PostgresKeys>, Payment { account }: Payment| {
        let paid = cx.once(cx.state(), async |transaction| {
            insert(transaction, &account).await
        });
        paid.await
    };
    let procedure = repeatable(Procedure::new("pay", pay), DAY);
    let service = builder().state(keys).procedure(procedure).build().unwrap();
    let broken = common::pay(&service, "broken", "1").await;
    assert_eq!(broken.code, Some(-32603));
    assert_eq!(common::pay(&service, "ada", "2").await.code, None);
}

#[test]
fn a_transaction_that_is_dropped_outside_a_runtime_is_rolled_back() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (database, transaction) = runtime.block_on(async {
        let database = Database::new().await;
        let begun = database.keys().begin(None).await.unwrap();
        let BegunTransaction::New(transaction) = begun else {
            panic!("it is no call with a key");
        };
        insert(&transaction, "ada").await.unwrap();
        (database, transaction)
    });
    drop(transaction);
    assert_eq!(runtime.block_on(database.payments()), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_is_not_there_is_a_busy_error_and_serves_once_it_is() {
    let database = Database::missing();
    let service = bank(database.keys());
    let response = pay(&service, "ada", "k").await;
    assert_eq!(
        response.code,
        Some(-32603),
        "the server says that there is none"
    );
    database.create().await;
    assert_eq!(pay(&service, "ada", "k").await, done(1));
    let nowhere = bank(PostgresKeys::new(Database::nowhere()));
    let Response { code, value, .. } = pay(&nowhere, "ada", "k").await;
    assert_eq!(code, Some(-32002));
    assert_eq!(value["data"]["retryAfter"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_takes_no_writes_is_a_busy_error_and_serves_once_it_does() {
    let database = Database::new().await;
    let read_only = |is_so| {
        let name = database.name();
        let set = format!("ALTER DATABASE {name} SET default_transaction_read_only = {is_so}");
        format!("BEGIN READ WRITE; {set}; COMMIT")
    };
    database.keys().prepare().await.unwrap();
    database.execute(&read_only("on")).await;
    // New connections know of it.
    let response = pay(&bank(database.keys()), "ada", "k").await;
    assert_eq!(response.code, Some(-32002), "{response:?}");
    database.execute(&read_only("off")).await;
    assert_eq!(pay(&bank(database.keys()), "ada", "k").await, done(1));
}
