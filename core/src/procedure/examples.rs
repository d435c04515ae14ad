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
        self.add_example(None, &params, &result, None)
    }

    /// Adds an example with a summary.
    pub fn example_with_summary(
        self,
        summary: impl Into<String>,
        params: impl Serialize,
        result: impl Serialize,
    ) -> Self {
        self.add_example(Some(summary.into()), &params, &result, None)
    }

    /// Adds an example of a call that fails: parameters, the error code, and its `data` (`()` for
    /// none).
    ///
    /// `build()` checks that the code is declared, that the data has the declared type, and that
    /// the parameters decode. The message is taken from the declaration. The code -32602 needs no
    /// declaration: if the parameters do not decode, leave the data out, and Docent fills it in; if
    /// they do, the handler must reject them, and the data must be that of
    /// [`Fault::invalid_params`](crate::Fault::invalid_params).
    ///
    /// ```
    /// # use docent_core::{Cx, Fault, Procedure, Service};
    /// let lend = Procedure::sync("lend", |_: Cx, _: Vec<u32>| Err::<(), _>(Fault::new(1404, "No such book")))
    ///     .error(1404, "No such book")
    ///     .example_error([7], 1404, ());
    ///
    /// let service = Service::builder("library", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c14")
    ///     .procedure(lend)
    ///     .build()?;
    /// assert_eq!(service.description().procs[0].examples.len(), 1);
    /// # Ok::<(), docent_core::BuildError>(())
    /// ```
    pub fn example_error(self, params: impl Serialize, code: i64, data: impl Serialize) -> Self {
        self.add_example(None, &params, &data, Some(code))
    }

    /// Adds an example of a call that fails, with a summary.
    pub fn example_error_with_summary(
        self,
        summary: impl Into<String>,
        params: impl Serialize,
        code: i64,
        data: impl Serialize,
    ) -> Self {
        self.add_example(Some(summary.into()), &params, &data, Some(code))
    }

    fn add_example(
        mut self,
        summary: Option<String>,
        params: &impl Serialize,
        outcome: &impl Serialize,
        code: Option<i64>,
    ) -> Self {
        match (to_json(params), to_json(outcome)) {
            (Ok(params), Ok(outcome)) => {
                let mut example = Example::default();
                example.summary = summary;
                example.params = unless_null(params);
                match code {
                    None => example.result = Some(outcome),
                    // The message is added once all errors are known.
                    Some(code) => {
                        let data = unless_null(outcome).map(|data| ("data", data));
                        let error = [("code", Json::from(code))].into_iter().chain(data);
                        example.error = Some(Json::Object(error.collect()));
                    }
                }
                self.about.described.examples.push(example);
            }
            (params, outcome) => {
                let errors = [params.err(), outcome.err()].into_iter().flatten();
                let mistakes =
                    errors.map(|error| format!("an example cannot be written as JSON: {error}"));
                self.about.mistakes.extend(mistakes);
            }
        }
        self
    }
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
