//! The options of a procedure, in the parentheses of `#[procedure(…)]` or `#[subscription(…)]`.
//!
//! Each option becomes a call of a method of `Procedure` or `Subscription`. What the options mean, and whether they
//! fit together, is checked there and by `build()`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::discouraged::Speculative;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Error, Expr, LitStr, Meta, Token};

use crate::deprecation::deprecated;
use crate::duration::duration;
use crate::example::{error, example, example_of_items, tool};
use crate::kind::HandlerKind;
use crate::members::{given_twice, literal, members_in, skip_to_comma, unknown, value};
use crate::problems::{MacroProblems, both};
use crate::root::Root;

/// Options that may be given more than once.
const REPEATABLE_OPTIONS: [&str; 4] = ["tag", "scope", "error", "example"];

/// The options of procedures and of subscriptions. Those that `Options::setter` has no rule for are setters of
/// `Procedure` and of `Subscription`.
const COMMON_OPTIONS: [&str; 20] = [
    "by_name_only",
    "deprecated",
    "description",
    "error",
    "errors_open",
    "example",
    "idempotent",
    "idempotent_because",
    "ignore_unknown",
    "list_name",
    "max_concurrent",
    "name",
    "only_errors",
    "order",
    "rate",
    "scope",
    "summary",
    "tag",
    "timeout",
    "unchecked",
];

/// The options that only procedures have, because a subscription has no result.
const RESULT_OPTIONS: [&str; 9] = [
    "blocking",
    "cache_for",
    "etag_by",
    "keys_without_caller",
    "notification",
    "repeatable",
    "returns",
    "shared_cache",
    "tool",
];

/// The options that only subscriptions have.
const ITEM_OPTIONS: [&str; 5] = [
    "ends_untold",
    "items",
    "notified_as",
    "resume_by",
    "skip_missed",
];

/// Options that need a feature, the feature, and whether it is on. The features of this crate are
/// those of docent-core.
const FEATURE_OPTIONS: [(&str, &str, bool); 4] = [
    ("keys_without_caller", "keys", cfg!(feature = "keys")),
    ("repeatable", "keys", cfg!(feature = "keys")),
    ("rate", "rate-limits", cfg!(feature = "rate-limits")),
    ("tool", "mcp", cfg!(feature = "mcp")),
];

/// The options of a procedure, as an attribute specifies them.
#[derive(Default)]
pub(crate) struct Options {
    pub(crate) kind: HandlerKind,
    /// The name of the procedure, if it is not that of the function.
    pub(crate) name: Option<LitStr>,
    /// The span of `blocking`, if the function blocks its thread.
    pub(crate) blocking: Option<Span>,
    /// The value of `etag_by`, which knows the version of a result.
    pub(crate) etag_by: Option<Expr>,
    /// The attribute `#[deprecated]` for the users of a client.
    pub(crate) deprecated: Option<TokenStream>,
    /// The options of the attribute that are not of a procedure, which the error for an unknown one names too.
    names_of_attribute: &'static [&'static str],
    setters: Vec<OptionSetter>,
    /// The names of the options so far, since most may be given only once.
    names: Vec<Ident>,
}

/// The call of a setter that an option stands for.
#[derive(Clone)]
struct OptionSetter {
    option: Ident,
    call: TokenStream,
}

impl Options {
    /// Reads the options of an attribute on a method.
    pub(crate) fn of_attribute(
        root: Root,
        kind: HandlerKind,
        attribute: &Attribute,
        problems: &mut MacroProblems,
    ) -> Self {
        let tokens = match &attribute.meta {
            Meta::Path(_) => TokenStream::new(),
            Meta::List(list) => list.tokens.clone(),
            Meta::NameValue(_) => {
                let name = kind.name();
                let text = format!("write the options in parentheses: `#[{name}(idempotent)]`");
                problems.add(attribute, text);
                TokenStream::new()
            }
        };
        Self::read(root, kind, tokens, &[], problems)
    }

    /// Reads options, of an attribute that may also have others. Those that are right are kept.
    pub(crate) fn read(
        root: Root,
        kind: HandlerKind,
        tokens: TokenStream,
        names_of_attribute: &'static [&'static str],
        problems: &mut MacroProblems,
    ) -> Self {
        let mut options = Self {
            kind,
            names_of_attribute,
            ..Self::default()
        };
        let read = Parser::parse2(
            |input: ParseStream<'_>| options.read_all(root, input, problems),
            tokens,
        );
        problems.take(read);
        options
    }

    /// Reads all options. One that is wrong does not keep the others from being read.
    fn read_all(
        &mut self,
        root: Root,
        input: ParseStream<'_>,
        problems: &mut MacroProblems,
    ) -> syn::Result<()> {
        while !input.is_empty() {
            // After a mistake, the next option follows the next comma.
            let attempt = input.fork();
            match self.read_one(root, &attempt) {
                Ok(()) => input.advance_to(&attempt),
                Err(error) => {
                    problems.push(error);
                    skip_to_comma(input)?;
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(())
    }

    /// Reads the option that comes next, and adds what it stands for.
    fn read_one(&mut self, root: Root, input: ParseStream<'_>) -> syn::Result<()> {
        let option = input.call(Ident::parse_any).map_err(|error| {
            let text = "every option needs a name, as in `name = \"find\"`";
            Error::new(error.span(), text)
        })?;
        if self.names.contains(&option) && !is_repeatable(&option) {
            return Err(given_twice(&option));
        }
        self.names.push(option.clone());
        let setter = self.setter(root, &option, input);
        let (setter, ()) = both(setter, check_feature(root, &option))?;
        self.setters
            .extend(setter.map(|call| OptionSetter { option, call }));
        Ok(())
    }

    /// Adds the options that all procedures of an `impl` share. One that the procedure has itself stays, and
    /// those that may be given more than once are added to it. A subscription gets those that it can have.
    pub(crate) fn add_shared(&mut self, shared: &Self) {
        for setter in &shared.setters {
            if !self.is_known(&setter.option.to_string()) {
                continue;
            }
            if is_repeatable(&setter.option) || !self.names.contains(&setter.option) {
                self.setters.push(setter.clone());
            }
        }
        self.names.extend(shared.names.iter().cloned());
        if self.kind == HandlerKind::Procedure {
            self.blocking = self.blocking.or(shared.blocking);
            self.etag_by = self.etag_by.take().or(shared.etag_by.clone());
        }
        self.deprecated = self.deprecated.take().or(shared.deprecated.clone());
    }

    /// Returns the options that only this kind of handler has.
    fn own_options(&self) -> &'static [&'static str] {
        match self.kind {
            HandlerKind::Procedure => &RESULT_OPTIONS,
            HandlerKind::Subscription => &ITEM_OPTIONS,
        }
    }

    fn is_known(&self, option: &str) -> bool {
        COMMON_OPTIONS.contains(&option) || self.own_options().contains(&option)
    }

    /// Returns the calls of the setters.
    pub(crate) fn setters(&self) -> impl Iterator<Item = &TokenStream> {
        self.setters.iter().map(|setter| &setter.call)
    }

    /// Reads the value of an option, and returns the call of its setter if it has one. An option without a
    /// rule of its own is the setter of this name, so the compiler reports a value of the wrong type.
    fn setter(
        &mut self,
        root: Root,
        option: &Ident,
        input: ParseStream<'_>,
    ) -> syn::Result<Option<TokenStream>> {
        let span = option.span();
        let has_value = input.peek(Token![=]);
        let has_members = input.peek(syn::token::Paren);
        let name = option.to_string();
        if !self.is_known(&name) {
            if self.kind == HandlerKind::Subscription && RESULT_OPTIONS.contains(&&*name) {
                let text =
                    format!("`{name}` is for results, and a subscription has none: remove it");
                return Err(Error::new(span, text));
            }
            let mut known = [&COMMON_OPTIONS[..], self.own_options()].concat();
            known.sort_unstable();
            return Err(unknown(option, &[self.names_of_attribute, &known].concat()));
        }
        Ok(Some(match &*name {
            "name" => {
                let name = value(option, input)?;
                self.name = Some(literal("name", name.into_token_stream())?);
                return Ok(None);
            }
            "blocking" => {
                self.blocking = Some(span);
                return Ok(None);
            }
            "deprecated" => {
                let (setter, note) = deprecated(root, option, input)?;
                self.deprecated = Some(note);
                setter
            }
            "etag_by" => {
                self.etag_by = Some(value(option, input)?);
                return Ok(None);
            }
            "error" => error(span, input)?,
            "example" => match self.kind {
                HandlerKind::Procedure => example(root, span, input)?,
                HandlerKind::Subscription => example_of_items(root, span, input)?,
            },
            "rate" => rate(option, input)?,
            "resume_by" => resume_by(option, input)?,
            "tool" if has_members => tool(root, span, input)?,
            "tool" if has_value => {
                let name = value(option, input)?;
                quote_spanned!(span=> .tool_named(#name))
            }
            name @ ("timeout" | "cache_for" | "repeatable") => {
                let duration = duration(name, &value(option, input)?)?;
                quote_spanned!(span=> .#option(#duration))
            }
            _ if has_value => {
                let value = value(option, input)?;
                quote_spanned!(span=> .#option(#value))
            }
            _ => quote_spanned!(span=> .#option()),
        }))
    }

    /// Returns the function that knows the version of a result, if it is named.
    pub(crate) fn version_function(&self) -> Option<&Ident> {
        let function = match self.etag_by.as_ref()? {
            Expr::Call(call) if call.args.is_empty() => &*call.func,
            function => function,
        };
        match function {
            Expr::Path(function) if function.qself.is_none() => function.path.get_ident(),
            _ => None,
        }
    }

    /// Returns whether that function is written as a call without arguments: it takes the state alone. A name
    /// takes what the handler takes.
    pub(crate) fn version_is_of_state(&self) -> bool {
        matches!(self.etag_by, Some(Expr::Call(_)))
    }

    #[cfg(feature = "client")]
    pub(crate) fn is_idempotent(&self) -> bool {
        self.names
            .iter()
            .any(|option| option == "idempotent" || option == "idempotent_because")
    }
}

/// Returns whether an option may be given more than once.
fn is_repeatable(option: &Ident) -> bool {
    REPEATABLE_OPTIONS.iter().any(|name| option == name)
}

/// Refuses an option whose feature is off: its setter does not exist.
fn check_feature(root: Root, option: &Ident) -> syn::Result<()> {
    let needed = FEATURE_OPTIONS.iter().find(|(name, ..)| option == name);
    let Some((_, feature, false)) = needed else {
        return Ok(());
    };
    let text = format!(
        "`{option}` needs the feature `{feature}` of {}: write `features = [\"{feature}\"]` in Cargo.toml",
        root.package()
    );
    Err(Error::new(option.span(), text))
}

/// Parses `rate(100, per = "60s")`.
fn rate(option: &Ident, input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let Ok((calls, Some(per))) = calls_and_period(input) else {
        let form = "`rate` needs a number of calls and a period: write `rate(100, per = \"60s\")`";
        return Err(Error::new(option.span(), form));
    };
    let per = duration("per", &syn::parse2(per)?)?;
    Ok(quote_spanned!(option.span()=> .#option(#calls, #per)))
}

/// Parses `(100, per = "60s")`. The period may be missing.
fn calls_and_period(input: ParseStream<'_>) -> syn::Result<(Expr, Option<TokenStream>)> {
    let content;
    syn::parenthesized!(content in input);
    let calls = content.parse()?;
    content.parse::<Token![,]>()?;
    let [per] = members_in(&content, ["per"])?;
    Ok((calls, per))
}

/// Parses `resume_by("after", |item| …)`, the name of a parameter and the cursor of an item.
fn resume_by(option: &Ident, input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let Ok((parameter, cursor)) = parameter_and_cursor(input) else {
        let form = "`resume_by` needs a parameter and the cursor of an item: write \
                    `resume_by(\"after\", |item| item.number)`";
        return Err(Error::new(option.span(), form));
    };
    Ok(quote_spanned!(option.span()=> .#option(#parameter, #cursor)))
}

/// Parses `("after", |item| …)`.
fn parameter_and_cursor(input: ParseStream<'_>) -> syn::Result<(LitStr, Expr)> {
    let content;
    syn::parenthesized!(content in input);
    let parameter = content.parse()?;
    content.parse::<Token![,]>()?;
    let cursor = content.parse()?;
    content.parse::<Option<Token![,]>>()?;
    Ok((parameter, cursor))
}
