//! Types as they are written: a macro sees their names only.
//!
//! Aliases and imports are invisible to a macro, so these functions can be wrong. They only decide
//! what is generated; the compiler has the last word.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, GenericArgument, Generics, Path, PathArguments, Type};

use crate::problems::MacroProblems;

/// Refuses a type that borrows, and says why.
pub(crate) fn check_owned(ty: &Type, why: &str, may_be_static: bool, problems: &mut MacroProblems) {
    if borrows(ty.to_token_stream(), may_be_static) {
        let text = format!(
            "{why}: write a type without references and lifetimes, such as `String` for `&str` or \
             `Vec<u8>` for `&[u8]`"
        );
        problems.add(ty, text);
    }
}

/// Returns whether a type has a reference or a lifetime in it, as far as its tokens tell.
fn borrows(tokens: TokenStream, may_be_static: bool) -> bool {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let is_borrow = match (token, tokens.peek()) {
            (TokenTree::Group(group), _) => borrows(group.stream(), may_be_static),
            (TokenTree::Punct(tick), Some(TokenTree::Ident(name))) if tick.as_char() == '\'' => {
                *name != "static" || !may_be_static
            }
            (TokenTree::Punct(and), Some(TokenTree::Punct(tick))) if and.as_char() == '&' => {
                tick.as_char() != '\''
            }
            (TokenTree::Punct(punct), _) => punct.as_char() == '&',
            _ => false,
        };
        if is_borrow {
            return true;
        }
    }
    false
}

/// Returns whether the last segment of a path has this name, such as `docent::procedure`.
pub(crate) fn ends_with(path: &Path, name: &str) -> bool {
    path.segments.last().is_some_and(|last| last.ident == name)
}

/// Returns whether a type has this name, with any path and arguments.
pub(crate) fn is_named(ty: &Type, name: &str) -> bool {
    matches!(ty, Type::Path(path) if ends_with(&path.path, name))
}

/// Returns the first type argument of a type with this name.
pub(crate) fn first_of(ty: &Type, name: &str) -> Option<Box<Type>> {
    let Type::Path(path) = ty else {
        return None;
    };
    let last = path.path.segments.last()?;
    if last.ident != name {
        return None;
    }
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(Box::new(ty.clone())),
        _ => None,
    })
}

/// Returns whether a name occurs anywhere in some code.
pub(crate) fn mentions(code: impl ToTokens, name: &str) -> bool {
    code.to_token_stream().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == name,
        TokenTree::Group(group) => mentions(group.stream(), name),
        _ => false,
    })
}

/// Returns whether some code mentions a type or a constant that an item is generic over.
pub(crate) fn mentions_generics(code: impl ToTokens, generics: &Generics) -> bool {
    let tokens = code.to_token_stream();
    let types = generics.type_params().map(|parameter| &parameter.ident);
    let constants = generics.const_params().map(|parameter| &parameter.ident);
    types
        .chain(constants)
        .any(|name| mentions(&tokens, &name.to_string()))
}

/// Returns a name for a struct that none of its fields' types has.
pub(crate) fn free_name<'a>(name: &str, types: impl Iterator<Item = &'a Type>) -> String {
    let all: TokenStream = types.map(ToTokens::to_token_stream).collect();
    let mut name = name.to_owned();
    while mentions(&all, &name) {
        name.push('_');
    }
    name
}

/// Returns whether an attribute of serde has one of these options.
pub(crate) fn has_serde_option(attributes: &[Attribute], names: &[&str]) -> bool {
    attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("serde"))
        .any(|attribute| names.iter().any(|name| mentions(&attribute.meta, name)))
}

/// Returns the attributes with one of these names.
pub(crate) fn attributes<'a>(
    attributes: &'a [Attribute],
    names: &'a [&str],
) -> impl Iterator<Item = &'a Attribute> {
    attributes
        .iter()
        .filter(move |attribute| names.iter().any(|name| attribute.path().is_ident(name)))
}

/// Returns `author_lists` as `AuthorLists`.
pub(crate) fn camel_case(name: &str) -> String {
    let mut camel_case = String::new();
    for word in name.split('_') {
        let mut letters = word.chars();
        if let Some(first) = letters.next() {
            camel_case.extend(first.to_uppercase());
        }
        camel_case.push_str(letters.as_str());
    }
    camel_case
}

/// Returns a name as callers see it.
pub(crate) fn plain(name: &Ident) -> String {
    syn::ext::IdentExt::unraw(name).to_string()
}
