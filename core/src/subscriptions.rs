//! Subscriptions as values: procedures whose handlers give a stream of items instead of a result.
//!
//! A subscription is registered like a procedure, and has its options, but for those about results: caches, tools,
//! keys. Its items have a type of their own, so that an option can look into them.
//!
//! As with [`Procedure`], the compiler shows the lines of bounds that a handler does not meet, with their comments, which
//! say what to write.

use std::fmt::Display;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use docent_describe::{Deprecation, LagPolicy, SubscriptionDescription};
use futures_util::Stream;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::call::Cx;
use crate::caller::CallerArg;
use crate::errors::RpcError;
use crate::procedure::Procedure;
use crate::procedures::IntoProcedure;
use crate::subscription::{IntoItem, source};

/// Returns the cursor of an item as text.
type CursorFunction<T> = Box<dyn Fn(&T) -> String + Send + Sync>;

/// A subscription: a procedure that yields items for as long as its caller stays.
///
/// The handler returns a stream. It is polled only while the caller's connection has room, so a stream that can wait
/// needs no buffer, and a slow caller costs no memory. An `Err` of the handler is the response to the call; an `Err` of
/// the stream ends the subscription, and so does the end of the stream.
///
/// ```
/// use docent::{Cx, Fault, Service, Subscription, Topic};
/// use futures_util::StreamExt;
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
///
/// /// A book that was lent.
/// #[derive(Serialize, JsonSchema)]
/// struct Loan {
///     book: u32,
/// }
///
/// /// Tells of every loan from now on.
/// #[derive(Deserialize, JsonSchema)]
/// struct Watch {}
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let loans = Topic::new(1_000);
/// let watch = Subscription::new("loan.watch", |cx: Cx<Topic<Loan>>, _: Watch| async move {
///     Ok::<_, Fault>(cx.state().follow())
/// });
/// let service = Service::builder("library", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c16")
///     .state(loans.clone())
///     .procedure(watch)
///     .build()?;
///
/// let mut items = service.subscribe::<serde_json::Value>("loan.watch", &()).await?;
/// loans.publish(Loan { book: 7 })?;
/// assert_eq!(items.next().await.unwrap()?.value, serde_json::json!({"book": 7}));
/// # Ok(())
/// # }
/// ```
#[must_use = "a subscription does nothing until it is added to a service"]
pub struct Subscription<T, S = ()> {
    procedure: Procedure<S>,
    /// The way to an item's cursor, which the handler looks up for each item.
    cursor: Arc<OnceLock<CursorFunction<T>>>,
}

impl<T: JsonSchema + 'static, S: Send + Sync + 'static> Subscription<T, S> {
    /// Creates a subscription. The handler is async, and gives a stream of `Result`s: of values, or of what a
    /// [`Topic`](crate::Topic) has published.
    pub fn new<P, I, E, F, Fut, St, U>(name: impl Into<String>, handler: F) -> Self
    where
        F: Fn(Cx<S, U>, P) -> Fut + Send + Sync + 'static, // `async fn(Cx, Params)`
        Fut: Future<Output = Result<St, E>> + Send + 'static, // async, and gives `Ok(stream)` or an error
        St: Stream<Item = Result<I, E>> + Send + 'static, // such as `stream::iter([Ok(item)])`, with the same error
        I: IntoItem<Value = T>,                           // derive `Serialize` and `JsonSchema`
        P: DeserializeOwned + JsonSchema + 'static,       // derive `Deserialize` and `JsonSchema`
        E: RpcError,
        U: CallerArg,
    {
        let cursor: Arc<OnceLock<CursorFunction<T>>> = Arc::default();
        let cursors = Arc::clone(&cursor);
        let give_source = move |cx, params| {
            let cursors = Arc::clone(&cursors);
            let stream = handler(cx, params);
            async move {
                let cursor_of = move |item: &T| cursors.get().map(|cursor| cursor(item));
                stream.await.map(|stream| source(stream, cursor_of))
            }
        };
        let procedure = Procedure::subscription_of::<P, T, E, _, _, U>(name.into(), give_source);
        let mut subscription = Self { procedure, cursor };
        subscription.described().behind = Some(I::BEHIND);
        subscription
    }

    /// Lets callers resume without losing an item: `parameter` takes the cursor of the last item that they have seen,
    /// which is `cursor` of that item. The handler gives the items after it, or the error -32014 if it can no longer.
    ///
    /// The parameter is optional, and a text or a number. `build()` returns an error for any other.
    ///
    /// ```
    /// # use docent::{Cx, Fault, Subscription, Topic, code};
    /// # use schemars::JsonSchema;
    /// # use serde::{Deserialize, Serialize};
    /// #[derive(Serialize, JsonSchema)]
    /// struct Loan {
    ///     number: u64,
    ///     book: u32,
    /// }
    ///
    /// #[derive(Deserialize, JsonSchema)]
    /// struct Watch {
    ///     /// The number of the last loan that you know.
    ///     after: Option<u64>,
    /// }
    ///
    /// let watch = Subscription::new("loan.watch", |cx: Cx<Topic<Loan>>, p: Watch| async move {
    ///     match p.after {
    ///         None => Ok(cx.state().follow()),
    ///         Some(after) => cx.state().resume(|loan| loan.number == after).ok_or_else(Fault::cannot_resume),
    ///     }
    /// })
    /// .resume_by("after", |loan| loan.number);
    /// # let _: Subscription<_, _> = watch;
    /// ```
    pub fn resume_by<C>(
        mut self,
        parameter: impl Into<String>,
        cursor: impl Fn(&T) -> C + Send + Sync + 'static, // `|item| item.number`
    ) -> Self
    where
        C: Display, // a number or a text
    {
        let as_text: CursorFunction<T> = Box::new(move |item| cursor(item).to_string());
        if self.cursor.set(as_text).is_err() {
            let mistake = "resume_by is called twice; remove one";
            self.procedure.options.mistakes.push(mistake.to_owned());
        }
        self.described().resume = Some(parameter.into());
        self
    }

    /// Sets the name of the notifications that carry items, for callers that expect another than that of the
    /// subscription.
    pub fn notified_as(mut self, notification: impl Into<String>) -> Self {
        self.described().notification = Some(notification.into());
        self
    }

    /// Lets the subscription go on where a [`Topic`](crate::Topic) has lost items of a caller who reads too slowly. The
    /// next item then says how many. Without this, the subscription ends with -32013, which says it too.
    pub fn skip_missed(mut self) -> Self {
        self.described().behind = Some(LagPolicy::Skip);
        self
    }

    /// Leaves out the message that says that a subscription has ended, for callers that know only items.
    pub fn ends_untold(mut self) -> Self {
        self.described().ends_untold = true;
        self
    }

    /// Describes the items, in Markdown.
    pub fn items(mut self, markdown: impl Into<String>) -> Self {
        self.procedure = self.procedure.returns(markdown);
        self
    }

    /// Adds an example: parameters, and the first items. `build()` checks both against the description.
    pub fn example(
        mut self,
        params: impl Serialize,
        items: impl IntoIterator<Item = impl Serialize>, // `[item]`
    ) -> Self {
        self.procedure = self.procedure.example_items(None, params, items);
        self
    }

    /// Adds an example with a summary.
    pub fn example_with_summary(
        mut self,
        summary: impl Into<String>,
        params: impl Serialize,
        items: impl IntoIterator<Item = impl Serialize>, // `[item]`
    ) -> Self {
        let summary = Some(summary.into());
        self.procedure = self.procedure.example_items(summary, params, items);
        self
    }

    fn described(&mut self) -> &mut SubscriptionDescription {
        let described = &mut self.procedure.options.described.subscription;
        described.get_or_insert_default()
    }

    /// Declares an error with data of type `D`. See [`Procedure::error_with_data`].
    pub fn error_with_data<D: JsonSchema>(mut self, code: i64, message: &str) -> Self {
        self.procedure = self.procedure.error_with_data::<D>(code, message);
        self
    }
}

/// Gives subscriptions the options of procedures that fit.
macro_rules! options_of_procedures {
    ($($(#[$condition:meta])? $option:ident($($argument:ident: $type:ty),*);)*) => {
        impl<T, S> Subscription<T, S> {$(
            #[doc = concat!("See [`Procedure::", stringify!($option), "`].")]
            $(#[$condition])?
            pub fn $option(mut self, $($argument: $type),*) -> Self {
                self.procedure = self.procedure.$option($($argument),*);
                self
            }
        )*}
    };
}

options_of_procedures! {
    alias(parameter: impl Into<String>, alias: impl Into<String>);
    by_name_only();
    deprecated(deprecation: Deprecation);
    description(markdown: impl Into<String>);
    documentation(markdown: &str);
    error(code: i64, message: &str);
    errors_open();
    example_error(params: impl Serialize, code: i64, data: impl Serialize);
    example_error_with_summary(summary: impl Into<String>, params: impl Serialize, code: i64, data: impl Serialize);
    idempotent();
    idempotent_because(reason: impl Into<String>);
    ignore_unknown();
    list_name(name: impl Into<String>);
    max_concurrent(calls: usize);
    only_errors(codes: impl IntoIterator<Item = i64>);
    order(names: impl IntoIterator<Item = impl Into<String>>);
    #[cfg(feature = "rate-limits")] rate(calls: u32, per: Duration);
    scope(scope: impl Into<String>);
    summary(sentence: impl Into<String>);
    tag(tag: impl Into<String>);
    timeout(timeout: Duration);
    unchecked(reason: impl Into<String>);
}

impl<T, S> IntoProcedure<S> for Subscription<T, S> {
    fn into_procedure(self) -> Procedure<S> {
        self.procedure
    }
}

impl<T, S> std::fmt::Debug for Subscription<T, S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Subscription")
            .field("name", &self.procedure.name)
            .finish_non_exhaustive()
    }
}
