//! Calls that try a parameter.

use std::collections::{HashMap, HashSet};

use docent_describe::ParamDescription;
use docent_describe::json::{Json, Pointer};
use docent_describe::schema::{Candidate, notations};

use super::refused::{Extent, Refused};
use crate::bind::{BindError, Params};
use crate::json_string;
use crate::service::callable::Callable;

/// The maximum number of refusals of one parameter that are reported.
const REPORTED: usize = 3;
/// The maximum number of texts in a notation of their own that are looked for in one sample.
const NOTATIONS: usize = 64;

/// The notation that the type accepts at each place; `None` if none was found.
type Spellings = HashMap<Pointer, Option<&'static str>>;

/// Calls that try one parameter.
pub(super) struct Call<'e> {
    callable: &'e Callable,
    /// The parameter that is tried.
    param: &'e ParamDescription,
    /// The text of the call before the parameter's value, and after it.
    around: [String; 2],
    /// Set if a part of the parameter is decoded from a buffer.
    buffered: bool,
}

impl<'e> Call<'e> {
    /// Prepares calls that try one parameter, with these values of the other required ones.
    pub(super) fn new(
        callable: &'e Callable,
        index: usize,
        beside: &[Option<String>],
        buffered: bool,
    ) -> Self {
        let params = &callable.callee.description.params;
        let param = &params[index];
        let mut around = [String::new(), String::new()];
        if !param.variadic {
            // The parameter that is tried comes first, so that its refusal is found before another
            // parameter is decoded.
            let [before, after] = &mut around;
            before.push('{');
            push_member(before, &param.name, "");
            for (other, value) in params.iter().zip(beside) {
                if let Some(value) = value.as_ref().filter(|_| other.name != param.name) {
                    after.push(',');
                    push_member(after, &other.name, value);
                }
            }
            after.push('}');
        }
        Self {
            callable,
            param,
            around,
            buffered,
        }
    }

    /// Returns the values that the type refuses, one of each kind.
    pub(super) fn refusals(&self, candidates: &[Candidate<'_>]) -> Vec<Refused> {
        let mut outcomes = Vec::with_capacity(candidates.len());
        for candidate in candidates {
            outcomes.push(self.bind(candidate.text()));
        }
        if outcomes.iter().all(Result::is_ok) {
            return Vec::new();
        }
        let outcomes = candidates.iter().zip(outcomes);
        let (taken, refused): (Vec<_>, Vec<_>) = outcomes.partition(|(_, outcome)| outcome.is_ok());
        let taken: HashSet<String> = taken
            .into_iter()
            .map(|(candidate, _)| candidate.outline())
            .collect();
        let mut spellings = HashMap::new();
        let mut found: Vec<Refused> = Vec::new();
        for (candidate, outcome) in refused {
            if let Err(error) = outcome {
                for refused in self.explain(candidate, error, &taken, &mut spellings) {
                    // Warnings must not displace a mistake.
                    let alike = found.iter().filter(|known| known.extent == refused.extent);
                    let is_new = !found.iter().any(|known| known.is_like(&refused));
                    if is_new && alike.count() < REPORTED {
                        found.push(refused);
                    }
                }
            }
        }
        found
    }

    /// Finds out why a sample is refused. A sample with a text in a notation of its own may be
    /// refused for that text, and for another reason as well.
    fn explain(
        &self,
        candidate: &Candidate<'_>,
        error: BindError,
        taken: &HashSet<String>,
        spellings: &mut Spellings,
    ) -> Vec<Refused> {
        let mut sample = candidate.value();
        if taken.contains(&candidate.outline()) {
            return vec![Refused::new(
                sample,
                &error,
                Extent::Narrower,
                self.buffered,
            )];
        }
        let mut found = Vec::new();
        let mut error = error;
        while candidate.is_free_text(error.pointer()) {
            found.push(Refused::new(
                sample.clone(),
                &error,
                Extent::Narrower,
                self.buffered,
            ));
            if found.len() == NOTATIONS {
                return found;
            }
            match self.respell(&mut sample, error.pointer(), spellings) {
                Some(Err(next)) => error = next,
                Some(Ok(())) | None => return found,
            }
        }
        let respelled = || {
            candidate
                .respelled()
                .any(|sample| self.bind(&sample.to_string()).is_ok())
        };
        let extent = if found.is_empty() && respelled() {
            Extent::Narrower
        } else {
            Extent::Nothing
        };
        found.push(Refused::new(sample, &error, extent, self.buffered));
        found
    }

    /// Writes a text of the sample in another notation, with which the type does not refuse that text.
    /// Returns the outcome of the call then; `None` if the type accepts no known notation.
    fn respell(
        &self,
        sample: &mut Json,
        place: &Pointer,
        spellings: &mut Spellings,
    ) -> Option<Result<(), BindError>> {
        let mut write = |notation: &str| {
            *place.resolve_mut(sample)? = Json::from(notation);
            match self.bind(&sample.to_string()) {
                Err(error) if error.pointer() == place => None,
                outcome => Some(outcome),
            }
        };
        if let Some(known) = spellings.get(place) {
            return known.and_then(write);
        }
        let mut found = notations().filter_map(|notation| Some((notation, write(notation)?)));
        let found = found.next();
        let notation = found.as_ref().map(|(notation, _)| *notation);
        spellings.insert(place.clone(), notation);
        found.map(|(_, outcome)| outcome)
    }

    /// Binds a call in which the parameter has this value, and the others are as small as possible.
    /// Refusals of other parameters are ignored.
    fn bind(&self, sample: &str) -> Result<(), BindError> {
        let [before, after] = &self.around;
        let text = [before, sample, after].concat();
        let Callable { handler, plan, .. } = self.callable;
        let outcome = handler.accepts(plan, Params::given(&text));
        let Err(error) = outcome else { return Ok(()) };
        match error.concerning(&self.param.name) {
            Some(error) if error.parameter().is_some() || self.is_at_fault(sample) => {
                Err(error.clone())
            }
            _ => Ok(()),
        }
    }

    /// Returns whether this parameter caused a refusal that names no parameter: the type decodes it
    /// from a buffer, and gives another reason without it.
    fn is_at_fault(&self, sample: &str) -> bool {
        let [before, after] = &self.around;
        let error = |text: &str| self.callable.handler.decodes(text).err();
        let reason = |text: &str| error(text).map(|error| error.reason(""));
        let of_another_kind = error(&[before, r#"{"":[]}"#, after].concat());
        let others = ["{", after.strip_prefix(',').unwrap_or(after)].concat();
        of_another_kind.is_none_or(|error| error.offset() <= Some(0))
            && reason(&others) != reason(&[before, sample, after].concat())
    }
}

/// Appends a member: its name, and its value as JSON text.
fn push_member(out: &mut String, name: &str, value: &str) {
    json_string::push(out, name);
    out.push(':');
    out.push_str(value);
}
