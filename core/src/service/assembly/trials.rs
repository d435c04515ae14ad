//! What the schema of a parameter takes and its type refuses.
//!
//! A schema is made from a type's declaration, and what decodes it may know better: a conversion
//! that refuses values, a function of the author's own, a buffer of serde's that knows no integers
//! of 128 bits. Whoever reads the description would be refused for doing what it says. So samples of
//! the schema are bound, as calls are, before anybody makes one.

use docent_describe::json::{Json, Pointer};
use docent_describe::schema::{Decoding, samples};
use docent_describe::{Components, ParamDescription};

use super::enforce::Enforcer;
use super::{Draft, Findings};
use crate::bind::{BindError, Params};
use crate::check::Check;
use crate::service::Entry;

/// How many refusals of one parameter are reported.
const REPORTED: usize = 3;
/// How many characters of a sample are shown.
const SHOWN: usize = 120;

/// What has to be known of a procedure to try it.
pub(super) struct Subject {
    decoding: Vec<Decoding>,
    unchecked: bool,
}

impl Subject {
    pub(super) fn of(draft: &Draft) -> Self {
        let params = draft.registered.types.params.as_ref();
        Self {
            decoding: params.map_or_else(|_| Vec::new(), |shape| shape.decoding.clone()),
            unchecked: draft.registered.about.unchecked.is_some(),
        }
    }

    /// Binds samples of each parameter, and reports those that are refused.
    pub(super) fn check(
        &self,
        entry: &Entry,
        components: &Components,
        enforcer: &mut Enforcer<'_>,
        findings: &mut Findings,
    ) {
        let params = &entry.description.params;
        if self.unchecked || self.decoding.len() != params.len() {
            return;
        }
        let candidates: Vec<Vec<Json>> = params
            .iter()
            .map(|param| {
                let mut samples = samples(&param.schema, &components.schemas);
                let check = enforcer.full_check(&param.schema);
                samples.retain(|sample| {
                    let fits = |check: &Check| check.check(&sample.to_string()).is_ok();
                    check.as_ref().is_some_and(fits)
                });
                samples
            })
            .collect();
        let mut beside: Vec<Option<&Json>> = Vec::new();
        for (param, samples) in params.iter().zip(&candidates) {
            match samples.first() {
                sample if param.required => beside.push(sample),
                _ => beside.push(None),
            }
        }
        for (index, param) in params.iter().enumerate() {
            let mut refusals: Vec<(String, Refused<'_>)> = Vec::new();
            for sample in &candidates[index] {
                let text = call(params, &beside, index, sample);
                if let Err(error) = entry.handler.accepts(&entry.plan, Params::given(&text))
                    && error.parameter().is_none_or(|name| name == param.name)
                {
                    let refused = Refused::new(sample, &error, self.decoding[index]);
                    let key = format!("{}{}", refused.anywhere(), refused.is_other_type());
                    if refusals.len() < REPORTED && !refusals.iter().any(|(other, _)| *other == key)
                    {
                        refusals.push((key, refused));
                    }
                }
            }
            for (_, refused) in refusals {
                refused.report(&entry.description.name, &param.name, findings);
            }
        }
    }
}

/// A call in which one parameter has a certain value, and the others are as small as they can be.
fn call(
    params: &[ParamDescription],
    beside: &[Option<&Json>],
    index: usize,
    sample: &Json,
) -> String {
    if params[index].variadic {
        return sample.to_string();
    }
    let mut members = docent_describe::json::Object::new();
    for (at, param) in params.iter().enumerate() {
        let value = if at == index {
            Some(sample)
        } else {
            beside[at]
        };
        if let Some(value) = value {
            members.insert(param.name.clone(), value.clone());
        }
    }
    Json::Object(members).to_string()
}

/// A sample that was refused.
struct Refused<'s> {
    sample: &'s Json,
    pointer: Pointer,
    reason: String,
    decoding: Decoding,
}

impl<'s> Refused<'s> {
    fn new(sample: &'s Json, error: &BindError, decoding: Decoding) -> Self {
        Self {
            sample,
            pointer: error.pointer().clone(),
            reason: error.reason().to_owned(),
            decoding,
        }
    }

    /// The place without the indices of elements: they are all of one type.
    fn anywhere(&self) -> String {
        let is_name = |token: &&str| !token.bytes().all(|byte| byte.is_ascii_digit());
        let tokens: Vec<&str> = self.pointer.as_str().split('/').filter(is_name).collect();
        tokens.join("/")
    }

    /// Whether the type decodes values of another kind in this place, as a function of the author's
    /// own does.
    fn is_other_type(&self) -> bool {
        let kinds = [
            "expected a string, ",
            "expected an integer, ",
            "expected a number, ",
        ];
        let more = [
            "expected an array, ",
            "expected an object, ",
            "expected true or false, ",
        ];
        let starts = |words: &[&str]| words.iter().any(|words| self.reason.starts_with(words));
        !self.decoding.buffered && (starts(&kinds) || starts(&more))
    }

    fn report(&self, procedure: &str, parameter: &str, findings: &mut Findings) {
        let Self { reason, .. } = self;
        let text = self.sample.to_string();
        let shown: String = text.chars().take(SHOWN).collect();
        let more = if shown.len() < text.len() { "…" } else { "" };
        let place = if self.pointer.is_root() {
            String::new()
        } else {
            format!(" at {}", self.pointer)
        };
        let start = format!(
            "parameter `{parameter}`: the schema allows {shown}{more} and serde refuses \
             it{place}: {reason}"
        );
        if self.is_other_type() {
            findings.warning(
                procedure,
                format_args!(
                    "{start}; a function that decodes another type (`deserialize_with`) needs a \
                     schema of its own, such as `#[schemars(with = \"…\")]`"
                ),
            );
        } else {
            let cure = self.cure();
            findings.mistake(
                procedure,
                format_args!("{start}; {cure}, or say `.unchecked(reason)` on the procedure"),
            );
        }
    }

    fn cure(&self) -> &'static str {
        let says = |words: &str| self.reason.contains(words);
        if says("is missing") || says("is given twice") {
            return "where a struct and one flattened into it have a field of the same name, \
                    rename one of them";
        }
        if !self.decoding.buffered {
            return "make the schema of the type say what is taken (`#[schemars(extend(\"pattern\" = \
                    \"…\"))]` or another keyword, or `with = \"…\"`)";
        }
        if says("128 is not supported") {
            return "integers of 128 bits cannot be decoded inside of untagged, internally tagged \
                    or flattened types: use one of 64 bits, or tag the enum externally";
        }
        "what untagged and internally tagged enums hold, content that stands before its tag, and \
         what is flattened, is decoded from a buffer that knows no integer keys, no integers of \
         128 bits and no raw values: use other types there, or an enum that is tagged externally"
    }
}
