//! The crate whose items the generated code names.
//!
//! Users depend on `docent`, `docent-tower`, `docent-jsonrpsee` or `docent-core`, and generated code can name only the one
//! that they have.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote_spanned};

/// The crate whose items the generated code names.
#[derive(Clone, Copy)]
pub(crate) struct Root(&'static str);

impl Root {
    pub(crate) const DOCENT: Self = Self("docent");
    pub(crate) const DOCENT_TOWER: Self = Self("docent_tower");
    pub(crate) const DOCENT_JSONRPSEE: Self = Self("docent_jsonrpsee");
    pub(crate) const DOCENT_CORE: Self = Self("docent_core");

    /// Returns the path of an item that only generated code uses, in the form for serde and schemars.
    pub(crate) fn private(self, name: &str) -> String {
        format!("::{}::__private::{name}", self.0)
    }

    /// Returns the name of the crate in Cargo.toml.
    pub(crate) fn package(self) -> String {
        self.0.replace('_', "-")
    }

    /// Returns whether the crate has clients.
    pub(crate) fn has_clients(self) -> bool {
        self.0 == Self::DOCENT.0
    }

    /// Returns the path of the crate, with the span at which errors about it are shown.
    pub(crate) fn path_at(self, span: Span) -> TokenStream {
        let name = Ident::new(self.0, span);
        quote_spanned!(span=> ::#name)
    }
}

impl ToTokens for Root {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.path_at(Span::call_site()));
    }
}
