//! The contract of Armada. Everything that crosses a process is a message of `armada/v1/*.proto`; the Rust types here
//! are generated from those files, and the same types are the REST bodies and the OpenAPI schemas.

pub mod access;
pub mod binding;
pub mod coded;
pub mod currency;
pub mod device_count;
pub mod erasure;
pub mod heard;
mod id;
pub mod json;
pub mod policy;
pub mod session;
mod timestamp;

pub use id::{DeviceId, InvalidId, TenantId, UserId};
pub use timestamp::Timestamp;

/// Messages, clients and servers of version 1.
pub mod v1 {
    #![allow(missing_docs, clippy::all, unused_qualifications)]
    tonic::include_proto!("armada.v1");
    include!(concat!(env!("OUT_DIR"), "/redacting_debug.rs"));
}

#[cfg(test)]
mod contract_tests;
