//! Resumes a subscription: the cursor of its last item becomes the value of a parameter, which the description of the
//! service names.

use docent_describe::json::{Json, Object};

/// Returns the call that asks for the description of the procedure that a request calls. It has the id of the request, so
/// an error is one for its caller.
pub(super) fn describe_call(request: &[u8]) -> Vec<u8> {
    let request = parse(request).unwrap_or_default();
    let method = request.get("method").unwrap_or(&Json::Null);
    let id = request.get("id").unwrap_or(&Json::Null);
    format!(
        r#"{{"jsonrpc":"2.0","method":"rpc.describe","params":{{"procs":[{method}]}},"id":{id}}}"#
    )
    .into_bytes()
}

/// Returns whether a response has an error.
pub(super) fn is_error(response: &[u8]) -> bool {
    parse(response).is_some_and(|response| response.get("error").is_some())
}

/// Puts a cursor into the parameters of a request. Returns `None` if the description names no parameter for it.
pub(super) fn with_cursor(request: &[u8], described: &[u8], cursor: &str) -> Option<Vec<u8>> {
    let mut request = parse(request)?;
    let method = request.get_str("method");
    let described = parse(described)?;
    let procedure = described
        .get("result")?
        .get("procs")?
        .as_array()?
        .iter()
        .find(|procedure| procedure.get_str("name") == method)?;
    let name = procedure.get("subscription")?.get_str("resume")?;
    let params = procedure.get("params")?.as_array()?;
    let position = params
        .iter()
        .position(|param| param.get_str("name") == Some(name))?;
    let value = match cursor.parse::<Json>() {
        Ok(number @ Json::Number(_)) if params[position].get_str("type") != Some("str") => number,
        _ => Json::String(cursor.into()),
    };
    let members = request.as_object_mut()?;
    match members.get_mut("params") {
        Some(Json::Array(values)) => {
            let length = values.len().max(position + 1);
            values.resize(length, Json::Null);
            values[position] = value;
        }
        Some(Json::Object(values)) => {
            values.insert(name, value);
        }
        _ => {
            members.insert("params", Json::Object(Object::new().with(name, value)));
        }
    }
    Some(request.to_string().into_bytes())
}

fn parse(text: &[u8]) -> Option<Json> {
    str::from_utf8(text).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::with_cursor;

    /// Returns the parameters with which a subscription resumes after 18.
    fn resumed(params: &str, kind: &str) -> Option<String> {
        let request = format!(r#"{{"method":"watch"{params},"id":1}}"#);
        let described = format!(
            r#"{{"result":{{"procs":[{{"name":"watch","params":[{{"name":"shelf","type":"num"}},
               {{"name":"after","type":"{kind}"}}],"subscription":{{"resume":"after"}}}}]}}}}"#
        );
        let resumed =
            String::from_utf8(with_cursor(request.as_bytes(), described.as_bytes(), "18")?)
                .expect("UTF-8");
        let rest = resumed.strip_prefix(r#"{"method":"watch""#)?;
        Some(rest.to_owned())
    }

    #[test]
    fn a_cursor_is_put_where_its_parameter_is_in_whatever_form_they_are() {
        for (params, kind, expected) in [
            ("", "num", r#","id":1,"params":{"after":18}}"#),
            ("", "str", r#","id":1,"params":{"after":"18"}}"#),
            (
                r#","params":{"after":3,"shelf":7}"#,
                "num",
                r#","params":{"after":18,"shelf":7},"id":1}"#,
            ),
            (r#","params":[]"#, "num", r#","params":[null,18],"id":1}"#),
            (r#","params":[7,3]"#, "any", r#","params":[7,18],"id":1}"#),
        ] {
            assert_eq!(resumed(params, kind).as_deref(), Some(expected));
        }
    }

    #[test]
    fn without_a_parameter_for_the_cursor_there_is_no_resuming() {
        for described in [
            r#"{"result":{"procs":[]}}"#,
            r#"{"result":{"procs":[{"name":"watch","params":[],"subscription":{"resume":"after"}}]}}"#,
            r#"{"result":{"procs":[{"name":"watch","params":[],"subscription":{}}]}}"#,
            "garbage",
        ] {
            let request = br#"{"method":"watch"}"#;
            assert_eq!(with_cursor(request, described.as_bytes(), "18"), None);
        }
    }
}
