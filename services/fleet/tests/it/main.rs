//! Fleet over gRPC, with NATS and both databases.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod audit;
mod bindings;
mod claims;
mod commands;
mod deletion;
mod device_lists;
mod device_members;
mod devices;
mod documents;
mod drivers;
mod files;
mod filled_in;
mod fuel;
mod heard_imeis;
mod imports;
mod jobs;
mod limits;
mod maintenance;
mod maintenance_due;
mod master_data;
mod meters;
mod recheck;
mod reminders;
mod removed_users;
mod restoring;
mod s3;
mod share_links;
mod support;
mod thresholds;
mod tracker_ids;
mod tracker_replacements;
