//! Checks of types and attributes that compile, but do not mean what they seem to.

use proc_macro2::{Ident, Spacing, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, Meta, Type, TypeParamBound};

use crate::problems::Problems;

/// Refuses types that no parameter can have.
pub(crate) fn check_type(ty: &Type, problems: &mut Problems) {
    if let Some(text) = complaint(ty.to_token_stream()) {
        problems.add(ty, text);
    }
}

/// Returns the problem of a type, anywhere in its tokens.
fn complaint(tokens: TokenStream) -> Option<String> {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '&' => {
                let rest: TokenStream = tokens.collect();
                return Some(owned(rest));
            }
            TokenTree::Punct(punct)
                if punct.as_char() == '\'' && punct.spacing() == Spacing::Joint =>
            {
                let name = tokens.next()?;
                if name.to_string() != "static" {
                    return Some(format!(
                        "a parameter owns its value, because it is decoded from the request: write \
                         a type without the lifetime `'{name}`"
                    ));
                }
            }
            TokenTree::Ident(name) if name == "impl" => {
                return Some(
                    "a parameter has one type, which decides how it is decoded and described: \
                     write a concrete type instead of `impl …`"
                        .to_owned(),
                );
            }
            TokenTree::Ident(name) if name == "Self" => {
                return Some(
                    "`Self` has no meaning in the struct that the parameters become: write the \
                     name of the type"
                        .to_owned(),
                );
            }
            TokenTree::Group(group) => {
                if let Some(text) = complaint(group.stream()) {
                    return Some(text);
                }
            }
            _ => {}
        }
    }
    None
}

/// Returns the message about a reference to `referred`.
fn owned(referred: TokenStream) -> String {
    format!(
        "a parameter owns its value, because it is decoded from the request: write {} instead of a \
         reference",
        instead(referred.into_iter().collect())
    )
}

/// Returns the type to write instead of a reference.
fn instead(mut rest: Vec<TokenTree>) -> String {
    // A lifetime or `mut` does not affect the value.
    if matches!(rest.first(), Some(TokenTree::Punct(punct)) if punct.as_char() == '\'') {
        rest.drain(..2.min(rest.len()));
    }
    if matches!(rest.first(), Some(TokenTree::Ident(name)) if name == "mut") {
        rest.remove(0);
    }
    match rest.first() {
        Some(TokenTree::Ident(name)) if name == "str" => "`String`".to_owned(),
        Some(TokenTree::Group(slice)) => format!("`Vec<{}>`", slice.stream()),
        Some(TokenTree::Ident(name)) => format!("`{name}`"),
        _ => "the type itself".to_owned(),
    }
}

/// Refuses results that borrow, because they are sent after the function has returned, and types that
/// are not a `Result`, as far as their names show.
pub(crate) fn check_result(function: &Ident, ty: &Type, problems: &mut Problems) {
    if let Some(text) = borrowed(ty.to_token_stream()) {
        problems.add(ty, text);
    } else if is_future(ty) {
        problems.add(
            ty,
            format!("write `async fn {function}(…)`, and behind `->` what the future resolves to"),
        );
    } else if is_no_result(ty) {
        let written = ty.to_token_stream().to_string().replace(' ', "");
        problems.add(
            ty,
            format!(
                "a procedure returns a `Result`, even if it cannot fail: write \
                 `Result<{written}, Fault>`"
            ),
        );
    }
}

/// Returns whether a type is `impl Future<…>`.
fn is_future(ty: &Type) -> bool {
    let Type::ImplTrait(ty) = ty else {
        return false;
    };
    ty.bounds.iter().any(|bound| {
        matches!(bound, TypeParamBound::Trait(bound)
            if bound.path.segments.last().is_some_and(|last| last.ident == "Future"))
    })
}

/// Returns whether a type is certainly not a `Result` or an alias of one, judging by its name.
fn is_no_result(ty: &Type) -> bool {
    let name = match ty {
        Type::Tuple(_) | Type::Array(_) => return true,
        Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
        _ => None,
    };
    name.is_some_and(|name| NO_RESULTS.contains(&&*name))
}

/// Types that are often returned by mistake instead of a `Result`.
const NO_RESULTS: [&str; 27] = [
    "Option", "Vec", "String", "Box", "Arc", "HashMap", "BTreeMap", "HashSet", "BTreeSet", "Value",
    "bool", "char", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128",
    "isize", "f32", "f64", "Cow",
];

/// Returns the problem of a result that borrows, anywhere in its tokens.
fn borrowed(tokens: TokenStream) -> Option<String> {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '&' => {
                let rest: Vec<TokenTree> = tokens.clone().collect();
                if !is_static(&rest) {
                    return Some(format!(
                        "a result owns its value, because it is sent after the function has \
                         returned: write {} instead of a reference",
                        instead(rest)
                    ));
                }
                tokens.nth(1);
            }
            TokenTree::Punct(punct)
                if punct.as_char() == '\'' && punct.spacing() == Spacing::Joint =>
            {
                let name = tokens.next()?;
                if name.to_string() != "static" {
                    return Some(format!(
                        "a result owns its value, because it is sent after the function has \
                         returned: write a type without the lifetime `'{name}`"
                    ));
                }
            }
            TokenTree::Group(group) => {
                if let Some(text) = borrowed(group.stream()) {
                    return Some(text);
                }
            }
            _ => {}
        }
    }
    None
}

/// Returns whether the tokens after a `&` are `'static …`.
fn is_static(referred: &[TokenTree]) -> bool {
    matches!(referred, [TokenTree::Punct(quote), TokenTree::Ident(name), ..]
        if quote.as_char() == '\'' && name == "static")
}

/// Refuses constraints that schemars silently ignores, because they cannot apply to values of the
/// type.
pub(crate) fn check_constraints(attributes: &[Attribute], ty: &Type, problems: &mut Problems) {
    let name = plain_name(ty);
    let (wrong, text) = match name.as_deref() {
        Some("String" | "Vec") => (
            "range",
            "`range` is for numbers: for a text or a list, write `length(min = …, max = …)`",
        ),
        Some(
            "u8" | "u16" | "u32" | "u64" | "usize" | "i8" | "i16" | "i32" | "i64" | "isize" | "f32"
            | "f64" | "bool",
        ) => (
            "length",
            "`length` is for texts and lists: for a number, write `range(min = …, max = …)`",
        ),
        _ => return,
    };
    for attribute in attributes {
        let Meta::List(list) = &attribute.meta else {
            continue;
        };
        if !list.path.is_ident("schemars") {
            continue;
        }
        for token in list.tokens.clone() {
            if matches!(&token, TokenTree::Ident(name) if name == wrong) {
                problems.add_at(token.span(), text);
            }
        }
    }
}

/// Returns the name of a type of the standard library, or of the type in an `Option`.
fn plain_name(ty: &Type) -> Option<String> {
    let Type::Path(path) = ty else {
        return None;
    };
    let last = path.path.segments.last()?;
    if last.ident == "Option"
        && let syn::PathArguments::AngleBracketed(inner) = &last.arguments
        && let Some(syn::GenericArgument::Type(inner)) = inner.args.first()
    {
        return plain_name(inner);
    }
    path.path.segments.first().filter(|first| {
        path.path.segments.len() == 1 || ["std", "alloc", "core"].iter().any(|it| first.ident == it)
    })?;
    Some(last.ident.to_string())
}

/// Checks a default of serde, which has to be the name of a function. Returns whether it is valid.
pub(crate) fn check_default(attribute: &Attribute, problems: &mut Problems) -> bool {
    let Meta::List(list) = &attribute.meta else {
        return true;
    };
    let tokens: Vec<TokenTree> = list.tokens.clone().into_iter().collect();
    for window in tokens.windows(3) {
        let [name, equals, value] = window else {
            continue;
        };
        let is_default = matches!(name, TokenTree::Ident(name) if name == "default")
            && matches!(equals, TokenTree::Punct(equals) if equals.as_char() == '=');
        if is_default && !value.to_string().ends_with(['"', '#']) {
            problems.add_at(
                value.span(),
                format!(
                    "serde takes the name of a function here: write `#[procedure(default = {value})]`"
                ),
            );
            return false;
        }
    }
    true
}
