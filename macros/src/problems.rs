//! The problems of an item, all reported at once.
//!
//! syn stops at the first error. An author should see all that is wrong with an item, so problems
//! are collected.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::Error;

/// Problems, each with its position.
#[derive(Default)]
pub(crate) struct MacroProblems(Option<Error>);

impl MacroProblems {
    /// Adds a problem with `tokens`.
    pub(crate) fn add(&mut self, tokens: &impl ToTokens, text: impl std::fmt::Display) {
        self.push(Error::new_spanned(tokens, text));
    }

    /// Adds a problem that has its span already.
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

    /// Returns the value if there are no problems.
    pub(crate) fn into_result<T>(self, value: T) -> syn::Result<T> {
        self.0.map_or(Ok(value), Err)
    }

    /// Returns the code that makes the compiler report the problems, or `None` if there are none.
    pub(crate) fn report(self) -> Option<TokenStream> {
        self.0.map(Error::into_compile_error)
    }
}

/// Returns both values, or all problems.
pub(crate) fn both<A, B>(first: syn::Result<A>, second: syn::Result<B>) -> syn::Result<(A, B)> {
    match (first, second) {
        (Ok(first), Ok(second)) => Ok((first, second)),
        (Err(mut errors), Err(others)) => {
            errors.combine(others);
            Err(errors)
        }
        (Err(error), Ok(_)) | (Ok(_), Err(error)) => Err(error),
    }
}
