//! The differences between two schemas, and the sentences about them.
//!
//! A difference is found in the same way wherever a schema is used. Only its use decides what it means: callers break
//! if a parameter takes less, or if a result can be more. [`Effect::rule`] is the table of that.

use super::super::change::Document;
use super::super::phrase::{Phrase, PhraseValue, phrase};
use super::super::rule::Rule;
use docent_describe::json::{Json, Pointer, shorten};

/// The maximum length of a value in a sentence.
const MAX_VALUE_LENGTH: usize = 60;

/// The use of a schema, with the phrase for what it is about.
pub(in crate::compare) enum SchemaUse {
    /// A value that the service takes: a parameter of a call, or the result of what it asks a client.
    Input(Phrase),
    /// A value that the service gives: a result, an item, or a parameter of what it sends.
    Output(Phrase),
    /// The data of the error with this code.
    ErrorData(i64),
}

/// The kind of a difference.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::compare) enum Effect {
    /// Some values are no longer accepted.
    Lost,
    /// Some values are newly accepted.
    Gained,
    /// Null is newly accepted.
    Nullable,
    /// One of the listed values is new.
    ValueAdded,
    /// A member is no longer required.
    MemberOptional,
    /// Further members are allowed.
    Opened,
    /// A member is new and optional. Before, any value under its name was allowed.
    MemberAdded,
    /// A member is no longer described, and any value under its name is allowed.
    MemberDropped,
    /// The difference has this rule wherever it is.
    Rule(Rule),
    /// It cannot be decided whether the difference matters.
    Undecided,
    /// The difference was reported at the first place where it was found.
    Elsewhere,
    /// The difference is too deep, and is reported on its own.
    Deeper,
}

impl Effect {
    /// Returns `true` if the effect says that values are lost, and `false` if it says that values are gained. The whole
    /// schema may say otherwise. Other effects say neither.
    pub(super) fn loses(self) -> Option<bool> {
        match self {
            Self::Lost => Some(true),
            Self::Gained
            | Self::Nullable
            | Self::ValueAdded
            | Self::MemberOptional
            | Self::Opened => Some(false),
            _ => None,
        }
    }

    /// Returns whether a difference explains why values that break callers are gone or new.
    pub(super) fn explains(self, is_input: bool) -> bool {
        match self {
            // A new member of a parameter may collide with what callers have always sent.
            Self::MemberAdded => is_input,
            // A member that is dropped from a result may have any value now.
            Self::MemberDropped => !is_input,
            Self::Rule(Rule::PatternChanged) | Self::Undecided | Self::Elsewhere | Self::Deeper => {
                true
            }
            _ => self.loses() == Some(is_input),
        }
    }

    /// Returns the rule for what the service takes, for what it gives, or for the data of an error.
    pub(in crate::compare) fn rule(self, schema_use: &SchemaUse) -> Rule {
        match (self, schema_use) {
            (Self::Rule(rule), _) => rule,
            (Self::Elsewhere | Self::Deeper, _) => Rule::SchemaRewritten,
            (Self::Undecided, SchemaUse::Input(_)) => Rule::ParamUndecided,
            (Self::Lost, SchemaUse::Input(_)) => Rule::ParamNarrowed,
            (Self::MemberAdded, SchemaUse::Input(_)) => Rule::ParamMemberAdded,
            (Self::MemberDropped, SchemaUse::Input(_)) => Rule::ParamMemberIgnored,
            (_, SchemaUse::Input(_)) => Rule::ParamWidened,
            (Self::Undecided, SchemaUse::Output(_)) => Rule::ReturnUndecided,
            (Self::Lost, SchemaUse::Output(_)) => Rule::ReturnNarrowed,
            (Self::Gained, SchemaUse::Output(_)) => Rule::ReturnWidened,
            (Self::Nullable, SchemaUse::Output(_)) => Rule::ReturnNullable,
            (Self::ValueAdded, SchemaUse::Output(_)) => Rule::ReturnValueAdded,
            (Self::MemberOptional, SchemaUse::Output(_)) => Rule::ReturnMemberRemoved,
            (Self::Opened, SchemaUse::Output(_)) => Rule::ReturnOpened,
            (Self::MemberAdded, SchemaUse::Output(_)) => Rule::ReturnMemberAdded,
            (Self::MemberDropped, SchemaUse::Output(_)) => Rule::ReturnMemberDropped,
            (Self::Undecided, SchemaUse::ErrorData(_)) => Rule::ErrorDataUndecided,
            (Self::Lost | Self::MemberAdded, SchemaUse::ErrorData(_)) => Rule::ErrorDataNarrowed,
            (Self::ValueAdded | Self::Opened | Self::MemberDropped, SchemaUse::ErrorData(_)) => {
                Rule::ErrorDataGrown
            }
            (_, SchemaUse::ErrorData(_)) => Rule::ErrorDataWidened,
        }
    }
}

/// A difference between two schemas, and its place.
#[derive(Clone)]
pub(in crate::compare) struct ValueDifference {
    pub(in crate::compare) effect: Effect,
    /// The description that the pointer leads into.
    pub(in crate::compare) document: Document,
    pub(in crate::compare) pointer: Pointer,
    /// The shared schema that it is in.
    pub(super) shared: Option<String>,
    /// The path to it for readers, in the shared schema or in the whole value.
    pub(super) path: String,
    /// The difference as part of a sentence.
    pub(super) detail: Phrase,
    /// A value that shows the difference.
    pub(super) witness: Option<Witness>,
}

/// A value that one of two schemas accepts, and the other does not.
#[derive(Clone)]
pub(super) struct Witness {
    pub(super) value: Json,
    /// True if the old schema accepts it, false if the new one does.
    pub(super) was_accepted: bool,
}

impl ValueDifference {
    /// Marks a difference of which it cannot be decided whether it matters.
    pub(super) fn undecided(&mut self) {
        self.effect = Effect::Undecided;
        self.detail = phrase("change.value.undecided.here", &[]).and(self.detail.clone());
    }

    /// Returns the sentence about the difference, for a use of the schema.
    pub(in crate::compare) fn message(&self, schema_use: &SchemaUse) -> Phrase {
        // A change of a shared schema has the same sentence for all who use it.
        let mut subject = match (&self.shared, schema_use) {
            (Some(name), _) => phrase("change.value.type", &[name]),
            (None, SchemaUse::Input(subject) | SchemaUse::Output(subject)) => subject.clone(),
            (None, SchemaUse::ErrorData(code)) => phrase("change.value.error", &[code]),
        };
        let path = self.path.trim_start_matches('.');
        if !path.is_empty() {
            subject = phrase("change.value.inside", &[])
                .and(subject)
                .and(PhraseValue::Literal(path.to_owned()));
        }
        let mut detail = self.detail.clone();
        if let Some(witness) = &self.witness {
            let key = match (witness.was_accepted, schema_use) {
                (true, SchemaUse::Input(_)) => "change.value.rejected",
                (false, SchemaUse::Input(_)) => "change.value.accepted",
                (true, _) => "change.value.gone",
                (false, _) => "change.value.possible",
            };
            detail = phrase(key, &[])
                .and(detail)
                .and(PhraseValue::Literal(quoted_value(&witness.value)));
        }
        phrase("change.value", &[]).and(subject).and(detail)
    }
}

/// Returns a value as a sentence quotes it, shortened.
pub(super) fn quoted_value(value: &Json) -> String {
    format!("`{}`", shorten(&value.to_string(), MAX_VALUE_LENGTH))
}

/// Returns a value as a sentence quotes it, or a phrase that says that there is none.
pub(in crate::compare) fn quoted_or_none(value: Option<&Json>) -> PhraseValue {
    match value {
        Some(value) => PhraseValue::Literal(quoted_value(value)),
        None => phrase("change.none", &[]).into(),
    }
}
