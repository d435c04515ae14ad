//! Passes libFuzzer's inputs to [`docent_fuzz::connection`].
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| docent_fuzz::connection(input));
