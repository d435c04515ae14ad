//! A description that attacks its readers, for the tests and for the example that writes its
//! site for a browser.

use docent_describe::json::{Json, Object};
use docent_describe::{
    Credential, Deprecation, ErrorDescription, Example, ParamDescription, ProcedureDescription,
    ReturnDescription, ServiceDescription, TypeCode,
};

use crate::library::json;

/// Texts that try to break out of the contexts that they may land in.
pub(crate) const ATTACKS: &[&str] = &[
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "' onmouseover='alert(1)",
    "</title></textarea></style></script><script>alert(1)</script>",
    "<!--<script>",
    "{{{name}}} {{html this}} {{> page}} {{#each}}",
    "[x](javascript:alert(1)) [y](JaVaScRiPt&colon;alert(1)) [z](data:text/html,<script>alert(1)</script>)",
    "![x](https://evil.example/pixel.png) <img src=https://evil.example/p.png> <iframe src=//evil.example>",
    "<svg><a xlink:href=javascript:alert(1)>x</a></svg> <math><mtext></p><style>*{x:y}</style>",
    "__proto__",
    "constructor",
    "\u{202e}moc.live\u{202c} \u{2066}x\u{2069} \0 \u{1b}[31m \u{feff}",
    "../../../../etc/passwd",
    "..\\..\\windows",
    "con",
    "NUL.txt",
    "index",
    "-rf",
    "a\nb\r\nc\td",
    "'; rm -rf ~; '",
    "$(reboot) `reboot` @/etc/passwd",
    "\\u0000\\\"",
    "]]>]]&gt;&lt;script&gt;",
    "*/ alert(1) /*",
    "\u{2028}\u{2029}",
    "javascript:alert(1)",
    " ",
    "",
];

fn object(attack: &str) -> Json {
    let text = || Json::from(attack);
    let mut property = Object::new();
    for key in [
        "title",
        "description",
        "format",
        "pattern",
        "default",
        "const",
        "type",
        attack,
    ] {
        if key != "const" {
            property.insert(key.to_owned(), text());
        }
    }
    let mut properties = Object::new();
    properties.insert(attack.to_owned(), Json::Object(property));
    let mut values = Object::new();
    values.insert(
        "enum".to_owned(),
        Json::Array(vec![text(), Json::from("other"), Json::Null]),
    );
    properties.insert(format!("{attack}2"), Json::Object(values));
    let mut alternative = Object::new();
    alternative.insert("title".to_owned(), text());
    alternative.insert(
        "$ref".to_owned(),
        Json::from(format!("#/components/schemas/{attack}")),
    );
    let mut lost = Object::new();
    lost.insert("$ref".to_owned(), text());
    let mut discriminator = Object::new();
    discriminator.insert("propertyName".to_owned(), text());
    let mut either = Object::new();
    either.insert("discriminator".to_owned(), Json::Object(discriminator));
    either.insert(
        "oneOf".to_owned(),
        Json::Array(vec![Json::Object(alternative), Json::Object(lost)]),
    );
    properties.insert(format!("{attack}3"), Json::Object(either));
    let mut schema = Object::new();
    schema.insert("type".to_owned(), Json::from("object"));
    schema.insert("description".to_owned(), text());
    schema.insert("required".to_owned(), Json::Array(vec![text()]));
    schema.insert(
        "patternProperties".to_owned(),
        Json::Object(Object::from([(attack.to_owned(), json("{}"))])),
    );
    schema.insert("properties".to_owned(), Json::Object(properties));
    Json::Object(schema)
}

/// Returns a procedure whose example gives a text to a parameter of this schema, and answers with it.
fn procedure(name: &str, attack: &str, schema: Json) -> ProcedureDescription {
    let text = || Some(attack.to_owned());
    let value = || Some(Json::from(attack));
    let mut procedure = ProcedureDescription::new(name);
    procedure.summary = text();
    procedure.description = text();
    procedure.help = text();
    procedure.idempotent = true;
    procedure.tags = vec![attack.to_owned(), attack.to_uppercase()];
    let string = json(r#"{"type": "string"}"#);
    procedure.params = vec![
        ParamDescription::new(attack, schema.clone()),
        ParamDescription::new(attack.to_uppercase(), string),
    ];
    for param in &mut procedure.params {
        param.description = text();
        param.default = value();
    }
    procedure.params[0].required = true;
    procedure.params[1].type_code = TypeCode::Str;
    let mut returns = ReturnDescription::new(schema);
    returns.description = text();
    procedure.returns = Some(returns);
    let mut error = ErrorDescription::new(1, attack);
    error.description = text();
    error.data = Some(object(attack));
    procedure.errors = vec![error, ErrorDescription::new(1, attack)];
    let mut example = Example::default();
    example.summary = text();
    example.description = text();
    example.params = Some(Json::Object(Object::from([(
        attack.to_owned(),
        Json::from(attack),
    )])));
    example.result = value();
    procedure.examples = vec![example];
    let mut credential = Credential::new(attack);
    credential.scopes = vec![attack.to_owned()];
    procedure.security = vec![credential.into()];
    let mut deprecation = Deprecation::default();
    deprecation.since = text();
    deprecation.reason = text();
    deprecation.instead = text();
    procedure.deprecated = Some(deprecation);
    procedure
}

/// One text in every slot.
pub(crate) fn everywhere(attack: &str) -> ServiceDescription {
    let text = || Some(attack.to_owned());
    let mut service = ServiceDescription::new(attack, attack);
    service.version = text();
    service.summary = text();
    service.description = text();
    service.help = text();
    service.address = text();
    service.procs = vec![
        procedure(attack, attack, object(attack)),
        procedure(
            &attack.to_uppercase(),
            attack,
            json(r#"{"type": "string"}"#),
        ),
        procedure(attack, attack, object(attack)),
    ];
    service
        .components
        .schemas
        .insert(attack.to_owned(), object(attack));
    service
        .components
        .schemas
        .insert(attack.to_uppercase(), object(attack));
    service.security_schemes.insert(
        attack.to_owned(),
        Json::Object(Object::from([(
            "description".to_owned(),
            Json::from(attack),
        )])),
    );
    service
}
