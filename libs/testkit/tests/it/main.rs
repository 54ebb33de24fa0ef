//! What runtime offers to services, with NATS and both databases.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod acts;
mod bucket;
mod connection;
mod events;
mod folders;
mod full;
mod ids;
mod imports;
mod lists;
mod migrations;
mod modules;
mod outbox;
mod policies;
mod publishing;
mod search;
mod trust;
mod typed_ids;
mod world;
