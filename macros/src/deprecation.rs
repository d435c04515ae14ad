//! `deprecated(since = …, reason = …, instead = …)`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
use syn::parse::ParseStream;
use syn::{LitStr, Token};

use crate::example::members;
use crate::options::value;
use crate::root::Root;

/// Parses `deprecated`, `deprecated = "reason"` or `deprecated(since = …, reason = …, instead = …)`.
pub(crate) fn deprecated(
    root: Root,
    option: &Ident,
    input: ParseStream<'_>,
) -> syn::Result<(TokenStream, TokenStream)> {
    let span = option.span();
    let mut members = if input.is_empty() || input.peek(Token![,]) {
        [const { None }; 3]
    } else if input.peek(Token![=]) {
        let reason = value(option, input)?;
        [None, Some(quote_spanned!(span=> #reason)), None]
    } else {
        members(input, span, ["since", "reason", "instead"])?
    };
    let note = note(&members);
    let fields = ["since", "reason", "instead"].iter().zip(&mut members);
    let fields = fields.filter_map(|(name, text)| {
        let name = Ident::new(name, span);
        let text = text.take()?;
        Some(quote_spanned!(span=> #name: ::core::option::Option::Some((#text).into()),))
    });
    let deprecation = quote_spanned!(span=> #root::__private::Deprecation);
    let setter = quote_spanned! {span=>
        .#option(#deprecation { #(#fields)* ..::core::default::Default::default() })
    };
    Ok((setter, note))
}

/// Returns the compiler's attribute, with the texts that are literals.
fn note([_, reason, instead]: &[Option<TokenStream>; 3]) -> TokenStream {
    let text = |tokens: &Option<TokenStream>| {
        let text = syn::parse2::<LitStr>(tokens.clone()?).ok()?;
        Some(text.value())
    };
    let note = match (text(reason), text(instead)) {
        (Some(reason), Some(instead)) => format!("{reason}; call `{instead}` instead"),
        (Some(reason), None) => reason,
        (None, Some(instead)) => format!("call `{instead}` instead"),
        (None, None) => return quote_spanned!(Span::call_site()=> #[deprecated]),
    };
    quote_spanned!(Span::call_site()=> #[deprecated(note = #note)])
}
