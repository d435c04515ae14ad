//! Passes libFuzzer's inputs to [`docent_fuzz::description`].
#![no_main]

use docent_fuzz::rearrange;

libfuzzer_sys::fuzz_target!(|input: &[u8]| docent_fuzz::description(input));

libfuzzer_sys::fuzz_mutator!(|input: &mut [u8], size: usize, most: usize, seed: u32| {
    rearrange(input, size, most, seed)
        .unwrap_or_else(|| libfuzzer_sys::fuzzer_mutate(input, size, most))
});
