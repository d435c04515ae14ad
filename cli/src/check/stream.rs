//! The streams of messages on which a check follows subscriptions.

use std::time::{Duration, Instant};

use docent_tools::check::{LiveStep, LiveStream, LiveSubscribed, Unanswered};
use reqwest::header::{ACCEPT, HeaderMap, HeaderValue};
#[cfg(feature = "websocket")]
use tokio_websockets::Message;

use super::response::live_response;
use crate::http::{
    Arrived, EVENTS_TYPE, EventStream, Exchange, HttpRequest, LAST_EVENT_ID, ResponseEvents,
    Subscribed,
};
#[cfg(feature = "websocket")]
use crate::http::{OpenedSocket, RawSocket};

/// Sends the message of a subscription on a connection of its own. Returns `None` to a command.
pub(super) fn open(
    exchange: &Exchange,
    message: &str,
    cursor: Option<&str>,
) -> Option<Result<LiveSubscribed, Unanswered>> {
    #[cfg(feature = "websocket")]
    if let Some(opened) = exchange.open_socket() {
        return Some(opened.map(|opened| match opened {
            OpenedSocket::Accepted(mut socket) => {
                socket.send(Message::text(message.to_owned()));
                LiveSubscribed::Stream(Box::new(socket))
            }
            OpenedSocket::Refused(response) => LiveSubscribed::Refused(live_response(response)),
        }));
    }
    if !exchange.is_http() {
        return None;
    }
    let mut headers = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static(EVENTS_TYPE))]);
    let cursor = cursor.and_then(|cursor| HeaderValue::from_bytes(cursor.as_bytes()).ok());
    headers.extend(cursor.map(|cursor| (LAST_EVENT_ID, cursor)));
    let request = HttpRequest {
        headers,
        ..HttpRequest::new(&exchange.typed, Some(message))
    };
    Some(match exchange.subscribe(&request) {
        Ok(Subscribed::Events(EventStream::Response(events))) => {
            Ok(LiveSubscribed::Stream(Box::new(events)))
        }
        // It was opened above.
        #[cfg(feature = "websocket")]
        Ok(Subscribed::Events(EventStream::Socket(_))) => return None,
        Ok(Subscribed::Refused(response)) => Ok(LiveSubscribed::Refused(live_response(response))),
        Err(unanswered) => Err(unanswered),
    })
}

impl LiveStream for ResponseEvents {
    fn next(&mut self, limit: Duration) -> LiveStep {
        let start = Instant::now();
        loop {
            match self.next(limit.saturating_sub(start.elapsed())) {
                // One without data only sets the id with which the stream resumes.
                Ok(Arrived::Event(event)) if event.data.is_empty() => {}
                Ok(Arrived::Event(event)) => {
                    return LiveStep::Message {
                        text: event.data,
                        event_id: event.id,
                    };
                }
                Ok(Arrived::Bytes) => {}
                Ok(Arrived::Nothing) => return LiveStep::Silence,
                Err(reason) => return LiveStep::Closed(reason),
            }
        }
    }

    fn send(&mut self, _: &str) -> bool {
        false
    }
}

#[cfg(feature = "websocket")]
impl LiveStream for RawSocket {
    fn next(&mut self, limit: Duration) -> LiveStep {
        let start = Instant::now();
        loop {
            match self.next(limit.saturating_sub(start.elapsed())) {
                Ok(Some(message)) => {
                    if let Some((code, reason)) = message.as_close() {
                        let code = u16::from(code);
                        let reason =
                            format!("the service has closed the connection: {code} {reason}");
                        return LiveStep::Closed(reason.trim_end().to_owned());
                    }
                    // Pings are answered by themselves.
                    if let Some(text) = message.as_text() {
                        return LiveStep::Message {
                            text: text.to_owned(),
                            event_id: None,
                        };
                    }
                }
                Ok(None) => return LiveStep::Silence,
                Err(reason) => return LiveStep::Closed(reason),
            }
        }
    }

    fn send(&mut self, message: &str) -> bool {
        self.send(Message::text(message.to_owned()));
        true
    }
}
