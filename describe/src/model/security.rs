//! The credentials that a procedure requires.
//!
//! The format lists requirements, all of which a caller has to meet, each with one of several credentials. OpenAPI, and
//! our extension of OpenRPC, list alternatives, one of which suffices, each of several credentials. Both have the same
//! meaning, with "and" and "or" exchanged:
//!
//! ```text
//! requirements  (card or token) and pin
//! alternatives  (card and pin) or (token and pin)
//! ```
//!
//! A requirement may also be optional: a caller brings one of its credentials, or none. The alternatives are then those
//! without it and, before them, the same ones with each of its credentials.
//!
//! The security schemes themselves are JSON that is passed on as it is.

/// The name of the member of `security` that lists alternatives. No security scheme can have this name.
pub const ONE_OF: &str = "oneOf";

/// The maximum number of requirements or alternatives that the others are converted to. Their number can grow
/// exponentially.
const MAX_CONVERTED: usize = 256;

/// A part of what a caller must bring, or may bring: one of several credentials, or often a single one. No caller
/// meets the default, which has none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Requirement {
    /// The credentials, of which one suffices.
    pub one_of: Vec<Credential>,
    /// Set if a caller may bring none of them.
    pub optional: bool,
}

/// A credential: a security scheme, and what it must grant.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Credential {
    /// The name of the security scheme.
    pub scheme: String,
    /// The scopes or roles that the caller needs.
    pub scopes: Vec<String>,
}

impl Credential {
    /// Creates a credential of a security scheme, without scopes.
    pub fn new(scheme: impl Into<String>) -> Self {
        Self {
            scheme: scheme.into(),
            scopes: Vec::new(),
        }
    }

    /// Returns whether this credential is enough where the other one is required.
    pub fn includes(&self, other: &Self) -> bool {
        self.scheme == other.scheme && other.scopes.iter().all(|scope| self.scopes.contains(scope))
    }
}

impl From<Credential> for Requirement {
    fn from(credential: Credential) -> Self {
        Self::new(vec![credential])
    }
}

impl Requirement {
    /// Creates a requirement that each of these credentials meets.
    pub fn new(one_of: Vec<Credential>) -> Self {
        Self {
            one_of,
            optional: false,
        }
    }

    /// Creates a requirement that a caller may leave out: one of these credentials, or none.
    pub fn optional(one_of: Vec<Credential>) -> Self {
        Self {
            one_of,
            optional: true,
        }
    }

    /// Returns the alternatives that meet all of these requirements. Each is credentials that suffice together, of
    /// different schemes. An alternative that needs more than another is left out, unless what it needs more is
    /// optional: such alternatives come first. If nothing is required, the last alternative is empty, and may be the
    /// only one. Returns `None` if there are too many.
    ///
    /// ```
    /// use docent::describe::{Credential, Requirement};
    ///
    /// let [card, token, pin] = ["card", "token", "pin"].map(Credential::new);
    /// let required = [Requirement::new(vec![card.clone(), token.clone()]), pin.clone().into()];
    /// let alternatives = vec![vec![card, pin.clone()], vec![token, pin]];
    /// assert_eq!(Requirement::alternatives(&required), Some(alternatives.clone()));
    /// assert_eq!(Requirement::from_alternatives(&alternatives).as_deref(), Some(&required[..]));
    /// ```
    pub fn alternatives(requirements: &[Self]) -> Option<Vec<Vec<Credential>>> {
        let (optional, required): (Vec<&Self>, Vec<&Self>) = requirements
            .iter()
            .partition(|requirement| requirement.optional);
        let lists = required.iter().map(|requirement| &*requirement.one_of);
        let least = choose_of_each(lists, add_needed, |own, brought| brought.includes(own))?;
        let mut alternatives = Vec::new();
        for credential in optional.iter().flat_map(|requirement| &requirement.one_of) {
            for without_it in &least {
                let mut with_it = without_it.clone();
                add_needed(&mut with_it, credential);
                if with_it != *without_it && !alternatives.contains(&with_it) {
                    alternatives.push(with_it);
                }
            }
        }
        alternatives.extend(least);
        (alternatives.len() <= MAX_CONVERTED).then_some(alternatives)
    }
}

/// Chooses a credential of each list, in every combination: the step that exchanges "and" and "or" in both directions.
/// `add` adds a credential to those that have been chosen. A choice is left out if another one replaces it: each
/// credential of the other `matches` one of it.
pub(super) fn choose_of_each<'c>(
    lists: impl Iterator<Item = &'c [Credential]>,
    add: fn(&mut Vec<Credential>, &Credential),
    matches: fn(&Credential, &Credential) -> bool,
) -> Option<Vec<Vec<Credential>>> {
    let mut choices = vec![Vec::new()];
    for list in lists {
        let mut longer: Vec<Vec<Credential>> = Vec::new();
        for start in &choices {
            for credential in list {
                let mut choice: Vec<Credential> = start.clone();
                add(&mut choice, credential);
                if longer.iter().any(|other| replaces(other, &choice, matches)) {
                    continue;
                }
                longer.retain(|other| !replaces(&choice, other, matches));
                longer.push(choice);
                if longer.len() > MAX_CONVERTED {
                    return None;
                }
            }
        }
        choices = longer;
    }
    Some(choices)
}

/// Returns whether each credential of a choice matches one of the other.
pub(super) fn replaces(
    choice: &[Credential],
    other: &[Credential],
    matches: fn(&Credential, &Credential) -> bool,
) -> bool {
    choice
        .iter()
        .all(|own| other.iter().any(|credential| matches(own, credential)))
}

/// Adds a credential to those that are needed together.
fn add_needed(needed: &mut Vec<Credential>, credential: &Credential) {
    match needed
        .iter_mut()
        .find(|own| own.scheme == credential.scheme)
    {
        Some(own) => {
            for scope in &credential.scopes {
                if !own.scopes.contains(scope) {
                    own.scopes.push(scope.clone());
                }
            }
        }
        None => needed.push(credential.clone()),
    }
}
