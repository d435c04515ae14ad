//! The types of a function as they appear in its client.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{GenericArgument, PathArguments, Type};

use crate::argument::{ParameterArgument, first_of};
use crate::registration::mentions;
use crate::root::Root;

/// Returns the type of an argument of a client's method: texts are borrowed, and all other types are
/// those of the function.
pub(super) fn argument(parameter: &ParameterArgument) -> TokenStream {
    let ty = &parameter.ty;
    if is_serialised_by_hand(parameter) {
        return quote!(#ty);
    }
    if is_text(ty) {
        return quote!(&str);
    }
    match first_of(ty, "Option") {
        Some(inner) if is_text(&inner) => quote!(::core::option::Option<&str>),
        _ => quote!(#ty),
    }
}

/// Returns whether an attribute names a function that takes exactly the written type.
pub(super) fn is_serialised_by_hand(parameter: &ParameterArgument) -> bool {
    let names = ["with", "serialize_with", "skip_serializing_if", "into"];
    parameter.attributes.iter().any(|attribute| {
        let tokens = attribute.meta.to_token_stream();
        attribute.path().is_ident("serde")
            && names.iter().any(|name| mentions(tokens.clone(), name))
    })
}

/// Returns the type in the `Option` of a parameter if `None` means the same as leaving the parameter
/// out. With a default, it does not.
pub(super) fn may_be_left_out(parameter: &ParameterArgument) -> Option<Box<Type>> {
    let has_default = parameter.default.is_some()
        || parameter.attributes.iter().any(|attribute| {
            let tokens = attribute.meta.to_token_stream();
            attribute.path().is_ident("serde")
                && ["default", "deserialize_with"]
                    .iter()
                    .any(|name| mentions(tokens.clone(), name))
        });
    first_of(&parameter.ty, "Option").filter(|_| !has_default)
}

fn is_text(ty: &Type) -> bool {
    let Type::Path(path) = ty else {
        return false;
    };
    let last = path.path.segments.last();
    path.qself.is_none()
        && last.is_some_and(|last| last.ident == "String" && last.arguments.is_none())
}

/// Returns the types of a function's result and error.
pub(super) fn outcome(
    root: Root,
    returned: &Type,
    own: Option<&Type>,
) -> (TokenStream, TokenStream) {
    let parts = written(returned).unwrap_or_else(|| {
        let outcome = quote!(#root::client::Outcome);
        (
            quote!(<#returned as #outcome>::Value),
            quote!(<#returned as #outcome>::Error),
        )
    });
    (owned(parts.0, own), owned(parts.1, own))
}

/// Returns the two arguments of a `Result`. An alias may have fewer.
fn written(returned: &Type) -> Option<(TokenStream, TokenStream)> {
    let Type::Path(path) = returned else {
        return None;
    };
    let last = path
        .path
        .segments
        .last()
        .filter(|it| it.ident == "Result")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    let types: Vec<_> = arguments
        .args
        .iter()
        .filter_map(|argument| match argument {
            GenericArgument::Type(ty) => Some(ty),
            _ => None,
        })
        .collect();
    match *types {
        [value, error] => Some((value.to_token_stream(), error.to_token_stream())),
        _ => None,
    }
}

/// Returns a type in the form in which a client reads it: it owns its values, and `Self` is the type
/// of the `impl`.
pub(super) fn owned(tokens: TokenStream, own: Option<&Type>) -> TokenStream {
    let tokens: Vec<_> = tokens.into_iter().collect();
    let mut read = TokenStream::new();
    let mut rest = &*tokens;
    while let Some((first, others)) = rest.split_first() {
        if let Some((ty, others)) = borrowed(rest, own) {
            read.extend(ty);
            rest = others;
            continue;
        }
        match (first, own) {
            (TokenTree::Ident(name), Some(own)) if name == "Self" => own.to_tokens(&mut read),
            (TokenTree::Group(group), _) => {
                let mut inner = Group::new(group.delimiter(), owned(group.stream(), own));
                inner.set_span(group.span());
                read.extend([TokenTree::Group(inner)]);
            }
            (token, _) => read.extend([token.clone()]),
        }
        rest = others;
    }
    read
}

/// Returns the owned type for `&'static str` or `&'static […]` at the start of some tokens, and the
/// rest.
fn borrowed<'t>(
    tokens: &'t [TokenTree],
    own: Option<&Type>,
) -> Option<(TokenStream, &'t [TokenTree])> {
    let [
        TokenTree::Punct(and),
        TokenTree::Punct(tick),
        TokenTree::Ident(lifetime),
        referred,
        rest @ ..,
    ] = tokens
    else {
        return None;
    };
    if and.as_char() != '&' || tick.as_char() != '\'' || lifetime != "static" {
        return None;
    }
    match referred {
        TokenTree::Ident(name) if name == "str" => Some((quote!(::std::string::String), rest)),
        TokenTree::Group(slice) if slice.delimiter() == Delimiter::Bracket => {
            let of = owned(slice.stream(), own);
            Some((quote!(::std::vec::Vec<#of>), rest))
        }
        _ => None,
    }
}
