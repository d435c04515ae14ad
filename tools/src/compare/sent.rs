//! Compares what a service sends: the items of subscriptions, and notifications and requests of its own.
//!
//! To clients, all of this is what a result is: they break if a value is new, and not if one is gone. Parameters that
//! clients send are compared in `params.rs`.

use docent_describe::json::Json;
use docent_describe::{LagPolicy, ProcedureDescription};

use super::change::Document;
use super::pairs::{Paired, Partners};
use super::params::{compare_param_documentation, compare_returns};
use super::phrase::phrase;
use super::report::ChangeReporter;
use super::rule::{Rule, RuleSentence};
use super::values::{SchemaUse, quoted_or_none};

/// Compares the items of a subscription, what happens to subscribers who read too slowly, and how they come back.
pub(super) fn compare_subscriptions<'j>(
    old: &'j ProcedureDescription,
    new: &'j ProcedureDescription,
    report: &mut ChangeReporter<'_, 'j>,
) {
    report.switched(
        "subscription",
        old.subscription.is_some(),
        new.subscription.is_some(),
        &[],
        [
            Rule::SubscriptionSwitched.sentence("change.subscription.on"),
            Rule::SubscriptionSwitched.sentence("change.subscription.off"),
        ],
    );
    let (Some(before), Some(after)) = (&old.subscription, &new.subscription) else {
        return;
    };
    let old_name = old.item_notification().unwrap_or(&old.name);
    let new_name = new.item_notification().unwrap_or(&new.name);
    if old_name != new_name {
        report.changed(Rule::ItemRenamed, "subscription", &[&new_name, &old_name]);
    }
    let mut report = report.member("subscription");
    compare_returns(
        &before.item,
        &after.item,
        &SchemaUse::Output(phrase("change.value.item", &[])),
        &mut report.member("item"),
    );
    let rule = match (before.behind, after.behind) {
        // A service that waits loses no items.
        (None, _) | (_, Some(LagPolicy::Wait)) => Rule::BehindEased,
        _ => Rule::BehindChanged,
    };
    compare_names(
        before.behind.map(LagPolicy::as_str),
        after.behind.map(LagPolicy::as_str),
        rule.sentence("change.behind"),
        &mut report,
    );
    let rule = match before.resume {
        None => Rule::ResumeAdded,
        Some(_) => Rule::ResumeRemoved,
    };
    compare_names(
        before.resume.as_deref(),
        after.resume.as_deref(),
        rule.sentence("change.resume"),
        &mut report,
    );
    report.switched(
        "ends",
        before.ends_untold,
        after.ends_untold,
        &[],
        [Rule::EndUntold, Rule::EndTold],
    );
    report.compare_extensions(&before.extensions, &after.extensions);
}

/// Adds a change if something has another name, or none.
fn compare_names(
    old: Option<&str>,
    new: Option<&str>,
    sentence: RuleSentence,
    report: &mut ChangeReporter<'_, '_>,
) {
    if old != new {
        let message = phrase(sentence.key, &[])
            .and(quoted_or_none(new.map(Json::from).as_ref()))
            .and(quoted_or_none(old.map(Json::from).as_ref()));
        report.add(sentence.rule, Document::New, "", message);
    }
}

/// Compares the parameters of what a service sends. They are to clients what results are.
pub(super) fn compare_params<'j>(
    old: &'j ProcedureDescription,
    new: &'j ProcedureDescription,
    report: &mut ChangeReporter<'_, 'j>,
) {
    let mut partners = Partners::new(old.params.len(), new.params.len());
    partners.join_if(|before, after| old.params[before].name == new.params[after].name);
    for pair in partners.into_pairs() {
        let mut report = report.item("params", pair);
        match pair {
            Paired::Both { before, after } => {
                let old = &old.params[before];
                let param = &new.params[after];
                // With names, the order of parameters does not matter to clients.
                if before != after && !new.by_name_only {
                    report.changed(Rule::ParamMoved, "", &[&param.name]);
                }
                // Clients that rely on the parameter lose it when the service leaves it out.
                if old.required && !param.required {
                    report.changed(Rule::SentParamRemoved, "", &[&param.name]);
                }
                let schema_use = SchemaUse::Output(phrase("change.value.param", &[&param.name]));
                report
                    .member("schema")
                    .compare_schemas(&old.schema, &param.schema, &schema_use);
                compare_param_documentation(old, param, &mut report);
            }
            Paired::Removed(before) => {
                report.removed(Rule::SentParamRemoved, "", &[&old.params[before].name]);
            }
            Paired::Added(after) => {
                report.changed(Rule::SentParamAdded, "", &[&new.params[after].name]);
            }
        }
    }
}
