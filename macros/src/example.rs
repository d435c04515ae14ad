//! Reads the options `example(params = …, result = …)`, `error(code = …, message = …)` and
//! `tool(name = …)`.
//!
//! They become calls of the methods of `Procedure`, which check them when the service is built.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Error;
use syn::parse::ParseStream;

use crate::members::{check_message, members};
use crate::root::Root;

/// Returns the call of `example`, `example_error` or `example_params` for an example.
pub(crate) fn example(root: Root, span: Span, input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let names = ["summary", "params", "result", "error", "data"];
    let [summary, params, result, error, data] = members(input, span, names)?;
    let params = json(root, params);
    let (setter, outcome) = match (result, error, data) {
        (Some(result), None, None) => {
            let result = json(root, Some(result));
            ("example", quote!(, #result))
        }
        (None, Some(code), data) => {
            let data = json(root, data);
            ("example_error", quote!(, #code, #data))
        }
        // The result is that of the return type.
        (None, None, None) => ("example_params", TokenStream::new()),
        _ => {
            let text = "an example has either a result or an error, and an error may have data: write \
                        `example(params = [1], result = 2)` or \
                        `example(params = [1], error = 1404, data = {\"id\": 1})`";
            return Err(Error::new(span, text));
        }
    };
    Ok(if let Some(summary) = summary {
        let setter = Ident::new(&format!("{setter}_with_summary"), span);
        quote_spanned!(span=> .#setter(#summary, #params #outcome))
    } else {
        let setter = Ident::new(setter, span);
        quote_spanned!(span=> .#setter(#params #outcome))
    })
}

/// Returns the expression for a value that is written as JSON.
fn json(root: Root, value: Option<TokenStream>) -> TokenStream {
    if let Some(value) = value {
        quote!(#root::__private::json!(#value))
    } else {
        quote!(())
    }
}

/// Returns the call of `error` or `error_with_data` for a declared error.
pub(crate) fn error(span: Span, input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let [code, message, data] = members(input, span, ["code", "message", "data"])?;
    let (Some(code), Some(message)) = (code, message) else {
        let text = "an error needs a code and a message: write `error(code = 1404, message = \"No \
                    such book\")`";
        return Err(Error::new(span, text));
    };
    check_message(&message)?;
    Ok(if let Some(data) = data {
        quote_spanned!(span=> .error_with_data::<#data>(#code, #message))
    } else {
        quote_spanned!(span=> .error(#code, #message))
    })
}

/// Returns the calls of `tool` or `tool_named`, and of `tool_hints`.
pub(crate) fn tool(root: Root, span: Span, input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let names = ["name", "title", "destructive", "repeatable", "open_world"];
    let [name, hints @ ..] = members(input, span, names)?;
    let tool = if let Some(name) = name {
        quote_spanned!(span=> .tool_named(#name))
    } else {
        quote_spanned!(span=> .tool())
    };
    let setters = names[1..].iter().zip(hints).filter_map(|(setter, value)| {
        let value = value?;
        let setter = Ident::new(setter, span);
        Some(quote_spanned!(span=> .#setter(#value)))
    });
    Ok(quote_spanned!(span=> #tool.tool_hints(#root::ToolHints::new() #(#setters)*)))
}
