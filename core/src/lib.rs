//! The behaviour of Docent: procedures, services, parameter binding, the JSON-RPC wire, dispatch.
