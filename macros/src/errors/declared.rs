//! The content of `#[rpc(…)]`.

use proc_macro2::{Ident, TokenStream};
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Attribute, Error, Expr, LitBool, LitInt, LitStr, Meta};

use crate::example::members_in;
use crate::problems::MacroProblems;

/// An attribute of a variant.
pub(crate) enum Said {
    Nothing,
    Code(Box<Declared>),
    Transparent,
    FromAnyError,
    /// An attribute that could not be read. It has been reported.
    Wrong,
}

/// An error with a code.
pub(crate) struct Declared {
    pub(crate) code: Expr,
    pub(crate) message: TokenStream,
    pub(crate) status: Option<LitInt>,
    pub(crate) retry: Option<LitBool>,
}

impl Said {
    /// Reads the attributes of the variant `name`.
    pub(crate) fn of(attributes: &[Attribute], name: &Ident, problems: &mut MacroProblems) -> Self {
        let mut own = attributes.iter().filter(|it| it.path().is_ident("rpc"));
        let (Some(attribute), second) = (own.next(), own.next()) else {
            return Self::Nothing;
        };
        if let Some(second) = second {
            problems.add(second, "a variant has one `#[rpc(…)]`");
        }
        let read = match &attribute.meta {
            Meta::List(_) => attribute.parse_args_with(|input: ParseStream<'_>| read(input, name)),
            _ => Err(wrong(attribute)),
        };
        problems.take(read).unwrap_or(Self::Wrong)
    }
}

fn wrong(place: impl quote::ToTokens) -> Error {
    Error::new_spanned(
        place,
        "write `#[rpc(code = 1404, message = \"No such book\")]`, or `#[rpc(transparent)]` for a \
         variant that holds another error",
    )
}

fn read(input: ParseStream<'_>, name: &Ident) -> syn::Result<Said> {
    let ahead = input.fork();
    let flag = ahead.parse::<Ident>().ok().filter(|_| ahead.is_empty());
    if let Some(flag) = flag {
        input.parse::<Ident>()?;
        return match &*flag.to_string() {
            "transparent" => Ok(Said::Transparent),
            "from_any_error" => Ok(Said::FromAnyError),
            _ => Err(wrong(flag)),
        };
    }
    let names = ["code", "message", "status", "retry"];
    let [code, message, status, retry] = members_in(input, name.span(), names)?;
    let Some(code) = code else {
        let text = format!("`{name}` has no code: write `#[rpc(code = 1404, …)]`");
        return Err(Error::new(name.span(), text));
    };
    let code: Expr = Parser::parse2(Expr::parse, code)?;
    let status = status.map(self::status).transpose()?;
    let retry = retry.map(self::retry).transpose()?;
    if let Some(message) = &message {
        check_message(message)?;
    }
    let message = message.unwrap_or_else(|| {
        let message = proc_macro2::Literal::string(&sentence(name));
        proc_macro2::TokenTree::from(message).into()
    });
    Ok(Said::Code(Box::new(Declared {
        code,
        message,
        status,
        retry,
    })))
}

/// Refuses a message with a placeholder, such as `format!` would fill in: nothing fills it in here.
pub(crate) fn check_message(message: &TokenStream) -> syn::Result<()> {
    let Ok(literal) = syn::parse2::<LitStr>(message.clone()) else {
        return Ok(());
    };
    let text = literal.value();
    let Some(place) = placeholder(&text) else {
        return Ok(());
    };
    Err(Error::new(
        literal.span(),
        format!(
            "the message is the same for every call, and nothing replaces `{place}`: leave it out; \
             callers read values from the data"
        ),
    ))
}

/// Returns the first `{}`, `{0}`, `{name}` or `{name:?}`.
fn placeholder(text: &str) -> Option<&str> {
    text.match_indices('{').find_map(|(start, _)| {
        let length = text[start..].find('}')?;
        let place = &text[start..=start + length];
        let inner = &place[1..length];
        let name = inner.split_once(':').map_or(inner, |(name, _)| name);
        let is_name = name.chars().all(|it| it.is_alphanumeric() || it == '_');
        is_name.then_some(place)
    })
}

fn status(tokens: TokenStream) -> syn::Result<LitInt> {
    let status: LitInt = Parser::parse2(LitInt::parse, tokens)?;
    match status.base10_parse() {
        Ok(400_u16..=599) => Ok(status),
        _ => Err(Error::new_spanned(
            status,
            "the status of an error is from 400 to 599",
        )),
    }
}

fn retry(tokens: TokenStream) -> syn::Result<LitBool> {
    let text = "`retry` is `true` if the same call may succeed later, and `false` if it cannot";
    Parser::parse2(LitBool::parse, tokens.clone()).map_err(|_| Error::new_spanned(tokens, text))
}

/// Returns the name of a variant as a sentence: `NoSuchBook` is "No such book".
fn sentence(name: &Ident) -> String {
    let name = name.to_string();
    let mut sentence = String::new();
    for letter in name.trim_start_matches("r#").chars() {
        if letter.is_uppercase() && !sentence.is_empty() {
            sentence.push(' ');
            sentence.extend(letter.to_lowercase());
        } else {
            sentence.push(letter);
        }
    }
    sentence
}
