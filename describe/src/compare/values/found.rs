//! The differences between two schemas, and the sentences about them.

use super::super::params::shown;
use super::super::phrase::{Phrase, phrase};
use super::super::{Document, Rule};
use super::Pair;
use crate::json::{Json, Pointer};
use crate::schema::Inclusion;

/// The use of a schema.
pub(in crate::compare) enum Site<'a> {
    /// The parameter with this name.
    Param(&'a str),
    /// The result.
    Return,
    /// The data of the error with this code.
    ErrorData(i64),
}

/// The kind of a difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum What {
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

impl What {
    /// Returns whether the difference is about values that were accepted before, and not about new
    /// ones.
    pub(super) fn loses(&self) -> bool {
        matches!(self, Self::Lost)
    }

    /// Returns whether values are lost or gained, unless the proof for the whole schema says
    /// otherwise.
    pub(super) fn is_certain(&self) -> bool {
        matches!(
            self,
            Self::Lost
                | Self::Gained
                | Self::Nullable
                | Self::ValueAdded
                | Self::MemberOptional
                | Self::Opened
        )
    }

    pub(super) fn takes_witness(&self, is_input: bool) -> bool {
        match self {
            Self::Lost => is_input,
            Self::Gained => !is_input,
            _ => false,
        }
    }

    /// Returns whether the difference explains why values that break callers are gone or new.
    pub(super) fn explains(&self, is_input: bool, proof: &Inclusion) -> bool {
        match self {
            // A new member of a parameter may collide with what callers have always sent.
            Self::Lost | Self::MemberAdded => is_input,
            // A member that is dropped from a result may have any value now.
            Self::Gained
            | Self::Nullable
            | Self::ValueAdded
            | Self::MemberOptional
            | Self::Opened
            | Self::MemberDropped => !is_input,
            Self::Pattern | Self::Undecided | Self::Elsewhere => true,
            Self::Format => *proof == Inclusion::Unknown,
            _ => false,
        }
    }
}

/// A difference between two schemas, and its place.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub(super) what: What,
    pub(super) document: Document,
    pub(super) place: Pointer,
    way: String,
    detail: Phrase,
    /// A value that shows the difference, and whether it was accepted before (and is not now).
    pub(super) witness: Option<(Json, bool)>,
}

impl Found {
    /// Creates a difference at the place of a pair.
    pub(super) fn new(what: What, pair: &Pair<'_>, detail: Phrase) -> Self {
        Self {
            what,
            document: Document::New,
            place: pair.new_place.clone(),
            way: pair.way.clone(),
            detail,
            witness: None,
        }
    }

    /// Creates a difference between the schemas of a pair as a whole, of which only an example
    /// value is known.
    pub(super) fn whole(pair: &Pair<'_>, is_lost: bool, value: &Json) -> Self {
        let (what, key) = if is_lost {
            (What::Lost, "change.value.fewer")
        } else {
            (What::Gained, "change.value.more")
        };
        Self {
            witness: Some((value.clone(), is_lost)),
            ..Self::new(what, pair, phrase(key))
        }
    }

    /// Marks a difference that cannot be proved as undecided.
    pub(super) fn undecided(&mut self) {
        self.what = What::Undecided;
        self.witness = None;
        self.detail = phrase("change.value.undecided.here").and(self.detail.clone());
    }

    /// Moves the difference to a place inside the current one.
    pub(super) fn inside(mut self, tokens: &[&str]) -> Self {
        for token in tokens {
            self.place.push(token);
        }
        self
    }

    /// Moves the difference to a place inside the old schema.
    pub(super) fn gone(mut self, pair: &Pair<'_>, tokens: &[&str]) -> Self {
        self.document = Document::Old;
        self.place = pair.old_place.clone();
        self.inside(tokens)
    }

    pub(super) fn message(&self, site: &Site<'_>) -> Phrase {
        let subject = match site {
            Site::Param(name) => phrase("change.value.param").with(name),
            Site::Return => phrase("change.value.return"),
            Site::ErrorData(code) => phrase("change.value.error").with(code),
        };
        let way = self.way.trim_start_matches('.');
        let subject = if way.is_empty() {
            subject
        } else {
            phrase("change.value.inside").and(subject).with(way)
        };
        let mut detail = self.detail.clone();
        if let Some((value, was_taken)) = &self.witness {
            let key = match (was_taken, site) {
                (true, Site::Param(_)) => "change.value.rejected",
                (false, Site::Param(_)) => "change.value.accepted",
                (true, _) => "change.value.gone",
                (false, _) => "change.value.possible",
            };
            detail = phrase(key).and(detail).with(shown(value));
        }
        phrase("change.value").and(subject).and(detail)
    }
}

/// Returns the rule for a difference.
pub(super) fn rule(what: &What, site: &Site<'_>) -> Rule {
    // The rules for a parameter, a result, and the data of an error.
    let by_site = |param, returns, data| match site {
        Site::Param(_) => param,
        Site::Return => returns,
        Site::ErrorData(_) => data,
    };
    match what {
        What::Lost => by_site(
            Rule::ParamNarrowed,
            Rule::ReturnNarrowed,
            Rule::ErrorDataNarrowed,
        ),
        What::Gained => by_site(
            Rule::ParamWidened,
            Rule::ReturnWidened,
            Rule::ErrorDataWidened,
        ),
        What::Nullable => by_site(
            Rule::ParamWidened,
            Rule::ReturnNullable,
            Rule::ErrorDataWidened,
        ),
        What::ValueAdded => by_site(
            Rule::ParamWidened,
            Rule::ReturnValueAdded,
            Rule::ErrorDataGrown,
        ),
        What::MemberOptional => by_site(
            Rule::ParamWidened,
            Rule::ReturnMemberRemoved,
            Rule::ErrorDataWidened,
        ),
        What::Opened => by_site(Rule::ParamWidened, Rule::ReturnOpened, Rule::ErrorDataGrown),
        What::MemberAdded => by_site(
            Rule::ParamMemberAdded,
            Rule::ReturnMemberAdded,
            Rule::ErrorDataNarrowed,
        ),
        What::MemberDropped => by_site(
            Rule::ParamMemberIgnored,
            Rule::ReturnMemberDropped,
            Rule::ErrorDataGrown,
        ),
        What::Undecided => by_site(
            Rule::ParamUndecided,
            Rule::ReturnUndecided,
            Rule::ErrorDataUndecided,
        ),
        What::Pattern => Rule::PatternChanged,
        What::Format => Rule::FormatChanged,
        What::Default => Rule::DefaultChanged,
        What::Keyword => Rule::KeywordChanged,
        What::Deprecated => Rule::Deprecated,
        What::Undeprecated => Rule::Undeprecated,
        What::Words => Rule::WordsChanged,
        What::Rewritten | What::Elsewhere => Rule::SchemaRewritten,
    }
}
