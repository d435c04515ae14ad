//! Compares what a service sends: the items of subscriptions, and notifications and requests of its own.
//!
//! To clients, all of this is what a result is: they break if a value is new, and not if one is gone. Parameters that
//! clients send are compared in `params.rs`.

use docent_describe::json::Json;
use docent_describe::{LagPolicy, ProcedureDescription};

use super::change::Document;
use super::pairs::{Paired, paired};
use super::params::{compare_param_texts, compare_returns};
use super::phrase::phrase;
use super::report::ChangeReporter;
use super::rule::{Rule, RuleSentence};
use super::values::{SchemaUse, shown_or_none};

/// Compares the items of a subscription, what happens to subscribers who read too slowly, and how they come back.
pub(super) fn compare_subscriptions<'j>(
    old: &'j ProcedureDescription,
    new: &'j ProcedureDescription,
    report: &mut ChangeReporter<'_, 'j>,
) {
    let rules = [
        Rule::SubscriptionSwitched.told_as("change.subscription.on"),
        Rule::SubscriptionSwitched.told_as("change.subscription.off"),
    ];
    let switch = (old.subscription.is_some(), new.subscription.is_some());
    report.switched(switch, "subscription", &[], rules);
    let (Some(before), Some(after)) = (&old.subscription, &new.subscription) else {
        return;
    };
    let was = old.item_notification().unwrap_or(&old.name);
    let now = new.item_notification().unwrap_or(&new.name);
    if was != now {
        report.changed(Rule::ItemRenamed, "subscription", &[&now, &was]);
    }
    let mut report = report.member("subscription");
    let site = SchemaUse::Output(phrase("change.value.item", &[]));
    compare_returns(&before.item, &after.item, &site, &mut report.member("item"));
    let rule = match (before.behind, after.behind) {
        // A service that waits loses no items.
        (None, _) | (_, Some(LagPolicy::Wait)) => Rule::BehindEased,
        _ => Rule::BehindChanged,
    };
    let was = before.behind.map(LagPolicy::as_str);
    let now = after.behind.map(LagPolicy::as_str);
    compare_names(was, now, rule.told_as("change.behind"), &mut report);
    let rule = match before.resume {
        None => Rule::ResumeAdded,
        Some(_) => Rule::ResumeRemoved,
    };
    let was = before.resume.as_deref();
    let now = after.resume.as_deref();
    compare_names(was, now, rule.told_as("change.resume"), &mut report);
    let rules = [Rule::EndUntold, Rule::EndTold];
    let switch = (before.ends_untold, after.ends_untold);
    report.switched(switch, "ends", &[], rules);
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
            .and(shown_or_none(new.map(Json::from).as_ref()))
            .and(shown_or_none(old.map(Json::from).as_ref()));
        report.add(sentence.rule, Document::New, "", message);
    }
}

/// Compares the parameters of what a service sends. They are to clients what results are.
pub(super) fn compare_params<'j>(
    old: &'j ProcedureDescription,
    new: &'j ProcedureDescription,
    report: &mut ChangeReporter<'_, 'j>,
) {
    let pairs = paired(&old.params, &new.params, 1, |_, param, other| {
        param.name == other.name
    });
    for pair in pairs {
        let mut report = report.item("params", pair);
        match pair {
            Paired::Kept { before, after } => {
                let was = &old.params[before];
                let now = &new.params[after];
                // With names, the order of parameters does not matter to clients.
                if before != after && !new.by_name_only {
                    report.changed(Rule::ParamMoved, "", &[&now.name]);
                }
                // Clients that rely on the parameter lose it when the service leaves it out.
                if was.required && !now.required {
                    report.changed(Rule::SentParamRemoved, "", &[&now.name]);
                }
                let site = SchemaUse::Output(phrase("change.value.param", &[&now.name]));
                report
                    .member("schema")
                    .compare_schemas(&was.schema, &now.schema, &site);
                compare_param_texts(was, now, &mut report);
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
