//! The rules of changes, and their effects on callers.
//!
//! The table at the end is all that is known of a rule: its verdict, its name, its meaning, and advice. Names are
//! stable, because users allow changes by them. Titles and the sentences on single changes are in `changes.txt`.

use super::phrase::{Phrase, phrase};

/// The effect of a change on callers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// Callers need not change anything.
    Safe,
    /// Some callers may have to change, or the effect cannot be decided.
    Risky,
    /// Existing callers stop working.
    Breaking,
}

impl Verdict {
    /// Returns the meaning of the verdict for callers.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Safe => "Callers need not do anything.",
            Self::Risky => "Some callers may have to change, or the effect cannot be decided.",
            Self::Breaking => "Existing callers stop working.",
        }
    }

    /// Returns the word for the verdict: `safe`, `risky` or `breaking`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Risky => "risky",
            Self::Breaking => "breaking",
        }
    }
}

docent_describe::display!(Verdict, |verdict| verdict.as_str());

/// A rule with the key of the sentence about a change. A rule alone stands for the only sentence that it has.
#[derive(Clone, Copy)]
pub(super) struct RuleSentence {
    pub(super) rule: Rule,
    /// The key of the sentence in `changes.txt`.
    pub(super) key: &'static str,
}

macro_rules! rules {
    ($($verdict:ident: $($rule:ident $name:literal $meaning:literal $($advice:literal)?)*;)*) => {
        /// A kind of change. Its name is stable.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Rule {
            $($(#[doc = $meaning] $rule,)*)*
        }

        impl From<Rule> for RuleSentence {
            fn from(rule: Rule) -> Self {
                match rule {
                    $($(Rule::$rule => rule.sentence(concat!("change.", $name)),)*)*
                }
            }
        }

        impl Rule {
            /// All rules. Those that break callers come first.
            pub const ALL: &'static [Self] = &[$($(Self::$rule,)*)*];

            /// Returns the name of the rule.
            pub fn as_str(self) -> &'static str {
                match self {
                    $($(Self::$rule => $name,)*)*
                }
            }

            /// Returns the kind of change in a few words, such as "Parameter removed".
            pub fn title(self) -> Phrase {
                match self {
                    $($(Self::$rule => phrase(concat!("rule.", $name), &[]),)*)*
                }
            }

            /// Returns the effect of changes of this kind on callers.
            pub fn verdict(self) -> Verdict {
                match self {
                    $($(Self::$rule)|* => Verdict::$verdict,)*
                }
            }

            /// Returns a sentence that says what the rule finds.
            pub fn meaning(self) -> &'static str {
                match self {
                    $($(Self::$rule => $meaning,)*)*
                }
            }

            /// Returns advice on what to do instead. It is empty for rules of safe changes.
            pub fn advice(self) -> &'static str {
                match self {
                    $($(Self::$rule => concat!($($advice)?),)*)*
                }
            }
        }
    };
}

rules! {
    Breaking:
    ProcedureRemoved "procedure-removed" "A procedure is gone or has another name." "deprecate it, and remove it when nobody calls it any more"
    ParamRemoved "param-removed" "A parameter is gone, or has another name and no alias." "keep it and deprecate it, or keep its old name as an alias"
    ParamAliasRemoved "param-alias-removed" "A parameter has lost one of its aliases." "keep the alias and deprecate it"
    ParamRequired "param-required" "An optional parameter is required now." "keep it optional, with a default"
    RequiredParamAdded "required-param-added" "There is a new required parameter." "make it optional, with a default, or add another procedure"
    ParamNarrowed "param-narrowed" "A parameter rejects values that it accepted." "accept the old values too, or add another procedure"
    ParamMoved "param-moved" "A parameter has another position among the others." "put it back; parameters that are new stand last"
    ParamInserted "param-inserted" "An optional parameter stands before others, whose positions change." "put it after the others"
    UnknownRefused "unknown-refused" "Parameters with unknown names are refused, which were ignored." "ignore them, and tell the callers who send them"
    ParamVariadicChanged "param-variadic-changed" "The positions of a call are the elements of a list, or no longer." "add another procedure"
    ByNameOnly "by-name-only" "Parameters can no longer be passed by position." "keep the order of the parameters and accept positions"
    ByPositionOnly "by-position-only" "Parameters can no longer be passed by name." "keep the names of the parameters and accept them"
    ToolRemoved "tool-removed" "Agents can no longer call a procedure as a tool, or its tool has another name." "keep the tool and its name"
    IdempotencyWithdrawn "idempotency-withdrawn" "A procedure is no longer idempotent, so GET is refused." "add another procedure for what changes something"
    RepeatableWithdrawn "repeatable-withdrawn" "Calls with a key can no longer be repeated." "keep the outcomes of calls with keys"
    CredentialRequired "credential-required" "A procedure requires a credential that it did not require." "announce it, and require it in a new version"
    CredentialRefused "credential-refused" "A credential no longer suffices where one of several did." "accept it for some time, and tell the callers who bring it"
    ScopeRequired "scope-required" "A procedure requires a scope that it did not require." "announce it, and grant the scope to the callers before"
    GuardAdded "guard-added" "A procedure that anybody could call is guarded." "announce it, and guard a new version"
    SchemeReplaced "scheme-replaced" "A required credential is presented in another way." "accept both credentials for some time"
    ReturnRemoved "return-removed" "The result is no longer described." "describe it"
    ReturnWidened "return-widened" "The result can be a value that it could not be." "keep to the old values, or add another procedure"
    ReturnNullable "return-nullable" "The result, or a part of it, can be null." "leave an optional member out, or add another procedure"
    ReturnMemberRemoved "return-member-removed" "A member that was always in the result may be missing." "keep the member and deprecate it"
    SubscriptionSwitched "subscription-switched" "A procedure yields items of a subscription instead of a result, or the other way round." "add another procedure"
    ItemRenamed "item-renamed" "The items of a subscription come in a notification of another name." "keep the name of the notification"
    ResumeRemoved "resume-removed" "A subscription can no longer be resumed, or with another parameter only." "accept cursors as long as clients come back with them"
    EndUntold "end-untold" "It is no longer told when a subscription ends." "tell it"
    DirectionChanged "direction-changed" "The service sends what clients called, or the other way round." "add it under another name"
    SentParamRemoved "sent-param-removed" "A parameter that the service always sent may be missing." "send it"
    CarrierRemoved "carrier-removed" "A carrier is no longer offered." "keep it until no client uses it"
    ErrorMessageChanged "error-message-changed" "One of several errors with the same code has another message, by which clients tell them apart." "keep the message, or give the error a code of its own"
    ErrorDataRemoved "error-data-removed" "An error no longer has data." "send the data"
    ErrorDataWidened "error-data-widened" "The data of an error can be a value that it could not be." "keep to the old values, or declare another error"
    ;
    Risky:
    ParamUndecided "param-undecided" "It cannot be decided whether a parameter accepts all that it accepted." "compare both schemas yourself, or write them more simply"
    ParamMemberAdded "param-member-added" "A parameter has a new optional member; until now, any value under that name was ignored." "make sure that no caller sends something else under that name"
    ParamMemberIgnored "param-member-ignored" "A member of a parameter is no longer described, and is ignored." "keep it described while callers send it"
    ReturnUndecided "return-undecided" "It cannot be decided whether the result can be a new value." "compare both schemas yourself, or write them more simply"
    ReturnValueAdded "return-value-added" "The result can be one more value of those that are listed." "tell callers to expect further values"
    ReturnOpened "return-opened" "The result can have further members." "describe the members"
    ReturnMemberDropped "return-member-dropped" "An optional member of the result is no longer described." "keep it described, and deprecate it"
    ErrorDataUndecided "error-data-undecided" "It cannot be decided whether an error's data can be a new value." "compare both schemas yourself, or write them more simply"
    ErrorDataGrown "error-data-grown" "The data of an error can have one more listed value, or further members, or an optional member is no longer described." "tell callers to expect more"
    ComparedInPart "compared-in-part" "The schemas of a procedure are too large to compare all of them." "compare the schemas of the procedures that are named yourself, or write them more simply"
    PatternChanged "pattern-changed" "Text follows another pattern." "make sure that all text that was accepted still is, and that results follow the old pattern"
    FormatChanged "format-changed" "Text has another format, or none." "make sure that callers can write and read the new format"
    DefaultChanged "default-changed" "Another value counts where a caller gives none." "keep the default, or tell the callers who rely on it"
    KeywordChanged "keyword-changed" "A keyword or an extension changed that is not checked, but means something to its readers." "find out what it means to callers"
    TypeWordChanged "type-word-changed" "The JSON-RPC 1.1 type changed without the schema." "keep the type, or make sure that callers of JSON-RPC 1.1 can read it"
    ErrorAdded "error-added" "A procedure can answer with an error that it did not have." "answer as before where callers do not expect the error"
    ErrorsOpened "errors-opened" "A procedure can answer with errors that are not listed." "declare the errors"
    ErrorStatusChanged "error-status-changed" "An error has another HTTP status for GET." "keep the status, or look at caches and proxies in between"
    RetryWithdrawn "retry-withdrawn" "It is no longer said of an error that repeating the call may help." "say it if it is still so"
    LimitLowered "limit-lowered" "Fewer calls are accepted." "look in the metrics how much callers use, and tell them"
    LimitChanged "limit-changed" "Calls are counted in another way." "look in the metrics how much callers use, and tell them"
    CacheAgeRaised "cache-age-raised" "A result may be older than before." "keep the age where callers need new results"
    CacheShared "cache-shared" "Caches may share a result between callers." "make sure that the result is the same for all callers"
    RepeatableShortened "repeatable-shortened" "Calls can be repeated with a key for a shorter time." "keep outcomes as long as callers repeat calls"
    NotificationOn "notification-on" "A procedure is meant to be called as a notification." "tell callers that they need not wait for a response"
    ClientsAsked "clients-asked" "The service sends a request that clients have to answer, and did not." "send it only to clients who have said that they know it"
    BehindChanged "behind-changed" "Something else happens to a subscriber who reads too slowly." "make sure that subscribers can miss items, or lose their subscription"
    Unchecked "unchecked" "The description of a procedure is no longer checked." "describe it so that it can be checked"
    FormatEnforced "format-enforced" "The service checks a format that it did not check." "look in the log or the metrics whether callers break the format"
    VersionLowered "version-lowered" "The version of the service is lower than before." "raise the version, or compare in the other order"
    VersionKept "version-kept" "The service has the same version, although changes break callers." "raise the version"
    ServiceIdChanged "service-id-changed" "The service has another id." "keep the id: it says that this is the same service"
    AddressChanged "address-changed" "The service or one of its carriers has another address." "serve the old address too, or redirect it"
    SchemeChanged "scheme-changed" "A security scheme changed." "make sure that callers who present the old credential still get in"
    ;
    Safe:
    ProcedureAdded "procedure-added" "There is a new procedure."
    ParamAdded "param-added" "There is a new optional parameter after the others."
    ParamRenamed "param-renamed" "A parameter has another name; the old one is an alias, or parameters were passed by position only."
    ParamAliasAdded "param-alias-added" "A parameter has another alias."
    ParamOptional "param-optional" "A required parameter is optional now."
    ParamWidened "param-widened" "A parameter accepts more than before."
    UnknownIgnored "unknown-ignored" "Parameters with unknown names are ignored."
    ByNameOnlyLifted "by-name-only-lifted" "Parameters can be passed by position too."
    ByPositionOnlyLifted "by-position-only-lifted" "Parameters can be passed by name too."
    ToolAdded "tool-added" "Agents can call a procedure as a tool."
    IdempotencyGranted "idempotency-granted" "A procedure is idempotent now, so GET is accepted."
    CredentialDropped "credential-dropped" "A procedure no longer requires a credential."
    CredentialAccepted "credential-accepted" "Another credential suffices, too."
    CredentialNamed "credential-named" "It is said how to get into a procedure that was guarded before."
    ScopeDropped "scope-dropped" "A procedure no longer requires a scope."
    GuardRemoved "guard-removed" "A procedure is no longer guarded."
    SchemeAdded "scheme-added" "There is a new security scheme."
    SchemeRemoved "scheme-removed" "A security scheme is gone."
    SchemeRenamed "scheme-renamed" "A security scheme has another name."
    ReturnDescribed "return-described" "A result is described that was not."
    ReturnNarrowed "return-narrowed" "The result can be less than before."
    ReturnMemberAdded "return-member-added" "The result has a new member."
    ResumeAdded "resume-added" "A subscription can be resumed."
    EndTold "end-told" "It is told when a subscription ends."
    BehindEased "behind-eased" "The items of a subscription wait for who reads slowly, or it is said what happens."
    SentParamAdded "sent-param-added" "The service sends another parameter."
    CarrierAdded "carrier-added" "There is another carrier of messages."
    ErrorDataAdded "error-data-added" "The data of an error is described that was not."
    ErrorDataNarrowed "error-data-narrowed" "The data of an error can be less than before."
    ErrorRemoved "error-removed" "A procedure no longer has an error."
    ErrorDescribed "error-described" "An error is listed where any could be answered."
    ErrorsClosed "errors-closed" "A procedure answers with listed errors only."
    RetryGranted "retry-granted" "It is said of an error whether repeating the call may help."
    LimitRaised "limit-raised" "More calls are accepted."
    CacheAgeLowered "cache-age-lowered" "A result is newer than before."
    CacheUnshared "cache-unshared" "Caches no longer share a result between callers."
    RepeatableGranted "repeatable-granted" "Calls can be repeated with a key, or for a longer time."
    NotificationOff "notification-off" "A procedure is no longer meant to be called as a notification."
    Checked "checked" "The description of a procedure is checked now."
    FormatNotEnforced "format-not-enforced" "The service no longer checks a format."
    Deprecated "deprecated" "Something is deprecated."
    Undeprecated "undeprecated" "Something is no longer deprecated."
    ComponentAdded "component-added" "There is a new component."
    ComponentRemoved "component-removed" "A component is gone."
    ComponentRenamed "component-renamed" "A component has another name."
    SchemaRewritten "schema-rewritten" "A schema is written in another way and takes the same values."
    AddressAdded "address-added" "The address of the service or of a carrier is described, or no longer."
    ServiceRenamed "service-renamed" "The service has another name."
    VersionChanged "version-changed" "The service has another version."
    ExamplesChanged "examples-changed" "The examples changed."
    WordsChanged "words-changed" "Documentation changed."
    ;
}

impl Rule {
    /// Returns the rule with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|rule| rule.as_str() == name).copied()
    }

    /// Returns the rule with one of several sentences for changes of this kind.
    pub(super) fn sentence(self, key: &'static str) -> RuleSentence {
        RuleSentence { rule: self, key }
    }
}

docent_describe::display!(Rule, |rule| rule.as_str());
