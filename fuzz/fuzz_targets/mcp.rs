//! Passes libFuzzer's inputs to [`docent_fuzz::mcp`].
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| docent_fuzz::mcp(input));
