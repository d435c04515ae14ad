//! Servers that tell one item to many followers: one of Docent, over SSE and WebSockets, and one written by hand on
//! actix-web, over SSE.
//!
//! The events are the same bytes. By hand they are made once for all followers, and there is no limit on what waits for
//! one of them, no cursor, and no clock for those that do not read.

use std::io;
use std::net::SocketAddr;

use actix_web::dev::Server as ActixServer;
use actix_web::{HttpResponse, web};
use docent::{BoundServer, Cx, Fault, Procedure, Routes, Server, Service, Subscription, Topic};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::sync::broadcast::{self, Sender, error::RecvError};

/// The number of followers that the servers allow.
const MAX_FOLLOWERS: usize = 20_000;

/// The items that are kept for followers: more than are published, so that none is lost.
const KEPT_ITEMS: usize = 128;

/// Binds the server of Docent. `item.publish` tells an item to those who follow `item.watch`.
///
/// # Errors
/// It cannot listen.
///
/// # Panics
/// Never: the description is always the same.
pub fn bind(workers: usize) -> io::Result<BoundServer> {
    let watch = async |cx: Cx<Topic<String>>, (): ()| Ok::<_, Fault>(cx.state().follow());
    let publish = |cx: Cx<Topic<String>>, published: Published| {
        cx.state()
            .publish(published.item)
            .map_err(Fault::internal)?;
        Ok::<_, Fault>(())
    };
    let service = Service::builder("followers", "urn:uuid:41544946-415a-495a-5645-454441534651")
        .state(Topic::new(KEPT_ITEMS))
        .limits(|limits| {
            limits.max_streams = MAX_FOLLOWERS;
            limits.max_subscriptions = MAX_FOLLOWERS;
            limits.max_connection_subscriptions = MAX_FOLLOWERS;
        })
        .procedure(Subscription::new("item.watch", watch).idempotent())
        .procedure(Procedure::sync("item.publish", publish).idempotent())
        .build()
        .expect("the same description as ever");
    let server = Server::new(Routes::new(service).websocket().without_docs());
    let server = server.connections(MAX_FOLLOWERS).workers(workers);
    server.bind("127.0.0.1:0")
}

/// The parameters of `item.publish`.
#[derive(Deserialize, JsonSchema)]
struct Published {
    item: String,
}

async fn watch(items: web::Data<Sender<web::Bytes>>) -> HttpResponse {
    let response = r#"data: {"jsonrpc":"2.0","result":"s1","id":null}"#;
    let response = web::Bytes::from(format!("{response}\n\n"));
    let state = (Some(response), items.subscribe());
    let events = futures_util::stream::unfold(state, async |(response, mut items)| {
        if let Some(response) = response {
            return Some((Ok::<_, io::Error>(response), (None, items)));
        }
        loop {
            match items.recv().await {
                Ok(event) => return Some((Ok(event), (None, items))),
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return None,
            }
        }
    });
    HttpResponse::Ok()
        .content_type("text/event-stream")
        .insert_header(("cache-control", "no-store"))
        .streaming(events)
}

async fn publish(
    items: web::Data<Sender<web::Bytes>>,
    item: web::Query<Published>,
) -> HttpResponse {
    let item = &item.item;
    let event = format!(
        r#"data: {{"jsonrpc":"2.0","method":"item.watch","params":{{"subscription":"s1","result":"{item}"}}}}"#
    );
    // An error means that there are no followers.
    let _ = items.send(format!("{event}\n\n").into());
    HttpResponse::NoContent().finish()
}

/// Binds the server written by hand.
///
/// # Errors
/// It cannot listen.
pub fn bind_bare(workers: usize) -> io::Result<(SocketAddr, ActixServer)> {
    let items = web::Data::new(broadcast::channel::<web::Bytes>(KEPT_ITEMS).0);
    crate::bind(workers, move |routes| {
        routes
            .app_data(items.clone())
            .route("/rpc/item.watch", web::get().to(watch))
            .route("/rpc/item.publish", web::get().to(publish));
    })
}
