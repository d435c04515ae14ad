//! Codes and statuses that no error can have, found while compiling.
//!
//! The macro reads literals itself. The compiler evaluates expressions of constants, in constants without a
//! name. What else an expression may be, such as the call of a function, `build()` finds.

use std::ops::RangeInclusive;

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, ExprPath, ExprUnary, Generics, Lit, UnOp};

use super::variant::{ErrorKind, ErrorVariant};
use crate::problems::MacroProblems;
use crate::root::Root;
use crate::types::{mentions, mentions_generics, plain};

/// The codes that JSON-RPC 2.0 reserves (section 5.1), as `docent_describe::code::RESERVED`.
const RESERVED_CODES: RangeInclusive<i128> = -32768..=-32000;

/// The statuses of errors.
const ERROR_STATUSES: RangeInclusive<i128> = 400..=599;

/// The name in messages for a code whose value the macro does not know.
const UNKNOWN_CODE: &str = "this error code";

/// A number in an attribute.
enum Number {
    /// A literal, which the macro itself can compare.
    Literal(i128),
    /// An expression that the compiler can evaluate.
    Constant,
    /// An expression that only the running program can evaluate.
    Computed,
}

/// The code of a variant, to be compared with those of later variants.
struct EarlierCode<'a> {
    variant: &'a Ident,
    number: Number,
    /// The code as it was written, for the comparison in the generated code.
    tokens: &'a TokenStream,
}

/// Adds a problem for each code and status that no error can have, and for each code that an earlier
/// variant has. Returns the constants that make the compiler do the same for numbers that are constants.
pub(super) fn check(
    root: Root,
    variants: &[ErrorVariant],
    generics: &Generics,
    problems: &mut MacroProblems,
) -> TokenStream {
    let mut constants = TokenStream::new();
    let mut earlier: Vec<EarlierCode<'_>> = Vec::new();
    for variant in variants {
        let ErrorKind::Declared(declared, _) = &variant.kind else {
            continue;
        };
        if let Some(status) = &declared.status {
            constants.extend(check_status(root, status, generics, problems));
        }
        let code = EarlierCode {
            variant: &variant.name,
            number: Number::read(&declared.code, generics),
            tokens: &declared.code,
        };
        constants.extend(check_code(root, &code, &earlier, problems));
        earlier.push(code);
    }
    constants
}

/// Checks a status: a literal now, and a constant when the code is compiled, for which the check is returned.
fn check_status(
    root: Root,
    status: &TokenStream,
    generics: &Generics,
    problems: &mut MacroProblems,
) -> Option<TokenStream> {
    match Number::read(status, generics) {
        Number::Literal(number) if !ERROR_STATUSES.contains(&number) => {
            problems.add(status, wrong_status(&format!("the status {number}")));
            None
        }
        Number::Constant => {
            let is_wrong = quote!(!#root::__private::is_error_status(#status));
            let text = wrong_status("this status");
            Some(refused_if(status, &[(is_wrong, text)]))
        }
        Number::Literal(_) | Number::Computed => None,
    }
}

/// Checks a code against the reserved ones and those of earlier errors, as [`check_status`] does.
fn check_code(
    root: Root,
    code: &EarlierCode<'_>,
    earlier: &[EarlierCode<'_>],
    problems: &mut MacroProblems,
) -> Option<TokenStream> {
    let tokens = code.tokens;
    let mut conditions = Vec::new();
    match code.number {
        Number::Literal(number) if RESERVED_CODES.contains(&number) => {
            problems.add(tokens, reserved(&format!("the error code {number}")));
        }
        Number::Constant => {
            conditions.push((
                quote!(#root::__private::is_reserved(#tokens)),
                reserved(UNKNOWN_CODE),
            ));
        }
        Number::Literal(_) | Number::Computed => {}
    }
    for other in earlier {
        let name = plain(other.variant);
        match (&code.number, &other.number) {
            (Number::Computed, _) | (_, Number::Computed) => {}
            (Number::Literal(number), Number::Literal(taken)) => {
                if number == taken {
                    let code = format!("the error code {number}");
                    problems.add(tokens, repeated(&code, &name));
                }
            }
            _ => {
                let taken = other.tokens;
                let is_repeated = quote!(#root::__private::is_same_code(#tokens, #taken));
                conditions.push((is_repeated, repeated(UNKNOWN_CODE, &name)));
            }
        }
    }
    (!conditions.is_empty()).then(|| refused_if(tokens, &conditions))
}

fn reserved(code: &str) -> String {
    format!("{code} is reserved for the protocol (-32768…-32000): choose one outside of this range")
}

fn repeated(code: &str, earlier: &str) -> String {
    format!(
        "{code} is declared twice: `{earlier}` has it too; choose another, because callers tell \
         errors apart by their codes"
    )
}

fn wrong_status(status: &str) -> String {
    format!("{status} is not an error status: choose one from 400 to 599")
}

/// Returns a constant that does not compile if one of the conditions holds. The error is shown at
/// `number`.
fn refused_if(number: &TokenStream, conditions: &[(TokenStream, String)]) -> TokenStream {
    let span = number.span();
    let checks = conditions
        .iter()
        .map(|(condition, text)| quote_spanned!(span=> if #condition { ::core::panic!(#text) }));
    quote_spanned!(span=> const _: () = { #(#checks)* };)
}

impl Number {
    /// Finds out how much a macro can know of a number.
    fn read(tokens: &TokenStream, generics: &Generics) -> Self {
        let Ok(expression) = syn::parse2::<Expr>(tokens.clone()) else {
            return Self::Computed;
        };
        // A constant outside of the `impl` knows neither what it is generic over nor `Self`.
        let is_of_impl = mentions_generics(tokens, generics) || mentions(tokens, "Self");
        match literal(&expression) {
            Some(number) => Self::Literal(number),
            None if !is_of_impl && is_constant(&expression) => Self::Constant,
            None => Self::Computed,
        }
    }
}

/// Returns the value of an integer as it is written, such as `1404` or `-7`.
fn literal(expression: &Expr) -> Option<i128> {
    match expression {
        Expr::Lit(ExprLit {
            lit: Lit::Int(number),
            ..
        }) => number.base10_parse().ok(),
        Expr::Unary(ExprUnary {
            op: UnOp::Neg(_),
            expr,
            ..
        }) => literal(expr).map(|number| -number),
        Expr::Paren(inner) => literal(&inner.expr),
        Expr::Group(inner) => literal(&inner.expr),
        _ => None,
    }
}

/// Returns whether an expression has only names, numbers and operators, so that it is known to be
/// constant. A call may be one too, but that depends on the function.
fn is_constant(expression: &Expr) -> bool {
    match expression {
        Expr::Lit(_) | Expr::Path(ExprPath { qself: None, .. }) => true,
        Expr::Unary(unary) => is_constant(&unary.expr),
        Expr::Binary(binary) => is_constant(&binary.left) && is_constant(&binary.right),
        Expr::Cast(cast) => is_constant(&cast.expr),
        Expr::Paren(inner) => is_constant(&inner.expr),
        Expr::Group(inner) => is_constant(&inner.expr),
        _ => false,
    }
}
