//! Requirements from alternatives, for readers of documents: the reverse of [`Requirement::alternatives`].

use super::security::{Credential, Requirement, choose_of_each, replaces};

impl Requirement {
    /// Returns the requirements that these alternatives meet: the reverse of [`Requirement::alternatives`]. If there is
    /// no alternative, or an empty one, nothing is required. What one needs more than another is optional. Returns
    /// `None` if there are too many requirements.
    pub fn from_alternatives(alternatives: &[Vec<Credential>]) -> Option<Vec<Self>> {
        let lists = alternatives.iter().map(Vec::as_slice);
        let required = choose_of_each(lists, add_sufficient, Credential::includes)?;
        let mut requirements: Vec<Self> = required
            .into_iter()
            .filter(|one_of| !one_of.is_empty())
            .map(Self::new)
            .collect();
        let mut optional = Vec::new();
        for alternative in alternatives {
            let Some(least) = alternatives
                .iter()
                .find(|other| is_less(other, alternative))
            else {
                continue;
            };
            for credential in alternative {
                if !least.iter().any(|needed| needed.includes(credential)) {
                    add_sufficient(&mut optional, credential);
                }
            }
        }
        if !optional.is_empty() {
            requirements.push(Self::optional(optional));
        }
        Some(requirements)
    }
}

/// Returns whether an alternative needs less than another one.
fn is_less(alternative: &[Credential], other: &[Credential]) -> bool {
    is_met_by(alternative, other) && !is_met_by(other, alternative)
}

/// Returns whether a caller with the credentials of the other alternative has those of this one, too.
fn is_met_by(alternative: &[Credential], other: &[Credential]) -> bool {
    replaces(alternative, other, |own, brought| brought.includes(own))
}

/// Adds a credential to those of which one suffices, instead of those that include it.
fn add_sufficient(sufficient: &mut Vec<Credential>, credential: &Credential) {
    if !sufficient.iter().any(|own| credential.includes(own)) {
        sufficient.retain(|own| !own.includes(credential));
        sufficient.push(credential.clone());
    }
}
