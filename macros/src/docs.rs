//! Reads documentation comments, for descriptions and for rustdoc.
//!
//! The same text goes to callers, as Markdown, and to readers of the code.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// The lines of a documentation comment. A line may be an expression, such as `include_str!(…)`.
pub(crate) struct DocComment(Vec<DocLine>);

/// One line of a documentation comment.
enum DocLine {
    /// The text without the space after the slashes.
    Text(String),
    /// An expression such as `include_str!(…)`, which only the compiler can evaluate.
    Expression(Expr),
}

impl DocComment {
    /// Reads the documentation from a list of attributes.
    pub(crate) fn from_attributes(attributes: &[Attribute]) -> Self {
        let mut lines = Vec::new();
        for attribute in attributes {
            if let Meta::NameValue(meta) = &attribute.meta
                && meta.path.is_ident("doc")
            {
                lines.push(line(&meta.value));
            }
        }
        Self(lines)
    }

    /// Returns an expression for the whole text.
    pub(crate) fn text(&self) -> Option<TokenStream> {
        let lines = self.0.iter().map(|line| match line {
            DocLine::Text(text) => quote!(#text),
            DocLine::Expression(expression) => quote!(#expression),
        });
        (!self.0.is_empty()).then(|| quote!(::core::concat!(#(#lines, "\n"),*)))
    }

    /// Returns the text as an item of a list, for rustdoc. Lines that are expressions are left out.
    pub(crate) fn list_item(&self, name: &str) -> Option<String> {
        let text = self
            .0
            .iter()
            .filter_map(|line| match line {
                DocLine::Text(text) => Some(text.trim()),
                DocLine::Expression(_) => None,
            })
            .collect::<Vec<_>>()
            .join("\n  ");
        (!text.is_empty()).then(|| format!("- `{name}`: {text}"))
    }
}

/// Reads the value of one `doc` attribute.
fn line(value: &Expr) -> DocLine {
    match value {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => {
            let text = text.value();
            DocLine::Text(text.strip_prefix(' ').unwrap_or(&text).to_owned())
        }
        other => DocLine::Expression(other.clone()),
    }
}
