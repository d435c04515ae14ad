//! A canonical text of parameters: the same for all ways to write them.

use std::borrow::Cow;

use docent_describe::json::{Cursor, push_quoted};

use super::Params;
use super::plan::{ParameterShape, Plan};

impl Params<'_> {
    /// Returns the parameters by name, sorted, without white space, and with their numbers as
    /// written. Members of objects are sorted, too. Names that no parameter has stay as they are.
    pub(crate) fn canonical(self, plan: &Plan) -> String {
        let text = self.text(plan);
        let mut out = String::with_capacity(text.len());
        write_members(&mut out, text, by_name(plan, text));
        out
    }
}

/// The name of a member, and the offset at which its value begins.
type Member = (String, usize);

/// Returns the values of the call, each with the name of its parameter.
fn by_name(plan: &Plan, text: &str) -> Vec<Member> {
    let mut cursor = Cursor::new(text);
    if cursor.peek() == b'{' {
        let mut members = members(&mut cursor);
        for (name, _) in &mut members {
            if let Some((_, known)) = plan.find(name) {
                (*known.name).clone_into(name);
            }
        }
        return members;
    }
    let mut names = plan.parameters().iter().map(|known| known.name.to_string());
    if plan.shape() == ParameterShape::List {
        return names.map(|name| (name, cursor.offset())).collect();
    }
    let mut given = Vec::new();
    cursor.step();
    while cursor.next_element() {
        given.push((names.next().unwrap_or_default(), cursor.offset()));
        cursor.value();
    }
    given
}

/// Returns the members of the object at the cursor, and moves the cursor past it.
fn members(cursor: &mut Cursor<'_>) -> Vec<Member> {
    let mut members = Vec::new();
    cursor.step();
    while let Some(name) = cursor.next_member() {
        let text = name.try_unescape();
        let text = text.map_or_else(|_| name.as_written().to_owned(), Cow::into_owned);
        members.push((text, cursor.offset()));
        cursor.value();
    }
    members
}

/// Writes the value at the cursor, and moves the cursor past it. The recursion is as deep as the
/// nesting of the request, which is limited.
fn write(out: &mut String, cursor: &mut Cursor<'_>) {
    match cursor.peek() {
        b'{' => {
            let text = cursor.text();
            write_members(out, text, members(cursor));
        }
        b'[' => {
            out.push('[');
            cursor.step();
            let mut is_first = true;
            while cursor.next_element() {
                if !std::mem::take(&mut is_first) {
                    out.push(',');
                }
                write(out, cursor);
            }
            out.push(']');
        }
        b'"' => {
            let string = cursor.string();
            match string.try_unescape() {
                Ok(text) => push_quoted(out, &text),
                Err(_) => out.push_str(string.as_written()),
            }
        }
        _ => out.push_str(cursor.value()),
    }
}

/// Writes an object. Members of the same name keep their order.
fn write_members(out: &mut String, text: &str, mut members: Vec<Member>) {
    members.sort_by(|(one, _), (other, _)| one.cmp(other));
    out.push('{');
    for (place, (name, value)) in members.iter().enumerate() {
        if place > 0 {
            out.push(',');
        }
        push_quoted(out, name);
        out.push(':');
        write(out, &mut Cursor::at(text, *value));
    }
    out.push('}');
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
            assert_eq!(Params::given(text).canonical(plan), expected, "{text}");
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
        assert_eq!(Params::Absent.canonical(&plan), "{}");
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
        assert_canonical(&plan, &[r#"["\ud800"]"#], r#"{"n":"\ud800"}"#);
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
