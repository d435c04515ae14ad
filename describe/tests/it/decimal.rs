//! Decimals compared with exact integer arithmetic.

use std::cmp::Ordering;

use docent_describe::json::Decimal;
use proptest::prelude::*;

/// Draws `mantissa × 10^exponent` in one of the many ways to write it.
fn spell(mantissa: i64, exponent: i32, places: usize, zeros: usize) -> String {
    let sign = if mantissa < 0 { "-" } else { "" };
    let mut digits = mantissa.unsigned_abs().to_string();
    let mut exponent = exponent;
    for _ in 0..zeros {
        digits.push('0');
        exponent -= 1;
    }
    let places = places.min(digits.len() - 1);
    if places > 0 {
        digits.insert(digits.len() - places, '.');
        exponent += i32::try_from(places).unwrap();
    }
    format!("{sign}{digits}e{exponent}")
}

/// Returns both as integer multiples of the same power of ten.
fn scaled(a: (i64, i32), b: (i64, i32)) -> (i128, i128) {
    let least = a.1.min(b.1);
    let scale = |(mantissa, exponent): (i64, i32)| {
        i128::from(mantissa) * 10i128.pow(u32::try_from(exponent - least).unwrap())
    };
    (scale(a), scale(b))
}

proptest! {
    #[test]
    fn a_value_has_one_meaning_however_it_is_written(
        mantissa in any::<i64>(), exponent in -300..300, places in 0usize..20, zeros in 0usize..20
    ) {
        let plain = Decimal::new(&format!("{mantissa}e{exponent}"));
        let other = Decimal::new(&spell(mantissa, exponent, places, zeros));
        prop_assert_eq!(&plain, &other);
        prop_assert_eq!(plain.cmp(&other), Ordering::Equal);
    }

    #[test]
    fn order_and_multiples_are_exact(
        a in (-10_000_000i64..10_000_000, -8..8),
        b in (-10_000_000i64..10_000_000, -8..8),
        places in 0usize..8,
    ) {
        let (left, right) = scaled(a, b);
        let decimal_a = Decimal::new(&spell(a.0, a.1, places, 2));
        let decimal_b = Decimal::new(&spell(b.0, b.1, 0, 0));
        prop_assert_eq!(decimal_a.cmp(&decimal_b), left.cmp(&right));
        if right != 0 {
            prop_assert_eq!(decimal_a.is_multiple_of(&decimal_b), left % right == 0);
        }
    }

    #[test]
    fn multiples_of_a_step_are_found(
        step in 1i64..1_000_000_000, step_exponent in -30..30, times in any::<u32>()
    ) {
        let product = i128::from(step) * i128::from(times);
        let value = Decimal::new(&format!("{product}e{step_exponent}"));
        let step = Decimal::new(&format!("{step}e{step_exponent}"));
        prop_assert!(value.is_multiple_of(&step));
    }

    #[test]
    fn long_numbers_are_divided_without_loss(digits in "[1-9][0-9]{60,120}", step in 2u64..u64::MAX) {
        let rest = digits.bytes().fold(0u128, |rest, digit| {
            (rest * 10 + u128::from(digit - b'0')) % u128::from(step)
        });
        let value = Decimal::new(&digits);
        prop_assert_eq!(value.is_multiple_of(&Decimal::new(&step.to_string())), rest == 0);
    }

    #[test]
    fn whole_numbers_come_back(value in any::<i128>()) {
        let decimal = Decimal::new(&value.to_string());
        prop_assert!(decimal.is_integer());
        prop_assert_eq!(decimal.to_i128(), Some(value));
    }

    #[test]
    fn order_agrees_with_doubles_where_those_are_exact(a in any::<i32>(), b in any::<i32>()) {
        let (a, b) = (f64::from(a) / 8.0, f64::from(b) / 8.0);
        let order = Decimal::new(&a.to_string()).cmp(&Decimal::new(&b.to_string()));
        prop_assert_eq!(Some(order), a.partial_cmp(&b));
    }
}

#[test]
fn numbers_beyond_any_machine_type_have_an_order() {
    let texts = [
        "-1e99999999999999999999",
        "-1e400",
        "-2",
        "-1e-400",
        "0",
        "1e-99999999999999999999",
        "1e-400",
        "1",
        "170141183460469231731687303715884105728",
        "1e400",
        "1e99999999999999999999",
    ];
    for pair in texts.windows(2) {
        assert!(Decimal::new(pair[0]) < Decimal::new(pair[1]), "{pair:?}");
    }
    assert_eq!(Decimal::new("-0.00e5"), Decimal::new("0"));
}

#[test]
fn whole_numbers_are_whole_however_they_are_written() {
    for text in ["42.0", "4.2e1", "0.0", "-0", "1e400", "120e-1"] {
        assert!(Decimal::new(text).is_integer(), "{text}");
    }
    for text in ["0.5", "1e-1", "121e-1"] {
        assert!(!Decimal::new(text).is_integer(), "{text}");
        assert_eq!(Decimal::new(text).to_i128(), None);
    }
    assert_eq!(Decimal::new("1e400").to_i128(), None);
    assert_eq!(
        Decimal::new("-170141183460469231731687303715884105728").to_i128(),
        Some(i128::MIN)
    );
    assert_eq!(
        Decimal::new("170141183460469231731687303715884105728").to_i128(),
        None
    );
}

#[test]
fn multiples_hold_at_the_limits() {
    let multiple =
        |value: &str, step: &str| Decimal::new(value).is_multiple_of(&Decimal::new(step));
    assert!(multiple("0.3", "0.1"));
    assert!(multiple("19.99", "0.01"));
    assert!(!multiple("19.995", "0.01"));
    assert!(multiple("0", "7"));
    assert!(multiple("-14", "7"));
    assert!(multiple("1e400", "8"));
    assert!(!multiple("5", "10"));
    assert!(!multiple("1", "0"));
    let near = "34028236692093846346337460743176821145";
    assert!(multiple(near, near));
    assert!(!multiple("34028236692093846346337460743176821146", near));
    assert!(multiple("68056473384187692692674921486353642290", near));
    let beyond = "34028236692093846346337460743176821147";
    assert!(!multiple(beyond, beyond));
}
