//! `docent call`: calls a procedure.

mod answer;
mod arguments;
mod batch;
mod key;
pub(crate) mod request;

use docent_core::{Argument, Arguments, Fault};
use docent_describe::json::{Json, Object};
use docent_describe::{Origin, ProcedureDescription};
use docent_tools::request::{message, query};
use url::Url;

use crate::args::CallArgs;
use crate::failure::Failure;
use crate::http::{Client, HttpAnswer, HttpRequest};
use crate::remote::Remote;
use crate::terminal::Terminal;
use answer::{CallReply, ReplyOutcome};
use arguments::TypedArgument;
use request::{by_position_only, fault_data, read};

/// The id of a call. Only one call is open at a time.
const ID: &str = "1";

pub(crate) fn run(args: &CallArgs, client: &Client, terminal: Terminal) -> Result<(), Failure> {
    let given = given(args)?;
    let params = args.params.as_deref().map(arguments::params).transpose()?;
    let remote = Remote::new(&args.input, args.address.as_ref(), client)?;
    if let Some(file) = &args.batch {
        return batch::run(args, file, &remote, terminal);
    }
    let Some(name) = args.procedure.as_deref() else {
        return Err(Failure::usage(
            "give the name of a procedure, or --batch FILE",
        ));
    };
    let call = Call::new(&remote, name, args.no_check)?;
    let params = match params {
        Some(params) => Some(params),
        None => call.params(&given)?,
    };
    call.check(params.as_deref())?;
    if let Some(why) = call.procedure.and_then(|it| it.deprecated.as_ref()) {
        let instead = why.instead.as_ref();
        let instead = instead.map_or(String::new(), |it| format!("; use {it} instead"));
        terminal.progress(format_args!("docent: `{name}` is deprecated{instead}"));
    }
    let headers = key::header(args.idempotency_key.as_deref(), call.procedure, terminal)?;
    if args.notify && remote.is_1_1 {
        return Err(Failure::usage(
            "the service speaks JSON-RPC 1.1, which has no notifications",
        ));
    }
    let (url, message) = if args.get {
        (call.query(params.as_deref())?, None)
    } else {
        let id = (!args.notify).then_some(ID);
        let params = call.in_order(params)?;
        let message = message(name, params.as_deref(), id, remote.is_1_1);
        (remote.address.clone(), Some(message))
    };
    let answer = remote.exchange.send(&HttpRequest {
        url: &url,
        body: message.as_deref(),
        headers,
    })?;
    call.end(&answer, args, terminal)
}

/// Reads the arguments and the positions.
fn given(args: &CallArgs) -> Result<Vec<TypedArgument>, Failure> {
    let named = args.arguments.iter();
    let named = named.map(|argument| TypedArgument::named(argument));
    let positions = args.positions.iter().enumerate();
    let positions = positions.map(|(position, argument)| TypedArgument::at(position, argument));
    named.chain(positions).collect()
}

/// A procedure to call.
struct Call<'r> {
    remote: &'r Remote,
    name: String,
    /// The description of the procedure, if it is known.
    procedure: Option<&'r ProcedureDescription>,
    arguments: Option<Arguments>,
    is_checked: bool,
}

impl<'r> Call<'r> {
    fn new(remote: &'r Remote, name: &str, no_check: bool) -> Result<Self, Failure> {
        let procedure = match remote.procedure(name) {
            Err(_) if no_check => None,
            found => found?,
        };
        let service = &remote.description;
        Ok(Self {
            remote,
            name: name.to_owned(),
            procedure,
            arguments: procedure.map(|procedure| Arguments::new(procedure, service)),
            is_checked: !no_check,
        })
    }

    /// Returns the parameters that were given one by one.
    fn params(&self, given: &[TypedArgument]) -> Result<Option<String>, Failure> {
        if given.is_empty() {
            return Ok(None);
        }
        let Some(arguments) = &self.arguments else {
            let members = given.iter().map(|it| (it.name.as_str(), it.unchecked()));
            return Ok(Some(Json::Object(members.collect::<Object>()).to_string()));
        };
        let pairs = given.iter().map(|it| (it.name.as_str(), it.argument()));
        let converted = arguments.params(pairs.collect::<Vec<(&str, Argument<'_>)>>());
        converted.map(Some).map_err(|fault| self.refused(&fault))
    }

    /// Checks parameters as the service would.
    fn check(&self, params: Option<&str>) -> Result<(), Failure> {
        match &self.arguments {
            Some(arguments) if self.is_checked => arguments
                .check(params.unwrap_or("null"))
                .map_err(|fault| self.refused(&fault)),
            _ => Ok(()),
        }
    }

    /// Returns parameters by position if the procedure takes them only so.
    fn in_order(&self, params: Option<String>) -> Result<Option<String>, Failure> {
        match (params, self.procedure) {
            (Some(params), Some(procedure)) => by_position_only(procedure, params).map(Some),
            (params, _) => Ok(params),
        }
    }

    /// Prints the response, or returns the failure that it stands for.
    fn end(&self, answer: &HttpAnswer, args: &CallArgs, terminal: Terminal) -> Result<(), Failure> {
        if args.notify && answer.status.is_success() && answer.body.is_empty() {
            return Ok(());
        }
        let text = answer::text_of(answer)?;
        if args.envelope && !args.notify {
            answer::print_envelope(text, terminal)?;
        }
        let reply = match CallReply::read(text) {
            Some(reply) => reply,
            None if args.notify => return Ok(()),
            None => return Err(answer::no_reply(self.remote)),
        };
        match reply.outcome {
            // A notification that was rejected may still have a response.
            ReplyOutcome::Error(error) => Err(answer::failure(&error, self.procedure)),
            ReplyOutcome::Result(_) if args.notify => Ok(()),
            ReplyOutcome::Result(_) if !args.get && reply.id.as_deref() != Some(ID) => {
                Err(Failure::system(format_args!(
                    "{}: the response has the id {}, which is not the call's",
                    self.remote.shown(),
                    reply.id.as_deref().unwrap_or("(none)")
                )))
            }
            ReplyOutcome::Result(_) if args.envelope => Ok(()),
            ReplyOutcome::Result(result) => answer::print(&result, terminal),
        }
    }

    /// Explains why parameters are wrong, in the words of the service.
    fn refused(&self, fault: &Fault) -> Failure {
        let mut lines = vec![format!(
            "the parameters do not fit `{}`, so nothing was sent",
            self.name
        )];
        let data = fault_data(fault);
        lines.extend(data.as_ref().and_then(answer::reasons).unwrap_or_default());
        Failure::usage(lines.join("\n  "))
    }

    /// Returns the URL that makes the call with GET.
    fn query(&self, params: Option<&str>) -> Result<Url, Failure> {
        let (Some(procedure), Some(arguments)) = (self.procedure, &self.arguments) else {
            return Err(Failure::usage(
                "--get needs a procedure of the description, which says how to send its parameters",
            ));
        };
        if !procedure.idempotent || self.remote.description.origin == Origin::OpenRpc {
            return Err(Failure::usage(format_args!(
                "`{}` cannot be called with GET: the description does not mark it idempotent",
                procedure.name
            )));
        }
        query(&self.remote.address, procedure, params, |query| {
            read(arguments, query)
        })
        .map_err(|reason| Failure::usage(format_args!("{reason}; leave --get out")))
    }
}
