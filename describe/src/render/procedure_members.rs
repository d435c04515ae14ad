//! The members of a procedure, in one table.
//!
//! A row has the name of a member in the format of `rpc.describe`, how it is written and read there, and its form in the
//! other formats. Writers and readers of these formats look it up here, and so do the commands that report which
//! members a format leaves out. So a new member that is a flag or a text is a field of [`ProcedureDescription`] and a
//! row here. Any other value is also written by a function of `values.rs` and read by one of `docent-tools`.
//!
//! A member that a format has in its own terms ([`MemberForm::Own`]) is written and read where that format's procedures
//! are.

use super::values::{
    cache, deprecation, error, example, limits, param, repeatable, requirement, returns,
    subscription,
};
use crate::json::Json;
use crate::openrpc::{X_GUARDED, X_NOTIFICATION, X_SECURITY};
use crate::{Direction, ProcedureDescription};
use MemberForm::{Extension, LeftOut, Own};

/// A member of a procedure in the format of `rpc.describe`.
#[derive(Debug)]
#[non_exhaustive]
pub struct ProcedureMember {
    /// The name.
    pub name: &'static str,
    /// Returns the value, unless it is left out.
    pub write: fn(&ProcedureDescription) -> Option<Json>,
    /// The field that the value is read into.
    pub field: MemberField,
    /// The name in a method of OpenRPC, and that of the extension in OpenAPI.
    pub openrpc_name: &'static str,
    /// The form in OpenRPC.
    pub openrpc: MemberForm,
    /// The form in OpenAPI.
    pub openapi: MemberForm,
    /// The form in JSON-RPC 1.1.
    pub json_rpc_1_1: MemberForm,
    /// The form in a JSON Schema document.
    pub json_schema: MemberForm,
}

/// A field that a value is read into, by the kind of the value.
#[derive(Debug)]
#[non_exhaustive]
pub enum MemberField {
    /// A flag, which is false if it is left out.
    Flag(fn(&mut ProcedureDescription) -> &mut bool),
    /// A text.
    Text {
        /// Returns the text.
        get: fn(&ProcedureDescription) -> &Option<String>,
        /// Returns the text to set it.
        get_mut: fn(&mut ProcedureDescription) -> &mut Option<String>,
    },
    /// A field for which readers have a function.
    Other,
}

/// The form in which another format has a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum MemberForm {
    /// The format has it in its own terms.
    Own,
    /// The same value under a name that begins with `x-`.
    Extension,
    /// The format cannot have it.
    LeftOut,
}

/// Creates the table from rows: the name of a member; its value, by its kind, its field, and what writes it; its name in
/// OpenRPC; and its forms in OpenRPC, OpenAPI, JSON-RPC 1.1 and JSON Schema.
macro_rules! procedure_members {
    ($($name:literal $value:tt $openrpc_name:tt $openrpc:ident $openapi:ident $v1_1:ident $json_schema:ident;)*) => {
        /// The members of a procedure, in the order in which they are written.
        pub static PROCEDURE_MEMBERS: &[ProcedureMember] = &[$(ProcedureMember {
            name: $name,
            write: written! $value,
            field: field! $value,
            openrpc_name: $openrpc_name,
            openrpc: $openrpc,
            openapi: $openapi,
            json_rpc_1_1: $v1_1,
            json_schema: $json_schema,
        },)*];
    };
}

/// Returns a function that writes a value.
macro_rules! written {
    (flag $field:ident) => {
        |procedure| procedure.$field.then(|| true.into())
    };
    (text $field:ident) => {
        |procedure| procedure.$field.as_deref().map(Json::from)
    };
    (value $field:ident $write:ident) => {
        |procedure| procedure.$field.as_ref().map(|value| $write(value).into())
    };
    (list $field:ident $write:expr) => {
        |procedure| {
            let is_empty = procedure.$field.is_empty();
            (!is_empty).then(|| procedure.$field.iter().map($write).collect())
        }
    };
    (name) => {
        |procedure| Some(procedure.name.as_str().into())
    };
    (params) => {
        |procedure| Some(procedure.params.iter().map(param).collect())
    };
    (direction) => {
        |procedure| {
            let is_sent = procedure.direction == Direction::Server;
            is_sent.then(|| procedure.direction.as_str().into())
        }
    };
}

/// Returns the field that a value is read into.
macro_rules! field {
    (flag $field:ident) => {
        MemberField::Flag(|procedure| &mut procedure.$field)
    };
    (text $field:ident) => {
        MemberField::Text {
            get: |procedure| &procedure.$field,
            get_mut: |procedure| &mut procedure.$field,
        }
    };
    ($($other:tt)*) => {
        MemberField::Other
    };
}

procedure_members! {
    // member        value                               in OpenRPC          OpenRPC   OpenAPI   1.1     JSON Schema
    "name"           (name)                              "name"              Own       Own       Own     Own;
    "summary"        (text summary)                      "summary"           Own       Own       Own     LeftOut;
    "description"    (text description)                  "description"       Own       Own       LeftOut LeftOut;
    "help"           (text help)                         "externalDocs"      Own       Own       Own     LeftOut;
    "idempotent"     (flag idempotent)                   "x-idempotent"      Extension Own       Own     LeftOut;
    "tags"           (list tags String::as_str)          "tags"              Own       Own       LeftOut LeftOut;
    "params"         (params)                            "params"            Own       Own       Own     Own;
    "return"         (value returns returns)             "result"            Own       Own       Own     Own;
    "subscription"   (value subscription subscription)   "x-subscription"    Extension Own       Own     Own;
    "errors"         (list errors error)                 "errors"            Own       Own       LeftOut Own;
    "errorsOpen"     (flag errors_open)                  "x-errors-open"     Extension Own       LeftOut LeftOut;
    "examples"       (list examples example)             "examples"          Own       Own       LeftOut LeftOut;
    "guarded"        (flag guarded)                      X_GUARDED           Extension Own       LeftOut LeftOut;
    "security"       (list security requirement)         X_SECURITY          Own       Own       LeftOut LeftOut;
    "deprecated"     (value deprecated deprecation)      "deprecated"        Own       Own       LeftOut LeftOut;
    "notification"   (flag notification)                 X_NOTIFICATION      Extension LeftOut   LeftOut LeftOut;
    "direction"      (direction)                         "x-direction"       Extension Own       Own     LeftOut;
    "byNameOnly"     (flag by_name_only)                 "paramStructure"    Own       LeftOut   LeftOut LeftOut;
    "ignoresUnknown" (flag ignores_unknown)              "x-ignores-unknown" Extension Extension LeftOut Own;
    "limits"         (value limits limits)               "x-limits"          Extension Extension LeftOut LeftOut;
    "cache"          (value cache cache)                 "x-cache"           Extension Extension LeftOut LeftOut;
    "repeatable"     (value repeatable repeatable)       "x-repeatable"      Extension Extension LeftOut LeftOut;
    "unchecked"      (text unchecked)                    "x-unchecked"       Extension LeftOut   LeftOut LeftOut;
}

/// Returns the members of a procedure that a format has as extensions, under their names there.
pub(super) fn extensions(
    procedure: &ProcedureDescription,
    form: fn(&ProcedureMember) -> MemberForm,
) -> impl Iterator<Item = (&'static str, Json)> {
    PROCEDURE_MEMBERS
        .iter()
        .filter(move |member| form(member) == Extension)
        .filter_map(|member| Some((member.openrpc_name, (member.write)(procedure)?)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::json::{Name, Pointer};
    use crate::render::FORMAT_SCHEMA;

    #[test]
    fn the_table_has_each_member_of_a_procedure_once() {
        let format: Json = FORMAT_SCHEMA.parse().expect("JSON");
        let members = Pointer::resolve("/$defs/procedure/properties", &format)
            .and_then(Json::as_object)
            .expect("an object");
        let mut specified: Vec<&str> = members.keys().map(Name::as_str).collect();
        let mut names: Vec<&str> = PROCEDURE_MEMBERS.iter().map(|member| member.name).collect();
        specified.sort_unstable();
        names.sort_unstable();
        assert_eq!(names, specified);
    }

    #[test]
    fn an_extension_has_a_name_of_its_own_that_begins_with_x() {
        let mut taken = BTreeSet::new();
        for member in PROCEDURE_MEMBERS {
            let name = member.openrpc_name;
            let is_extension = [member.openrpc, member.openapi].contains(&Extension);
            assert!(name.starts_with("x-") || !is_extension, "{name}");
            assert!(taken.insert(name), "{name} is the name of two members");
        }
    }
}
