//! Adds examples of calls to a procedure.
//!
//! `build()` tries them: the parameters have to decode, and results and errors have to match the
//! description.

use docent_describe::Example;
use docent_describe::json::Json;
use serde::Serialize;

use super::Procedure;

impl<S> Procedure<S> {
    /// Adds an example: parameters and a result. `build()` checks that the parameters decode and
    /// that the result matches the description. It does not run the handler.
    pub fn example(self, params: impl Serialize, result: impl Serialize) -> Self {
        self.add_example(answered(None, &params, &result))
    }

    /// Adds an example with a summary.
    pub fn example_with_summary(
        self,
        summary: impl Into<String>,
        params: impl Serialize,
        result: impl Serialize,
    ) -> Self {
        self.add_example(answered(Some(summary.into()), &params, &result))
    }

    /// Adds an example of a subscription: parameters, and the first items.
    pub(crate) fn example_items(
        self,
        summary: Option<String>,
        params: impl Serialize,
        items: impl IntoIterator<Item = impl Serialize>,
    ) -> Self {
        self.add_example(subscribed(summary, &params, items))
    }

    /// Adds an example with parameters only. `build()` composes the result from the examples of the return type or
    /// of its parts.
    ///
    /// ```
    /// # use docent::{Cx, Fault, Procedure, Service};
    /// # use schemars::JsonSchema;
    /// # use serde::Serialize;
    /// #[derive(Serialize, JsonSchema)]
    /// #[schemars(example = Book { title: "Moby-Dick" })]
    /// struct Book {
    ///     title: &'static str,
    /// }
    ///
    /// let find = |_: Cx, _: Vec<u16>| Ok::<_, Fault>(vec![Book { title: "Moby-Dick" }]);
    /// let service = Service::builder("library", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c15")
    ///     .procedure(Procedure::sync("find", find).example_params([1851]))
    ///     .build()?;
    /// let result = service.description().procs[0].examples[0].result.as_ref().unwrap();
    /// assert_eq!(result.to_string(), r#"[{"title":"Moby-Dick"}]"#);
    /// # Ok::<(), docent::BuildError>(())
    /// ```
    ///
    /// Values are never made up: `build()` returns an error if a string, a number or a boolean has no example.
    pub fn example_params(self, params: impl Serialize) -> Self {
        self.add_example(called(None, &params))
    }

    /// Adds an example with parameters only, with a summary.
    pub fn example_params_with_summary(
        self,
        summary: impl Into<String>,
        params: impl Serialize,
    ) -> Self {
        self.add_example(called(Some(summary.into()), &params))
    }

    /// Adds an example of a call that fails: parameters, the error code, and its `data` (`()` for
    /// none).
    ///
    /// `build()` checks that the code is declared, that the data has the declared type, and that
    /// the parameters decode. The message is taken from the declaration.
    ///
    /// The code -32602 needs no declaration. If the parameters do not decode, leave the data out, and
    /// Docent fills it in. If they decode but the handler rejects them, give the data of
    /// [`Fault::invalid_params`](crate::Fault::invalid_params).
    ///
    /// ```
    /// # use docent::{Cx, Fault, Procedure, Service};
    /// let lend = Procedure::sync("lend", |_: Cx, _: Vec<u32>| Err::<(), _>(Fault::new(1404, "No such book")))
    ///     .error(1404, "No such book")
    ///     .example_error([7], 1404, ());
    ///
    /// let service = Service::builder("library", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c14")
    ///     .procedure(lend)
    ///     .build()?;
    /// assert_eq!(service.description().procs[0].examples.len(), 1);
    /// # Ok::<(), docent::BuildError>(())
    /// ```
    pub fn example_error(self, params: impl Serialize, code: i64, data: impl Serialize) -> Self {
        self.add_example(failed(None, &params, code, &data))
    }

    /// Adds an example of a call that fails, with a summary.
    pub fn example_error_with_summary(
        self,
        summary: impl Into<String>,
        params: impl Serialize,
        code: i64,
        data: impl Serialize,
    ) -> Self {
        self.add_example(failed(Some(summary.into()), &params, code, &data))
    }

    fn add_example(mut self, example: Result<Example, String>) -> Self {
        match example {
            Ok(example) => self.options.described.examples.push(example),
            Err(error) => {
                let mistake = format!("an example cannot be written as JSON: {error}");
                self.options.mistakes.push(mistake);
            }
        }
        self
    }
}

/// Creates an example of parameters alone.
fn called(summary: Option<String>, params: &impl Serialize) -> Result<Example, String> {
    let mut example = Example::default();
    example.summary = summary;
    example.params = unless_null(to_json(params)?);
    Ok(example)
}

/// Creates an example with a result.
fn answered(
    summary: Option<String>,
    params: &impl Serialize,
    result: &impl Serialize,
) -> Result<Example, String> {
    let mut example = called(summary, params)?;
    example.result = Some(to_json(result)?);
    Ok(example)
}

/// Creates an example with items.
fn subscribed(
    summary: Option<String>,
    params: &impl Serialize,
    items: impl IntoIterator<Item = impl Serialize>,
) -> Result<Example, String> {
    let items: Result<Vec<Json>, String> = items.into_iter().map(|item| to_json(&item)).collect();
    let mut example = called(summary, params)?;
    example.items = Some(items?);
    Ok(example)
}

/// Creates an example with an error. Its message is added once all errors are known.
fn failed(
    summary: Option<String>,
    params: &impl Serialize,
    code: i64,
    data: &impl Serialize,
) -> Result<Example, String> {
    let data = unless_null(to_json(data)?).map(|data| ("data", data));
    let error = [("code", Json::from(code))].into_iter().chain(data);
    let mut example = called(summary, params)?;
    example.error = Some(Json::Object(error.collect()));
    Ok(example)
}

fn unless_null(value: Json) -> Option<Json> {
    (value != Json::Null).then_some(value)
}

/// Converts `value` to JSON and keeps the text of its numbers.
fn to_json(value: &impl Serialize) -> Result<Json, String> {
    serde_json::to_string(value)
        .map_err(|error| error.to_string())?
        .parse()
        .map_err(|error: docent_describe::json::SyntaxError| error.to_string())
}
