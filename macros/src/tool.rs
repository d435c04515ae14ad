//! `tool(name = …, title = …, destructive = …)`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::parse::ParseStream;

use crate::example::members;
use crate::root::Root;

/// Returns the calls of `tool` or `tool_named`, and of `tool_hints`.
pub(crate) fn tool(root: Root, span: Span, input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let names = ["name", "title", "destructive", "repeatable", "open_world"];
    let [name, hints @ ..] = members(input, span, names)?;
    let tool = if let Some(name) = name {
        quote_spanned!(span=> .tool_named(#name))
    } else {
        quote_spanned!(span=> .tool())
    };
    let setters = names[1..].iter().zip(hints);
    let setters: Vec<_> = setters
        .filter_map(|(setter, value)| {
            let (setter, value) = (Ident::new(setter, span), value?);
            Some(quote_spanned!(span=> .#setter(#value)))
        })
        .collect();
    let hints = (!setters.is_empty())
        .then(|| quote_spanned!(span=> .tool_hints(#root::ToolHints::new() #(#setters)*)));
    Ok(quote!(#tool #hints))
}
