//! Reads a message of the Model Context Protocol and responds to it.
//!
//! It has the methods of the protocol that a service with tools alone needs. A call of a tool is
//! handed to dispatch, like every call.

use std::sync::Arc;

use bytes::Bytes;
use docent_describe::brief::MAX_REASON_BYTES;
use docent_describe::json::shorten_bytes;
use serde::Deserialize;

use super::message::{McpHeaders, McpReply, McpStatus};
use super::params::{self, CancelledParams, ClientMeta, InitializeParams, ListParams, ToolCall};
use super::revision::{MessageError, Revision};
use super::session::McpSession;
use super::tools::Tools;
use crate::call::Meta;
use crate::code;
use crate::fault::Fault;
use crate::service::batch::BatchLimits;
use crate::service::dispatch::{Dispatch, DispatchInput, meta};
use crate::service::entrance::{Incoming, KEY_OF_BATCH};
use crate::service::reply::Reply;
use crate::service::reserved;
use crate::service::state::Service;
use crate::wire::{ClassifiedRequest, Message, ParsedRequest, Protocol, Protocols, WireRules};

#[cfg(feature = "mcp")]
impl Service {
    /// Handles a message of the Model Context Protocol, and returns the response with details. For
    /// transports.
    ///
    /// The service speaks the revisions 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25 and 2026-07-28, keeps
    /// no sessions, and offers tools. Calling a tool calls its procedure.
    ///
    /// `headers` are the header fields that must match the message. Pass `None` over a transport without
    /// header fields, such as standard input: its callers cannot show credentials, so guarded procedures are
    /// not offered. There, a [`Connection`](crate::carrier::Connection) knows the revision that the client has asked for.
    ///
    /// ```
    /// # use docent::carrier::Incoming;
    /// # use docent::{Cx, Fault, Procedure, Service};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let service = Service::builder("greeter", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c28")
    ///     .procedure(Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello")).tool())
    ///     .build()?;
    /// let call = r#"{"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "hello"}, "id": 1}"#;
    /// let response = service.mcp(Incoming::new(call), None).await.reply.into_body().unwrap();
    /// assert!(String::from_utf8(response)?.contains(r#""structuredContent":{"result":"hello"}"#));
    /// # Ok(())
    /// # }
    /// ```
    pub fn mcp(
        &self,
        incoming: Incoming,
        headers: Option<McpHeaders>,
    ) -> impl Future<Output = McpReply> + Send + use<> {
        let service = self.clone();
        async move { service.respond_to_mcp(incoming, headers.as_ref()).await }
    }

    async fn respond_to_mcp(&self, incoming: Incoming, headers: Option<&McpHeaders>) -> McpReply {
        let extensions = incoming.extensions.clone();
        let rules = WireRules {
            batch: self.limits().max_batch_entries,
            protocols: Protocols {
                v1_1: false,
                v1_0: false,
                ..Protocols::default()
            },
            nesting: self.limits().max_depth,
        };
        let (dispatch, message) = match self.read(incoming, rules) {
            Ok(read) => read,
            Err(fault) => {
                let reply = failed(self, None, &fault);
                self.notify_unread(&reply, extensions);
                let status = McpStatus::Malformed;
                return McpReply { reply, status };
            }
        };
        let responded = match &message {
            Message::Single(classified) => {
                return respond_to_one(&dispatch, classified, headers).await;
            }
            // A batch is one call of its connection.
            Message::Batch(_) if dispatch.is_connection_full => Err(MessageError {
                fault: self.connection_is_full(),
                status: McpStatus::Answered,
            }),
            Message::Batch(entries) => Box::pin(respond_to_all(&dispatch, entries, headers)).await,
        };
        responded.unwrap_or_else(|error| error.into_reply(&dispatch, None))
    }
}

/// Responds to the messages of a batch one after the other, within the limits of a batch. Only one revision has
/// batches.
async fn respond_to_all(
    dispatch: &Dispatch<'_>,
    entries: &[ClassifiedRequest],
    headers: Option<&McpHeaders>,
) -> Result<McpReply, MessageError> {
    let client = ClientMeta::default();
    if Revision::detect(&client, headers, dispatch.agreed())? != Revision::V2025_03_26 {
        return Err(invalid_request(
            "there are no batches in this revision: send each message by itself",
        ));
    }
    if dispatch.key_field(0).is_some() {
        return Err(invalid_request(KEY_OF_BATCH));
    }
    let batch = BatchLimits::new(dispatch);
    let limits = dispatch.service.limits();
    let mut body = Vec::new();
    for entry in entries {
        let mut reply = match entry {
            ClassifiedRequest::Request(request) if batch.is_over() => {
                let reply = Reply::fault(
                    meta(request, None),
                    dispatch.part(request.id.as_ref()),
                    &Fault::not_started(),
                );
                dispatch.service.notify_answered(&reply, Some(dispatch));
                reply
            }
            entry => respond_to_one(dispatch, entry, headers).await.reply,
        };
        // With a bracket or a comma before it, and the bracket at the end.
        if body.len() + reply.body_length() + 2 > limits.max_response_bytes {
            reply.replace(
                dispatch.part(entry.id()),
                &Fault::protocol(code::RESPONSE_TOO_LARGE),
            );
        }
        if let Some(response) = reply.body() {
            body.push(if body.is_empty() { b'[' } else { b',' });
            body.extend_from_slice(&response);
        }
    }
    let status = if body.is_empty() {
        McpStatus::Accepted
    } else {
        body.push(b']');
        McpStatus::Answered
    };
    let reply = Reply::batch((!body.is_empty()).then_some(body));
    Ok(McpReply { reply, status })
}

/// Responds to a message.
async fn respond_to_one(
    dispatch: &Dispatch<'_>,
    classified: &ClassifiedRequest,
    headers: Option<&McpHeaders>,
) -> McpReply {
    let id = dispatch.part(classified.id()).filter(|id| *id != "null");
    let responded = match classified {
        ClassifiedRequest::Request(request) if id.is_none() && !request.notification => {
            Err(invalid_request("id must be a string or a number"))
        }
        ClassifiedRequest::Request(request) => respond(dispatch, request, headers).await,
        ClassifiedRequest::Invalid(invalid) => Err(invalid_request(
            invalid.reason.unwrap_or("this is no JSON-RPC 2.0 request"),
        )),
    };
    responded.unwrap_or_else(|error| error.into_reply(dispatch, id))
}

impl MessageError {
    fn into_reply(self, dispatch: &Dispatch<'_>, id: Option<&str>) -> McpReply {
        let reply = failed(dispatch.service, id, &self.fault);
        dispatch.service.notify_answered(&reply, Some(dispatch));
        let status = self.status;
        McpReply { reply, status }
    }
}

impl Dispatch<'_> {
    /// Returns the session of the connection, if there is one.
    fn session(&self) -> Option<&McpSession> {
        let session: &Arc<McpSession> = self.extensions.as_deref()?.get()?;
        Some(session)
    }

    /// Returns the revision that the connection has agreed on.
    fn agreed(&self) -> Option<Revision> {
        self.session()?.agreed()
    }
}

fn invalid_request(reason: &str) -> MessageError {
    MessageError::malformed(Fault::explained(code::INVALID_REQUEST, reason))
}

/// Responds to a valid request or notification.
async fn respond(
    dispatch: &Dispatch<'_>,
    request: &ParsedRequest,
    headers: Option<&McpHeaders>,
) -> Result<McpReply, MessageError> {
    let client = ClientMeta::read(&dispatch.body, request).map_err(MessageError::malformed)?;
    let revision = Revision::detect(&client, headers, dispatch.agreed())?;
    let method = request.method.name(&dispatch.body);
    if request.notification {
        if method == "notifications/cancelled" {
            cancel(dispatch, request);
        }
        return Ok(accepted(request));
    }
    let mcp_request = McpRequest {
        dispatch,
        request,
        headers,
        method,
        revision,
    };
    revision.check_request(&client, headers, method)?;
    let responding = mcp_request.respond();
    let reply = match (dispatch.session(), mcp_request.id()) {
        (Some(session), Some(id)) => match Box::pin(session.wait(id, responding)).await {
            Some(reply) => reply?,
            // A cancelled request is not answered.
            None => return Ok(accepted(request)),
        },
        _ => responding.await?,
    };
    Ok(McpReply {
        reply,
        status: McpStatus::Answered,
    })
}

/// Cancels a request of the same connection. What cannot be read cancels nothing.
fn cancel(dispatch: &Dispatch<'_>, notification: &ParsedRequest) {
    let params: Result<CancelledParams, _> = params::read(&dispatch.body, notification);
    if let (Some(session), Ok(params)) = (dispatch.session(), params) {
        session.cancel(&params);
    }
}

/// Creates the reply to a message that is not answered.
fn accepted(request: &ParsedRequest) -> McpReply {
    McpReply {
        reply: Reply::without_body(meta(request, None), None),
        status: McpStatus::Accepted,
    }
}

/// A request with a known revision.
pub(super) struct McpRequest<'a, 's> {
    pub(super) dispatch: &'a Dispatch<'s>,
    pub(super) request: &'a ParsedRequest,
    pub(super) headers: Option<&'a McpHeaders>,
    pub(super) method: &'a str,
    pub(super) revision: Revision,
}

impl<'a> McpRequest<'a, '_> {
    pub(super) fn id(&self) -> Option<&'a str> {
        self.dispatch.part(self.request.id.as_ref())
    }

    async fn respond(&self) -> Result<Reply, MessageError> {
        let tools = &self.dispatch.service.inner.tools;
        let description = self.dispatch.service.description();
        match (self.method, self.revision.is_stateless()) {
            ("tools/call", _) => self.call().await,
            ("tools/list", _) => {
                let params: ListParams = self.params()?;
                params.check().map_err(|fault| self.error(fault))?;
                self.describe(tools.list(description, self.revision, self.headers.is_some()))
                    .await
            }
            ("server/discover", true) => self.describe(tools.discovery(description)).await,
            ("initialize", false) => {
                let params: InitializeParams = self.params()?;
                let agreed = Revision::agreed(&params.version);
                if let Some(session) = self.dispatch.session() {
                    session.agree(agreed);
                }
                let introduction = tools.introduction(description, agreed);
                Ok(self.result(introduction.as_bytes()))
            }
            ("ping", false) => Ok(self.result(b"{}")),
            _ => Err(MessageError {
                fault: Fault::protocol(code::METHOD_NOT_FOUND),
                status: self.revision.status(McpStatus::UnknownMethod),
            }),
        }
    }

    /// Calls a tool: runs its procedure, with the arguments read from the body in place.
    async fn call(&self) -> Result<Reply, MessageError> {
        let dispatch = self.dispatch;
        let service = dispatch.service;
        let call: ToolCall<'_> = self.params()?;
        self.revision.check_name(self.headers, &call.name)?;
        let request = call
            .request(&dispatch.body, self.request)
            .map_err(|fault| self.error(fault))?;
        let tools = &*service.inner.tools;
        let tool = tools.get(&call.name, self.headers.is_some());
        let found = match tool {
            Some(tool) => service.callable(&tool.procedure),
            None => service.unknown(),
        };
        let Some(callable) = found else {
            return Err(unknown_tool(tools, &call.name));
        };
        let meta = Meta {
            is_tool: true,
            ..meta(&request, service.begin())
        };
        let called = dispatch
            .call(callable, meta, self.id(), DispatchInput::Request(&request))
            .await;
        let reply = match tool {
            Some(tool) => self.tool_result(called, tool, &callable.callee),
            None if called.rejection().is_some() => called,
            None => return Err(unknown_tool(tools, &call.name)),
        };
        service.notify_answered(&reply, Some(dispatch));
        Ok(reply)
    }

    /// Sends a text about the service to callers that may call `rpc.describe`.
    async fn describe(&self, text: Bytes) -> Result<Reply, MessageError> {
        let dispatch = self.dispatch;
        let service = dispatch.service;
        let Some(callable) = service.callable(reserved::WHOLE_DESCRIPTION) else {
            return Err(self.error(Fault::internal("a service describes itself")));
        };
        let meta = meta(self.request, service.begin());
        let reply = dispatch
            .call(callable, meta, self.id(), DispatchInput::Result(text))
            .await;
        service.notify_answered(&reply, Some(dispatch));
        Ok(reply)
    }

    /// Creates a response without a call. Observers are notified of calls only.
    fn result(&self, result: &[u8]) -> Reply {
        let mut body = Vec::new();
        Protocol::V2_0.begin_result(&mut body);
        body.extend_from_slice(result);
        Protocol::V2_0.end_result(&mut body, self.id());
        Reply::without_body(meta(self.request, None), None).rewritten(body, None)
    }

    fn params<T: Deserialize<'a>>(&self) -> Result<T, MessageError> {
        params::read(&self.dispatch.body, self.request).map_err(|fault| self.error(fault))
    }

    fn error(&self, fault: Fault) -> MessageError {
        MessageError {
            fault,
            status: self.revision.status(McpStatus::Malformed),
        }
    }
}

/// Returns the error for the name of an unknown tool.
fn unknown_tool(tools: &Tools, name: &str) -> MessageError {
    let message = format!("Unknown tool: {}", shorten_bytes(name, MAX_REASON_BYTES));
    let fault = Fault::new(code::INVALID_PARAMS, message).with_closest(&tools.closest(name));
    MessageError {
        fault,
        status: McpStatus::Answered,
    }
}

/// Creates an error without a call. If the request has no `id`, the response has none either: null
/// is not a valid `id` here.
pub(in crate::service) fn failed(service: &Service, id: Option<&str>, fault: &Fault) -> Reply {
    const NO_ID: &[u8] = b",\"id\":null}";
    let reply = Reply::fault(Meta::bare(Protocol::V2_0, service.begin()), id, fault);
    if id.is_some() {
        return reply;
    }
    let mut body = reply.body().unwrap_or_default().into_owned();
    if body.ends_with(NO_ID) {
        body.truncate(body.len() - NO_ID.len());
        body.push(b'}');
    }
    reply.rewritten(body, Some(fault.code()))
}
