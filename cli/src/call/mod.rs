//! `docent call`: calls a procedure.
//!
//! Words of the command line go in, the result comes out on standard output, and an error on standard error with exit
//! code 1:
//!
//! ```text
//! docent call http://localhost:8080/rpc book.find title=Emma pages:=100
//!
//! arguments   title=Emma is text, pages:=100 is JSON                      (arguments.rs)
//! parameters  {"title":"Emma","pages":100}, each of its parameter's type  (CallTarget)
//! check       as the service would check them, or nothing is sent
//! message     {"jsonrpc":"2.0","method":"book.find", …}, or a query with --get
//! response    the result, or a part of it, or a failure                   (response.rs)
//! ```
//!
//! The description is fetched first, because it says what text stands for: without it, `pages=100` would be a string.
//! It is checked with the binding of `docent-core`, so that a message here is the one that the service would send. What
//! the description forbids is not sent, unless the user says so (`--no-check`).
//!
//! [`subscription`] follows a subscription, which is called in the same way, and [`batch`] calls each line of a file.

mod arguments;
mod batch;
mod curl;
mod key;
pub(crate) mod request;
mod response;
mod subscription;
mod tool;

use docent_core::{Argument, Arguments, Fault};
use docent_describe::json::{Json, Object};
use docent_describe::render::INPUT_SCHEMA;
use docent_describe::schema::{Examples, SchemaViews, Side, Validator, View};
use docent_describe::{Origin, ProcedureDescription};
use docent_tools::check::quoted;
use docent_tools::params::{params_by_name, params_by_position, takes_names};
use docent_tools::request::{message, query};
use reqwest::header::{ACCEPT, HeaderValue};
use url::Url;

use crate::args::CallArgs;
use crate::exec::is_command;
use crate::failure::Failure;
use crate::http::{Client, EVENTS_TYPE, HttpRequest, HttpResponse, is_socket};
use crate::input::Input;
use crate::list;
use crate::remote::Remote;
use crate::terminal::{Terminal, one_line};
use arguments::TypedArgument;
use curl::curl;
use request::{fault_data, query_params};
use response::{CALL_ID, CallReply};

/// Calls a procedure, or prints what it would send. Nothing is sent before everything is checked.
pub(crate) fn run(args: &CallArgs, client: &Client, terminal: Terminal) -> Result<(), Failure> {
    let mut given = arguments::typed_arguments(args)?;
    let whole_params = args.params.as_deref().map(arguments::params).transpose()?;
    let remote = find_service(args, client)?;
    if let Some(file) = &args.batch {
        return batch::run(args, file, &remote, terminal);
    }
    let Some(name) = args.procedure.as_deref() else {
        return list::write(&remote.description, false, terminal);
    };
    let call = CallTarget::new(&remote, name, args.no_check)?;
    call.decode_files(&mut given)?;
    let params = match whole_params {
        Some(params) => Some(params),
        None => call.params(&given)?,
    };
    call.check(params.as_deref())
        .map_err(|failure| match params {
            Some(_) => failure,
            None => failure.map(|message| message + &call.skeleton().unwrap_or_default()),
        })?;
    terminal.warn_all(call.ignored(&given));
    call.note_deprecation(terminal);
    let mut headers = key::header(args.idempotency_key.as_deref(), call.procedure, terminal)?;
    let is_subscription = call.is_subscription(args)?;
    if is_subscription {
        headers.insert(ACCEPT, HeaderValue::from_static(EVENTS_TYPE));
    }
    if args.notify {
        call.refuse_subscription("as a notification")?;
    }
    if args.notify && (remote.is_1_1 || remote.session.is_some()) {
        return Err(Failure::usage(
            "the service speaks JSON-RPC 1.1 or MCP, which cannot call procedures as \
             notifications; leave --notify out",
        ));
    }
    let (url, message) = if args.get {
        (call.query(params.as_deref())?, None)
    } else {
        let id = (!args.notify).then_some(CALL_ID);
        let params = call.in_order(params)?;
        (
            remote.exchange.typed.clone(),
            Some(message(name, params.as_deref(), id, remote.is_1_1)),
        )
    };
    if args.dry_run {
        if remote.session.is_some() {
            return Err(Failure::usage(
                "a call of an MCP tool needs a session, so one curl command cannot send it",
            ));
        }
        if is_socket(&url) {
            return Err(Failure::usage(
                "a call over a WebSocket needs a connection, so one curl command cannot send it",
            ));
        }
        let line = curl(&remote, &url, message.as_deref(), &headers);
        return terminal.write(format!("{line}\n"));
    }
    let request = HttpRequest {
        url: &url,
        body: message.as_deref(),
        headers,
    };
    if is_subscription {
        return subscription::follow(&call, args, request, terminal);
    }
    let mut response = remote.send(&request)?;
    if args.no_check && !args.notify {
        response = tool::as_tool(response, &remote, &request)?;
    }
    call.finish(&response, args, terminal)
}

/// Finds the service. With `--no-check`, it need not describe itself.
fn find_service(args: &CallArgs, client: &Client) -> Result<Remote, Failure> {
    let is_call = args.procedure.is_some() || args.batch.is_some();
    if let Input::Live(url) = &args.input
        && args.no_check
        && is_call
        && is_command(url)
    {
        // It may speak any protocol on its lines, so nothing else is said.
        return Remote::undescribed(args.address.as_ref().unwrap_or(url), client);
    }
    let described = Remote::new(&args.input, args.address.as_ref(), client);
    match &args.input {
        Input::Live(url) if args.no_check && is_call && described.is_err() => {
            Remote::undescribed(args.address.as_ref().unwrap_or(url), client)
        }
        _ => described,
    }
}

/// Returns whether a value, or each element of it, is bytes as base64.
fn takes_base64(view: &View<'_>) -> bool {
    let elements = view.views.view(&view.elements().rest);
    [view, elements].iter().any(|view| {
        view.strings()
            .any(|strings| strings.encoding == Some("base64") || strings.format == Some("byte"))
    })
}

/// Returns the value of an argument as the parameter of its name takes it, if there is one that does.
fn converted(arguments: Option<&Arguments>, given: &TypedArgument) -> Option<Json> {
    let params: Json = arguments?
        .params([(given.name.as_str(), given.argument())])
        .ok()?
        .parse()
        .ok()?;
    params.get(&given.name).cloned()
}

/// A procedure to call.
struct CallTarget<'r> {
    remote: &'r Remote,
    name: String,
    /// The description of the procedure, if it is known.
    procedure: Option<&'r ProcedureDescription>,
    /// The parameters as the service reads them, if the procedure is known.
    arguments: Option<Arguments>,
    /// False with `--no-check`, which leaves every check to the service.
    is_checked: bool,
}

impl<'r> CallTarget<'r> {
    /// Finds the procedure. One that the description does not have can be called only with `no_check`.
    fn new(remote: &'r Remote, name: &str, no_check: bool) -> Result<Self, Failure> {
        let procedure = match remote.procedure(name) {
            Err(_) if no_check => None,
            found => found?,
        };
        let is_called = procedure.is_none_or(ProcedureDescription::is_called_by_clients);
        if !is_called && !no_check {
            let display_name = remote.display_name();
            let names: Vec<_> = remote
                .description
                .carriers
                .iter()
                .map(|carrier| one_line(&carrier.name))
                .collect();
            let carriers = match &*names {
                [] => String::new(),
                names => format!(" (the service has {})", names.join(", ")),
            };
            return Err(Failure::usage(format_args!(
                "`{name}` is sent by the service and cannot be called{carriers}; `docent describe {display_name} {}` says what is sent, and `docent client` \
                 writes types for it",
                quoted(name)
            )));
        }
        let service = &remote.description;
        Ok(Self {
            remote,
            name: name.to_owned(),
            procedure,
            arguments: procedure.map(|procedure| Arguments::new(procedure, service)),
            is_checked: !no_check,
        })
    }

    /// Returns whether the call begins a subscription. Without a description, --items says so.
    fn is_subscription(&self, args: &CallArgs) -> Result<bool, Failure> {
        let Some(procedure) = self.procedure else {
            return Ok(args.items.is_some());
        };
        let is_subscription = procedure.subscription.is_some();
        if args.items.is_some() && !is_subscription {
            return Err(Failure::usage(format_args!(
                "`{}` is no subscription; leave --items out",
                self.name
            )));
        }
        Ok(is_subscription && !args.notify)
    }

    /// Returns the failure for a subscription that is called in a way in which no service runs it.
    fn refuse_subscription(&self, way: &str) -> Result<(), Failure> {
        let is_subscription = self
            .procedure
            .is_some_and(|known| known.subscription.is_some());
        if !is_subscription || !self.is_checked {
            return Ok(());
        }
        Err(Failure::usage(format_args!(
            "`{}` is a subscription, which cannot be called {way}",
            self.name
        )))
    }

    /// Tells a person that the procedure is deprecated, and what to use instead.
    fn note_deprecation(&self, terminal: Terminal) {
        let Some(deprecated) = self.procedure.and_then(|known| known.deprecated.as_ref()) else {
            return;
        };
        let instead = match &deprecated.instead {
            Some(other) => format!("; use {other} instead"),
            None => String::new(),
        };
        terminal.progress(format_args!(
            "docent: `{}` is deprecated{instead}",
            self.name
        ));
    }

    /// Decodes the files that were given for parameters.
    fn decode_files(&self, given: &mut [TypedArgument]) -> Result<(), Failure> {
        let views = SchemaViews::new(&self.remote.description);
        for argument in given {
            let params = self.procedure.map_or(&[][..], |known| &known.params[..]);
            let param = match argument.position() {
                // All values of a list are elements of the only parameter.
                Some(position) => params.get(position).or(params.last()),
                None => params.iter().find(|param| param.is_called(&argument.name)),
            };
            let view = param.map(|param| views.view_of_schema(&param.schema));
            argument.decode_file(view.is_some_and(takes_base64))?;
        }
        Ok(())
    }

    /// Returns the parameters that were given one by one.
    fn params(&self, given: &[TypedArgument]) -> Result<Option<String>, Failure> {
        if given.is_empty() {
            return Ok(None);
        }
        if let Some(arguments) = &self.arguments
            && self.params_schema().is_none()
        {
            let pairs: Vec<(&str, Argument<'_>)> = given
                .iter()
                .map(|typed| (typed.name.as_str(), typed.argument()))
                .collect();
            return arguments
                .params(pairs)
                .map(Some)
                .map_err(|fault| self.misfit(&fault));
        }
        if self.procedure.is_none() && given.iter().all(|typed| typed.position().is_some()) {
            let values: Vec<Json> = given.iter().map(TypedArgument::unchecked).collect();
            return Ok(Some(Json::Array(values).to_string()));
        }
        // An unknown procedure, or a schema of all parameters together, may take names that no description lists.
        let mut members = Object::new();
        for typed in given {
            let value =
                converted(self.arguments.as_ref(), typed).unwrap_or_else(|| typed.unchecked());
            members.insert(typed.name.as_str(), value);
        }
        Ok(Some(Json::Object(members).to_string()))
    }

    /// Checks parameters as the service would.
    fn check(&self, params: Option<&str>) -> Result<(), Failure> {
        let Some(arguments) = self.arguments.as_ref().filter(|_| self.is_checked) else {
            return Ok(());
        };
        let Some(schema) = self.params_schema() else {
            return arguments
                .check(params.unwrap_or("null"))
                .map_err(|fault| self.misfit(&fault));
        };
        let validator = Validator::new(&self.remote.description);
        let value = params.unwrap_or("{}").parse().unwrap_or_default();
        // A schema that cannot be decided is left to the service.
        if validator.is_valid(schema, &value) == Some(false) {
            return Err(Failure::usage(format_args!(
                "the parameters do not fit the schema of `{}`, so nothing was sent; `docent describe` shows it",
                self.name
            )));
        }
        Ok(())
    }

    /// Returns a warning for each name that the service ignores, since it may be misspelt.
    fn ignored(&self, given: &[TypedArgument]) -> Vec<String> {
        let Some(procedure) = self.procedure.filter(|known| known.ignores_unknown) else {
            return Vec::new();
        };
        let mut warnings = Vec::new();
        for typed in given {
            let name = &typed.name;
            // A position cannot be misspelt.
            if typed.position().is_none()
                && !procedure.params.iter().any(|param| param.is_called(name))
            {
                warnings.push(format!(
                    "docent: `{}` has no parameter `{name}`, and ignores it",
                    self.name
                ));
            }
        }
        warnings
    }

    /// Returns the schema of all parameters together, if the description has one.
    fn params_schema(&self) -> Option<&'r Json> {
        self.procedure?.extensions.get(INPUT_SCHEMA)
    }

    /// Returns a line with a value for each required parameter.
    fn skeleton(&self) -> Option<String> {
        let procedure = self.procedure?;
        let views = SchemaViews::new(&self.remote.description);
        let examples = Examples::new(&self.remote.description.components.schemas);
        let mut words = vec![
            "docent call".to_owned(),
            quoted(&self.remote.display_name()),
        ];
        words.push(quoted(&procedure.name));
        for param in procedure.params.iter().filter(|param| param.required) {
            let from_example = procedure
                .examples
                .iter()
                // A call that fails is no model.
                .filter(|example| example.error.is_none())
                .filter_map(|example| params_by_name(procedure, example.params.as_ref()?))
                .find_map(|params| params.get(&param.name).cloned());
            let value = from_example.or_else(|| {
                let view = views.view_of_schema(&param.schema);
                examples.value_named(&param.name, view, Some(Side::Input))
            });
            let word = match value {
                // After `=`, an `@` would name a file.
                Some(Json::String(text)) if !text.starts_with('@') => {
                    format!("{}={text}", param.name)
                }
                value => format!("{}:={}", param.name, value.unwrap_or(Json::Null)),
            };
            words.push(quoted(&word));
        }
        Some(format!("\n  such as: {}", one_line(&words.join(" "))))
    }

    /// Returns named parameters as a list if the procedure takes them by position only, which documents
    /// of OpenRPC can say.
    fn in_order(&self, params: Option<String>) -> Result<Option<String>, Failure> {
        let Some(procedure) = self.procedure.filter(|known| !takes_names(known)) else {
            return Ok(params);
        };
        let Some(Json::Object(members)) = params.as_deref().and_then(|text| text.parse().ok())
        else {
            return Ok(params);
        };
        let list = params_by_position(procedure, &members).ok_or_else(|| {
            Failure::usage(format_args!(
                "`{}` takes its parameters by position, so none can be left out before others",
                procedure.name
            ))
        })?;
        Ok(Some(list.to_string()))
    }

    /// Prints the response, or returns the failure that it stands for.
    fn finish(
        &self,
        response: &HttpResponse,
        args: &CallArgs,
        terminal: Terminal,
    ) -> Result<(), Failure> {
        if args.notify && response.status.is_success() && response.body.is_empty() {
            return Ok(());
        }
        let text = response.json_text()?;
        if args.envelope && !args.notify {
            terminal.write_json(text)?;
        }
        let reply = match CallReply::read(text) {
            Some(reply) => reply,
            None if args.notify => return Ok(()),
            None => return Err(response::no_reply(self.remote)),
        };
        match reply.outcome {
            // A notification that was rejected may still have a response.
            Err(error) => Err(response::failure(
                &error,
                self.procedure,
                &self.remote.description,
            )),
            Ok(_) if args.notify => Ok(()),
            Ok(_) if !args.get && !reply.is_of_call() => {
                Err(response::foreign_reply(&reply, self.remote))
            }
            Ok(_) if args.envelope => Ok(()),
            Ok(result) => match result.parse() {
                // The text of a tool is for people as it is.
                Ok(Json::String(text))
                    if self.remote.session.is_some() && args.pointer.is_none() =>
                {
                    terminal.write_json(&text)
                }
                _ => response::print(response::part(&result, args.pointer.as_deref())?, terminal),
            },
        }
    }

    /// Explains why parameters are wrong, in the words of the service.
    fn misfit(&self, fault: &Fault) -> Failure {
        let mut lines = vec![format!(
            "the parameters do not fit `{}`, so nothing was sent",
            self.name
        )];
        let data = fault_data(fault);
        lines.extend(
            data.as_ref()
                .and_then(response::reasons)
                .unwrap_or_default(),
        );
        Failure::usage(lines.join("\n  "))
    }

    /// Returns the URL that makes the call with GET.
    fn query(&self, params: Option<&str>) -> Result<Url, Failure> {
        if is_command(&self.remote.exchange.typed) {
            return Err(Failure::usage("a command has no GET; leave --get out"));
        }
        if is_socket(&self.remote.exchange.typed) {
            return Err(Failure::usage("a WebSocket has no GET; leave --get out"));
        }
        let (Some(procedure), Some(arguments)) = (self.procedure, &self.arguments) else {
            return Err(Failure::usage(
                "--get needs a procedure of the description, which says how to send its parameters",
            ));
        };
        let origin = self.remote.description.origin;
        if !procedure.idempotent || matches!(origin, Origin::OpenRpc | Origin::Mcp) {
            return Err(Failure::usage(format_args!(
                "`{}` cannot be called with GET: the description does not mark it idempotent",
                procedure.name
            )));
        }
        query(&self.remote.exchange.typed, procedure, params, |query| {
            query_params(arguments, query).ok()
        })
        .map_err(|reason| Failure::usage(format_args!("{reason}; leave --get out")))
    }
}
