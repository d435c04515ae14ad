//! The same service on hyper, through `docent-tower`: the HTTP/1 loop that Docent's own is measured against.

use std::future::Future;
use std::io;
use std::net::SocketAddr;

use docent_tower::RpcService;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;

/// Listens on a free port. The future serves until it is dropped.
///
/// # Errors
/// If no port is free.
pub async fn bind(
    procedures: usize,
) -> io::Result<(SocketAddr, impl Future<Output = io::Result<()>>)> {
    let rpc = RpcService::new(crate::docent::service(procedures)).map_err(io::Error::other)?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    Ok((listener.local_addr()?, serve(rpc, listener)))
}

async fn serve(rpc: RpcService, listener: TcpListener) -> io::Result<()> {
    loop {
        let (stream, _) = listener.accept().await?;
        let service = TowerToHyperService::new(rpc.clone());
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .serve_connection(TokioIo::new(stream), service);
        tokio::spawn(connection);
    }
}
