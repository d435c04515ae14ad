//! Blocking handlers. Nothing can interrupt them, but they can see that no caller is waiting.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use docent::{Cx, Fault, Procedure, Service};

use crate::Server;
use crate::interruption::{PATIENCE, call};

/// Returns a service whose handlers block until no caller waits for them, and then report it.
fn service() -> (Service, Receiver<&'static str>) {
    let (sender, ended) = channel();
    let wait = |name: &'static str| {
        move |cx: Cx<Sender<&'static str>>, (): ()| {
            while !cx.is_cancelled() {
                std::thread::yield_now();
            }
            cx.state().send(name).map_err(Fault::internal)
        }
    };
    let service = Service::builder("blocking", "urn:example:blocking")
        .limits(|limits| limits.timeout = Duration::from_millis(40))
        .state(sender)
        .procedure(Procedure::blocking("read", wait("read")).idempotent())
        .procedure(Procedure::blocking("write", wait("write")))
        .procedure(Procedure::sync("fine", |_: Cx<_>, (): ()| {
            Ok::<_, Fault>(1)
        }))
        .build()
        .expect("a service");
    (service, ended)
}

#[test]
fn a_blocking_handler_whose_time_is_over_fails_alone_and_can_see_it() {
    let (service, ended) = service();
    let server = Server::start(service);
    for procedure in ["read", "write"] {
        let response = server.post(call(procedure));
        assert_eq!(response.brief(), "error -32001 #\"w\"", "{procedure}");
        assert_eq!(ended.recv_timeout(PATIENCE), Ok(procedure));
        let fine = r#"{"jsonrpc":"2.0","method":"fine","id":1}"#;
        let batch = format!("[{fine},{},{fine},{}]", call(procedure), call(procedure));
        let late = "error -32001 #\"w\"";
        let expected = format!("[1 #1, {late}, 1 #1, {late}]");
        assert_eq!(server.post(batch).brief(), expected, "{procedure}");
        for _ in 0..2 {
            assert_eq!(ended.recv_timeout(PATIENCE), Ok(procedure));
        }
    }
    let response = server.get("/rpc/read");
    assert_eq!((response.status, response.code()), (504, Some(-32001)));
}
