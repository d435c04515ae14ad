//! Bodies: whatever comes by POST is answered as the contract says.

use crate::oracle::{self, Bytes};
use crate::service::{Setup, run};
use docent_core::Incoming;

thread_local! {
    // One a thread, so that tests that run beside each other do not count each other's runs.
    static SETUPS: Vec<Setup> = Setup::all();
}

/// Answers a body under every configuration.
///
/// # Panics
/// Where an answer is not what it has to be.
pub fn body(input: &[u8]) {
    SETUPS.with(|setups| {
        for setup in setups {
            let output = answer(setup, input);
            let output = output.as_deref();
            let checked = oracle::check(setup, input, output)
                .and_then(|()| oracle::check_runs(setup, input, setup.take_runs()));
            if let Err(wrong) = checked {
                let (name, input) = (setup.name, Bytes(Some(input)));
                panic!(
                    "{name}: {wrong}\nasked: {input}\nanswered: {}",
                    Bytes(output)
                );
            }
        }
    });
}

/// What a service answers.
pub fn answer(setup: &Setup, input: &[u8]) -> Option<Vec<u8>> {
    let mut incoming = Incoming::new(input.to_vec());
    if let Some(only) = setup.only {
        incoming = incoming.only(only);
    }
    run(setup.service.exchange(incoming)).into_body()
}
