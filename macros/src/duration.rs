//! Durations in the notation that people use.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Error, Expr, Lit, LitStr};

/// The units, in milliseconds.
const UNITS: [(&str, u64); 5] = [
    ("ms", 1),
    ("s", 1_000),
    ("min", 60_000),
    ("h", 3_600_000),
    ("d", 86_400_000),
];

/// Returns a `Duration`, from a text such as `60s` or from any expression of that type.
pub(crate) fn duration(option: &str, value: &Expr) -> syn::Result<TokenStream> {
    let Expr::Lit(literal) = value else {
        return Ok(quote!(#value));
    };
    match &literal.lit {
        Lit::Str(text) => written(option, text),
        Lit::Int(number) => {
            let text = format!("a duration has a unit: write `{option} = \"{number}s\"`");
            Err(Error::new(number.span(), text))
        }
        _ => Ok(quote!(#value)),
    }
}

fn written(option: &str, text: &LitStr) -> syn::Result<TokenStream> {
    let value = text.value();
    let value = value.trim();
    let digits = value.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = value.split_at(digits);
    let unit = UNITS.iter().find(|(name, _)| *name == unit.trim_start());
    let milliseconds = unit
        .zip(number.parse().ok())
        .and_then(|((_, unit), number): (_, u64)| unit.checked_mul(number));
    let span = text.span();
    let Some(milliseconds) = milliseconds else {
        let text = format!(
            "{:?} is not a duration: write a whole number and a unit (ms, s, min, h or d), such as \
             `{option} = \"60s\"`",
            text.value()
        );
        return Err(Error::new(span, text));
    };
    Ok(if milliseconds % 1_000 == 0 {
        let seconds = milliseconds / 1_000;
        quote_spanned!(span=> ::core::time::Duration::from_secs(#seconds))
    } else {
        quote_spanned!(span=> ::core::time::Duration::from_millis(#milliseconds))
    })
}
