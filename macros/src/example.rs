//! `example(params = …, result = …)` and `error(code = …, message = …)`.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Error, Expr, Token, Type};

use crate::errors::check_message;
use crate::root::Root;

/// Returns the call of `example` or `example_error` for an example.
pub(crate) fn example(root: Root, span: Span, input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let names = ["summary", "params", "result", "error", "data"];
    let [summary, params, result, error, data] = members(input, span, names)?;
    let json = |value: Option<TokenStream>| {
        value.map_or_else(
            || quote!(()),
            |value| quote!(#root::__private::json!(#value)),
        )
    };
    let params = json(params);
    let (method, with_summary, outcome) = match (result, error, data) {
        (Some(result), None, None) => {
            let result = json(Some(result));
            ("example", "example_with_summary", quote!(#result))
        }
        (None, Some(code), data) => {
            let code = syn::parse2::<Expr>(code)?;
            let data = json(data);
            (
                "example_error",
                "example_error_with_summary",
                quote!(#code, #data),
            )
        }
        _ => {
            return Err(Error::new(
                span,
                "an example has parameters, and either a result or an error: write \
                 `example(params = [1], result = 2)` or \
                 `example(params = [1], error = 1404, data = {\"id\": 1})`",
            ));
        }
    };
    Ok(if let Some(summary) = summary {
        let method = Ident::new(with_summary, span);
        quote_spanned!(span=> .#method(#summary, #params, #outcome))
    } else {
        let method = Ident::new(method, span);
        quote_spanned!(span=> .#method(#params, #outcome))
    })
}

/// Returns the call of `error` or `error_with_data` for a declared error.
pub(crate) fn error(span: Span, input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let [code, message, data] = members(input, span, ["code", "message", "data"])?;
    let (Some(code), Some(message)) = (code, message) else {
        return Err(Error::new(
            span,
            "an error has a code and a message: write \
             `error(code = 1404, message = \"No such book\")`",
        ));
    };
    let code = syn::parse2::<Expr>(code)?;
    check_message(&message)?;
    Ok(if let Some(data) = data {
        let data = syn::parse2::<Type>(data)?;
        quote_spanned!(span=> .error_with_data::<#data>(#code, #message))
    } else {
        quote_spanned!(span=> .error(#code, #message))
    })
}

/// Parses members in parentheses, `name = value` with commas between them, and returns them in the
/// order of `names`. A value is any tokens, because JSON is not an expression.
pub(crate) fn members<const N: usize>(
    input: ParseStream<'_>,
    span: Span,
    names: [&str; N],
) -> syn::Result<[Option<TokenStream>; N]> {
    if !input.peek(syn::token::Paren) {
        return Err(not_members(span, &names));
    }
    let content;
    syn::parenthesized!(content in input);
    members_in(&content, span, names)
}

/// Returns the error for anything else than members.
fn not_members(span: Span, names: &[&str]) -> Error {
    let form: Vec<_> = names.iter().map(|name| format!("{name} = …")).collect();
    Error::new(
        span,
        format!("this has members in parentheses: ({})", form.join(", ")),
    )
}

/// Parses members up to the end of the input.
pub(crate) fn members_in<const N: usize>(
    content: ParseStream<'_>,
    span: Span,
    names: [&str; N],
) -> syn::Result<[Option<TokenStream>; N]> {
    let mut values = [const { None }; N];
    while !content.is_empty() {
        let name = content
            .call(Ident::parse_any)
            .map_err(|_| not_members(span, &names))?;
        let Some(at) = names.iter().position(|known| name == known) else {
            let text = format!(
                "unknown member `{name}`; there are `{}`",
                names.join("`, `")
            );
            return Err(Error::new(name.span(), text));
        };
        if values[at].is_some() {
            return Err(Error::new(name.span(), format!("`{name}` is given twice")));
        }
        content.parse::<Token![=]>()?;
        let mut value = TokenStream::new();
        while !content.is_empty() && !content.peek(Token![,]) {
            value.extend([content.parse::<TokenTree>()?]);
        }
        if value.is_empty() {
            return Err(Error::new(name.span(), format!("`{name}` has no value")));
        }
        values[at] = Some(value);
        if !content.is_empty() {
            content.parse::<Token![,]>()?;
        }
    }
    Ok(values)
}
