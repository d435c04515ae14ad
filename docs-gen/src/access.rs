//! Required credentials, as far as a sample can show them and a form can send them.

use docent_describe::json::Json;
use docent_describe::{ProcedureDescription, ServiceDescription};

/// Returns whether the procedure accepts a bearer token (RFC 6750), by OpenAPI's keywords for schemes.
pub(crate) fn takes_token(service: &ServiceDescription, procedure: &ProcedureDescription) -> bool {
    let names = procedure.security.keys();
    let mut schemes = names.filter_map(|name| service.security_schemes.get(name));
    schemes.any(|scheme| {
        let word = |name| scheme.get(name).and_then(Json::as_str).unwrap_or_default();
        match word("type") {
            "http" => word("scheme").eq_ignore_ascii_case("bearer"),
            kind => matches!(kind, "oauth2" | "openIdConnect"),
        }
    })
}
