//! The contract of Armada. Everything that crosses a process is a message of `armada/v1/*.proto`; the Rust types here
//! are generated from those files, and the same types are the REST bodies and the OpenAPI schemas.

pub mod access;
pub mod alarm;
pub mod binding;
pub mod bulk;
mod choice;
pub mod coded;
pub mod command;
pub mod currency;
mod database;
pub mod device_count;
pub mod device_erasure;
pub mod email;
pub mod erasure;
pub mod gateway;
pub mod heard_imeis;
mod id;
pub mod import;
pub mod json;
pub mod meters;
pub mod policy;
mod refused;
mod resource;
pub mod route;
pub mod session;
pub mod tenant;
mod timestamp;
mod validate;

pub use choice::Choice;
pub use id::{
    AlarmNameId, CommandId, DeviceId, DeviceMemberId, DocumentId, DriverId, FileId, GatewayId, InvalidId,
    MaintenanceId, MaintenanceLogId, MasterDataId, MeterCorrectionId, SavedCommandId, ShareLinkId, TenantId,
    TrackerReplacementId, UserId,
};
pub use resource::{ListRequest, Paging, ResourceInput, ResourceList, ResourceMessage, Sorted};
pub use timestamp::Timestamp;
pub use validate::{Validate, Violations};

/// Messages, clients and servers of version 1.
pub mod v1 {
    #![allow(missing_docs, clippy::all, unused_qualifications)]
    tonic::include_proto!("armada.v1");
    include!(concat!(env!("OUT_DIR"), "/redacting_debug.rs"));
}
