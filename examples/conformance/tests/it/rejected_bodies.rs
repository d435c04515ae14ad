//! Limits on how much is read of rejected bodies, over each kind of listener and in an `App`.

use std::io::Write;
use std::time::Duration;

use docent::{HttpOptions, Routes};

use crate::carrier::{Carrier, Connection, Over};
use crate::{Server, service_with};

/// Sends pieces of a body, and pauses after each, until the server takes no more. Returns how many bytes
/// it took, or what its system stores.
fn pour(mut connection: Connection, head: &str, pause: Duration) -> usize {
    const PIECE: usize = 16 << 10;
    const MOST: usize = 64 << 20;
    connection.write_all(head.as_bytes()).expect("it is sent");
    let text = " ".repeat(PIECE);
    let piece = if head.contains("chunked") {
        format!("{PIECE:x}\r\n{text}\r\n")
    } else {
        text
    };
    let mut taken = 0;
    while taken < MOST && connection.write_all(piece.as_bytes()).is_ok() {
        taken += PIECE;
        std::thread::sleep(pause);
    }
    taken
}

#[test]
fn what_is_taken_of_a_rejected_body_is_bounded_however_it_is_framed_and_however_fast_it_comes() {
    const DRAINED: usize = 1 << 20;
    // The bytes that the system stores for a connection.
    const STORED: usize = 12 << 20;
    let service = || service_with(|limits| limits.max_body_bytes = 1_000);
    let change = |options: &mut HttpOptions| {
        options.max_drain_bytes = DRAINED;
        options.drain_time = Duration::from_millis(500);
    };
    let rejected = [
        ("/rpc", "application/json"),
        ("/rpc", "text/plain"),
        ("/rpc/a/b", "application/json"),
        ("/health", "text/plain"),
        ("/nowhere", "text/plain"),
    ];
    let try_all = |connect: &dyn Fn() -> Connection, rejected: &[(&str, &str)]| {
        for (address, kind) in rejected {
            for framing in ["Content-Length: 99999999999", "Transfer-Encoding: chunked"] {
                let head = format!(
                    "POST {address} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}\r\n{framing}\r\n\r\n"
                );
                let fast = pour(connect(), &head, Duration::ZERO);
                assert!(fast <= DRAINED + STORED, "{head}: {fast}");
                // A third of what is drained comes in time.
                let slow = pour(connect(), &head, Duration::from_millis(25));
                assert!(slow < 2 * DRAINED, "{head}: {slow}");
            }
        }
    };
    std::thread::scope(|scope| {
        for &carrier in Carrier::ALL {
            scope.spawn(move || {
                let server = Over::with_options(carrier, service(), change);
                try_all(&|| server.connect(), &rejected);
            });
        }
        // In an `App`, actix-web reads on behind other rejections.
        scope.spawn(|| {
            let server = Server::mounted(Routes::new(service()).options(change));
            try_all(&|| Connection::tcp(server.address), &rejected[..2]);
        });
    });
}
