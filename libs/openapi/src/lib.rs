//! The OpenAPI document of the REST API. The build makes it of the `.proto` files alone, so that it is there in seconds
//! when one of them has changed.

/// The document, as JSON.
pub const DOCUMENT: &str = include_str!(concat!(env!("OUT_DIR"), "/openapi.json"));
