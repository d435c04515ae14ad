//! The host of the suite: an axum router with a route of its own.

use std::net::SocketAddr;
use std::sync::mpsc::channel;

use axum::Router;
use axum::routing::get;
use docent::Routes;
use docent_tower::RpcService;

/// Starts routes, or a service, on a free local port.
pub(crate) fn start(routes: impl Into<Routes>) -> SocketAddr {
    let rpc = RpcService::new(routes).expect("all addresses can be reached");
    serve(Router::new().fallback_service(rpc))
}

/// Serves an application until the process ends.
pub(crate) fn serve(app: Router) -> SocketAddr {
    let app = app.route("/own", get(async || "own"));
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .expect("a runtime");
        runtime.block_on(async move {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
                .await
                .expect("a free port");
            let address = listener.local_addr().expect("an address");
            sender.send(address).expect("the test is waiting");
            axum::serve(
                listener,
                app.into_make_service_with_connect_info::<SocketAddr>(),
            )
            .await
        })
    });
    receiver.recv().expect("the server starts")
}
