//! The options of a procedure, in the parentheses of `#[procedure(…)]`.
//!
//! Each option becomes a call of a method of `Procedure`. What the options mean, and whether they
//! fit together, is checked there and by `build()`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::discouraged::Speculative;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Error, Expr, LitStr, Meta, Token};

use crate::deprecation::deprecated;
use crate::duration::duration;
use crate::example::{error, example, tool};
use crate::members::{given_twice, literal, members_in, skip_to_comma, unknown, value};
use crate::problems::{MacroProblems, both};
use crate::root::Root;

/// Options that may be given more than once.
const REPEATABLE_OPTIONS: [&str; 4] = ["tag", "scope", "error", "example"];

/// All options of a procedure. Those that `Options::setter` has no rule for are setters of `Procedure`.
const PROCEDURE_OPTIONS: [&str; 29] = [
    "blocking",
    "by_name_only",
    "cache_for",
    "deprecated",
    "description",
    "error",
    "errors_open",
    "etag_by",
    "example",
    "idempotent",
    "idempotent_because",
    "ignore_unknown",
    "keys_without_caller",
    "list_name",
    "max_concurrent",
    "name",
    "notification",
    "only_errors",
    "order",
    "rate",
    "repeatable",
    "returns",
    "scope",
    "shared_cache",
    "summary",
    "tag",
    "timeout",
    "tool",
    "unchecked",
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

/// The call of a setter of `Procedure` that an option stands for.
#[derive(Clone)]
struct OptionSetter {
    option: Ident,
    call: TokenStream,
}

impl Options {
    /// Reads the options of an attribute on a method.
    pub(crate) fn of_attribute(
        root: Root,
        attribute: &Attribute,
        problems: &mut MacroProblems,
    ) -> Self {
        match &attribute.meta {
            Meta::Path(_) => Self::default(),
            Meta::List(list) => Self::read(root, list.tokens.clone(), &[], problems),
            Meta::NameValue(_) => {
                let text = "write the options in parentheses: `#[procedure(idempotent)]`";
                problems.add(attribute, text);
                Self::default()
            }
        }
    }

    /// Reads options, of an attribute that may also have others. Those that are right are kept.
    pub(crate) fn read(
        root: Root,
        tokens: TokenStream,
        names_of_attribute: &'static [&'static str],
        problems: &mut MacroProblems,
    ) -> Self {
        let mut options = Self {
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
    /// those that may be given more than once are added to it.
    pub(crate) fn add_shared(&mut self, shared: &Self) {
        for setter in &shared.setters {
            if is_repeatable(&setter.option) || !self.names.contains(&setter.option) {
                self.setters.push(setter.clone());
            }
        }
        self.names.extend(shared.names.iter().cloned());
        self.blocking = self.blocking.or(shared.blocking);
        self.etag_by = self.etag_by.take().or(shared.etag_by.clone());
        self.deprecated = self.deprecated.take().or(shared.deprecated.clone());
    }

    /// Returns the calls of the setters of `Procedure`.
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
        if !PROCEDURE_OPTIONS.contains(&&*name) {
            let known = [self.names_of_attribute, &PROCEDURE_OPTIONS].concat();
            return Err(unknown(option, &known));
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
            "example" => example(root, span, input)?,
            "rate" => rate(option, input)?,
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
