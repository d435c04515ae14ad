//! The constraints in the `#[schemars(…)]` attributes of an argument, noted in its schema.
//!
//! schemars ignores a constraint if the schema of the type has no `type` to tell what it is about, as that of
//! a type with a name. Its derive knows the attribute and not the schema, so the keywords are noted beside the
//! schema, and `docent-describe` puts those that are missing into it.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, Lit, Meta, MetaList, Token};

use crate::types::has_serde_option;

/// Returns the attribute that notes the constraints of an argument, if it has some.
pub(crate) fn note(attributes: &[Attribute]) -> Option<TokenStream> {
    if has_serde_option(attributes, &["flatten"]) {
        return None;
    }
    let noted: Vec<_> = attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("schemars"))
        .filter_map(|attribute| attribute.meta.require_list().ok())
        .flat_map(constraints)
        .collect();
    (!noted.is_empty())
        .then(|| quote!(#[schemars(extend("x-docent-attributes" = { #(#noted),* }))]))
}

/// Returns the constraints in a list of attributes, each as a member of a JSON object. What schemars does
/// not know, it reports itself.
fn constraints(list: &MetaList) -> Vec<TokenStream> {
    nested(list).iter().filter_map(constraint).collect()
}

/// Returns a constraint as a member of a JSON object: its name, with its keywords.
fn constraint(meta: &Meta) -> Option<TokenStream> {
    let name = meta.path().get_ident()?.to_string();
    let keywords = match (name.as_str(), meta) {
        ("length", Meta::List(list)) => bounds(list, &["Length", "Items"]),
        ("range", Meta::List(list)) => bounds(list, &["imum"]),
        ("regex" | "pattern" | "contains", Meta::List(list)) => {
            let pattern = pattern(list)?;
            quote!("pattern": (#pattern).to_string())
        }
        ("email" | "url" | "ip" | "ipv4" | "ipv6", Meta::Path(_)) => quote!("format": #name),
        ("inner", Meta::List(list)) => {
            let inside = constraints(list);
            quote!(#(#inside),*)
        }
        _ => return None,
    };
    Some(quote!(#name: { #keywords }))
}

/// Returns the keywords for the bounds in `length(…)` or `range(…)`: each suffix makes a pair of them.
fn bounds(list: &MetaList, suffixes: &[&str]) -> TokenStream {
    let mut keywords = Vec::new();
    for meta in nested(list) {
        let Meta::NameValue(bound) = &meta else {
            continue;
        };
        let value = value(&bound.value);
        let prefixes: &[&str] = match bound.path.get_ident().map(ToString::to_string).as_deref() {
            Some("min") => &["min"],
            Some("max") => &["max"],
            Some("equal") => &["min", "max"],
            _ => &[],
        };
        for prefix in prefixes {
            keywords.extend(suffixes.iter().map(|suffix| {
                let keyword = format!("{prefix}{suffix}");
                quote!(#keyword: #value)
            }));
        }
    }
    quote!(#(#keywords),*)
}

/// Returns the expression of a bound. schemars also takes it as a text.
fn value(value: &Expr) -> Expr {
    if let Expr::Lit(ExprLit {
        lit: Lit::Str(text),
        ..
    }) = value
        && let Ok(expression) = text.parse()
    {
        return expression;
    }
    value.clone()
}

/// Returns the text in `regex(pattern = …)`, `pattern(…)` or `contains(…)`.
fn pattern(list: &MetaList) -> Option<Expr> {
    for meta in nested(list) {
        if let Meta::NameValue(named) = meta
            && named.path.is_ident("pattern")
        {
            return Some(named.value);
        }
    }
    list.parse_args().ok()
}

/// Returns the attributes in a list, or none if it has another form.
fn nested(list: &MetaList) -> Punctuated<Meta, Token![,]> {
    Punctuated::parse_terminated
        .parse2(list.tokens.clone())
        .unwrap_or_default()
}
