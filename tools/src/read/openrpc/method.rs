//! Methods with their parameters, results and errors.
//!
//! In practice, authors write schemas where content descriptors belong, examples where schemas belong, and empty texts
//! for none. Such a document is read as it is meant. One that Docent wrote is read as it stands.

use super::{OpenRpcReading, extensions, external_docs};
use crate::read::docent;
use crate::read::drafts::reference_of;
use crate::read::fields::{MemberReader, anything, object, object_of};
use crate::read::location::Location;
use crate::read::security;
use docent_describe::json::{Json, Object};
use docent_describe::openrpc::{
    LINKS, PARAM_STRUCTURE, RESULT_NAME, X_ALIASES, X_DEPRECATION, X_ERRORS, X_NOTIFICATION,
    X_SCHEMA, X_SECURITY, X_TYPE, X_UNDESCRIBED, X_VARIADIC,
};
use docent_describe::render::MemberForm;
use docent_describe::schema::{COMPONENTS_PREFIX, KeywordValue, holds, is_keyword};
use docent_describe::{
    Deprecation, ErrorDescription, ParamDescription, ProcedureDescription, ReturnDescription,
    TypeCode, split_documentation,
};

impl OpenRpcReading<'_> {
    /// Takes an array of methods.
    pub(super) fn procedures(
        &self,
        fields: &mut MemberReader<'_>,
        member: &str,
    ) -> Vec<ProcedureDescription> {
        self.each(fields, member, |value, at| self.procedure(value, at))
    }

    /// Reads a method. What OpenRPC cannot express is in extensions, which Docent writes.
    fn procedure(&self, value: Json, at: &Location<'_>) -> Option<ProcedureDescription> {
        let mut fields = MemberReader::of(value, at)?;
        let name = fields.name("a method")?;
        let (summary, description) = self.documentation(&mut fields);
        let has_result = !fields.is_absent("result");
        let security = security::alternatives(&mut fields, X_SECURITY);
        let notification = fields.boolean(X_NOTIFICATION);
        let mut procedure = docent::members(&mut fields, &self.schemas, |member| {
            (member.openrpc == MemberForm::Extension).then_some(member.openrpc_name)
        });
        procedure.name = name;
        procedure.summary = summary;
        procedure.description = description;
        procedure.tags = self.tags(&mut fields);
        procedure.params = fields.each("params", |value, at| {
            self.followed(self.descriptor(value), at, |value, at| {
                self.param(value, at)
            })
        });
        procedure.returns = self.returns(&mut fields);
        procedure.errors = self.errors(&mut fields);
        procedure.guarded |= security.is_none();
        procedure.security = security.unwrap_or_default();
        procedure.deprecated = deprecation(&mut fields);
        procedure.notification = notification.unwrap_or(self.has_notifications && !has_result);
        procedure.help = external_docs(&mut fields, &mut procedure.extensions);
        let says_nothing = procedure.returns.as_ref().is_some_and(says_nothing);
        // Before 1.3 a result was required even for methods that never return one. That of a subscription is its id.
        if procedure.notification && says_nothing && !self.is_docent
            || procedure.subscription.is_some()
        {
            procedure.returns = None;
        }
        param_structure(&mut fields, &mut procedure);
        procedure.examples = self.examples(&mut fields, &procedure.params);
        self.links(&mut fields, &mut procedure.extensions);
        extensions(fields, &mut procedure.extensions);
        Some(procedure)
    }

    /// Takes the summary and the description. Other authors write empty ones for none.
    fn texts(&self, fields: &mut MemberReader<'_>) -> [Option<String>; 2] {
        ["summary", "description"].map(|name| {
            fields
                .text(name)
                .filter(|text| self.is_docent || !text.is_empty())
        })
    }

    /// Returns the summary and the description. If there is no summary, the description is split.
    fn documentation(&self, fields: &mut MemberReader<'_>) -> (Option<String>, Option<String>) {
        match self.texts(fields) {
            [None, Some(description)] if !self.is_docent => split_documentation(&description),
            [summary, description] => (summary, description),
        }
    }

    /// Joins the summary and the description, for objects that have only one text in the model.
    fn one_text(&self, fields: &mut MemberReader<'_>) -> Option<String> {
        match self.texts(fields) {
            [Some(summary), Some(description)] if summary != description => {
                Some(format!("{summary}\n\n{description}"))
            }
            [summary, description] => description.or(summary),
        }
    }

    /// Takes the names of tags, and remembers what the document says about them.
    fn tags(&self, fields: &mut MemberReader<'_>) -> Vec<String> {
        self.each(fields, "tags", |value, at| {
            if let Json::String(name) = value {
                return Some(name);
            }
            let mut tag = MemberReader::of(value, at)?;
            let name = tag.name("a tag")?;
            if let Some(text) = self.one_text(&mut tag) {
                self.tags
                    .borrow_mut()
                    .or_insert_with(&name, || Json::String(text));
            }
            Some(name)
        })
    }

    /// Reads a parameter. Other authors document it in its schema, whose text then becomes that of the parameter.
    fn param(&self, value: Json, at: &Location<'_>) -> Option<ParamDescription> {
        let mut fields = MemberReader::of(value, at)?;
        let name = fields.name("a parameter")?;
        let mut description = self.one_text(&mut fields);
        let default = own_default(&mut fields);
        let mut schema = self.schema_member(&mut fields);
        if !self.is_docent
            && description.is_none()
            && let Json::Object(members) = &mut schema
            && let Some(Json::String(text)) = members.shift_remove("description")
        {
            description = Some(text);
        }
        let type_code = self.type_code(&mut fields, &schema).of_param();
        let mut param = ParamDescription::new(name, schema);
        param.type_code = type_code;
        param.required = fields.flag("required");
        param.variadic = fields.flag(X_VARIADIC);
        param.default = default;
        param.description = description;
        param.deprecated = fields.flag("deprecated");
        param.aliases = fields.each(X_ALIASES, docent::alias);
        extensions(fields, &mut param.extensions);
        Some(param)
    }

    /// Returns the stated type, or else the type of the schema.
    fn type_code(&self, fields: &mut MemberReader<'_>, schema: &Json) -> TypeCode {
        match self.is_docent.then(|| fields.text(X_TYPE)).flatten() {
            Some(word) => TypeCode::from_name(&word).unwrap_or_default(),
            None => self.schemas.type_code(schema),
        }
    }

    /// Takes the schema of a content descriptor: as Docent wrote it before it was converted, if there is that.
    fn schema_member(&self, fields: &mut MemberReader<'_>) -> Json {
        let at = fields.at.inside("schema");
        let original = self.is_docent.then(|| fields.present(X_SCHEMA)).flatten();
        if let Some(schema) = fields.present("schema") {
            self.schemas.read(original.unwrap_or(schema), &at)
        } else {
            at.warn("missing; read as anything");
            anything()
        }
    }

    /// Takes the result, unless it only stands for one that is not described.
    fn returns(&self, fields: &mut MemberReader<'_>) -> Option<ReturnDescription> {
        let at = fields.at.inside("result");
        let value = self.descriptor(fields.present("result")?);
        self.followed(value, &at, |value, at| {
            let mut fields = MemberReader::of(value, at)?;
            if self.is_docent && fields.flag(X_UNDESCRIBED) {
                return None;
            }
            let description = self.one_text(&mut fields);
            let schema = self.schema_member(&mut fields);
            // A result cannot be optional, and cannot be deprecated on its own.
            fields.take("required");
            fields.take("deprecated");
            let type_code = self.type_code(&mut fields, &schema);
            let mut returns = ReturnDescription::new(schema);
            returns.type_code = type_code;
            returns.description = description;
            // `result` is the name that Docent writes for a result without one.
            if let Some(name) = fields.text("name").filter(|name| name != "result") {
                returns.extensions.insert(RESULT_NAME, Json::from(name));
            }
            extensions(fields, &mut returns.extensions);
            Some(returns)
        })
    }

    /// Converts a value to a content descriptor if it is not one already. Some authors refer to a
    /// schema in its place, or write the schema itself.
    fn descriptor(&self, value: Json) -> Json {
        let Json::Object(mut members) = value else {
            return value;
        };
        let reference = reference_of(&members);
        let is_schema = match reference {
            Some(reference) => reference.starts_with(COMPONENTS_PREFIX),
            None => members
                .iter()
                .any(|(name, value)| is_keyword_of_schema(name.as_str(), value)),
        };
        if self.is_docent || members.contains_key("schema") || !is_schema {
            return Json::Object(members);
        }
        if let Some(name) = reference.and_then(|reference| reference.rsplit('/').next()) {
            let name = Json::from(name);
            members.or_insert_with("name", || name);
        }
        let (schema, mut rest): (Object, Object) = members
            .into_iter()
            .partition(|(name, value)| is_keyword_of_schema(name.as_str(), value));
        rest.insert("schema", Json::Object(schema));
        Json::Object(rest)
    }

    /// Returns the errors from the extension that has all details, or from OpenRPC's own member if
    /// there is no extension.
    fn errors(&self, fields: &mut MemberReader<'_>) -> Vec<ErrorDescription> {
        if fields.is_absent(X_ERRORS) {
            return self.each(fields, "errors", |value, at| self.error(value, at));
        }
        fields.take("errors");
        fields.each(X_ERRORS, |value, at| {
            docent::error(value, at, &self.schemas)
        })
    }

    /// Reads an error. Data that is no schema is read as an example.
    fn error(&self, value: Json, at: &Location<'_>) -> Option<ErrorDescription> {
        let mut fields = MemberReader::of(value, at)?;
        let code = docent::code(&mut fields)?;
        let mut error = ErrorDescription::new(code, fields.text("message").unwrap_or_default());
        error.description = fields.text("description");
        error.data = fields.present("data").map(|mut data| {
            if !self.is_docent && !is_schema(&data) {
                data = object_of("examples", Json::Array(vec![data]));
            }
            self.schemas.read(data, &at.inside("data"))
        });
        extensions(fields, &mut error.extensions);
        Some(error)
    }

    /// Keeps links, which the model has no member for.
    fn links(&self, fields: &mut MemberReader<'_>, extensions: &mut Object) {
        let links = self.each(fields, "links", |value, at| {
            object(value, at).map(Json::Object)
        });
        if !links.is_empty() {
            extensions.insert(LINKS, Json::Array(links));
        }
    }
}

/// Returns whether a member of a content descriptor is a keyword of a schema. Descriptors have members of some of these
/// names, too.
fn is_keyword_of_schema(name: &str, value: &Json) -> bool {
    match name {
        "description" | "deprecated" => false,
        "required" => value.as_array().is_some(),
        _ => is_keyword(name),
    }
}

/// Takes the default out of a parameter's schema, because the model has a separate member for it.
fn own_default(fields: &mut MemberReader<'_>) -> Option<Json> {
    let mut schema = fields.take("schema")?;
    let default = schema
        .as_object_mut()
        .and_then(|members| members.shift_remove("default"));
    fields.put_back("schema", schema);
    default
}

/// Returns whether a result is not described at all.
fn says_nothing(returns: &ReturnDescription) -> bool {
    returns.schema.as_object().is_some_and(Object::is_empty)
        && returns.description.is_none()
        && returns.extensions.is_empty()
}

/// Returns whether an error's `data` is a schema. The specification does not say what `data` is there:
/// most authors write a schema, and anything else is read as an example.
fn is_schema(data: &Json) -> bool {
    data.as_object().into_iter().flatten().any(|(name, value)| {
        let is_telling = match holds(name.as_str()) {
            KeywordValue::Value | KeywordValue::Values => matches!(name.as_str(), "const" | "enum"),
            holds => {
                holds == KeywordValue::Reference
                    || holds == KeywordValue::Types
                    || holds.has_schemas()
            }
        };
        is_telling && holds(name.as_str()).expected(value).is_none()
    })
}

/// Reads the deprecation: the flag of OpenRPC, and the reason, which only the extension has.
fn deprecation(fields: &mut MemberReader<'_>) -> Option<Deprecation> {
    let deprecated = fields.flag("deprecated");
    docent::deprecation(fields, X_DEPRECATION).or(deprecated.then(Deprecation::default))
}

/// Reads how parameters may be passed. The model cannot express that parameters with names are
/// accepted by position only, so this is kept as an extension.
fn param_structure(fields: &mut MemberReader<'_>, procedure: &mut ProcedureDescription) {
    let at = fields.at.inside("paramStructure");
    let has_names = !procedure.params.iter().any(|param| param.variadic);
    match fields.text("paramStructure").as_deref() {
        None | Some("either") => {}
        // A list of any length is a single value when passed by name, and may still be all of the
        // parameters.
        Some("by-name") => procedure.by_name_only = has_names,
        Some("by-position") => {
            if has_names && !procedure.params.is_empty() {
                procedure
                    .extensions
                    .insert(PARAM_STRUCTURE, Json::from("by-position"));
            }
        }
        Some(_) => at.warn("unknown structure, read as `either`"),
    }
}
