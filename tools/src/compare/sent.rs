//! Compares what a service sends: the items of subscriptions, and notifications and requests of its own.

use docent_describe::json::Json;
use docent_describe::{Behind, ProcedureDescription};

use super::change::Document;
use super::pairs::{Both, paired};
use super::params::{returns, words};
use super::phrase::phrase;
use super::report::Report;
use super::rule::{Rule, Words};
use super::values::{SchemaUse, shown_or_none};

pub(super) fn compare_subscriptions<'j>(
    (old, new): Both<'j, ProcedureDescription>,
    report: &mut Report<'_, 'j>,
) {
    let rules = [
        (Rule::SubscriptionSwitched, "change.subscription.on"),
        (Rule::SubscriptionSwitched, "change.subscription.off"),
    ];
    let switch = (old.subscription.is_some(), new.subscription.is_some());
    report.switched(switch, "subscription", &[], rules);
    let (Some(before), Some(after)) = (&old.subscription, &new.subscription) else {
        return;
    };
    let [was, now] = [old, new].map(|it| it.item_notification().unwrap_or(&it.name));
    if was != now {
        report.now(Rule::ItemRenamed, "subscription", &[&now, &was]);
    }
    let mut report = report.inside("subscription");
    let site = SchemaUse::Output(phrase("change.value.item", &[]));
    let items = (&before.item, &after.item);
    returns(items, &site, &mut report.inside("item"));
    let behind = match (before.behind, after.behind) {
        (None, _) | (_, Some(Behind::Wait)) => Rule::BehindEased,
        _ => Rule::BehindChanged,
    };
    let fates = [before.behind, after.behind].map(|behind| behind.map(Behind::as_str));
    word((behind, "change.behind"), fates, &mut report);
    let resume = match before.resume {
        None => Rule::ResumeAdded,
        Some(_) => Rule::ResumeRemoved,
    };
    let names = [before, after].map(|it| it.resume.as_deref());
    word((resume, "change.resume"), names, &mut report);
    let rules = [Rule::EndUntold, Rule::EndTold];
    let switch = (before.ends_untold, after.ends_untold);
    report.switched(switch, "ends", &[], rules);
    report.extensions(&before.extensions, &after.extensions);
}

/// Tells that a word is another one, or none.
fn word((rule, key): Words, [old, new]: [Option<&str>; 2], report: &mut Report<'_, '_>) {
    if old != new {
        let message = phrase(key, &[])
            .and(shown_or_none(new.map(Json::from).as_ref()))
            .and(shown_or_none(old.map(Json::from).as_ref()));
        report.told(rule, Document::New, "", message);
    }
}

/// Compares the parameters of what a service sends. They are to clients what results are.
pub(super) fn compare_params<'j>(
    (old, new): Both<'j, ProcedureDescription>,
    report: &mut Report<'_, 'j>,
) {
    let pairs = paired(&old.params, &new.params, 1, |_, param, other| {
        param.name == other.name
    });
    for (before, after) in pairs {
        let mut report = report.element("params", before.unwrap_or(0), after.unwrap_or(0));
        let was = before.map(|at| &old.params[at]);
        let Some(now) = after.map(|at| &new.params[at]) else {
            let name = was.map_or("", |gone| &gone.name);
            report.gone(Rule::SentParamRemoved, "", &[&name]);
            continue;
        };
        let name = &now.name;
        let Some(was) = was else {
            report.now(Rule::SentParamAdded, "", &[name]);
            continue;
        };
        if before != after && !new.by_name_only {
            report.now(Rule::ParamMoved, "", &[name]);
        }
        if was.required && !now.required {
            report.now(Rule::SentParamRemoved, "", &[name]);
        }
        let site = SchemaUse::Output(phrase("change.value.param", &[name]));
        let schemas = (&was.schema, &now.schema);
        report.inside("schema").schemas(schemas, &site);
        words(was, now, &mut report);
    }
}
