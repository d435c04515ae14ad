//! A server that code stops, and that says whether it is ready.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use docent::{Cx, Fault, Procedure, Routes, Server as Docent, ServerHandle, Service};

use crate::Server;
use crate::client::{Request, Response};

fn service() -> Service {
    let slow = |_: Cx, (): ()| async {
        tokio::time::sleep(Duration::from_millis(800)).await;
        Ok::<_, Fault>("done")
    };
    Service::builder("stopped", "urn:example:stopped")
        .procedure(Procedure::new("slow", slow))
        .build()
        .expect("a service")
}

/// Runs a server, and returns what its `run` returns.
fn run(server: Docent) -> (Server, ServerHandle, JoinHandle<std::io::Result<()>>) {
    let (sender, receiver) = mpsc::channel();
    let thread = thread::spawn(move || {
        actix_web::rt::System::new().block_on(async move {
            let server = server.workers(2).bind("127.0.0.1:0").expect("a free port");
            let started = (server.addresses()[0], server.handle());
            sender.send(started).expect("the test is waiting");
            server.run().await
        })
    });
    let (address, handle) = receiver.recv().expect("the server starts");
    (Server { address }, handle, thread)
}

#[test]
fn a_handle_stops_a_server_after_its_running_calls() {
    let (server, handle, thread) = run(Docent::new(service()));
    drop(handle.clone());
    let mut connection = server.connect();
    let call = Request::post("/rpc", br#"{"jsonrpc":"2.0","method":"slow","id":1}"#);
    std::io::Write::write_all(&mut connection, &call.bytes()).expect("the call is sent");
    thread::sleep(Duration::from_millis(200));
    handle.shutdown();
    handle.shutdown();
    let response = Response::read(&mut connection, false);
    assert_eq!((response.status, &*response.brief()), (200, r#""done" #1"#));
    let ended = thread.join().expect("no panic");
    assert!(ended.is_ok(), "{ended:?}");
    assert!(std::net::TcpStream::connect(server.address).is_err());
}

#[test]
fn a_server_that_is_stopped_before_it_runs_stops_at_once() {
    let server = Docent::new(service());
    server.handle().shutdown();
    let (_, _, thread) = run(server);
    assert!(thread.join().expect("no panic").is_ok());
}

/// Returns the status and the body of `/health`.
fn health(server: &Server) -> (u16, String) {
    let response = server.get("/health");
    (response.status, response.text().to_owned())
}

#[test]
fn a_server_is_unready_while_its_check_fails_hangs_or_panics() {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let routes = Routes::new(service()).ready(move || {
        let turn = count.fetch_add(1, Ordering::SeqCst);
        async move {
            match turn {
                1 => Err("a secret"),
                2 => std::future::pending().await,
                3 => panic!("told to panic"),
                _ => Ok(()),
            }
        }
    });
    let server = Server::serving(Docent::new(routes));
    let unready = (503, r#"{"status":"unready"}"#.to_owned());
    let ready = (200, r#"{"status":"ok"}"#.to_owned());
    for (turn, expected) in [&ready, &unready, &unready, &unready, &ready]
        .into_iter()
        .enumerate()
    {
        let begun = Instant::now();
        assert_eq!(health(&server), *expected, "check {turn}");
        assert_eq!(asked.load(Ordering::SeqCst), turn + 1);
        // Others do not ask again within a second of the beginning of the check.
        if begun.elapsed() < Duration::from_millis(500) {
            assert_eq!(health(&server), *expected, "check {turn}, again");
            if begun.elapsed() < Duration::from_millis(900) {
                assert_eq!(asked.load(Ordering::SeqCst), turn + 1);
            }
        }
        thread::sleep(Duration::from_millis(1_100).saturating_sub(begun.elapsed()));
    }
    // Calls are accepted all the time.
    assert_eq!(server.call("nothing"), "error -32601 #1");
}

#[test]
fn those_who_ask_at_once_share_a_check() {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let routes = Routes::new(service()).ready(move || {
        count.fetch_add(1, Ordering::SeqCst);
        async {
            tokio::time::sleep(Duration::from_millis(300)).await;
            Ok::<_, Fault>(())
        }
    });
    let server = Server::serving(Docent::new(routes));
    let begun = Instant::now();
    thread::scope(|scope| {
        for _ in 0..20 {
            scope.spawn(|| assert_eq!(health(&server).0, 200));
        }
    });
    let seconds = usize::try_from(begun.elapsed().as_secs()).expect("a test is short");
    assert!(asked.load(Ordering::SeqCst) <= 1 + seconds);
}
