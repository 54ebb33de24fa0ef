//! Notification over gRPC, with identity, fleet, NATS and both databases.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod alarm_names;
mod alarms;
mod erasing;
mod events;
mod support;
