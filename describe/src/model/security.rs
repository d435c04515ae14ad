//! The credentials that a procedure requires.
//!
//! The format lists requirements, each with alternatives. OpenAPI, and our extension of OpenRPC, list ways in, of which
//! one suffices. Both have the same meaning, with "and" and "or" exchanged:
//!
//! ```text
//! requirements  (card or token) and pin
//! ways in       (card and pin) or (token and pin)
//! ```
//!
//! The security schemes themselves are JSON that is passed on as it is.
//!
//! A caller may also be optional: it brings one of several credentials, or none. As ways in, these are the ways
//! without it and, before them, the same ways with each of its credentials.

/// The name of the member of `security` that lists alternatives. No security scheme can have this name.
pub const ONE_OF: &str = "oneOf";

/// The maximum number of requirements or ways in that others are converted to. Their number can grow
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

    /// Returns the ways to meet all of these requirements. Each way is credentials that suffice together, of
    /// different schemes. A way that needs more than another is left out, unless what it needs more is
    /// optional: such ways come first. If nothing is required, the only way is empty, or the last. Returns
    /// `None` if there are too many ways.
    ///
    /// ```
    /// use docent::describe::{Credential, Requirement};
    ///
    /// let [card, token, pin] = ["card", "token", "pin"].map(Credential::new);
    /// let required = [Requirement::new(vec![card.clone(), token.clone()]), pin.clone().into()];
    /// let ways = vec![vec![card, pin.clone()], vec![token, pin]];
    /// assert_eq!(Requirement::alternatives(&required), Some(ways.clone()));
    /// assert_eq!(Requirement::from_alternatives(&ways).as_deref(), Some(&required[..]));
    /// ```
    pub fn alternatives(requirements: &[Self]) -> Option<Vec<Vec<Credential>>> {
        let (optional, required): (Vec<&Self>, Vec<&Self>) = requirements
            .iter()
            .partition(|requirement| requirement.optional);
        let lists = required.iter().map(|requirement| &*requirement.one_of);
        let least = choose_of_each(lists, demand, |own, brought| brought.includes(own))?;
        let mut ways = Vec::new();
        for credential in optional.iter().flat_map(|requirement| &requirement.one_of) {
            for way in &least {
                let mut longer = way.clone();
                demand(&mut longer, credential);
                if longer != *way && !ways.contains(&longer) {
                    ways.push(longer);
                }
            }
        }
        ways.extend(least);
        (ways.len() <= MAX_CONVERTED).then_some(ways)
    }

    /// Returns the requirements that these ways meet: the reverse of [`Requirement::alternatives`]. If there is no
    /// way, or an empty one, nothing is required. What a way needs more than another is optional. Returns
    /// `None` if there are too many requirements.
    pub fn from_alternatives(ways: &[Vec<Credential>]) -> Option<Vec<Self>> {
        let lists = ways.iter().map(Vec::as_slice);
        let required = choose_of_each(lists, allow, Credential::includes)?;
        let mut requirements: Vec<Self> = required
            .into_iter()
            .filter(|one_of| !one_of.is_empty())
            .map(Self::new)
            .collect();
        let mut optional = Vec::new();
        for way in ways {
            let least = ways.iter().find(|other| is_less(other, way));
            for credential in way.iter().filter(|_| least.is_some()) {
                let mut needed = least.into_iter().flatten();
                if !needed.any(|own| own.includes(credential)) {
                    allow(&mut optional, credential);
                }
            }
        }
        if !optional.is_empty() {
            requirements.push(Self::optional(optional));
        }
        Some(requirements)
    }
}

/// Returns whether a way needs less than another one.
fn is_less(way: &[Credential], other: &[Credential]) -> bool {
    suffices(way, other) && !suffices(other, way)
}

/// Returns whether who brings what the other way needs also brings what this one needs.
fn suffices(way: &[Credential], other: &[Credential]) -> bool {
    replaces(way, other, |own, brought| brought.includes(own))
}

/// Chooses a credential of each list, in every way. `add` adds a credential to those that have been chosen. A choice
/// is left out if another one replaces it: each credential of the other `matches` one of it.
fn choose_of_each<'c>(
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
fn replaces(
    choice: &[Credential],
    other: &[Credential],
    matches: fn(&Credential, &Credential) -> bool,
) -> bool {
    choice
        .iter()
        .all(|own| other.iter().any(|credential| matches(own, credential)))
}

/// Adds a credential to those that are needed together.
fn demand(way: &mut Vec<Credential>, credential: &Credential) {
    match way.iter_mut().find(|own| own.scheme == credential.scheme) {
        Some(own) => {
            for scope in &credential.scopes {
                if !own.scopes.contains(scope) {
                    own.scopes.push(scope.clone());
                }
            }
        }
        None => way.push(credential.clone()),
    }
}

/// Adds a credential to those of which one suffices.
fn allow(alternatives: &mut Vec<Credential>, credential: &Credential) {
    if !alternatives.iter().any(|own| credential.includes(own)) {
        alternatives.retain(|own| !own.includes(credential));
        alternatives.push(credential.clone());
    }
}
