//! `#[docent::main]` and `#[docent::test]`: run an `async fn` on the runtime of the server.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse_quote;

use crate::free::function_with;
use crate::problems::MacroProblems;
use crate::root::Root;

/// The kinds of functions in which a service runs.
#[derive(Clone, Copy)]
pub(crate) enum Entry {
    Main,
    Test,
}

impl Entry {
    fn attribute(self) -> &'static str {
        match self {
            Self::Main => "#[docent::main]",
            Self::Test => "#[docent::test]",
        }
    }
}

/// Makes an `async fn` a function that runs its body to the end.
pub(crate) fn expand(
    entry: Entry,
    root: Root,
    options: &TokenStream,
    item: TokenStream,
) -> TokenStream {
    let attribute = entry.attribute();
    let mut function = match function_with(attribute, item) {
        Ok(function) => function,
        Err(error) => return error.into_compile_error(),
    };
    let mut problems = MacroProblems::default();
    if !options.is_empty() {
        problems.add(options, format!("`{attribute}` takes no options"));
    }
    if function.sig.asyncness.take().is_none() {
        let text = format!("`{attribute}` needs an `async fn`");
        problems.add(&function.sig.fn_token, text);
    }
    if !function.sig.inputs.is_empty() {
        let text = format!("`{attribute}` needs a function without arguments");
        problems.add(&function.sig.inputs, text);
    }
    if let Entry::Test = entry {
        function.attrs.push(parse_quote!(#[test]));
    }
    let body = &*function.block;
    *function.block = parse_quote!({ #root::__block_on(async move #body) });
    let report = problems.report();
    quote!(#function #report)
}
