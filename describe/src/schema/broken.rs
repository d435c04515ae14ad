//! Decides whether examples of procedures break the schemas that they are examples of.
//!
//! Only certain violations count: an example for which a schema cannot be decided is accepted.
//! `build()` refuses a broken example, and `docent check` reports one.

use crate::code::INVALID_PARAMS;
use crate::json::Json;
use crate::schema::Validator;
use crate::{Example, ParamDescription, ProcedureDescription};

impl Validator<'_> {
    /// Returns whether an example certainly breaks a schema of its procedure: that of a parameter,
    /// of the result, of an item, or of the error's data.
    ///
    /// ```
    /// use docent_describe::json::Json;
    /// use docent_describe::schema::{SchemaContext, Validator};
    /// use docent_describe::{Example, ProcedureDescription, ReturnDescription};
    ///
    /// let components = indexmap::IndexMap::new();
    /// let context = SchemaContext::new(&components, Some(&[]));
    /// let schema: Json = r#"{"type": "integer"}"#.parse()?;
    /// let mut procedure = ProcedureDescription::new("count");
    /// procedure.returns = Some(ReturnDescription::new(schema));
    /// let mut example = Example::default();
    /// example.result = Some("9".into());
    /// assert!(Validator::new(context).is_broken(&procedure, &example));
    /// # Ok::<(), docent_describe::json::SyntaxError>(())
    /// ```
    pub fn is_broken(&self, procedure: &ProcedureDescription, example: &Example) -> bool {
        let error = example.error.as_ref();
        let code = error.and_then(|error| error.get("code")?.as_i64());
        // An example may show a call that is rejected.
        let shows_invalid_params = code == Some(INVALID_PARAMS);
        if !shows_invalid_params && self.has_broken_params(procedure, example.params.as_ref()) {
            return true;
        }
        if let (Some(returns), Some(result)) = (&procedure.returns, &example.result)
            && self.refuses(&returns.schema, result)
        {
            return true;
        }
        if let (Some(subscription), Some(items)) = (&procedure.subscription, &example.items)
            && items
                .iter()
                .any(|item| self.refuses(&subscription.item.schema, item))
        {
            return true;
        }
        let data = error
            .and_then(|error| error.get("data"))
            .unwrap_or(&Json::Null);
        code.is_some_and(|code| self.has_broken_data(procedure, code, data))
    }

    /// Returns whether the data of an error certainly breaks the schemas of all errors with its code.
    fn has_broken_data(&self, procedure: &ProcedureDescription, code: i64, data: &Json) -> bool {
        let mut is_declared = false;
        for declared in &procedure.errors {
            if declared.code == code {
                is_declared = true;
                match &declared.data {
                    Some(schema) if self.refuses(schema, data) => {}
                    // An error without a schema may have any data.
                    _ => return false,
                }
            }
        }
        is_declared
    }

    /// Returns whether a value certainly breaks a schema. The compiled schema is not stored.
    pub(crate) fn refuses(&self, schema: &Json, value: &Json) -> bool {
        self.holds(&self.compile(schema), value) == Some(false)
    }

    /// Returns whether parameters are unknown, missing, or certainly break their schemas.
    fn has_broken_params(&self, procedure: &ProcedureDescription, params: Option<&Json>) -> bool {
        let Some(named) = procedure.named_params(params) else {
            return true;
        };
        procedure
            .params
            .iter()
            .any(|param| self.is_broken_param(param, named.get(&param.name)))
    }

    /// Returns whether a parameter is missing, or certainly breaks its schema.
    fn is_broken_param(&self, param: &ParamDescription, value: Option<&Json>) -> bool {
        match value {
            None => param.required,
            Some(Json::Null) if !param.required => false,
            Some(value) => self.refuses(&param.schema, value),
        }
    }
}
