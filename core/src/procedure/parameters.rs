//! The passing of parameters, and waivers for constraints on them.
//!
//! The type says which parameters there are. These options say what a type cannot: an order, other
//! names, and what is checked elsewhere.

use super::Procedure;

impl<S> Procedure<S> {
    /// Sets the name of the parameter if the procedure takes a list. The default is `values`.
    pub fn list_name(mut self, name: impl Into<String>) -> Self {
        self.options.list_name = Some(name.into());
        self
    }

    /// Makes callers pass the parameters by name only. Required parameters may then follow optional
    /// ones.
    ///
    /// ```
    /// # use docent::{Cx, Fault, Procedure, Service};
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct Find {
    ///     language: Option<String>,
    ///     words: String,
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let find = Procedure::sync("find", |_: Cx, p: Find| Ok::<_, Fault>((p.language, p.words)));
    /// let service = Service::builder("library", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c20")
    ///     .procedure(find.by_name_only())
    ///     .build()?;
    /// let refused = service.call::<()>("find", &["en", "whale"]).await.unwrap_err();
    /// assert_eq!(refused.code(), Some(-32602));
    /// # Ok(())
    /// # }
    /// ```
    pub fn by_name_only(mut self) -> Self {
        self.options.described.by_name_only = true;
        self
    }

    /// Ignores unknown parameters that are passed by name, for callers that are newer than the service. By
    /// default, a call with an unknown name is rejected, because it is usually a typo. The description says
    /// `"ignoresUnknown": true`.
    ///
    /// [`ServiceBuilder::ignore_unknown`](crate::ServiceBuilder::ignore_unknown) does it for all procedures.
    ///
    /// ```
    /// # use docent::{Cx, Fault, Procedure, Service};
    /// # use serde_json::json;
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct Find {
    ///     words: String,
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let find = Procedure::sync("find", |_: Cx, p: Find| Ok::<_, Fault>(p.words)).ignore_unknown();
    /// let service = Service::builder("library", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c25")
    ///     .procedure(find)
    ///     .build()?;
    /// let found: String = service.call("find", &json!({"words": "whale", "fuzzy": true})).await?;
    /// assert_eq!(found, "whale");
    /// # Ok(())
    /// # }
    /// ```
    pub fn ignore_unknown(mut self) -> Self {
        self.options.described.ignores_unknown = true;
        self
    }

    /// Sets the positional order of the parameters: all of their names, required ones first.
    ///
    /// By default, it is the order of the fields. A flattened field hides that order: without this call,
    /// the procedure then takes parameters by name only.
    pub fn order(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.options.order = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Adds another name for a parameter, such as its former name. The description lists it as
    /// deprecated. A call that uses both names is rejected.
    ///
    /// ```
    /// # use docent::{Cx, Fault, Procedure, Service};
    /// # use serde_json::json;
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct Find {
    ///     words: String,
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let find = Procedure::sync("find", |_: Cx, p: Find| Ok::<_, Fault>(p.words)).alias("words", "text");
    /// let service = Service::builder("library", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c32")
    ///     .procedure(find)
    ///     .build()?;
    /// let found: String = service.call("find", &json!({"text": "whale"})).await?;
    /// assert_eq!(found, "whale");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// `#[serde(alias = "…")]` on a field does the same, unless the struct has a flattened field.
    pub fn alias(mut self, parameter: impl Into<String>, alias: impl Into<String>) -> Self {
        self.options.aliases.push((parameter.into(), alias.into()));
        self
    }

    /// Allows constraints in the schema that Docent cannot enforce. Check them in the handler. The reason is
    /// published.
    pub fn unchecked(mut self, reason: impl Into<String>) -> Self {
        self.options.described.unchecked = Some(reason.into());
        self
    }
}
