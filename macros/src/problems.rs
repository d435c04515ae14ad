//! Everything that is wrong with an item, reported at once.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Error;

/// Mistakes, each with its place.
#[derive(Default)]
pub(crate) struct Problems(Option<Error>);

impl Problems {
    /// Adds a mistake in `place`.
    pub(crate) fn add(&mut self, place: &impl ToTokens, text: impl std::fmt::Display) {
        self.push(Error::new_spanned(place, text));
    }

    /// Adds a mistake at `span`.
    pub(crate) fn add_at(&mut self, span: Span, text: impl std::fmt::Display) {
        self.push(Error::new(span, text));
    }

    pub(crate) fn push(&mut self, error: Error) {
        match &mut self.0 {
            Some(errors) => errors.combine(error),
            none => *none = Some(error),
        }
    }

    /// Keeps the error and goes on without the value.
    pub(crate) fn take<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.push(error)).ok()
    }

    /// What makes the compiler report the mistakes. `None` if there are none.
    pub(crate) fn report(self) -> Option<TokenStream> {
        self.0.map(Error::into_compile_error)
    }
}

/// The report of an item that could not be read, together with the item: editors go on completing
/// what is inside. Attributes that are ours would be errors of their own.
pub(crate) fn unread(error: &Error, item: TokenStream) -> TokenStream {
    let mut tokens = without_ours(item);
    tokens.extend(error.to_compile_error());
    tokens
}

/// The tokens without attributes that only we understand.
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

/// Whether the brackets of an attribute hold one of ours.
fn is_ours(brackets: &Group) -> bool {
    let mut tokens = brackets.stream().into_iter();
    matches!(tokens.next(), Some(TokenTree::Ident(name)) if name == "procedure" || name == "params")
}
