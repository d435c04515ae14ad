//! The option `client` of an `impl`. It is read with and without the feature of the same name, so that code with it compiles
//! either way.

use proc_macro2::{Ident, TokenStream};
use syn::{Error, LitBool, LitStr};

/// The name of the struct, as the attribute specifies it.
#[derive(Default)]
pub(crate) enum ClientName {
    /// The name of the type of the `impl`, followed by `Client`.
    #[default]
    OfType,
    /// A name that the attribute gives.
    #[cfg_attr(
        not(feature = "client"),
        expect(dead_code, reason = "only clients need it")
    )]
    Chosen(Ident),
    /// No client.
    None,
}

impl ClientName {
    /// Reads `"LibraryClient"` or `false`.
    pub(crate) fn read(value: TokenStream) -> syn::Result<Self> {
        if let Ok(LitBool { value: false, .. }) = syn::parse2(value.clone()) {
            return Ok(Self::None);
        }
        let name = syn::parse2(value.clone()).and_then(|name: LitStr| name.parse());
        name.map(Self::Chosen).map_err(|_| {
            let text = "`client` needs the name of the client's type, `client = \"BookClient\"`, \
                        or `false` for no client";
            Error::new_spanned(value, text)
        })
    }
}
