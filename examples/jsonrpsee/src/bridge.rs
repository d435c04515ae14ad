//! Registers the procedures of a service in an `RpcModule`.
//!
//! Copy this file. A call keeps its parameters, its result, and the code, message and data of its error as they are
//! written; codes of errors have 32 bits there. Connections, batches and subscriptions are jsonrpsee's business.

use docent_core::Service;
use jsonrpsee::RpcModule;
use jsonrpsee::core::RegisterMethodError;
use jsonrpsee::types::{
    ErrorCode, ErrorObjectOwned, Id, Params, Request, Response, ResponsePayload,
};
use serde_json::value::RawValue;

/// The descriptions of the service.
const DESCRIPTIONS: [&str; 4] = [
    "rpc.describe",
    "rpc.discover",
    "rpc.openapi",
    "system.describe",
];

/// Registers all procedures of a service, and its descriptions without what only Docent's own carriers do.
pub(crate) fn register<C: Send + Sync + 'static>(
    module: &mut RpcModule<C>,
    service: &Service,
) -> Result<(), RegisterMethodError> {
    let service = service.with_calls_only();
    let own = service
        .description()
        .procs
        .iter()
        .map(|procedure| &*procedure.name);
    for name in own.chain(DESCRIPTIONS) {
        // An `RpcModule` takes names that live as long as the program.
        let name: &str = name.to_owned().leak();
        let service = service.clone();
        module.register_async_method(name, move |params, _, _| {
            call(service.clone(), name, params)
        })?;
    }
    Ok(())
}

/// Calls a procedure.
async fn call(
    service: Service,
    name: &str,
    params: Params<'static>,
) -> Result<Box<RawValue>, ErrorObjectOwned> {
    let request = Request::owned(name.to_owned(), params.parse()?, Id::Number(0));
    let body = serde_json::to_vec(&request).map_err(internal)?;
    let answer = service.handle(body).await.unwrap_or_default();
    let response: Response<'_, Box<RawValue>> =
        serde_json::from_slice(&answer).map_err(internal)?;
    match response.payload {
        ResponsePayload::Success(result) => Ok(result.into_owned()),
        ResponsePayload::Error(error) => Err(error.into_owned()),
    }
}

/// Returns the error for what cannot be converted.
fn internal(_: serde_json::Error) -> ErrorObjectOwned {
    ErrorCode::InternalError.into()
}
