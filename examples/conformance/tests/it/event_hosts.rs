//! Streams of events over every carrier of a `Server`, and in an `App`.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use docent::Topic;
use serde_json::json;

use crate::carrier::{Carrier, Everywhere};
use crate::client::{Request, Server};
use crate::events::{Events, publish, service, wait_for_subscriptions};

fn follow<C: Read + Write>(mut connection: C, subscription: &str) -> Events<C> {
    let target = format!("/rpc/{subscription}");
    let request = Request::new("GET", &target).header("Accept", "text/event-stream");
    connection.write_all(&request.bytes()).expect("it is sent");
    let mut events = Events::new(connection);
    assert_eq!(events.next().expect("an answer").data["result"], "s1");
    events
}

#[test]
fn a_stop_ends_streams_and_says_when_to_come_back_on_every_carrier() {
    let topic = Topic::new(4);
    let service = service(&topic, |_| {});
    let mut server = Everywhere::serving(docent::Server::new(&service));
    let mut streams = Vec::new();
    for carrier in Carrier::ALL {
        for subscription in ["watch", "live"] {
            streams.push(follow(server.connect(*carrier), subscription));
        }
    }
    publish(&topic, [1]);
    for events in &mut streams {
        assert_eq!(events.items(1)[0].1, json!(1));
    }
    // One that does not read keeps no server from stopping.
    let _silent = follow(server.connect(Carrier::Tcp), "live");
    let begun = Instant::now();
    server.stop().expect("everything has ended");
    assert!(
        begun.elapsed() < Duration::from_secs(10),
        "{:?}",
        begun.elapsed()
    );
    for events in &mut streams {
        let end = events.next().expect("an end");
        assert_eq!(end.data["params"]["error"]["code"], -32015);
        assert_eq!(end.id, None, "it comes back with the cursor that it has");
        let retry = end.retry.expect("a time");
        assert!((1_000..5_000).contains(&retry), "{retry}");
        assert_eq!(events.next(), None);
    }
    assert_eq!(service.open_subscriptions(), 0);
}

#[test]
fn in_an_app_items_come_as_they_are_and_a_caller_that_leaves_drops_the_source() {
    let topic = Topic::new(4);
    let service = service(&topic, |_| {});
    let server = Server::mounted(&service);
    let mut stays = follow(server.connect(), "watch");
    let leaves = follow(server.connect(), "live");
    wait_for_subscriptions(&service, 2);
    publish(&topic, [1]);
    assert_eq!(stays.items(1), [(Some("1".to_owned()), json!(1))]);
    drop(leaves);
    wait_for_subscriptions(&service, 1);
    publish(&topic, [2]);
    assert_eq!(stays.items(1), [(Some("2".to_owned()), json!(2))]);
}
