//! Reads the options `example(params = …, result = …)`, `error(code = …, message = …)` and
//! `tool(name = …)`. The example of a subscription has `items` instead of `result`.
//!
//! They become calls of the methods of `Procedure` and `Subscription`, which check them when the service is built.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::parse::{ParseStream, Parser};
use syn::{Error, Token};

use crate::members::{check_message, members, skip_to_comma};
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
    Ok(call(setter, span, summary, &quote!(#params #outcome)))
}

/// Returns the call of `example` or `example_error` for an example of a subscription.
pub(crate) fn example_of_items(
    root: Root,
    span: Span,
    input: ParseStream<'_>,
) -> syn::Result<TokenStream> {
    let names = ["summary", "params", "items", "error", "data"];
    let [summary, params, items, error, data] = members(input, span, names)?;
    let params = json(root, params);
    let (setter, outcome) = match (items, error, data) {
        (Some(items), None, None) => ("example", json_list(root, items)?),
        (None, Some(code), data) => {
            let data = json(root, data);
            ("example_error", quote!(#code, #data))
        }
        _ => {
            let text = "an example has either items or an error, and an error may have data: write \
                        `example(params = [1], items = [2, 3])` or \
                        `example(params = [1], error = 1404, data = {\"id\": 1})`";
            return Err(Error::new(span, text));
        }
    };
    Ok(call(setter, span, summary, &quote!(#params, #outcome)))
}

/// Returns the call of a setter, or of the one with a summary.
fn call(
    setter: &str,
    span: Span,
    summary: Option<TokenStream>,
    arguments: &TokenStream,
) -> TokenStream {
    if let Some(summary) = summary {
        let setter = Ident::new(&format!("{setter}_with_summary"), span);
        quote_spanned!(span=> .#setter(#summary, #arguments))
    } else {
        let setter = Ident::new(setter, span);
        quote_spanned!(span=> .#setter(#arguments))
    }
}

/// Returns the expression for a value that is written as JSON.
fn json(root: Root, value: Option<TokenStream>) -> TokenStream {
    if let Some(value) = value {
        quote!(#root::__private::json!(#value))
    } else {
        quote!(())
    }
}

/// Returns the expression for a list of values, each of which is written as JSON.
fn json_list(root: Root, list: TokenStream) -> syn::Result<TokenStream> {
    let values = Parser::parse2(values, list).map_err(|error| {
        let text = "`items` needs a list: write `items = [{\"number\": 1}]`";
        Error::new(error.span(), text)
    })?;
    if values.is_empty() {
        return Ok(quote!([(); 0]));
    }
    let values = values.into_iter().map(|value| json(root, Some(value)));
    Ok(quote!([#(#values),*]))
}

/// Parses `[…, …]`, where a value is any tokens.
fn values(input: ParseStream<'_>) -> syn::Result<Vec<TokenStream>> {
    let content;
    syn::bracketed!(content in input);
    let mut values = Vec::new();
    while !content.is_empty() {
        values.push(skip_to_comma(&content)?);
        content.parse::<Option<Token![,]>>()?;
    }
    Ok(values)
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
