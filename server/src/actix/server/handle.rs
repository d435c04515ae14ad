//! Stops a server from code.
//!
//! Tests and programs with their own signals use it instead of SIGTERM.

use tokio::sync::watch;

/// Stops a server from code, as SIGTERM does. Cloning it is cheap; dropping it does nothing.
///
/// ```
/// use docent::{Cx, Fault, Procedure, Server, Service};
///
/// # #[docent::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let service = Service::builder("greeter", "urn:uuid:41544946-415a-495a-5645-454441534608")
///     .procedure(Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello")))
///     .build()?;
/// let server = Server::new(service).bind("127.0.0.1:0")?;
/// let handle = server.handle();
/// actix_web::rt::spawn(async move {
///     // For example, when a file has changed.
///     handle.shutdown();
/// });
/// server.run().await?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct ServerHandle(watch::Sender<bool>);

impl ServerHandle {
    pub(super) fn new() -> Self {
        Self(watch::Sender::new(false))
    }

    /// Shuts the server down gracefully: new calls are rejected, and running calls finish within the
    /// [deadline](crate::Server::shutdown_deadline). Returns at once; [`BoundServer::run`] returns when
    /// the server has stopped. A server that is not running yet stops as soon as it runs. Calling this
    /// again changes nothing.
    ///
    /// [`BoundServer::run`]: crate::BoundServer::run
    pub fn shutdown(&self) {
        self.0.send_replace(true);
    }

    /// Waits until the server is to shut down.
    pub(super) async fn is_asked(&self) {
        // There is always a sender: this one.
        let _ = self.0.subscribe().wait_for(|asked| *asked).await;
    }
}
