//! The parameter with which a subscription is resumed: it takes cursors, which are text.

use docent_describe::schema::{Kinds, SchemaContext, SchemaViews};
use docent_describe::{Components, ProcedureDescription};

use super::findings::Findings;

/// Checks that the parameter of a subscription that takes a cursor exists, may be left out, and takes what the `id` of
/// an event and a query can carry.
pub(super) fn check(
    description: &ProcedureDescription,
    components: &Components,
    findings: &mut Findings,
) {
    let subscription = description.subscription.as_ref();
    let Some(name) = subscription.and_then(|subscription| subscription.resume.as_ref()) else {
        return;
    };
    let Some(param) = description.params.iter().find(|param| param.name == *name) else {
        let text =
            format_args!("resume_by names `{name}`, which is no parameter; correct the name");
        return findings.mistake(&description.name, text);
    };
    if param.required || param.variadic {
        let text = format_args!(
            "resume_by names `{name}`, which the first call of a client cannot give; make it an `Option`"
        );
        return findings.mistake(&description.name, text);
    }
    let views = SchemaViews::new(SchemaContext::new(&components.schemas, Some(&[])));
    let kinds = views.view_of_schema(&param.schema).all_kinds();
    if !kinds.within(Kinds::STRING | Kinds::NUMBER | Kinds::NULL) {
        let text = format_args!(
            "resume_by names `{name}`, whose type is no text and no number, as cursors are; choose another parameter"
        );
        findings.mistake(&description.name, text);
    }
}
