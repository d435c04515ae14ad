//! Comparisons with low limits.

use docent_describe::{ParamDescription, ProcedureDescription, ServiceDescription};

use super::{Change, Rule, compare_within};

/// A procedure whose schemas take all steps that there are: no rule decides about a pattern, and no value is found.
fn expensive(pattern: &str) -> ProcedureDescription {
    let mut procedure = ProcedureDescription::new("expensive");
    for number in 0..100 {
        let schema = format!(
            r#"{{"type": "array", "minItems": 9, "items": {{"type": "string", "pattern": "^{pattern}{number}$"}}}}"#
        );
        let schema = schema.parse().expect("JSON");
        procedure
            .params
            .push(ParamDescription::new(format!("p{number}"), schema));
    }
    procedure
}

fn cheap(number: usize, maximum: usize) -> ProcedureDescription {
    let mut procedure = ProcedureDescription::new(format!("cheap{number}"));
    let schema = format!(r#"{{"type": "integer", "minimum": {number}, "maximum": {maximum}}}"#);
    let schema = schema.parse().expect("JSON");
    procedure.params.push(ParamDescription::new("p", schema));
    procedure
}

/// Compares an expensive procedure and fifty cheap ones, of which one takes fewer values.
fn changes(is_first: bool) -> Vec<Change> {
    let service = |pattern: &str, maximum: usize| {
        let mut service = ServiceDescription::default();
        service.procs = (0..49).map(|number| cheap(number, 100)).collect();
        service.procs.push(cheap(49, maximum));
        let at = if is_first { 0 } else { 50 };
        service.procs.insert(at, expensive(pattern));
        service
    };
    compare_within(&service("a{1,2}", 100), &service("a{1,3}", 90), 200_000)
}

#[test]
fn a_change_is_found_behind_a_procedure_that_takes_all_steps() {
    for is_first in [true, false] {
        let changes = changes(is_first);
        let of_cheap: Vec<_> = changes
            .iter()
            .filter(|change| change.procedure.as_deref() == Some("cheap49"))
            .map(|change| change.rule)
            .collect();
        assert_eq!(of_cheap, [Rule::ParamNarrowed]);
        let in_part: Vec<_> = changes
            .iter()
            .filter(|change| change.rule == Rule::ComparedInPart)
            .map(|change| change.message.as_str())
            .collect();
        assert_eq!(
            in_part,
            [
                "Schemas are too large to compare all of them. Procedures compared in part: 1 (`expensive`)."
            ]
        );
    }
}
