//! Variants of one call: by name, by position and by GET, with and without each parameter.

use docent_describe::ParamDescription;
use docent_describe::TypeCode;
use docent_describe::json::{Json, Object};

use super::caller::Form;
use super::jobs::Tasks;
use super::subject::UNKNOWN;
use super::task::{Expect, Task, Trial};
use crate::check::rule::Rule;

impl Tasks<'_, '_> {
    /// Adds the same call by name, by position and by GET.
    pub(super) fn forms(&mut self, base: &Object) {
        let trial = |form, params: Option<Json>| Trial::new(form, params, Expect::Taken);
        let mut all = vec![base.clone(), self.distinct()];
        all.dedup();
        for params in all {
            let named = self.subject.by_name(&params);
            let takes = |it: &Json| self.subject.takes(it, self.validator) == Some(true);
            if !named.as_ref().is_some_and(takes) {
                continue;
            }
            if let Some(positions) = self
                .subject
                .by_position(&params)
                .filter(|it| !params.is_empty() && takes(it))
            {
                self.all.push(Task::Same {
                    one: trial(Form::Post, named.clone()),
                    two: trial(Form::Post, Some(positions)),
                    rule: Rule::Positions,
                });
            }
            if self.subject.procedure.idempotent {
                self.all.push(Task::Same {
                    one: trial(Form::Post, named.clone()),
                    two: trial(Form::Get, named),
                    rule: Rule::GetDiffers,
                });
            }
        }
        if !self.subject.takes_positions() && self.subject.takes_names() {
            let values = base.values().cloned().collect();
            self.add(Form::Post, Some(Json::Array(values)));
        }
    }

    /// Adds calls without single parameters, and with unknown ones.
    pub(super) fn members(&mut self, base: &Object) {
        let subject = self.subject;
        let params = &subject.procedure.params;
        let full: Object = {
            let mut full = self.distinct();
            full.extend(
                base.iter()
                    .map(|(name, value)| (name.clone(), value.clone())),
            );
            full
        };
        let mut required = full.clone();
        required.retain(|name, _| is_required(params, name.as_str()));
        self.add(Form::Post, subject.by_name(&required));
        for param in params {
            let mut without = full.clone();
            without.shift_remove(&param.name);
            self.add(Form::Post, subject.by_name(&without));
        }
        if required.is_empty() && !params.is_empty() {
            self.add(Form::Post, None);
        }
        if subject.takes_names() {
            let mut more = base.clone();
            more.insert(UNKNOWN, Json::from(1));
            self.add(Form::Post, Some(Json::Object(more)));
        }
        if let Some(Json::Array(mut values)) =
            subject.by_position(&full).filter(|_| !subject.is_list())
        {
            values.push(Json::from(1));
            self.add(Form::Post, Some(Json::Array(values)));
        }
        for param in params {
            for alias in &param.aliases {
                let Some(value) = full.get(&param.name) else {
                    continue;
                };
                let mut both = full.clone();
                both.insert(alias.name.as_str(), value.clone());
                let mut renamed = both.clone();
                renamed.shift_remove(&param.name);
                self.all.push(Task::Same {
                    one: Trial::new(Form::Post, subject.by_name(&full), Expect::Taken),
                    two: Trial::new(Form::Post, Some(Json::Object(renamed)), Expect::Taken),
                    rule: Rule::Narrower,
                });
                self.add(Form::Post, Some(Json::Object(both)));
            }
        }
    }

    /// Adds malformed queries, which only Docent guarantees to reject.
    pub(super) fn bad_queries(&mut self) {
        let texts = [(UNKNOWN.to_owned(), "1")];
        let params = self.subject.procedure.params.iter();
        let numbers =
            params.filter(|param| matches!(param.type_code, TypeCode::Num | TypeCode::Bit));
        let numbers = numbers.map(|param| (param.name.clone(), "docent-check"));
        let all = texts.into_iter().chain(numbers.take(1));
        self.all
            .extend(all.map(|(name, text)| Task::BadQuery { name, text }));
    }

    /// Adds calls that leave out a parameter, and calls that pass its default instead.
    pub(super) fn defaults(&mut self, base: &Object) {
        for param in &self.subject.procedure.params {
            let Some(default) = &param.default else {
                continue;
            };
            let mut without = base.clone();
            without.shift_remove(&param.name);
            let mut with = without.clone();
            with.insert(param.name.as_str(), default.clone());
            let takes = |params: &Object| {
                let params = self.subject.by_name(params)?;
                (self.subject.takes(&params, self.validator)?).then_some(params)
            };
            if let (Some(without), Some(with)) = (takes(&without), takes(&with)) {
                self.all.push(Task::Same {
                    one: Trial::new(Form::Post, Some(without), Expect::Taken),
                    two: Trial::new(Form::Post, Some(with), Expect::Taken),
                    rule: Rule::Default,
                });
            }
        }
    }
}

fn is_required(params: &[ParamDescription], name: &str) -> bool {
    params
        .iter()
        .any(|param| param.required && param.name == name)
}
