//! Followers of `loan.watch`, on each database.

use std::collections::{BTreeMap, HashSet};
use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};

use docent::Fault;
use docent::client::{Client as RustClient, ClientError};
use docent_keys::Event;
use futures_util::StreamExt;
use library::api;
use library::model::{LoanEvent, LoanEventKind, LoanId, StartLoan};
use library::store::{Error, Store};
use serde_json::json;

use crate::database::LET_EVENTS_AGE;
use crate::http::{Client, TOKEN, serve, token};
use crate::keyed::keyed;
use crate::started::Started;
use crate::support::{Library, Writes};

/// A cursor before every event.
const BEGINNING: &str = "0.0";

type Told = Result<Vec<Event<LoanEvent>>, ClientError<Fault>>;

/// Serves the library of a store. Returns the address.
fn instance(store: Store) -> SocketAddr {
    serve(api::service(store, &token(), None).unwrap())
}

/// Follows the loans after a cursor, until so many events have come or the subscription has failed.
fn try_follow(instance: SocketAddr, after: &str, count: usize) -> Told {
    let client = RustClient::http(format!("http://{instance}/rpc"));
    let params = json!({"after": after});
    actix_web::rt::System::new().block_on(async {
        let items = client.subscribe::<LoanEvent, Fault>("loan.watch", &params);
        let mut items = items.await?.take(count);
        let mut events = Vec::new();
        while let Some(item) = items.next().await {
            let item = item?;
            events.push(Event {
                cursor: item.cursor.unwrap(),
                value: item.value,
            });
        }
        Ok(events)
    })
}

fn follow(instance: SocketAddr, after: &str, count: usize) -> Vec<Event<LoanEvent>> {
    let events = try_follow(instance, after, count).unwrap();
    assert_eq!(events.len(), count);
    events
}

/// Returns the loan and the kind of each event, in order.
fn kinds_by_loan(events: &[Event<LoanEvent>]) -> Vec<(LoanId, LoanEventKind)> {
    events
        .iter()
        .map(|event| (event.value.loan.id, event.value.kind))
        .collect()
}

/// Lends a book and takes it back.
fn lend_and_take_back(library: &Library, store: &Store) -> LoanId {
    let request = StartLoan {
        book: library.book(1),
        member: library.member(),
        due: None,
    };
    let loan = store.start_loan(&request).unwrap().id;
    library.take_back(loan).unwrap();
    loan
}

#[test]
fn a_follower_gets_each_event_once_and_in_order_whichever_instance_has_written_it() {
    const WRITERS: usize = 4;
    const LOANS: usize = 8;
    let library = Library::new();
    let other = library.again();
    let instance = instance(library.again());
    let requests: Vec<_> = (0..WRITERS)
        .map(|_| StartLoan {
            book: library.book(1),
            member: library.member(),
            due: None,
        })
        .collect();
    let events = thread::scope(|scope| {
        let follower = scope.spawn(|| follow(instance, BEGINNING, 2 * WRITERS * LOANS));
        for request in &requests {
            scope.spawn(|| {
                for _ in 0..LOANS {
                    let loan = other.start_loan(request).unwrap().id;
                    library.take_back(loan).unwrap();
                }
            });
        }
        follower.join().unwrap()
    });
    let cursors: HashSet<_> = events.iter().map(|event| &event.cursor).collect();
    assert_eq!(cursors.len(), events.len());
    let mut kinds: BTreeMap<LoanId, Vec<LoanEventKind>> = BTreeMap::new();
    for (loan, kind) in kinds_by_loan(&events) {
        kinds.entry(loan).or_default().push(kind);
    }
    assert_eq!(kinds.len(), WRITERS * LOANS);
    for (loan, kinds) in kinds {
        let expected = [LoanEventKind::Lent, LoanEventKind::Returned];
        assert_eq!(kinds, expected, "{loan:?}");
    }
    let last = &events.last().unwrap().cursor;
    let loan = lend_and_take_back(&library, &other);
    let next = kinds_by_loan(&follow(instance, last, 1));
    assert_eq!(next, [(loan, LoanEventKind::Lent)]);
}

#[test]
fn after_a_restart_a_follower_goes_on_after_the_last_event_that_it_has_seen() {
    let library = Library::new();
    let start = || Started::new(&library.database.place(), &["--token", TOKEN]);
    let started = start();
    let first = lend_and_take_back(&library, &library.store);
    let seen = follow(started.address, BEGINNING, 1);
    assert_eq!(kinds_by_loan(&seen), [(first, LoanEventKind::Lent)]);
    // It is killed.
    drop(started);
    let second = lend_and_take_back(&library, &library.store);
    let rest = follow(start().address, &seen[0].cursor, 3);
    let expected = [
        (first, LoanEventKind::Returned),
        (second, LoanEventKind::Lent),
        (second, LoanEventKind::Returned),
    ];
    assert_eq!(kinds_by_loan(&rest), expected);
}

#[test]
fn a_transaction_that_is_rolled_back_tells_nothing_and_a_call_that_is_repeated_tells_once() {
    let library = Library::new();
    let instance = instance(library.again());
    let book = library.book(1);
    let member = library.member();
    let request = StartLoan {
        book,
        member: member.clone(),
        due: None,
    };
    let rolled_back = library.store.write(|write| {
        write.start_loan(&request)?;
        Err::<(), _>(Error::Broken("a change of mind".into()))
    });
    assert!(matches!(rolled_back, Err(Error::Broken(_))));
    let start = keyed("loan.start", &json!([book, member]), "k");
    let responses = [(); 2].map(|()| Client::new(instance).send("POST", "/rpc", &start).json());
    assert_eq!(responses[0], responses[1]);
    let loan = LoanId(
        responses[0]["result"]["id"]
            .as_u64()
            .unwrap()
            .try_into()
            .unwrap(),
    );
    library.take_back(loan).unwrap();
    let expected = [(loan, LoanEventKind::Lent), (loan, LoanEventKind::Returned)];
    assert_eq!(kinds_by_loan(&follow(instance, BEGINNING, 2)), expected);
}

#[test]
fn old_events_are_deleted_and_who_comes_back_with_a_cursor_before_them_is_told() {
    let library = Library::new();
    let instance = instance(library.again());
    lend_and_take_back(&library, &library.store);
    let seen = follow(instance, BEGINNING, 2);
    library.database.execute(LET_EVENTS_AGE);
    let end = Instant::now() + Duration::from_secs(30);
    let refused = loop {
        match try_follow(instance, BEGINNING, 1) {
            Err(error) => break error,
            Ok(_) => assert!(Instant::now() < end, "no event was deleted"),
        }
        thread::sleep(Duration::from_millis(50));
    };
    let ClientError::Fault(fault) = refused else {
        panic!("{refused}");
    };
    assert_eq!(fault.code(), docent::code::CANNOT_RESUME);
    let loan = lend_and_take_back(&library, &library.store);
    let next = kinds_by_loan(&follow(instance, &seen[1].cursor, 1));
    assert_eq!(next, [(loan, LoanEventKind::Lent)]);
}
