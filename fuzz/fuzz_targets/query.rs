//! Passes libFuzzer's inputs to [`docent_fuzz::query`].
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| docent_fuzz::query(input));
