//! The crate whose items the generated code names.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote_spanned};

/// The crate whose items the generated code names.
#[derive(Clone, Copy)]
pub(crate) struct Root(&'static str);

impl Root {
    pub(crate) const SERVER: Self = Self("docent_server");
    pub(crate) const CORE: Self = Self("docent_core");

    /// The path of an item that only generated code uses, as serde and schemars want it.
    pub(crate) fn private(self, name: &str) -> String {
        format!("::{}::__private::{name}", self.0)
    }

    /// Whether the crate has clients.
    pub(crate) fn has_clients(self) -> bool {
        self.0 == Self::SERVER.0
    }

    /// How users write the path of an item.
    pub(crate) fn path(self, name: &str) -> String {
        format!("{}::{name}", self.0)
    }
}

impl Root {
    /// The path of the crate, with the place that an error about it is shown at.
    pub(crate) fn at(self, span: Span) -> TokenStream {
        let name = Ident::new(self.0, span);
        quote_spanned!(span=> ::#name)
    }
}

impl ToTokens for Root {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.at(Span::call_site()));
    }
}
