//! Refuses types that borrow, where values are owned.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::Type;

use crate::problems::MacroProblems;

/// Refuses a parameter that borrows.
pub(crate) fn check_type(ty: &Type, problems: &mut MacroProblems) {
    let owned = "a parameter owns its value, because it is decoded from the request";
    if let Some(instead) = borrowed(ty.to_token_stream(), false) {
        problems.add(ty, format!("{owned}: write {instead}"));
    }
}

/// Refuses a result that borrows from anything but a `static`.
pub(crate) fn check_result(ty: &Type, problems: &mut MacroProblems) {
    let owned = "a result owns its value, because it is sent after the function has returned";
    if let Some(instead) = borrowed(ty.to_token_stream(), true) {
        problems.add(ty, format!("{owned}: write {instead}"));
    }
}

/// Returns what to write instead of a reference or a lifetime that occurs anywhere in a type.
fn borrowed(tokens: TokenStream, may_be_static: bool) -> Option<String> {
    let tokens: Vec<_> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        let rest = &tokens[at + 1..];
        let instead = match token {
            TokenTree::Group(group) => borrowed(group.stream(), may_be_static),
            TokenTree::Punct(punct) if punct.as_char() == '&' => {
                let is_static = matches!(lifetime(rest), Some((name, _)) if name == "static");
                (!(is_static && may_be_static))
                    .then(|| format!("{} instead of a reference", owned(rest)))
            }
            _ => match lifetime(&tokens[at..]) {
                Some((name, _)) if name != "static" => {
                    Some(format!("a type without the lifetime `'{name}`"))
                }
                _ => None,
            },
        };
        if instead.is_some() {
            return instead;
        }
    }
    None
}

/// Returns the lifetime at the start of some tokens, and the tokens after it.
fn lifetime(tokens: &[TokenTree]) -> Option<(String, &[TokenTree])> {
    match tokens {
        [TokenTree::Punct(tick), name, rest @ ..] if tick.as_char() == '\'' => {
            Some((name.to_string(), rest))
        }
        _ => None,
    }
}

/// Returns the type to write instead of a reference to `referred`.
fn owned(referred: &[TokenTree]) -> String {
    let referred = lifetime(referred).map_or(referred, |(_, rest)| rest);
    match referred {
        [TokenTree::Ident(name), ..] if name == "str" => "`String`".to_owned(),
        [TokenTree::Ident(name), ..] if name != "mut" => format!("`{name}`"),
        [TokenTree::Group(slice), ..] => format!("`Vec<{}>`", slice.stream()),
        _ => "the type itself".to_owned(),
    }
}
