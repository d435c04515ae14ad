//! The function in which a server runs.

use std::net::{SocketAddr, TcpStream};

use docent::{Cx, Fault, Procedure, Server, Service};
use raw_http::{Request, Response};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Serves until a call has been answered.
async fn serve_one_call() -> Outcome {
    let service = Service::builder("clock", "urn:uuid:0b7a52d4-3c66-4f0e-8f1c-5d2a9e3b7c02")
        .procedure(Procedure::sync("now", |_: Cx, (): ()| Ok::<_, Fault>(12)))
        .build()?;
    let server = Server::new(service).workers(1).bind("127.0.0.1:0")?;
    let address = server.addresses()[0];
    let handle = server.handle();
    let caller = std::thread::spawn(move || {
        let response = call(address);
        handle.shutdown();
        response
    });
    server.run().await?;
    let response = caller.join().expect("no panic");
    assert_eq!(response, r#"{"jsonrpc":"2.0","result":12,"id":1}"#);
    Ok(())
}

fn call(address: SocketAddr) -> String {
    let body = br#"{"jsonrpc":"2.0","method":"now","id":1}"#;
    let mut connection = TcpStream::connect(address).expect("a server");
    let response = Response::exchange(&mut connection, &Request::post("/rpc", body));
    response.text().to_owned()
}

#[docent::main]
async fn docent_main() -> Outcome {
    serve_one_call().await
}

#[tokio::main]
async fn tokio_main() -> Outcome {
    serve_one_call().await
}

#[tokio::main(flavor = "current_thread")]
async fn tokio_main_of_one_thread() -> Outcome {
    serve_one_call().await
}

#[test]
fn a_server_runs_in_each_main_function() {
    docent_main().expect("a server");
    tokio_main().expect("a server");
    tokio_main_of_one_thread().expect("a server");
}
