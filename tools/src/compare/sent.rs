//! Compares what a service sends: the items of subscriptions, and notifications and requests of its own.

use docent_describe::{
    Behind, Carrier, ParamDescription, ProcedureDescription, SubscriptionDescription,
};

use super::change::Document;
use super::pairs::{Both, paired};
use super::phrase::{PhraseValue, phrase};
use super::procedure::returns;
use super::report::Report;
use super::rule::Rule;
use super::values::{SchemaUse, Subject};

pub(super) fn compare_subscriptions<'j>(
    (old, new): Both<'j, ProcedureDescription>,
    report: &mut Report<'_, 'j>,
) {
    let (before, after) = match (&old.subscription, &new.subscription) {
        (Some(before), Some(after)) => (before, after),
        (None, Some(_)) => {
            let words = (Rule::SubscriptionSwitched, "change.subscription.on");
            report.now(words, "subscription", &[]);
            return;
        }
        (Some(_), None) => {
            let words = (Rule::SubscriptionSwitched, "change.subscription.off");
            report.gone(words, "subscription", &[]);
            return;
        }
        (None, None) => return,
    };
    let names = (old.item_notification(), new.item_notification());
    if let (Some(was), Some(now)) = names
        && was != now
    {
        report.now(Rule::ItemRenamed, "subscription", &[&now, &was]);
    }
    let mut report = report.inside("subscription");
    let items = (&before.item, &after.item);
    let item = &SchemaUse::Output(Subject::Item);
    returns(items, item, &mut report.inside("item"));
    behind((before.behind, after.behind), &mut report);
    resume((before, after), &mut report);
    let rules = [Rule::EndUntold, Rule::EndTold];
    let switch = (before.ends_untold, after.ends_untold);
    report.switched(switch, "ends", &[], rules);
    if report.extensions(&before.extensions, &after.extensions) {
        report.now((Rule::WordsChanged, "change.words"), "", &[]);
    }
}

fn behind((old, new): (Option<Behind>, Option<Behind>), report: &mut Report<'_, '_>) {
    if old == new {
        return;
    }
    let rule = match (old, new) {
        (None, _) | (_, Some(Behind::Wait)) => Rule::BehindEased,
        _ => Rule::BehindChanged,
    };
    let message = phrase("change.behind", &[]).and(fate(new)).and(fate(old));
    report.told(rule, Document::New, "", message);
}

/// Returns the word for what happens to a slow subscriber.
fn fate(behind: Option<Behind>) -> PhraseValue {
    match behind {
        Some(behind) => PhraseValue::Literal(format!("`{}`", behind.as_str())),
        None => phrase("change.none", &[]).into(),
    }
}

fn resume((old, new): Both<'_, SubscriptionDescription>, report: &mut Report<'_, '_>) {
    match (&old.resume, &new.resume) {
        (Some(was), Some(now)) if was != now => {
            let words = (Rule::ResumeRemoved, "change.resume.renamed");
            report.now(words, "resume", &[now, was]);
        }
        (Some(was), None) => {
            let words = (Rule::ResumeRemoved, "change.resume.gone");
            report.gone(words, "resume", &[was]);
        }
        (None, Some(now)) => report.now(Rule::ResumeAdded, "resume", &[now]),
        _ => {}
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
        match (
            before.map(|at| &old.params[at]),
            after.map(|at| &new.params[at]),
        ) {
            (Some(param), Some(now)) => each((param, now), &mut report),
            (Some(param), None) => {
                let words = (Rule::SentParamRemoved, "change.sent.param.gone");
                report.gone(words, "", &[&param.name]);
            }
            (None, Some(param)) => report.now(Rule::SentParamAdded, "", &[&param.name]),
            (None, None) => {}
        }
        if let (Some(before), Some(after)) = (before, after)
            && before != after
            && !new.by_name_only
        {
            report.now(Rule::ParamMoved, "", &[&new.params[after].name]);
        }
    }
}

fn each<'j>((old, new): Both<'j, ParamDescription>, report: &mut Report<'_, 'j>) {
    let name = &new.name;
    if old.required && !new.required {
        let words = (Rule::SentParamRemoved, "change.sent.param.optional");
        report.now(words, "", &[name]);
    }
    let site = SchemaUse::Output(Subject::Param(name));
    let schemas = (&old.schema, &new.schema);
    report.inside("schema").schemas(schemas, &site);
    let have_others = report.extensions(&old.extensions, &new.extensions);
    if old.description != new.description || have_others {
        report.now((Rule::WordsChanged, "change.param.words"), "", &[name]);
    }
}

pub(super) fn compare_carriers((old, new): Both<'_, Vec<Carrier>>, report: &mut Report<'_, '_>) {
    let pairs = paired(old, new, 1, |_, carrier, other| carrier.name == other.name);
    for (before, after) in pairs {
        let mut report = report.element("carriers", before.unwrap_or(0), after.unwrap_or(0));
        match (before.map(|at| &old[at]), after.map(|at| &new[at])) {
            (Some(carrier), None) => report.gone(Rule::CarrierRemoved, "", &[&carrier.name]),
            (None, Some(carrier)) => report.now(Rule::CarrierAdded, "", &[&carrier.name]),
            (Some(carrier), Some(now)) => match (&carrier.address, &now.address) {
                (Some(was), Some(is)) if was != is => {
                    report.now(Rule::CarrierMoved, "address", &[&now.name, is, was]);
                }
                (None, Some(is)) => {
                    let words = (Rule::AddressAdded, "change.carrier.address");
                    report.now(words, "address", &[&now.name, is]);
                }
                (Some(was), None) => {
                    let words = (Rule::AddressAdded, "change.carrier.address.gone");
                    report.gone(words, "address", &[&now.name, was]);
                }
                _ => {}
            },
            (None, None) => {}
        }
    }
}
