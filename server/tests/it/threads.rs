//! The threads of a server.

use std::io::Write;
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

use docent::{Cx, Fault, Procedure, Server, Service};
use raw_http::{Request, Response};

/// Ends a failing test.
const DEADLINE: Duration = Duration::from_secs(30);

/// Handlers that wait at a gate, and their number.
#[derive(Default)]
struct Gate {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    waiting: usize,
    most: usize,
    open: bool,
}

impl Gate {
    fn pass(&self) {
        let mut state = self.state.lock().expect("no panic");
        state.waiting += 1;
        state.most = state.most.max(state.waiting);
        self.changed.notify_all();
        let (mut state, _) = self
            .changed
            .wait_timeout_while(state, DEADLINE, |state| !state.open)
            .expect("no panic");
        state.waiting -= 1;
    }

    fn until_waiting(&self, number: usize) {
        let state = self.state.lock().expect("no panic");
        let waiting = self
            .changed
            .wait_timeout_while(state, DEADLINE, |state| state.waiting < number);
        assert!(!waiting.expect("no panic").1.timed_out());
    }
}

fn serve(gate: &Arc<Gate>) -> SocketAddr {
    let wait = |cx: Cx<Arc<Gate>>, (): ()| {
        cx.state().pass();
        Ok::<_, Fault>("passed")
    };
    let service = Service::builder("gate", "urn:uuid:0b7a52d4-3c66-4f0e-8f1c-5d2a9e3b7c01")
        .state(Arc::clone(gate))
        .procedure(Procedure::blocking("wait", wait))
        .procedure(Procedure::sync("probe", |_: Cx<_>, (): ()| {
            Ok::<_, Fault>(1)
        }))
        .build()
        .expect("no mistakes");
    let (sender, receiver) = std::sync::mpsc::channel();
    thread::spawn(move || {
        actix_web::rt::System::new().block_on(async move {
            let server = Server::new(service)
                .workers(1)
                .blocking_threads(2)
                .bind("127.0.0.1:0")
                .expect("a free port");
            sender.send(server.addresses()[0]).expect("a test");
            server.run().await
        })
    });
    receiver.recv().expect("a server")
}

fn send(address: SocketAddr, procedure: &str) -> TcpStream {
    let body = format!(r#"{{"jsonrpc":"2.0","method":"{procedure}","id":1}}"#);
    let mut connection = TcpStream::connect(address).expect("a server");
    connection.set_read_timeout(Some(DEADLINE)).expect("a time");
    let request = Request::post("/rpc", body.as_bytes());
    connection.write_all(&request.bytes()).expect("a server");
    connection
}

fn receive(mut connection: TcpStream) -> String {
    Response::read(&mut connection, false).text().to_owned()
}

#[test]
fn blocking_procedures_share_the_threads_that_there_are_and_all_get_their_turn() {
    let gate = Arc::<Gate>::default();
    let address = serve(&gate);
    let calls: Vec<_> = (0..6).map(|_| send(address, "wait")).collect();
    gate.until_waiting(2);
    // The only worker has reached the other calls once it has answered many that came after them.
    for _ in 0..50 {
        assert!(receive(send(address, "probe")).contains(r#""result":1"#));
    }
    {
        let mut state = gate.state.lock().expect("no panic");
        assert_eq!(state.most, 2);
        state.open = true;
        gate.changed.notify_all();
    }
    for call in calls {
        assert!(receive(call).contains(r#""result":"passed""#));
    }
    assert_eq!(gate.state.lock().expect("no panic").most, 2);
}
