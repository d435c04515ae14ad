//! Documentation comments.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Expr, ExprLit, Lit, LitStr, Meta};

/// The lines of a documentation comment. A line may be an expression, such as `include_str!(…)`.
#[derive(Default)]
pub(crate) struct DocComment(Vec<Expr>);

impl DocComment {
    /// Reads the documentation from a list of attributes.
    pub(crate) fn of(attributes: &[Attribute]) -> Self {
        let lines = attributes
            .iter()
            .filter_map(|attribute| match &attribute.meta {
                Meta::NameValue(meta) if meta.path.is_ident("doc") => Some(meta.value.clone()),
                _ => None,
            });
        Self(lines.collect())
    }

    /// Returns the whole text, as a literal if all lines are literals.
    pub(crate) fn text(&self) -> Option<TokenStream> {
        if self.0.is_empty() {
            return None;
        }
        let lines: Vec<_> = self.0.iter().map(line).collect();
        if let Some(lines) = lines.iter().cloned().collect::<Option<Vec<_>>>() {
            let text = lines.join("\n");
            return (!text.trim().is_empty()).then(|| text.trim().to_token_stream());
        }
        let lines = lines.into_iter().zip(&self.0).map(|(line, expr)| {
            let line = line.map_or_else(|| quote!(#expr), |text| quote!(#text));
            quote!(#line, "
")
        });
        Some(quote!(::core::concat!(#(#lines),*)))
    }

    /// Returns the text as an item of a list, for rustdoc. Lines that are expressions are left out.
    pub(crate) fn list_item(&self, name: &str) -> String {
        let mut item = format!("- `{name}`");
        for (at, text) in self.0.iter().filter_map(line).enumerate() {
            item.push_str(if at == 0 { ": " } else { "\n  " });
            item.push_str(text.trim());
        }
        item
    }
}

/// Returns a line as text, without the space after the slashes.
fn line(expr: &Expr) -> Option<String> {
    let Expr::Lit(ExprLit {
        lit: Lit::Str(text),
        ..
    }) = expr
    else {
        return None;
    };
    let text = LitStr::value(text);
    Some(text.strip_prefix(' ').unwrap_or(&text).to_owned())
}
