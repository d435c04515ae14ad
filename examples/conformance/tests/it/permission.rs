//! Clients that ask for permission to send a body and do not wait for it.

use std::io::Write;
use std::time::Duration;

use crate::carrier::{Carrier, Over};
use crate::client::{Request, Response};
use crate::http_bodies::padded;
use crate::service_with;

#[test]
fn a_client_that_does_not_wait_to_be_told_to_go_on_is_answered_all_the_same() {
    for &carrier in Carrier::ALL {
        let server = Over::start(
            carrier,
            service_with(|limits| limits.max_body_bytes = 1_000),
        );
        let mut connection = server.connect();
        let body = padded(100);
        let waiting = Request::post("/rpc", &body).header("Expect", "100-continue");
        for _ in 0..3 {
            // The whole body has arrived, so there is no need for 100 Continue.
            let response = Response::exchange(&mut connection, &waiting);
            assert_eq!((response.status, &*response.brief()), (200, "3 #1"));
        }
        let large = padded(1_001);
        let waiting = Request::post("/rpc", &large).header("Expect", "100-continue");
        let response = Response::exchange(&mut connection, &waiting);
        response.assert_request_error(413, "sent at once");
        assert!(connection.is_closed());
        let old = "POST /rpc HTTP/1.0\r\nContent-Type: application/json\r\n\
               Expect: 100-continue\r\nContent-Length: 100\r\n\r\n";
        let mut connection = server.connect();
        connection
            .write_all(old.as_bytes())
            .expect("the connection is open");
        std::thread::sleep(Duration::from_millis(50));
        connection.write_all(&body).expect("the connection is open");
        assert_eq!(Response::read(&mut connection, false).brief(), "3 #1");
    }
}
