//! Functions that make calls, and the classes that send them.
//!
//! A call is a value, so that calls can be sent alone, together, or as notifications. The classes differ only in
//! whether they wait, so one loop prints both.

use super::models::write_type;
use super::source::{RESERVED_NAMES, docstring, import_shapes, quoted};
use crate::client::model::{ClientProcedure, Field, Model, ParamPassing};
use crate::client::names::{IdentifierScope, snake, snake_fields};
use crate::client::shapes::Shapes;
use crate::plain::one_line;
use std::fmt::Write as _;

/// A procedure with its names in Python.
struct Method<'m> {
    model: &'m Model,
    procedure: &'m ClientProcedure,
    /// The identifier of the method.
    name: String,
    /// The identifier of each parameter, with the parameter.
    params: Vec<(String, &'m Field)>,
}

/// Names the functions of all procedures.
fn methods(model: &Model) -> Vec<Method<'_>> {
    let mut scope = IdentifierScope::new("procedure", RESERVED_NAMES);
    let mut methods = Vec::new();
    for procedure in &model.procedures {
        methods.push(Method {
            model,
            procedure,
            name: scope.take(&snake(&procedure.words)),
            params: snake_fields(&procedure.params, RESERVED_NAMES),
        });
    }
    methods
}

/// Returns the file with the functions that make calls.
pub(super) fn calls(model: &Model, shapes: &Shapes<'_>) -> String {
    let import_shapes = import_shapes(shapes);
    let mut out = format!(
        "\"\"\"The calls, to be sent together with `batch` or as notifications with `notify`.\"\"\"

from __future__ import annotations

import typing

from . import errors, models{import_shapes}
from .rpc import OMITTED, Call, Omitted, Subscription, given, in_order
"
    );
    for method in methods(model) {
        let name = &method.name;
        let declared = method.declared();
        let output = method.output();
        let class = method.class();
        let _ = write!(out, "\n\ndef {name}({declared}) -> {class}[{output}]:\n");
        let docs = format!("Calls `{}`.", method.procedure.wire);
        docstring(&mut out, "    ", &docs);
        let _ = writeln!(out, "    return {}", method.call(shapes));
    }
    out
}

/// A class that sends calls.
struct ClientKind {
    class: &'static str,
    base: &'static str,
    define: &'static str,
    wait: &'static str,
    /// The type of the items of a subscription, before and after the type of an item.
    items: [&'static str; 2],
}

const SYNC: ClientKind = ClientKind {
    class: "Client",
    base: "SyncRpc",
    define: "def",
    wait: "",
    items: ["typing.Generator", ", None, None"],
};

const ASYNC: ClientKind = ClientKind {
    class: "AsyncClient",
    base: "AsyncRpc",
    define: "async def",
    wait: "await ",
    items: ["typing.AsyncGenerator", ", None"],
};

/// Returns the file with the classes that send calls.
pub(super) fn clients(model: &Model) -> String {
    let busy = model.busy_codes();
    let mut out = String::from(
        "from __future__ import annotations

import typing

from . import calls, models
from .rpc import OMITTED, AsyncRpc, Omitted, SubscriptionItem, SyncRpc
",
    );
    let methods = methods(model);
    for kind in [&SYNC, &ASYNC] {
        let _ = write!(out, "\n\nclass {}({}):\n", kind.class, kind.base);
        docstring(&mut out, "    ", &model.docs);
        let _ = write!(out, "\n    _BUSY = ({busy})\n");
        if let Some(field) = &model.api_key_field {
            let _ = writeln!(out, "    _API_KEY_FIELD = {}", quoted(field));
        }
        for method in &methods {
            let ClientKind { define, wait, .. } = kind;
            let output = method.output();
            let (define, returns, sent) = if method.procedure.is_subscription {
                let [before, after] = kind.items;
                let returns = format!("{before}[SubscriptionItem[{output}]{after}]");
                ("def", returns, "self.subscribe".to_owned())
            } else if method.procedure.notification {
                (*define, "None".to_owned(), format!("{wait}self.notify"))
            } else {
                (*define, output, format!("{wait}self.send"))
            };
            let declared = method.declared();
            let comma = if declared.is_empty() { "" } else { ", " };
            let name = &method.name;
            let _ = write!(
                out,
                "\n    {define} {name}(self{comma}{declared}) -> {returns}:\n"
            );
            docstring(&mut out, "        ", &method.docs());
            let passed = method.passed();
            let _ = writeln!(out, "        return {sent}(calls.{name}({passed}))");
        }
    }
    out
}

impl Method<'_> {
    /// Returns the type of the result or of the items.
    fn output(&self) -> String {
        write_type(self.model, &self.procedure.output, "models.")
    }

    /// Returns the class of what is sent.
    fn class(&self) -> &'static str {
        if self.procedure.is_subscription {
            "Subscription"
        } else {
            "Call"
        }
    }

    /// Returns the documentation, with that of the parameters.
    fn docs(&self) -> String {
        let mut params = String::new();
        for (name, field) in &self.params {
            if !field.docs.is_empty() {
                let _ = write!(params, "\n    {name}: {}", one_line(&field.docs));
            }
        }
        let title = if params.is_empty() { "" } else { "\n\nArgs:" };
        format!("{}{title}{params}", self.procedure.docs)
    }

    /// Returns the declaration of the parameters.
    fn declared(&self) -> String {
        if self.procedure.passing == ParamPassing::Variadic {
            let ty = self.model.variadic(self.procedure);
            return format!("*values: {}", write_type(self.model, ty, "models."));
        }
        let mut declared = String::new();
        for (name, field) in &self.params {
            let star = if declared.is_empty() { "*" } else { "" };
            let ty = write_type(self.model, &field.ty, "models.");
            let default = if field.required {
                ""
            } else {
                " | Omitted = OMITTED"
            };
            let _ = write!(declared, "{star}, {name}: {ty}{default}");
        }
        declared
    }

    /// Returns the expression that passes the parameters on.
    fn passed(&self) -> String {
        if self.procedure.passing == ParamPassing::Variadic {
            return "*values".to_owned();
        }
        self.params
            .iter()
            .map(|(name, _)| format!("{name}={name}"))
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// Returns the expression for the call.
    fn call(&self, shapes: &Shapes<'_>) -> String {
        let procedure = self.procedure;
        let mut out = format!("{}({}", self.class(), quoted(&procedure.wire));
        match procedure.passing {
            ParamPassing::Variadic => out += ", values",
            ParamPassing::Whole => out += ", params",
            _ if self.params.is_empty() => {}
            ParamPassing::ByPosition => {
                let names: Vec<&str> = self.params.iter().map(|(name, _)| &**name).collect();
                let _ = write!(out, ", in_order({})", names.join(", "));
            }
            ParamPassing::ByName => {
                let members: Vec<String> = self
                    .params
                    .iter()
                    .map(|(name, field)| format!("{}: {name}", quoted(&field.wire)))
                    .collect();
                let _ = write!(out, ", given({{{}}})", members.join(", "));
            }
        }
        for option in procedure.options() {
            let _ = write!(out, ", {option}=True");
        }
        if let Some(shape) = shapes.write_used(&procedure.output) {
            let _ = write!(out, ", read=lambda result: shapes.read(result, {shape})");
        }
        // Even the only element of a tuple is followed by a comma.
        let mut errors = String::new();
        for error in self.model.errors_of(procedure) {
            let _ = write!(errors, "errors.{}, ", error.name);
        }
        if !errors.is_empty() {
            let _ = write!(out, ", errors=({})", errors.trim_end());
        }
        out + ")"
    }
}
