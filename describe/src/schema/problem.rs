use std::fmt;

/// The reason why a type cannot be described, and how to fix it.
///
/// The texts name the parameter but not the procedure, which is known where the type is registered.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ShapeProblem {
    /// The type cannot be used for parameters.
    NotParams {
        /// The type's name in Rust.
        type_name: &'static str,
        /// The kind of data that the type decodes.
        found: &'static str,
        /// The replacement.
        instead: &'static str,
    },
    /// serde accepts a field that the schema does not describe.
    NotDescribed {
        /// The name that serde accepts.
        name: String,
    },
    /// serde decodes two fields from one name.
    NameOfTwo {
        /// The name.
        name: String,
    },
    /// The schema describes a parameter that serde does not decode.
    NotDecoded {
        /// The parameter.
        name: String,
    },
    /// The schema says that a parameter is optional, but serde requires it.
    RequiredInTruth {
        /// The parameter.
        name: String,
    },
    /// A required parameter follows an optional one.
    RequiredAfterOptional {
        /// The required parameter.
        name: String,
        /// The last optional one in front of it.
        optional: String,
    },
    /// The order of the parameters names one that does not exist.
    UnknownInOrder {
        /// The name.
        name: String,
    },
    /// The order of the parameters names one twice.
    TwiceInOrder {
        /// The parameter.
        name: String,
    },
    /// The order of the parameters lacks one.
    LeftOutOfOrder {
        /// The parameter.
        name: String,
    },
    /// An invalid parameter name.
    BadName {
        /// The name.
        name: String,
    },
    /// The schema of the parameters has a keyword that does not apply to single parameters.
    Undividable {
        /// The keyword.
        keyword: String,
    },
    /// serde accepts a name inside a parameter that the schema does not describe.
    NotDescribedInside {
        /// The parameter.
        parameter: String,
        /// The name that serde accepts.
        name: String,
        /// The place in the parameter, in words.
        place: String,
    },
    /// The schema describes a member inside a parameter that serde does not decode.
    NotDecodedInside {
        /// The parameter.
        parameter: String,
        /// The member.
        name: String,
        /// The place in the parameter, in words.
        place: String,
    },
    /// A type accepts members that `unevaluatedProperties` excludes.
    OpenInside {
        /// The parameter.
        parameter: String,
        /// The place in the parameter, in words.
        place: String,
    },
    /// A type contains itself through an untagged enum.
    Retried {
        /// The parameter that leads to the type.
        parameter: String,
        /// The type's name.
        name: String,
    },
    /// A type contains itself through a flattened map or a flattened enum.
    Copied {
        /// The parameter that leads to the type.
        parameter: String,
        /// The type's name.
        name: String,
    },
    /// A default or a schema differs each time.
    Unsteady {
        /// The member that has it, or the type.
        name: String,
        /// The first value.
        first: String,
        /// The value at the next run.
        second: String,
    },
    /// Two different types have the same name.
    NameClash {
        /// The name.
        name: String,
    },
}

fn name_of_two(f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
    write!(
        f,
        "two fields take the name `{name}`: an `alias` or a `rename` of one is the name of the other; \
         remove it"
    )
}

impl fmt::Display for ShapeProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotParams {
                type_name,
                found,
                instead,
            } => write!(
                f,
                "`{type_name}` is {found} and cannot be a procedure's parameters; {instead}"
            ),
            Self::NotDescribed { name } => write!(
                f,
                "serde accepts the name `{name}`, but the schema does not describe it (a field with \
                 `schemars(skip)`?); remove the attribute"
            ),
            Self::NameOfTwo { name } => name_of_two(f, name),
            Self::NotDecoded { name } => write!(
                f,
                "the schema describes a parameter `{name}`, but serde does not decode it; make \
                 `Deserialize` and `JsonSchema` of the type agree"
            ),
            Self::RequiredInTruth { name } => write!(
                f,
                "the schema says that `{name}` is optional, but serde requires it; add \
                 `#[serde(default)]` to the field"
            ),
            Self::RequiredAfterOptional { name, optional } => write!(
                f,
                "the required parameter `{name}` follows the optional `{optional}`; declare \
                 required fields first, so that optional ones can be left out by position, or call \
                 `.by_name_only()` on the procedure"
            ),
            Self::UnknownInOrder { name }
            | Self::TwiceInOrder { name }
            | Self::LeftOutOfOrder { name } => self.write_order(name, f),
            Self::BadName { name } => write!(
                f,
                "`{name}` cannot be a parameter's name: digits alone are a position, and a name \
                 must not be empty; rename the field"
            ),
            Self::Undividable { keyword } => write!(
                f,
                "the schema of the parameters has `{keyword}`, which does not apply to single \
                 parameters (a flattened map or enum, or an attribute on the struct); move it to \
                 a separate field"
            ),
            Self::NotDescribedInside {
                parameter,
                name,
                place,
            } => write!(
                f,
                "parameter `{parameter}`: serde accepts the name `{name}` {place}, but the schema \
                 does not describe it (an alias, or `schemars(skip)`); remove the attribute, or \
                 call `.unchecked(reason)` on the procedure"
            ),
            Self::NotDecodedInside {
                parameter,
                name,
                place,
            } => write!(
                f,
                "parameter `{parameter}`: the schema describes a member `{name}` {place}, but \
                 serde does not decode it; make `Deserialize` and `JsonSchema` of the type agree, \
                 or call `.unchecked(reason)` on the procedure"
            ),
            Self::OpenInside { parameter, place } => write!(
                f,
                "parameter `{parameter}`: `unevaluatedProperties` says {place} that there are no \
                 other members, and serde takes them; say `#[serde(deny_unknown_fields)]` instead, \
                 or `.unchecked(reason)` on the procedure"
            ),
            Self::Retried { parameter, name } => write!(
                f,
                "parameter `{parameter}`: the type `{name}` contains itself through an untagged \
                 enum, whose variants serde tries again at every level of nesting, so a few \
                 hundred bytes can keep a server busy for minutes; tag the enum (`#[serde(tag = \
                 \"…\")]`), or call `.unchecked(reason)` on the procedure"
            ),
            Self::Copied { parameter, name } => write!(
                f,
                "parameter `{parameter}`: the type `{name}` contains itself through a flattened \
                 map or a flattened enum, which serde copies at every level of nesting, so one \
                 large body can keep a server busy for seconds; use a separate field instead of \
                 `#[serde(flatten)]`, or call `.unchecked(reason)` on the procedure"
            ),
            Self::Unsteady {
                name,
                first,
                second,
            } => write!(
                f,
                "the default of `{name}` is not constant: {first}, and then {second}; make the \
                 field an `Option` and choose the default in the handler"
            ),
            Self::NameClash { name } => write!(
                f,
                "two different types are both named `{name}`; {CURE_OF_CLASH}"
            ),
        }
    }
}

impl ShapeProblem {
    /// Writes the problem with the order that the author lists.
    fn write_order(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the order ")?;
        match self {
            Self::UnknownInOrder { .. } => {
                write!(f, "lists `{name}`, which is not a parameter; remove it")
            }
            Self::TwiceInOrder { .. } => {
                write!(f, "lists the parameter `{name}` twice; remove one")
            }
            _ => write!(f, "does not list the parameter `{name}`; add it"),
        }
    }

    /// Returns the problem with the name of a parameter, if there is one.
    pub fn of_name(name: &str) -> Option<Self> {
        let is_position = name.bytes().all(|byte| byte.is_ascii_digit());
        is_position.then(|| Self::BadName {
            name: name.to_owned(),
        })
    }
}

/// The advice for two types with the same name.
pub(super) const CURE_OF_CLASH: &str = "rename one of them with `#[schemars(rename = \"…\")]`";

impl std::error::Error for ShapeProblem {}
