//! Reads durations in the notation that people use.
//!
//! `"60s"` reads better in an attribute than a call. Expressions are left as they are.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Error, Expr, Lit, LitStr};

/// The units, in milliseconds.
const DURATION_UNITS: [(&str, u64); 5] = [
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
            let text = format!("a duration needs a unit: write `{option} = \"{number}s\"`");
            Err(Error::new(number.span(), text))
        }
        _ => Ok(quote!(#value)),
    }
}

/// Returns the `Duration` of a text, or says how durations are written.
fn written(option: &str, text: &LitStr) -> syn::Result<TokenStream> {
    let span = text.span();
    let value = text.value();
    let Some(milliseconds) = milliseconds(value.trim()) else {
        let text = format!(
            "{value:?} is not a duration: write a whole number and a unit (ms, s, min, h or d), such as \
             `{option} = \"60s\"`"
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

/// Parses a whole number and a unit.
fn milliseconds(text: &str) -> Option<u64> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let (_, factor) = DURATION_UNITS
        .iter()
        .find(|(name, _)| *name == unit.trim_start())?;
    factor.checked_mul(number.parse().ok()?)
}
