//! The program is ready only while it has its database.

use std::thread;
use std::time::{Duration, Instant};

use crate::http::Client;
use crate::started::Started;
use crate::support::Library;

fn wait_for_status(started: &Started, status: u16) {
    let client = Client::new(started.address);
    let end = Instant::now() + Duration::from_secs(30);
    while client.send("GET", "/health", "").status != status {
        assert!(Instant::now() < end, "the status is not {status}");
        thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn without_its_database_it_is_not_ready_and_then_it_is_again() {
    let library = Library::new();
    let started = Started::new(&library.database.place(), &[]);
    wait_for_status(&started, 200);
    library.database.shut();
    wait_for_status(&started, 503);
    library.database.reopen();
    wait_for_status(&started, 200);
}
