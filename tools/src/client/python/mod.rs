//! Clients in Python 3.10 or later, with httpx: a synchronous and an asynchronous class.
//!
//! In comes the model of a client, out come the files of a package:
//!
//! | file | has |
//! |---|---|
//! | `models.py` | a `TypedDict` or an alias for each named type (`models.rs`) |
//! | `errors.py` | a class for each declared error of each procedure |
//! | `calls.py` | for each procedure, the call that both classes send, with its types |
//! | `client.py` | the two classes, with a method for each procedure (`client.rs`) |
//!
//! Code that is the same for every service is in `rpc.py` and `events.py`, which are part of each client. A value stays
//! the dictionary that `json` has read: classes of our own would have to be converted on the way in and out.

mod client;
mod models;
mod source;

use super::files::{Files, with_heads};
use super::model::{Model, Type};
use super::package::PackageName;
use super::shapes::{ShapeSyntax, Shapes};
use client::{calls, clients};
use models::{models, write_type};
use source::{docstring, import_shapes, quoted};
use std::fmt::Write as _;

/// The names of types that the code around types uses.
pub(super) const RESERVED_TYPES: &[&str] = &["DeclaredError", "False", "None", "True"];

/// The spelling of shapes.
const SHAPE_SYNTAX: ShapeSyntax = ShapeSyntax {
    quoted,
    own: |ty, _| (*ty == Type::Bytes).then_some("bytes"),
    none: "None",
    quotes_members: true,
    pair: ["(", ")"],
    fields: ["[", "]"],
    function: ["\n\ndef ", "() -> typing.Any:\n    return {", "}\n"],
    scope: "",
};

/// Returns the files of a client.
pub(super) fn files(model: &Model, package: Option<&PackageName>) -> Files {
    let shapes = Shapes::new(model, &SHAPE_SYNTAX);
    let mut files = vec![
        ("__init__.py", init(model)),
        ("calls.py", calls(model, &shapes)),
        ("client.py", clients(model)),
        ("errors.py", errors(model, &shapes)),
        ("events.py", include_str!("events.py").to_owned()),
        ("models.py", models(model)),
        ("py.typed", String::new()),
        ("rpc.py", include_str!("rpc.py").to_owned()),
    ];
    if shapes.is_needed {
        let named = include_str!("shapes.py").to_owned() + &shapes.named();
        files.push(("shapes.py", named));
    }
    files.extend(package.map(|package| ("pyproject.toml", manifest(package.as_str()))));
    with_heads(files, "# ")
}

/// Returns the manifest of the package.
fn manifest(name: &str) -> String {
    let module = name.replace('-', "_");
    format!(
        "[build-system]
requires = [\"setuptools>=64\"]
build-backend = \"setuptools.build_meta\"

[project]
name = \"{name}\"
version = \"0.1.0\"
requires-python = \">=3.10\"
dependencies = [\"httpx>=0.24\"]

[tool.setuptools]
packages = [\"{module}\"]
package-dir = {{ {module} = \".\" }}
package-data = {{ {module} = [\"py.typed\"] }}
"
    )
}

/// Returns the file that users import.
fn init(model: &Model) -> String {
    let mut out = String::new();
    docstring(&mut out, "", &model.docs);
    out + "from . import calls, errors, models
from .client import AsyncClient, Client
from .rpc import OMITTED, Call, Omitted, RpcError, Subscription, SubscriptionItem, TransportError

__all__ = [
    \"OMITTED\",
    \"AsyncClient\",
    \"Call\",
    \"Client\",
    \"Omitted\",
    \"RpcError\",
    \"Subscription\",
    \"SubscriptionItem\",
    \"TransportError\",
    \"calls\",
    \"errors\",
    \"models\",
]
"
}

/// Returns the file with a class for each error.
fn errors(model: &Model, shapes: &Shapes<'_>) -> String {
    let import_shapes = import_shapes(shapes);
    let mut out = format!(
        "\"\"\"The errors that procedures declare.\"\"\"

from __future__ import annotations

import typing

from . import models{import_shapes}
from .rpc import DeclaredError
"
    );
    for error in &model.errors {
        let _ = write!(out, "\n\nclass {}(DeclaredError):\n", error.name);
        docstring(&mut out, "    ", &error.docs);
        let _ = write!(out, "\n    CODE = {}\n", error.code);
        let _ = writeln!(out, "    TITLE = {}", quoted(&error.message));
        if let Some(retry) = error.retry {
            let _ = writeln!(out, "    retry = {}", if retry { "True" } else { "False" });
        }
        if let Some(data) = &error.data {
            let _ = writeln!(out, "    data: {}", write_type(model, data, "models."));
            if let Some(shape) = shapes.write_used(data) {
                let _ = write!(
                    out,
                    "\n    @staticmethod\n    def read(data: typing.Any) -> typing.Any:\n        \
                     return shapes.read(data, {shape})\n"
                );
            }
        }
    }
    out
}
