//! Reads the option `deprecated(since = …, reason = …, instead = …)`.
//!
//! The option is also passed on to the compiler, so that Rust code that calls the function gets a
//! warning.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::parse::ParseStream;
use syn::{Expr, LitStr, Token};

use crate::members::{members, value};
use crate::root::Root;

/// Parses `deprecated`, `deprecated = "reason"` or `deprecated(since = …, reason = …, instead = …)`.
/// Returns the setter, and the compiler's attribute for the users of a client.
pub(crate) fn deprecated(
    root: Root,
    option: &Ident,
    input: ParseStream<'_>,
) -> syn::Result<(TokenStream, TokenStream)> {
    let span = option.span();
    let names = ["since", "reason", "instead"];
    let members = if input.is_empty() || input.peek(Token![,]) {
        [const { None }; 3]
    } else if input.peek(Token![=]) {
        let reason: Expr = value(option, input)?;
        [None, Some(quote!(#reason)), None]
    } else {
        members(input, span, names)?
    };
    let note = compiler_attribute(&members);
    let assignments = names.iter().zip(members).filter_map(|(name, text)| {
        let text = text?;
        let name = Ident::new(name, span);
        Some(quote_spanned!(span=> deprecation.#name = ::core::option::Option::Some((#text).into());))
    });
    let deprecation = quote_spanned!(span=> #root::__private::Deprecation);
    let setter = quote_spanned! {span=>
        .#option({
            let mut deprecation = #deprecation::default();
            #(#assignments)*
            deprecation
        })
    };
    Ok((setter, note))
}

/// Returns the compiler's attribute, with the texts that are literals.
fn compiler_attribute([_, reason, instead]: &[Option<TokenStream>; 3]) -> TokenStream {
    let mut texts = Vec::new();
    texts.extend(literal_text(reason.as_ref()));
    if let Some(procedure) = literal_text(instead.as_ref()) {
        texts.push(format!("call `{procedure}` instead"));
    }
    if texts.is_empty() {
        return quote!(#[deprecated]);
    }
    let note = texts.join("; ");
    quote!(#[deprecated(note = #note)])
}

/// Returns the value of a text, unless it is an expression.
fn literal_text(tokens: Option<&TokenStream>) -> Option<String> {
    let literal: LitStr = syn::parse2(tokens?.clone()).ok()?;
    Some(literal.value())
}
