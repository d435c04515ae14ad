//! A function as a handler: the procedure that its signature describes.
//!
//! Free functions and methods are read alike. How each is registered is decided in
//! [`free`](crate::free) and [`methods`](crate::methods).

use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;
use syn::{Attribute, Error, FnArg, ReceiverKind, ReturnType, Signature, Type, parse_quote};

use crate::argument::{CallerArgument, HandlerArgument, ParameterArgument, ParamsArgument};
use crate::docs::DocComment;
use crate::kind::HandlerKind;
use crate::options::Options;
use crate::problems::MacroProblems;
use crate::types::{attributes as named, check_owned, mentions, plain};

/// A function that handles calls.
pub(crate) struct HandlerFunction {
    pub(crate) function: Ident,
    /// The name of its procedure.
    pub(crate) procedure: String,
    /// True if its first argument is the state: the receiver of a method.
    pub(crate) has_receiver: bool,
    pub(crate) is_async: bool,
    pub(crate) arguments: Vec<HandlerArgument>,
    pub(crate) options: Options,
    /// The doc comment, which documents the procedure.
    pub(crate) docs: DocComment,
    /// Its `#[cfg(…)]` attributes, which decide whether it exists.
    pub(crate) cfgs: Vec<Attribute>,
    /// The return type, if one is written.
    #[cfg_attr(
        not(feature = "client"),
        expect(dead_code, reason = "only clients need it")
    )]
    pub(crate) returned: Option<Type>,
    /// Its documentation and its deprecation, which the client copies.
    pub(crate) of_client: Vec<Attribute>,
    /// The span of the return type, at which errors about the result are shown.
    pub(crate) output: Span,
}

impl HandlerFunction {
    /// Reads a function, and leaves on it only the attributes that the compiler and rustdoc
    /// understand.
    pub(crate) fn read(
        attributes: &mut Vec<Attribute>,
        signature: &mut Signature,
        options: Options,
        problems: &mut MacroProblems,
    ) -> Self {
        check(signature, &options, problems);
        check_single(options.kind, attributes, problems);
        let (returned, output) = match &signature.output {
            ReturnType::Type(_, ty) => (Some((**ty).clone()), ty.span()),
            ReturnType::Default => (None, signature.ident.span()),
        };
        let procedure = match &options.name {
            Some(name) => name.value(),
            None => plain(&signature.ident),
        };
        let mut handler = Self {
            function: signature.ident.clone(),
            procedure,
            has_receiver: signature.receiver().is_some(),
            is_async: signature.asyncness.is_some(),
            arguments: signature
                .inputs
                .iter_mut()
                .filter_map(|argument| HandlerArgument::read(argument, problems))
                .collect(),
            options,
            docs: DocComment::from_attributes(attributes),
            cfgs: named(attributes, &["cfg"]).cloned().collect(),
            returned,
            of_client: Vec::new(),
            output,
        };
        let sent = handler
            .arguments
            .iter()
            .filter(|argument| argument.is_sent())
            .count();
        if let Some(params) = handler.params()
            && sent > 1
        {
            let text = "a `#[params]` struct holds all parameters: add the others to the struct, \
                        or make each field an argument";
            problems.push(Error::new(params.span, text));
        }
        if let Some(version) = &handler.options.etag_by
            && handler.options.version_function().is_none()
            && handler.parameters().next().is_some()
        {
            let text = "name a function that takes the same arguments, `etag_by = version`, or none, \
                        `etag_by = version()`; a closure takes the parameters as one `#[params]` struct";
            problems.add(version, text);
        }
        if handler.has_receiver {
            handler.check_context(problems);
        }
        handler.document(attributes);
        handler.of_client = named(attributes, &["doc", "deprecated"]).cloned().collect();
        // The signature depends on what callers send and receive, and not on how the body uses it.
        attributes.push(parse_quote!(#[allow(
            clippy::needless_pass_by_value,
            clippy::too_many_arguments,
            clippy::unnecessary_wraps,
            clippy::unused_async,
            clippy::unused_self
        )]));
        handler
    }

    /// Returns the parameters that are an argument each.
    pub(crate) fn parameters(&self) -> impl Iterator<Item = &ParameterArgument> {
        self.arguments.iter().filter_map(|argument| match argument {
            HandlerArgument::Parameter(parameter) => Some(&**parameter),
            _ => None,
        })
    }

    /// Returns the types of these parameters.
    pub(crate) fn parameter_types(&self) -> impl Iterator<Item = &Type> {
        self.parameters().map(|parameter| &parameter.ty)
    }

    /// Returns the struct whose fields are the parameters, if the author wrote one.
    pub(crate) fn params(&self) -> Option<&ParamsArgument> {
        self.arguments.iter().find_map(|argument| match argument {
            HandlerArgument::Params(params) => Some(params),
            _ => None,
        })
    }

    /// Returns whether the function takes the context of the call.
    pub(crate) fn has_context(&self) -> bool {
        self.arguments
            .iter()
            .any(|argument| matches!(argument, HandlerArgument::Context { .. }))
    }

    /// Returns the type of the context's state if the author wrote it.
    pub(crate) fn state(&self) -> Option<&Type> {
        self.arguments.iter().find_map(|argument| match argument {
            HandlerArgument::Context { state, .. } => state.as_deref(),
            _ => None,
        })
    }

    /// Returns the caller that the function takes.
    pub(crate) fn caller(&self) -> Option<&CallerArgument> {
        self.arguments.iter().find_map(|argument| match argument {
            HandlerArgument::Caller(caller) => Some(caller),
            _ => None,
        })
    }

    /// Refuses a context with a state in a method, whose state is `&self`.
    fn check_context(&self, problems: &mut MacroProblems) {
        if let Some(state) = self.state()
            && !matches!(state, Type::Tuple(unit) if unit.elems.is_empty())
        {
            let text =
                "the state is `&self`: write `cx: Cx`, and take the caller as `user: Caller<User>`";
            problems.add(state, text);
        }
    }

    /// Copies the documentation of parameters to the function, because rustdoc shows none on
    /// arguments.
    fn document(&self, attributes: &mut Vec<Attribute>) {
        let items: Vec<_> = self
            .parameters()
            .filter_map(|parameter| parameter.docs.list_item(&plain(&parameter.name)))
            .collect();
        if !items.is_empty() {
            let list = format!("\n# Parameters\n{}", items.join("\n"));
            attributes.push(parse_quote!(#[doc = #list]));
        }
    }
}

/// Refuses signatures that a handler cannot have.
fn check(signature: &Signature, options: &Options, problems: &mut MacroProblems) {
    if let (Some(_), Some(blocking)) = (&signature.asyncness, options.blocking) {
        let text = "`blocking` is for a function that is not async: remove `async` or `blocking`";
        problems.push(Error::new(blocking, text));
    }
    for generic in &signature.generics.params {
        let text = format!(
            "a {} cannot be generic, because each parameter has one type: name the type, or make \
             the `impl` generic",
            options.kind.name()
        );
        problems.add(generic, text);
    }
    let ty = match &signature.output {
        ReturnType::Type(_, ty) => ty,
        ReturnType::Default => {
            let [what, form] = match options.kind {
                HandlerKind::Procedure => ["", "Result<(), Fault>"],
                HandlerKind::Subscription => [" with a stream", STREAM_FORM],
            };
            let text = format!(
                "a {} returns a `Result`{what}: write `-> {form}` after `{}(…)`",
                options.kind.name(),
                signature.ident
            );
            problems.add(&signature.ident, text);
            return;
        }
    };
    let why = match options.kind {
        HandlerKind::Procedure => {
            "a result cannot borrow, because it is sent after the function has returned"
        }
        HandlerKind::Subscription => {
            "a stream cannot borrow, because it lives longer than the call"
        }
    };
    check_owned(ty, why, true, problems);
    // In a method, `impl …` borrows the receiver unless it says that it does not.
    if signature.receiver().is_some()
        && options.kind == HandlerKind::Subscription
        && mentions(ty, "impl")
        && !["use", "static"].into_iter().any(|word| mentions(ty, word))
    {
        let text = format!(
            "{why}, and this one borrows `self`: write `{STREAM_FORM}`, and clone what the stream needs"
        );
        problems.add(ty, text);
    }
}

/// The return type of a subscription, as errors show it.
const STREAM_FORM: &str = "Result<impl Stream<Item = Result<…, Fault>> + use<>, Fault>";

/// Refuses further attributes of handlers, and removes them.
fn check_single(kind: HandlerKind, attributes: &mut Vec<Attribute>, problems: &mut MacroProblems) {
    attributes.retain(|attribute| {
        let Some(further) = HandlerKind::of_attribute(attribute) else {
            return true;
        };
        let text = if further == kind {
            let name = kind.name();
            format!("a function can have one `#[{name}(…)]`: move these options into the first")
        } else {
            "a function gives one result or a stream of items: remove `#[procedure]` or \
             `#[subscription]`"
                .to_owned()
        };
        problems.add(attribute, text);
        false
    });
}

/// Refuses every receiver but `&self`.
pub(crate) fn check_receiver(signature: &Signature, problems: &mut MacroProblems) {
    match signature.inputs.first() {
        Some(FnArg::Receiver(receiver)) => {
            if !matches!(receiver.kind, ReceiverKind::Reference(_, None, None)) {
                let text = "all calls share the state: take `&self`, and keep what changes in a \
                            `Mutex` or an atomic";
                problems.add(receiver, text);
            }
        }
        _ => problems.add(
            &signature.ident,
            "a procedure of an `impl` takes `&self`, the state of the service; without a state, write \
             a function outside of the `impl` and give it `#[procedure]`",
        ),
    }
}
