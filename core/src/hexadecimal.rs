//! Bytes as hexadecimal digits.

/// Returns the digits of these bytes, two for each, in lower case. `DIGITS` is twice their number.
///
/// Every response over HTTP has such digits, and formatting them would take ten times as long.
pub fn hexadecimal<const DIGITS: usize>(bytes: &[u8]) -> [u8; DIGITS] {
    const LOWER_CASE: &[u8; 16] = b"0123456789abcdef";
    let mut digits = [b'0'; DIGITS];
    for (pair, byte) in digits.chunks_exact_mut(2).zip(bytes) {
        pair[0] = LOWER_CASE[usize::from(byte >> 4)];
        pair[1] = LOWER_CASE[usize::from(byte & 0xf)];
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::hexadecimal;

    #[test]
    fn digits_are_those_of_the_number() {
        for number in [
            0,
            0x0123_4567_89ab_cdef,
            0xfedc_ba98_7654_3210,
            u64::MAX,
            9,
            0xa0,
        ] {
            let digits: [u8; 16] = hexadecimal(&number.to_be_bytes());
            assert_eq!(digits, *format!("{number:016x}").as_bytes());
        }
    }
}
