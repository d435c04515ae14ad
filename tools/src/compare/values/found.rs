//! The differences between two schemas, and the sentences about them.

use super::super::params::shown;
use super::super::phrase::{Phrase, PhraseValue, phrase};
use super::super::{Document, Rule};
use docent_describe::json::{Json, Pointer};

/// The use of a schema.
pub(in crate::compare) enum SchemaUse<'a> {
    /// The parameter with this name.
    Param(&'a str),
    /// The result.
    Return,
    /// The data of the error with this code.
    ErrorData(i64),
}

/// The kind of a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
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
    Pattern,
    Format,
    Default,
    Keyword,
    Deprecated,
    Undeprecated,
    Words,
    Rewritten,
    Undecided,
    /// The difference was reported at the first place where it was found.
    Elsewhere,
}

impl Effect {
    /// Returns whether values are lost (true) or gained (false), unless the answer for the whole
    /// schema is another; `None` for other effects.
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
            Self::Pattern | Self::Undecided | Self::Elsewhere => true,
            _ => self.loses() == Some(is_input),
        }
    }

    /// Returns the rule for a parameter, for a result, or for the data of an error.
    pub(super) fn rule(self, site: &SchemaUse<'_>) -> Rule {
        let [param, returns, data] = match self {
            Self::Lost => [
                Rule::ParamNarrowed,
                Rule::ReturnNarrowed,
                Rule::ErrorDataNarrowed,
            ],
            Self::Gained => [
                Rule::ParamWidened,
                Rule::ReturnWidened,
                Rule::ErrorDataWidened,
            ],
            Self::Nullable => [
                Rule::ParamWidened,
                Rule::ReturnNullable,
                Rule::ErrorDataWidened,
            ],
            Self::ValueAdded => [
                Rule::ParamWidened,
                Rule::ReturnValueAdded,
                Rule::ErrorDataGrown,
            ],
            Self::MemberOptional => [
                Rule::ParamWidened,
                Rule::ReturnMemberRemoved,
                Rule::ErrorDataWidened,
            ],
            Self::Opened => [Rule::ParamWidened, Rule::ReturnOpened, Rule::ErrorDataGrown],
            Self::MemberAdded => [
                Rule::ParamMemberAdded,
                Rule::ReturnMemberAdded,
                Rule::ErrorDataNarrowed,
            ],
            Self::MemberDropped => [
                Rule::ParamMemberIgnored,
                Rule::ReturnMemberDropped,
                Rule::ErrorDataGrown,
            ],
            Self::Undecided => [
                Rule::ParamUndecided,
                Rule::ReturnUndecided,
                Rule::ErrorDataUndecided,
            ],
            Self::Pattern => [Rule::PatternChanged; 3],
            Self::Format => [Rule::FormatChanged; 3],
            Self::Default => [Rule::DefaultChanged; 3],
            Self::Keyword => [Rule::KeywordChanged; 3],
            Self::Deprecated => [Rule::Deprecated; 3],
            Self::Undeprecated => [Rule::Undeprecated; 3],
            Self::Words => [Rule::WordsChanged; 3],
            Self::Rewritten | Self::Elsewhere => [Rule::SchemaRewritten; 3],
        };
        match site {
            SchemaUse::Param(_) => param,
            SchemaUse::Return => returns,
            SchemaUse::ErrorData(_) => data,
        }
    }
}

/// A difference between two schemas, and its place.
#[derive(Debug, Clone)]
pub(super) struct Difference {
    pub(super) effect: Effect,
    pub(super) document: Document,
    pub(super) pointer: Pointer,
    pub(super) way: String,
    pub(super) detail: Phrase,
    /// A value that was accepted before or is accepted now.
    pub(super) witness: Option<(bool, Json)>,
}

impl Difference {
    /// Marks a difference of which it cannot be decided whether it matters.
    pub(super) fn undecided(&mut self) {
        self.effect = Effect::Undecided;
        self.detail = phrase("change.value.undecided.here", &[]).and(self.detail.clone());
    }

    pub(super) fn message(&self, site: &SchemaUse<'_>) -> Phrase {
        let mut subject = match site {
            SchemaUse::Param(name) => phrase("change.value.param", &[name]),
            SchemaUse::Return => phrase("change.value.return", &[]),
            SchemaUse::ErrorData(code) => phrase("change.value.error", &[code]),
        };
        let way = self.way.trim_start_matches('.');
        if !way.is_empty() {
            subject = phrase("change.value.inside", &[])
                .and(subject)
                .and(PhraseValue::Literal(way.to_owned()));
        }
        let mut detail = self.detail.clone();
        if let Some((was_accepted, value)) = &self.witness {
            let key = match (was_accepted, site) {
                (true, SchemaUse::Param(_)) => "change.value.rejected",
                (false, SchemaUse::Param(_)) => "change.value.accepted",
                (true, _) => "change.value.gone",
                (false, _) => "change.value.possible",
            };
            detail = phrase(key, &[])
                .and(detail)
                .and(PhraseValue::Literal(shown(value)));
        }
        phrase("change.value", &[]).and(subject).and(detail)
    }
}
