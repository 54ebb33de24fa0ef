//! What other services are told.

pub mod heard_imeis;
pub mod meters;
pub mod routes;
pub mod vehicle_events;
