//! Typed clients, in process and over HTTP.

mod encrypted;
mod hostile;
mod malformed;
mod requests;
mod services;
mod subscriptions;
mod websockets;

use std::time::Duration;

use docent::client::{Client, ClientError, FromFault, Http, InProcess, TransportError};
use docent::testing::TestServer;
use docent::{Fault, RpcError, code};

use services::{
    Book, Due, Library, LibraryClient, LibraryError, NewBook, SHARED, StoreError, User, join_words,
    service, sum,
};

/// A client in process, and one over HTTP with its server.
fn clients() -> (TestServer, [LibraryClient; 2]) {
    let service = service();
    let server = TestServer::start(&service).expect("a server");
    let clients = [
        Library::client_in_process(&service),
        Library::client(server.url("/rpc")),
    ];
    (server, clients)
}

#[actix_web::test]
async fn a_method_of_the_client_takes_what_the_function_takes() {
    let (_server, clients) = clients();
    for client in clients {
        let found = client.find(Some("whale"), 2).await.expect("books");
        assert_eq!((found.len(), &*found[1].title), (2, "whale"));
        assert_eq!(
            client.find(None, 1).await.expect("books")[0].title,
            "nothing"
        );
        let book = NewBook {
            title: "Moby-Dick".to_owned(),
            keywords: vec!["whale".to_owned()],
        };
        let by_reference = client.add(&book).await.expect("a book");
        assert_eq!(client.add(book).await.expect("a book"), by_reference);
        assert_eq!(by_reference.1, ["whale"]);
        #[expect(deprecated)]
        let text = client.text().await.expect("a text");
        assert_eq!(text, "text");
    }
}

#[actix_web::test]
async fn the_function_of_a_free_procedure_calls_it() {
    let service = service();
    let server = TestServer::start(&service).expect("a server");
    for client in [
        Client::from(InProcess::new(&service)),
        Client::http(server.url("/rpc")),
    ] {
        assert_eq!(sum::call(&client, 1, 2).await.expect("a sum"), 3);
        let words = || vec!["a".to_owned(), "b".to_owned()];
        let joined = join_words::call(&client, words(), Some("-")).await;
        assert_eq!(joined.expect("a text"), "a-b");
        let error = join_words::call(&client, words(), None)
            .await
            .expect_err("an error");
        let fault = error.fault().expect("a fault");
        assert_eq!(
            (fault.code(), fault.message(), fault.data()),
            (7, "No glue", Some(r#"["a","b"]"#))
        );
        let dynamic: i64 = client
            .call::<_, Fault>("sum", &[1, 2])
            .await
            .expect("a sum");
        assert_eq!(dynamic, 3);
    }
}

#[actix_web::test]
async fn declared_errors_are_variants_again() {
    let (_server, clients) = clients();
    for client in clients {
        let error = async |how| client.fail(how).await.expect_err("an error");
        assert!(matches!(
            error("missing").await,
            ClientError::Declared(LibraryError::NoSuchBook { number: u64::MAX })
        ));
        assert!(matches!(
            error("lent").await,
            ClientError::Declared(LibraryError::AlreadyLent(Due { due })) if due == "2030-05-01"
        ));
        assert!(matches!(
            error("store").await,
            ClientError::Declared(LibraryError::Store(StoreError::Busy))
        ));
        for (how, data) in [("broken", Some(7)), ("gone", None)] {
            let error = error(how).await;
            let Some(LibraryError::Store(StoreError::Broken(is))) = error.declared() else {
                panic!("{error}");
            };
            assert_eq!(*is, data);
        }
        let internal = error("otherwise").await;
        assert_eq!(
            internal.fault().expect("a fault").code(),
            code::INTERNAL_ERROR
        );
        assert!(!internal.to_string().contains("secret"), "{internal}");
    }
}

/// Two services with one code, which one client calls.
#[derive(Debug, PartialEq, RpcError)]
enum EitherError {
    #[rpc(code = SHARED, message = "Library busy")]
    Library,
    #[rpc(code = SHARED + 1, message = "Broken")]
    Due(Due),
    #[rpc(transparent)]
    Store(StoreError),
}

#[test]
fn errors_with_one_code_are_told_apart_by_message_and_data() {
    for (fault, error) in [
        (Fault::new(SHARED, "Library busy"), EitherError::Library),
        (
            Fault::new(SHARED, "Store busy"),
            EitherError::Store(StoreError::Busy),
        ),
        (
            Fault::new(1501, "Broken").with_data(&9),
            EitherError::Store(StoreError::Broken(Some(9))),
        ),
    ] {
        assert_eq!(EitherError::from_fault(&fault), Some(error));
    }
}

#[test]
fn an_error_with_another_message_or_other_data_is_read_as_far_as_it_goes() {
    let reworded = Fault::new(SHARED, "Come back later");
    assert_eq!(StoreError::from_fault(&reworded), None);
    let by_code = StoreError::from_fault_by_code(&reworded);
    assert_eq!(by_code, Some(StoreError::Busy));
    // Messages tell errors with one code apart, those of a type that is held too, so another is new.
    assert_eq!(EitherError::from_fault_by_code(&reworded), None);
    for other in [
        Fault::new(1409, "Already lent").with_data(&7),
        Fault::new(1404, "No such book"),
        Fault::new(1405, "No such book"),
    ] {
        assert!(
            LibraryError::from_fault_by_code(&other).is_none(),
            "{other}"
        );
    }
}

#[actix_web::test]
async fn numbers_arrive_as_they_were_sent() {
    let (_server, clients) = clients();
    for client in clients {
        let sent = (u64::MAX, i128::from(i64::MIN) - 1, 0.1 + 0.2);
        let exact = client.exact(sent.0, sent.1, sent.2).await.expect("numbers");
        assert_eq!(exact, sent);
        let error = client.exact(1, 2, f64::NAN).await.expect_err("an error");
        assert!(matches!(error, ClientError::Params(_)), "{error}");
    }
}

#[actix_web::test]
async fn a_rejected_call_is_a_fault_of_the_protocol() {
    let (_server, clients) = clients();
    for client in clients {
        let error = client.find(None, 500).await.expect_err("500 is too many");
        let fault = error.fault().expect("a fault");
        assert_eq!(fault.code(), code::INVALID_PARAMS);
        assert!(fault.data().is_some_and(|data| data.contains("limit")));
    }
    let service = service();
    let client = Client::from(InProcess::new(&service));
    let error = client
        .call::<(), Fault>("nothing", &())
        .await
        .expect_err("an error");
    assert_eq!(error.fault().map(Fault::code), Some(code::METHOD_NOT_FOUND));
    // It is an error like any other.
    let error: Box<dyn std::error::Error> = error.into();
    assert_eq!(
        error.to_string(),
        "the call failed: Method not found (-32601)"
    );
}

#[actix_web::test]
async fn a_call_says_who_is_calling() {
    let service = service();
    let server = TestServer::start(&service).expect("a server");
    let http = || Http::new(server.url("/rpc"));
    let ada = User {
        name: "ada".to_owned(),
    };
    let in_process = InProcess::new(&service);
    let by_hand = InProcess::new(&service).header("Authorization", "Bearer token-of-ada");
    let by_hand = Client::from(by_hand.header("X-Tag", "1"));
    for client in [
        Library::client(in_process.caller(ada).header("X-Tag", "1")),
        Library::client(http().bearer("token-of-ada").header("X-Tag", "1")),
        Library::client(
            http()
                .bearer_from(|| "token-of-ada".to_owned())
                .header("x-tag", "1"),
        ),
        Library::client(&by_hand),
    ] {
        assert_eq!(
            client.whoami().await.expect("a name").as_deref(),
            Some("ada")
        );
        let (_, _, is_tagged) = client.add(NewBook::default()).await.expect("a book");
        assert!(is_tagged);
    }
    let anonymous = Library::client(server.url("/rpc"));
    assert_eq!(anonymous.whoami().await.expect("nobody"), None);
    let wrong = Library::client(http().bearer("wrong"));
    let error = wrong.whoami().await.expect_err("an error");
    assert_eq!(error.fault().map(Fault::code), Some(code::REFUSED));
}

#[test]
fn the_future_of_a_call_moves_between_threads_and_holds_no_parameters() {
    fn sent<T: Send + 'static>(_: T) {}
    let client = Client::from(InProcess::new(&service()));
    let text = "whale".to_owned();
    sent(client.call::<Vec<Book>, LibraryError>("book.find", &[&text]));
    drop(text);
    sent(async move { Library::client(client).find(None, 2).await });
}

#[actix_web::test]
async fn a_call_that_takes_too_long_times_out() {
    let server = TestServer::start(service()).expect("a server");
    let limit = Duration::from_millis(200);
    let client = Library::client(Http::new(server.url("/rpc")).timeout(limit));
    let error = client.wait().await.expect_err("an error");
    assert!(
        matches!(error, ClientError::Transport(TransportError::TimedOut(is)) if is == limit),
        "{error:?}"
    );
    assert_eq!(error.to_string(), "no response: timed out after 200ms");
}
