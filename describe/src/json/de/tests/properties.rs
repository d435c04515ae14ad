//! Numbers in every notation, as random inputs.

use std::marker::PhantomData;

use proptest::prelude::*;

use crate::json::de::Decoder;

proptest! {
    #[test]
    fn every_double_is_read_as_rust_reads_it(mantissa in any::<u64>(), decimals in 0usize..25, exponent in -330i32..310) {
        let mut digits = format!("{mantissa:025}");
        digits.insert(25 - decimals, '.');
        let mut text = format!("{}e{exponent}", digits.trim_start_matches('0').trim_end_matches('.'));
        if text.starts_with(['.', 'e']) {
            text.insert(0, '0');
        }
        let expected: f64 = text.parse().unwrap();
        match Decoder::new(&text).value(PhantomData::<f64>) {
            Ok(actual) => prop_assert_eq!(actual.to_bits(), expected.to_bits(), "{}", text),
            Err(_) => prop_assert!(expected.is_infinite(), "{}", text),
        }
        let expected: f32 = text.parse().unwrap();
        match Decoder::new(&text).value(PhantomData::<f32>) {
            Ok(actual) => prop_assert_eq!(actual.to_bits(), expected.to_bits(), "{}", text),
            Err(_) => prop_assert!(expected.is_infinite(), "{}", text),
        }
    }

    #[test]
    fn an_integer_is_the_same_however_it_is_written(value in any::<i64>(), zeros in 0u32..4, shift in 0usize..25) {
        let text = value.to_string();
        let (sign, digits) = match text.strip_prefix('-') {
            Some(digits) => ("-", digits),
            None => ("", &*text),
        };
        let zeros = "0".repeat(zeros as usize);
        let with_fraction = format!("{sign}{digits}.0{zeros}");
        let padded = format!("{digits:0>26}");
        let (integral, fraction) = padded.split_at(26 - shift);
        let integral = match integral.trim_start_matches('0') {
            "" => "0",
            significant => significant,
        };
        let with_exponent = format!("{sign}{integral}.{fraction}{zeros}0e+{shift}");
        for text in [text.clone(), with_fraction, with_exponent] {
            let actual = Decoder::new(&text).value(PhantomData::<i64>);
            prop_assert_eq!(actual.unwrap(), value, "{}", text);
        }
    }
}
