//! A canonical text of parameters: the same for all ways to write them.

use docent_describe::json::{Json, Object};

use super::plan::{ParameterShape, Plan};
use super::{Params, container};

/// Returns the parameters by name, sorted, without white space, and with their numbers as
/// written. Members of objects are sorted, too. Names that no parameter has stay as they are.
pub(crate) fn canonical(params: Params<'_>, plan: &Plan) -> String {
    let text = container(params, plan);
    let mut names = plan.parameters.iter().map(|known| &*known.name);
    let by_name: Object = match text.parse() {
        Ok(Json::Object(members)) => members
            .into_iter()
            .map(|(name, value)| match plan.find(&name) {
                Some((_, known)) => ((&*known.name).into(), value),
                None => (name, value),
            })
            .collect(),
        Ok(list) if plan.shape == ParameterShape::List => {
            names.map(|name| (name, list.clone())).collect()
        }
        Ok(Json::Array(values)) => values
            .into_iter()
            .map(|value| (names.next().unwrap_or_default(), value))
            .collect(),
        // The nesting is too deep for a tree.
        _ => return text.to_owned(),
    };
    let mut params = Json::Object(by_name);
    sort(&mut params);
    params.to_string()
}

/// Sorts the members of all objects.
fn sort(value: &mut Json) {
    match value {
        Json::Array(elements) => elements.iter_mut().for_each(sort),
        Json::Object(members) => {
            members.sort_unstable_keys();
            members.values_mut().for_each(sort);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use docent_describe::{ParamAlias, ParamDescription};

    use super::*;
    use crate::bind::ParamCheck;

    fn plan(names: &[&str]) -> Plan {
        let parameters: Vec<_> = names
            .iter()
            .map(|name| ParamDescription {
                name: (*name).to_owned(),
                ..ParamDescription::default()
            })
            .collect();
        Plan::new(
            parameters.iter().map(|it| (it, ParamCheck::default())),
            false,
        )
    }

    #[track_caller]
    fn assert_canonical(plan: &Plan, texts: &[&str], expected: &str) {
        for text in texts {
            assert_eq!(canonical(Some(text), plan), expected, "{text}");
        }
    }

    #[test]
    fn names_positions_order_space_and_escapes_do_not_matter() {
        let plan = plan(&["to", "amount", "note"]);
        assert_canonical(
            &plan,
            &[
                r#"["ada",10,{"b":[1,2],"a":"é"}]"#,
                r#"{"to":"ada","amount":10,"note":{"a":"é","b":[1,2]}}"#,
                "{ \"note\" : {\"b\":[ 1 , 2 ], \"\\u0061\":\"\\u00e9\"},\n\"amount\": 10 , \"t\\u006f\":\"\\u0061da\"}",
            ],
            r#"{"amount":10,"note":{"a":"é","b":[1,2]},"to":"ada"}"#,
        );
        assert_canonical(&plan, &["[]", "{}", "[ ]"], "{}");
        assert_eq!(canonical(None, &plan), "{}");
    }

    #[test]
    fn numbers_stay_as_written_and_elements_in_their_order() {
        let plan = plan(&["n"]);
        for number in ["1.0", "1", "1e0", "-0", "1e400", "12345678901234567890"] {
            assert_canonical(
                &plan,
                &[&format!("[{number}]")],
                &format!("{{\"n\":{number}}}"),
            );
        }
        assert_canonical(&plan, &["[[2,1]]"], r#"{"n":[2,1]}"#);
    }

    #[test]
    fn a_list_is_the_same_by_its_name_and_an_alias_is_its_parameter() {
        let list = ParamDescription {
            name: "values".to_owned(),
            variadic: true,
            ..ParamDescription::default()
        };
        let list = Plan::new([(&list, ParamCheck::default())], false);
        assert_canonical(
            &list,
            &["[1, 2]", r#"{"values":[1,2]}"#],
            r#"{"values":[1,2]}"#,
        );
        assert_canonical(&list, &["[]", "{}"], r#"{"values":[]}"#);
        let aliased = ParamDescription {
            name: "words".to_owned(),
            aliases: vec![ParamAlias {
                name: "query".to_owned(),
                ..ParamAlias::default()
            }],
            ..ParamDescription::default()
        };
        let aliased = Plan::new([(&aliased, ParamCheck::default())], false);
        let texts = [r#"{"query":1}"#, r#"{"words":1}"#, "[1]"];
        assert_canonical(&aliased, &texts, r#"{"words":1}"#);
    }

    #[test]
    fn unknown_names_and_extra_values_are_kept() {
        let plan = plan(&["a"]);
        assert_canonical(&plan, &[r#"{"b":1,"a":2}"#], r#"{"a":2,"b":1}"#);
        assert_canonical(&plan, &["[1,2]"], r#"{"":2,"a":1}"#);
    }
}
