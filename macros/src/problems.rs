//! The problems of an item, all reported at once.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Error;

/// Problems, each with its position.
#[derive(Default)]
pub(crate) struct Problems(Option<Error>);

impl Problems {
    /// Adds a problem with `place`.
    pub(crate) fn add(&mut self, place: &impl ToTokens, text: impl std::fmt::Display) {
        self.push(Error::new_spanned(place, text));
    }

    /// Adds a problem at `span`.
    pub(crate) fn add_at(&mut self, span: Span, text: impl std::fmt::Display) {
        self.push(Error::new(span, text));
    }

    pub(crate) fn push(&mut self, error: Error) {
        match &mut self.0 {
            Some(errors) => errors.combine(error),
            none => *none = Some(error),
        }
    }

    /// Returns the value, or keeps the error.
    pub(crate) fn take<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.push(error)).ok()
    }

    /// Returns the code that makes the compiler report the problems, or `None` if there are none.
    pub(crate) fn report(self) -> Option<TokenStream> {
        self.0.map(Error::into_compile_error)
    }
}

/// Returns the report about an item that could not be read, together with the item, so that editors
/// can still complete its content. It is returned without our own attributes, which would be further
/// errors.
pub(crate) fn unread(error: &Error, item: TokenStream) -> TokenStream {
    let mut tokens = without_ours(item);
    tokens.extend(error.to_compile_error());
    tokens
}

/// Returns the tokens without the attributes that only we understand.
fn without_ours(tokens: TokenStream) -> TokenStream {
    let mut kept: Vec<TokenTree> = Vec::new();
    for token in tokens {
        let TokenTree::Group(group) = token else {
            kept.push(token);
            continue;
        };
        let after_hash =
            matches!(kept.last(), Some(TokenTree::Punct(punct)) if punct.as_char() == '#');
        if after_hash && group.delimiter() == Delimiter::Bracket && is_ours(&group) {
            kept.pop();
            continue;
        }
        let mut inner = Group::new(group.delimiter(), without_ours(group.stream()));
        inner.set_span(group.span());
        kept.push(inner.into());
    }
    kept.into_iter().collect()
}

/// Returns whether the brackets of an attribute contain one of ours.
fn is_ours(brackets: &Group) -> bool {
    let mut tokens = brackets.stream().into_iter();
    matches!(tokens.next(), Some(TokenTree::Ident(name)) if name == "procedure" || name == "params")
}
