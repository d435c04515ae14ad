//! The host of the suite: a server of `docent`, or an `App` on actix-web.

use std::net::SocketAddr;
use std::time::Duration;

use actix_web::web::ServiceConfig;
use actix_web::{App, HttpServer};
use docent::{Routes, Service};

use crate::client::Server;

/// Starts routes, or a service, on a free local port.
pub(crate) fn start(routes: impl Into<Routes>) -> SocketAddr {
    Server::serving(docent::Server::new(routes)).address
}

impl Server {
    pub(crate) fn serving(server: docent::Server) -> Self {
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            actix_web::rt::System::new().block_on(async move {
                let server = server.workers(2).bind("127.0.0.1:0").expect("a free port");
                sender
                    .send(server.addresses()[0])
                    .expect("the test is waiting");
                server.run().await
            })
        });
        Self {
            address: receiver.recv().expect("the server starts"),
        }
    }

    /// Starts the service in an `App`, with `/health` and `/docs` next to it.
    pub(crate) fn in_an_app(service: Service) -> Self {
        use docent::{AppPage, Docs, Mount};
        let docs = Docs::builder("/docs", "/rpc", &service)
            .build()
            .expect("a site");
        let mount = Mount::new(service).expect("a mount");
        Self::app(move |app| {
            app.service(AppPage(mount.health().clone()))
                .service(AppPage(docs.clone()))
                .service(mount.clone());
        })
    }

    /// Starts routes in a scope of an `App`.
    pub(crate) fn in_a_scope(scope: &'static str, routes: Routes) -> Self {
        let routes = docent::AppRoutes::new(routes).expect("all addresses can be reached");
        Self::app(move |app| {
            app.service(actix_web::web::scope(scope).service(routes.clone()));
        })
    }

    /// Starts an `App` with what `configure` adds to it.
    fn app(configure: impl Fn(&mut ServiceConfig) + Clone + Send + 'static) -> Self {
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            actix_web::rt::System::new().block_on(async move {
                let server = HttpServer::new(move || App::new().configure(&configure))
                    .h1_allow_half_closed(false)
                    .workers(1)
                    .bind("127.0.0.1:0")
                    .expect("a free port");
                sender.send(server.addrs()[0]).expect("the test is waiting");
                server.run().await
            })
        });
        Self {
            address: receiver.recv().expect("the server starts"),
        }
    }

    /// Starts the services of routes, or a service, in an `App` of its own.
    pub(crate) fn mounted(routes: impl Into<Routes>) -> Self {
        use docent::Mount;
        let mount = Mount::new(routes).expect("a mount");
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            actix_web::rt::System::new().block_on(async move {
                let server = HttpServer::new(move || App::new().service(mount.clone()));
                // As the guide has it.
                let server = server.h1_allow_half_closed(false);
                let server = server.client_disconnect_timeout(Duration::ZERO);
                let server = server.workers(2).bind("127.0.0.1:0").expect("a free port");
                sender.send(server.addrs()[0]).expect("the test is waiting");
                server.run().await
            })
        });
        Self {
            address: receiver.recv().expect("the server starts"),
        }
    }
}
