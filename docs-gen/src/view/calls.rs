//! Examples, and the form to make a call of one's own.

use docent_describe::json::{Json, Object, is_deceptive, push_quoted, shorten};
use docent_describe::{ErrorDescription, Example, ParamDescription, ProcedureDescription};
use serde::Serialize;

use super::errors::Declared;
use super::scope::Scope;
use super::words::words;
use crate::access;
use crate::call::{self, Call};
use crate::json_text;
use crate::links::{Ids, Links};
use crate::markdown;
use crate::markup::Markup;
use crate::schema::{self, Shape, Shared, resolve, shape};
use crate::strings::Strings;
use crate::text;
use crate::text::shown_name;

/// How much of a message is shown.
const SHOWN: usize = 24_000;

/// A name longer than this is no tab's.
const TAB: usize = 32;

/// Of so many of the declared errors the answer is shown beside the examples.
const FAILURES: usize = 12;

/// How long a value may be that fills a field of the form.
const FILLED: usize = 20_000;

/// A call and what it answers, as JSON.
#[derive(Debug, Serialize)]
pub(super) struct Shown {
    id: String,
    href: String,
    title: String,
    /// What its tab says.
    label: String,
    /// Its name, where that is too long for a tab.
    name: Option<String>,
    text: Option<Markup>,
    made: bool,
    request: Markup,
    response: Option<Markup>,
    cut: bool,
}

/// An error that a procedure declares, as it is answered.
#[derive(Debug, Serialize)]
pub(super) struct Failure {
    id: String,
    href: String,
    label: String,
    response: Markup,
}

/// The form to try a call.
#[expect(
    clippy::struct_excessive_bools,
    reason = "what a template asks about a call, one a question"
)]
#[derive(Debug, Serialize)]
pub(super) struct CallForm {
    /// The procedure's name as a JSON string: nothing in it is spelt out, so what is sent is the
    /// name itself.
    method: String,
    variadic: bool,
    positional: bool,
    notification: bool,
    /// Whether a bearer token lets the caller in.
    token: bool,
    address: String,
    fields: Vec<Field>,
}

#[expect(
    clippy::struct_excessive_bools,
    reason = "what a template asks about a field, one a question"
)]
#[derive(Debug, Serialize)]
struct Field {
    id: String,
    key: String,
    name: String,
    kind: &'static str,
    hint: Markup,
    required: bool,
    optional: bool,
    given: bool,
    number: bool,
    value: String,
    long: bool,
    rows: usize,
    options: Vec<Choice>,
}

#[derive(Debug, Serialize)]
struct Choice {
    value: String,
    chosen: bool,
}

impl Scope<'_> {
    pub(super) fn examples(
        &self,
        ids: &mut Ids,
        procedure: &ProcedureDescription,
        call: &Call,
    ) -> Vec<Shown> {
        let mut shown: Vec<Shown> = procedure
            .examples
            .iter()
            .take(50)
            .enumerate()
            .map(|(at, example)| self.example(ids, procedure, example, at + 1))
            .collect();
        if shown.is_empty() && call.made && !call.lacks {
            let result = procedure
                .returns
                .as_ref()
                .filter(|_| !procedure.notification);
            let shared = &self.description().components.schemas;
            let example = Example {
                params: call.params.clone(),
                result: result.and_then(|returns| schema::example(shared, &returns.schema)),
                ..Example::default()
            };
            if result.is_some() && example.result.is_none() {
                // Half an example would say that there is no response.
                return shown;
            }
            let mut made = self.example(ids, procedure, &example, 1);
            made.made = true;
            shown.push(made);
        }
        shown
    }

    fn example(
        &self,
        ids: &mut Ids,
        procedure: &ProcedureDescription,
        example: &Example,
        number: usize,
    ) -> Shown {
        let id = ids.assign(&format!("example.{number}"));
        let request = json_text::pretty(&call::request(procedure, example.params.as_ref()), SHOWN);
        let response =
            call::response(procedure, example).map(|message| json_text::pretty(&message, SHOWN));
        let numbered = match procedure.examples.len() {
            ..2 => self.strings.get("example").to_owned(),
            _ => self.strings.with("example.numbered", &number.to_string()),
        };
        let summary = example.summary.as_deref().map(text::one_line);
        let name = summary.filter(|summary| !summary.trim().is_empty());
        let (label, name) = match name {
            Some(name) if name.chars().count() <= TAB => (name, None),
            name => (numbered, name),
        };
        let title = match &example.summary {
            Some(summary) => self
                .strings
                .with("example.titled", &shorten(&text::one_line(summary), 120)),
            None if procedure.examples.len() < 2 => self.strings.get("example").to_owned(),
            None => self.strings.with("example.numbered", &number.to_string()),
        };
        Shown {
            href: self.links.same_page(&id),
            id: self.links.id(&id),
            label,
            name: name.map(|name| shorten(&name, 200).into_owned()),
            title,
            text: example
                .description
                .as_deref()
                .map(|text| markdown::render(self.form(), text, 3)),
            made: false,
            cut: !request.whole || response.as_ref().is_some_and(|response| !response.whole),
            request: json_text::block(self.form(), &request.text),
            response: response.map(|response| json_text::block(self.form(), &response.text)),
        }
    }

    /// The declared errors that no example shows.
    pub(super) fn failures(
        &self,
        ids: &mut Ids,
        procedure: &ProcedureDescription,
        errors: &[Declared],
    ) -> Vec<Failure> {
        let code = |error: &Json| error.get("code").and_then(Json::as_i64);
        let shown: Vec<i64> = (procedure.examples.iter())
            .filter_map(|example| code(example.error.as_ref()?))
            .collect();
        let shared = &self.description().components.schemas;
        let declared = procedure.errors.iter().zip(errors);
        let hidden = declared.filter(|(error, _)| !shown.contains(&error.code));
        let failure = |(error, declared): (&ErrorDescription, &Declared)| {
            let id = ids.assign(&format!("answer.{}", error.code));
            let mut members = Object::new();
            members.insert("code".to_owned(), Json::from(error.code));
            members.insert("message".to_owned(), Json::from(error.message.as_str()));
            if let Some(data) = &error.data {
                // An answer without its data would not be what the service sends.
                members.insert("data".to_owned(), schema::example(shared, data)?);
            }
            let example = Example {
                error: Some(Json::Object(members)),
                ..Example::default()
            };
            let response = call::response(procedure, &example)?;
            let response = json_text::pretty(&response, SHOWN);
            Some(Failure {
                id: self.links.id(&id),
                href: declared.href.clone(),
                label: format!("{} {}", error.code, shorten(&error.message, TAB)),
                response: json_text::block(self.form(), &response.text),
            })
        };
        hidden.take(FAILURES).filter_map(failure).collect()
    }

    pub(super) fn call_form(&self, procedure: &ProcedureDescription, call: &Call) -> CallForm {
        let mut method = String::new();
        push_quoted(&mut method, &procedure.name);
        let shared = &self.description().components.schemas;
        let fields = procedure
            .params
            .iter()
            .take(100)
            .enumerate()
            .map(|(index, param)| {
                let given = call::argument(procedure, call.params.as_ref(), index);
                Field::new(&self.links, self.strings, shared, param, given, index)
            })
            .collect();
        CallForm {
            method,
            variadic: procedure.params.iter().any(|param| param.variadic),
            positional: call::is_by_position(procedure),
            notification: procedure.notification,
            token: access::takes_token(self.description(), procedure),
            address: self
                .service
                .address
                .as_ref()
                .map(|address| address.text.clone())
                .unwrap_or_default(),
            fields,
        }
    }
}

impl Field {
    fn new(
        links: &Links<'_>,
        strings: &Strings,
        shared: &Shared,
        param: &ParamDescription,
        given: Option<&Json>,
        index: usize,
    ) -> Self {
        let schema = resolve(shared, &param.schema);
        let form = shape(schema);
        let made;
        let value = if let Some(value) = given.or(param.default.as_ref()) {
            value
        } else {
            made = schema::example(shared, &param.schema).unwrap_or_default();
            &made
        };
        let options = match &form.shape {
            Shape::Enum(values) if values.len() <= 200 => choices(
                values.iter().map(|choice| choice.value),
                value,
                form.nullable,
            ),
            Shape::Scalar("boolean") => choices(
                [&Json::Bool(true), &Json::Bool(false)].into_iter(),
                value,
                form.nullable,
            ),
            _ => Vec::new(),
        };
        let kind = match (&form.shape, value) {
            _ if param.variadic => "json",
            _ if !options.is_empty() => "json",
            (Shape::Scalar("integer" | "number"), Json::Number(_)) if !form.nullable => "number",
            (Shape::Scalar("string"), Json::String(text))
                if !form.nullable && is_typeable(text) =>
            {
                "string"
            }
            _ => "json",
        };
        let printed = json_text::pretty(value, FILLED);
        let value = match value {
            Json::String(text) if kind == "string" => text.clone(),
            _ if printed.whole => printed.text,
            _ => "null".to_owned(),
        };
        let mut key = String::new();
        push_quoted(&mut key, &param.name);
        Self {
            id: links.id(&format!("try-{index}")),
            key,
            name: shorten(&shown_name(&param.name), 80).into_owned(),
            kind,
            hint: words(links, strings, &param.schema),
            required: param.required,
            optional: !param.required && !param.variadic,
            given: given.is_some(),
            number: kind == "number",
            long: kind == "json" && (value.len() > 40 || value.contains(['\n', '{', '['])),
            rows: value.lines().count().clamp(2, 12),
            value,
            options,
        }
    }
}

fn choices<'j>(
    values: impl Iterator<Item = &'j Json>,
    chosen: &Json,
    nullable: bool,
) -> Vec<Choice> {
    let null = nullable.then_some(&Json::Null);
    values
        .chain(null)
        .map(|value| Choice {
            value: json_text::brief(value, 2000),
            chosen: value == chosen,
        })
        .collect()
}

/// Whether a text can stand in a field of one line and come out as it went in.
fn is_typeable(text: &str) -> bool {
    text.len() < FILLED
        && !text
            .chars()
            .any(|character| is_deceptive(character) || character.is_control())
}
