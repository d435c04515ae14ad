//! The rules that descriptions and services are checked against, by name.
//!
//! The table is all that is known of a rule: its name, which is stable because users allow findings by it, and advice.
//! Rules of descriptions come first, and [`Rule::kind`] relies on that.

/// A kind of finding, in the order in which they are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FindingKind {
    /// Parts of the description that were not understood or left out, and values that a service reads otherwise
    /// than most.
    Warnings,
    /// Contradictions within the description.
    Contradictions,
    /// Procedures, parameters, returns and errors without documentation.
    Undocumented,
    /// Departures of a live service from its description.
    Departures,
}

macro_rules! rules {
    ($($variant:ident $name:literal $advice:literal)*) => {
        /// A rule that a description or a service can break.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Hash)]
        pub enum Rule { $(#[doc = concat!("The rule `", $name, "`.")] $variant),* }

        impl Rule {
            /// All rules, those of descriptions first.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// Returns the name for allow-lists and programs.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }

            /// Returns advice on how to fix a finding. It is empty if there is none.
            pub fn advice(self) -> &'static str {
                match self { $(Self::$variant => $advice),* }
            }
        }
    };
}

rules! {
    Warning "warning" ""
    TooLarge "too-large" "check it in parts"
    Undocumented "undocumented" ""
    ProcedureTwice "procedure-twice" "rename one of them"
    ParamTwice "param-twice" "rename one of them, or remove the alias"
    ParamOrder "param-order" "put required parameters first, or let the procedure take names only"
    ErrorTwice "error-twice" "remove one, or give each a message of its own"
    Resume "resume-without-parameter" "name an optional parameter that takes text or numbers"
    NoCall "no-call" "remove one of them"
    UndeclaredScheme "undeclared-scheme" "declare it in `securitySchemes`, or correct its name"
    BrokenExample "broken-example" "correct the example, or the schema"
    BrokenDefault "broken-default" "correct the default, or the schema"
    LostKeyword "keyword-without-effect" "remove it, or correct the type"
    EmptyRange "empty-range" "correct one of the bounds"
    RequiredName "required-without-property" "describe the property, or do not require it"
    ListedValue "listed-value" "correct the value, or the rest of the schema"
    BrokenPattern "broken-pattern" "write a regular expression of ECMA-262"
    Circle "defined-by-itself" "say what the type is, beside the reference to itself"
    DeadAlternative "dead-alternative" "remove the alternative, or what excludes it"
    NothingFits "nothing-fits" "remove one of the conditions that exclude each other"
    TextForBoolean "text-for-boolean" "reject the text with -32602, or allow it in the schema: callers who send it by mistake learn nothing of it"
    FractionOfInteger "fraction-of-integer" "read it as the integer that it is (JSON Schema, 6.1.1): some languages write all numbers like this"
    NotFound "not-found" "remove the procedure from the description, or serve it"
    Narrower "narrower-than-published" "say in the schema what the procedure takes, or accept the value; a service of Docent can call `.unchecked(reason)`"
    Wider "wider-than-published" "reject the value with -32602, or allow it in the schema"
    Result "result-breaks-schema" "return what the schema says, or correct the schema of the result"
    ExampleOutcome "example-outcome" "correct the example: this is not how its call ends"
    ExampleResult "example-result" "write the result that the service gives into the example"
    UndeclaredError "undeclared-error" "declare the error, such as with `.error(code, message)`, or say that the codes are open (`.errors_open()`)"
    ErrorData "error-data" "send the data that is declared (`.error_with_data::<T>(…)`), or correct its schema"
    ErrorMessage "error-message" "send the declared message, or declare this one too"
    InternalError "internal-error" "see the log of the service: a call that follows the description must not end like this"
    Invalid "well-formed-refused" "accept requests that follow JSON-RPC 2.0"
    NothingTried "nothing-tried" "give the procedures examples that succeed, give credentials, call procedures that are not idempotent too (--unsafe), or try when the service is less busy"
    Unreachable "unreachable" "start the service again, and find out what ended it"
    Closed "connection-closed" "answer each request, also if its handler panics"
    TimedOut "no-response-in-time" "answer in time, if only with an error"
    ServerError "server-error" "answer with a response of JSON-RPC: its errors are for the caller"
    NotJson "not-json" "answer with a response of JSON-RPC"
    ContentType "content-type" "send `Content-Type: application/json`"
    BadResponse "bad-response" "answer with a response of JSON-RPC 2.0"
    ToolContent "tool-content" "send `content` with each result, and in its text the JSON of `structuredContent`"
    Positions "order-of-positions" "describe the parameters in the order in which positions are read"
    Default "wrong-default" "publish the default that is used"
    GetRefused "get-refused" "serve the procedure with GET, or do not mark it idempotent"
    GetRuns "get-runs-writes" "refuse GET with 405 for procedures that are not idempotent"
    GetDiffers "get-differs" "answer GET as POST is answered"
    GetStatus "get-status" "send the status that the code has with GET"
    CacheControl "cache-control" "send the age that is published, `no-cache` without one, and `no-store` with errors"
    ETag "etag" "send an ETag that changes with the content, and only then"
    NotModified "not-modified" "answer 304 only to the current ETag, with that ETag and without a body"
    Changes "changes-state" "do not mark it idempotent, or make its calls change nothing"
    Limit "limit-not-kept" "answer calls beyond the published limit with -32008, or publish the limit that holds"
    Key "key-not-kept" "answer a call that is repeated with its key as it was answered first, or do not publish `repeatable`"
    Description "description-differs" "return the same description each time"
    Notification "notification-answered" "answer notifications with an empty body"
    Batch "bad-batch" "answer each call of a batch once, in order, with its own id"
    SubscriptionId "subscription-id" "answer with an id that is a string, and that no other subscription of the connection has"
    ItemEarly "item-before-answer" "answer the call before its first item"
    ItemForm "bad-item" "send the notification that is described, with the id of the subscription and an item or an end"
    ItemSchema "item-breaks-schema" "send what the schema says, or correct the schema of the items"
    Cursor "bad-cursor" "send the cursor of each item as a string, or do not name a parameter to resume with"
    ItemRepeated "item-repeated" "send an item once, and what follows a cursor to those who resume with it"
    ItemSkipped "item-skipped" "send all that follows a cursor to those who resume with it, or refuse with -32014"
    ItemLate "item-after-end" "send nothing more once a subscription has ended"
    Unsubscribe "unsubscribe" "answer `rpc.unsubscribe` with true if it ends a subscription, and otherwise with false"
}

impl Rule {
    /// Returns the kind of findings that break this rule.
    pub fn kind(self) -> FindingKind {
        match self {
            Self::Warning
            | Self::TooLarge
            | Self::TextForBoolean
            | Self::FractionOfInteger
            | Self::ExampleResult => FindingKind::Warnings,
            Self::Undocumented => FindingKind::Undocumented,
            // The rules of descriptions come first.
            rule if rule <= Self::NothingFits => FindingKind::Contradictions,
            _ => FindingKind::Departures,
        }
    }
}
