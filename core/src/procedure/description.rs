//! Options that describe a procedure: its documentation, its groups and its errors.
//!
//! Nothing here changes how a call runs, except that `idempotent` opens the procedure to GET.

use docent_describe::Deprecation;
use schemars::JsonSchema;

use super::Procedure;

impl<S> Procedure<S> {
    /// Marks the procedure as *safe*: it changes nothing on the server (JSON-RPC 1.1, section 6.3.2).
    ///
    /// GET can then call it, and so can anything that follows links or fills caches, such as an `<img>` on
    /// any web page. Do not confuse it with the idempotence of HTTP: a DELETE is idempotent there, but it is
    /// not safe.
    ///
    /// `build()` warns if the name says that calls change something, as `member.remove` does; see
    /// [`idempotent_because`](Self::idempotent_because).
    pub fn idempotent(mut self) -> Self {
        self.options.described.idempotent = true;
        self
    }

    /// Marks the procedure as *safe*, like [`idempotent`](Self::idempotent), although its name says that
    /// calls change something. The reason replaces the warning. It is for readers of the code, and is not
    /// published.
    ///
    /// The first word of the name's last part (`member.remove`, `removeMember`) decides:
    /// [`changing_verb`](docent_describe::changing_verb) lists the verbs.
    ///
    /// ```
    /// # use docent::{Cx, Fault, Procedure, Service};
    /// let add = Procedure::sync("add", |_: Cx, p: Vec<f64>| Ok::<_, Fault>(p.iter().sum::<f64>()))
    ///     .idempotent_because("it adds numbers, and stores nothing");
    /// let service = Service::builder("sums", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c24")
    ///     .procedure(add)
    ///     .build()?;
    /// assert!(service.description().procs[0].idempotent);
    /// assert!(service.warnings().is_empty());
    /// # Ok::<(), docent::BuildError>(())
    /// ```
    pub fn idempotent_because(mut self, reason: impl Into<String>) -> Self {
        self.options.described.idempotent = true;
        self.options.idempotent_because = Some(reason.into());
        self
    }

    /// Sets the summary, one sentence. By default, it is the first paragraph of the documentation
    /// of the parameters.
    pub fn summary(mut self, sentence: impl Into<String>) -> Self {
        self.options.described.summary = Some(sentence.into());
        self
    }

    /// Sets the description, in Markdown. By default, it is the rest of the documentation of the
    /// parameters.
    pub fn description(mut self, markdown: impl Into<String>) -> Self {
        self.options.described.description = Some(markdown.into());
        self
    }

    /// Documents the procedure in Markdown: the first paragraph is the summary, and the rest is the
    /// description. It replaces the documentation of the parameters.
    pub fn documentation(mut self, markdown: &str) -> Self {
        self.options.documentation = Some(markdown.to_owned());
        self.options.described.summary = None;
        self.options.described.description = None;
        self
    }

    /// Describes the result, in Markdown.
    pub fn returns(mut self, markdown: impl Into<String>) -> Self {
        self.options.returns = Some(markdown.into());
        self
    }

    /// Adds the procedure to a group. Adding it twice changes nothing.
    pub fn tag(mut self, tag: impl Into<String>) -> Self {
        let tag = tag.into();
        if !self.options.described.tags.contains(&tag) {
            self.options.described.tags.push(tag);
        }
        self
    }

    /// Declares an error without data. The handler returns it as a [`Fault`](crate::Fault).
    pub fn error(mut self, code: i64, message: &str) -> Self {
        let _ = self.types.errors.add(code, message);
        self
    }

    /// Declares an error with data of type `D`.
    ///
    /// ```
    /// # use docent::{Cx, Fault, Procedure};
    /// let lend = Procedure::sync("lend", |_: Cx, _: Vec<u32>| {
    ///     Err::<(), _>(Fault::new(1409, "Already lent").with_data("until Friday"))
    /// })
    /// .error_with_data::<String>(1409, "Already lent");
    /// # let _ = lend;
    /// ```
    pub fn error_with_data<D: JsonSchema>(mut self, code: i64, message: &str) -> Self {
        let _ = self.types.errors.add(code, message).data::<D>();
        self
    }

    /// Declares only those errors of the handler's error type that have one of these codes, so that several
    /// procedures can share an error enum. If the handler returns another code, it is logged, and the caller gets
    /// an Internal error.
    ///
    /// ```
    /// use docent::{Cx, Procedure, RpcError, Service};
    ///
    /// #[derive(Debug, RpcError)]
    /// enum LibraryError {
    ///     #[rpc(code = 1404)]
    ///     NoSuchBook,
    ///     #[rpc(code = 1409)]
    ///     AlreadyLent,
    /// }
    ///
    /// fn get(_: Cx, _: Vec<u32>) -> Result<(), LibraryError> {
    ///     Err(LibraryError::NoSuchBook)
    /// }
    ///
    /// let service = Service::builder("library", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c25")
    ///     .procedure(Procedure::sync("book.get", get).only_errors([1404]))
    ///     .build()?;
    /// let errors = &service.description().procs[0].errors;
    /// assert_eq!((errors.len(), errors[0].code), (1, 1404));
    /// # Ok::<(), docent::BuildError>(())
    /// ```
    pub fn only_errors(mut self, codes: impl IntoIterator<Item = i64>) -> Self {
        let codes: Vec<i64> = codes.into_iter().collect();
        for code in self.types.errors.retain_included(&codes) {
            let mistake = format!(
                "only_errors lists {code}, which the error type does not declare; correct or remove it"
            );
            self.options.mistakes.push(mistake);
        }
        self
    }

    /// Declares that the handler may return any code that is not [reserved](crate::code::RESERVED),
    /// and those that are [left to servers](crate::code::is_implementation_defined).
    pub fn errors_open(mut self) -> Self {
        self.types.errors.open();
        self
    }

    /// Documents that the procedure is meant to be called as a notification, without an `id`.
    pub fn notification(mut self) -> Self {
        self.options.described.notification = true;
        self
    }

    /// Marks the procedure as deprecated.
    ///
    /// ```
    /// # use docent::{Cx, Fault, Procedure};
    /// use docent::describe::Deprecation;
    ///
    /// let mut deprecation = Deprecation::default();
    /// deprecation.since = Some("2.0".to_owned());
    /// deprecation.instead = Some("book.find".to_owned());
    /// let search = Procedure::sync("search", |_: Cx, (): ()| Ok::<_, Fault>("Moby-Dick"))
    ///     .deprecated(deprecation);
    /// # let _ = search;
    /// ```
    pub fn deprecated(mut self, deprecation: Deprecation) -> Self {
        self.options.described.deprecated = Some(deprecation);
        self
    }
}
