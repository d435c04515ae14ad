//! `#[docent::main]` on the `main` function of a service: runs it on the runtime of the server.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Error, ItemFn, parse_quote};

use crate::problems::MacroProblems;
use crate::root::Root;

/// Makes an `async fn` a function that runs its body to the end.
pub(crate) fn expand(root: Root, options: &TokenStream, item: TokenStream) -> TokenStream {
    let mut function: ItemFn = match syn::parse2(item) {
        Ok(function) => function,
        Err(error) => {
            let text = format!("`#[docent::main]` belongs on a function: {error}");
            return Error::new(error.span(), text).into_compile_error();
        }
    };
    let mut problems = MacroProblems::default();
    if !options.is_empty() {
        problems.add(options, "`#[docent::main]` takes no options");
    }
    if function.sig.asyncness.take().is_none() {
        problems.add(
            &function.sig.fn_token,
            "`#[docent::main]` needs an `async fn`",
        );
    }
    if !function.sig.inputs.is_empty() {
        problems.add(
            &function.sig.inputs,
            "`#[docent::main]` needs a function without arguments: read them from `std::env::args()`",
        );
    }
    let body = &function.block;
    function.block = Box::new(parse_quote!({ #root::__block_on(async move #body) }));
    let report = problems.report();
    quote!(#function #report)
}
