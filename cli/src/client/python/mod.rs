//! Clients in Python 3.10 or later, with httpx: a synchronous and an asynchronous class.

mod methods;
mod models;
mod source;

use std::fmt::Write as _;

use docent_describe::ServiceDescription;
use docent_describe::json::Json;

use super::files::{Files, busy_codes, with_heads};
use super::model::Model;
use super::text;
use methods::Methods;
use models::{literal, models, write_type};
use source::{docstring, quoted};

pub(super) fn files(model: &Model, service: &ServiceDescription) -> Files {
    let files = vec![
        ("__init__.py", init(model)),
        ("calls.py", Methods::new(model).calls()),
        (
            "client.py",
            Methods::new(model).clients(busy_codes(service)),
        ),
        ("errors.py", errors(model)),
        ("models.py", models(model)),
        ("py.typed", String::new()),
        ("rpc.py", include_str!("rpc.py").to_owned()),
    ];
    with_heads(files, "# ")
}

fn init(model: &Model) -> String {
    let mut out = String::new();
    docstring(&mut out, "", &model.docs);
    out.push_str(
        "from . import calls, errors, models\n\
         from .client import AsyncClient, Client\n\
         from .rpc import OMITTED, Call, Omitted, RpcError, TransportError\n\n\
         __all__ = [\n    \"OMITTED\",\n    \"AsyncClient\",\n    \"Call\",\n    \"Client\",\n    \
         \"Omitted\",\n    \"RpcError\",\n    \"TransportError\",\n    \"calls\",\n    \"errors\",\n    \
         \"models\",\n]\n",
    );
    out
}

fn errors(model: &Model) -> String {
    if model.errors.is_empty() {
        return "\"\"\"The service declares no errors.\"\"\"\n".to_owned();
    }
    let mut classes = String::new();
    for error in &model.errors {
        let _ = writeln!(classes, "\n\nclass {}(DeclaredError):", error.name);
        docstring(&mut classes, "    ", &error.docs);
        let _ = writeln!(classes, "\n    CODE = {}", error.code);
        let _ = writeln!(classes, "    TITLE = {}", quoted(&error.message));
        if let Some(retry) = error.retry {
            let _ = writeln!(classes, "    retry = {}", literal(&Json::Bool(retry)));
        }
        if let Some(data) = &error.data {
            let _ = writeln!(classes, "    data: {}", write_type(model, data, "models."));
        }
    }
    let code = text::without_comments(&classes, &['#']);
    let mut out = String::from("from __future__ import annotations\n\n");
    if code.contains(": Any") || code.contains("[Any") || code.contains(", Any]") {
        out.push_str("from typing import Any\n\n");
    }
    if code.contains("models.") {
        out.push_str("from . import models\n");
    }
    out + "from .rpc import DeclaredError\n" + classes.trim_end() + "\n"
}
