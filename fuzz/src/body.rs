//! Checks that the response to any POST body follows the contract.
//!
//! Each body goes to several services, because limits and protocols decide what an answer must be.

use crate::oracle::{self, Bytes};
use crate::service::{Setup, run};
use docent_core::carrier::Incoming;

thread_local! {
    // One set for each thread, so that parallel tests do not count each other's runs.
    static ALL_SETUPS: Vec<Setup> = Setup::all();
}

/// Sends a body to the service in every configuration and checks the responses.
///
/// # Panics
/// If a response violates the contract.
pub fn body(input: &[u8]) {
    ALL_SETUPS.with(|setups| {
        for setup in setups {
            let response = response(setup, input);
            let output = response.as_deref();
            let checked = oracle::check(setup, input, output)
                .and_then(|()| oracle::check_runs(setup, input, setup.take_runs()));
            if let Err(wrong) = checked {
                panic!(
                    "{}: {wrong}\nrequest: {}\nresponse: {}",
                    setup.name,
                    Bytes(Some(input)),
                    Bytes(output)
                );
            }
        }
    });
}

/// Returns the service's response.
pub fn response(setup: &Setup, input: &[u8]) -> Option<Vec<u8>> {
    let mut incoming = Incoming::new(input.to_vec());
    if let Some(only) = setup.only_procedure {
        incoming = incoming.only(only);
    }
    run(setup.service.exchange(incoming)).into_body()
}
