//! The edge, over HTTP and WebSocket, with the services that it stands before; in `units`, its rules by themselves.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod access;
mod account;
mod alarms;
mod columns;
mod commands;
mod document;
mod events;
mod export;
mod files;
mod forgotten;
mod idempotency;
mod imeis;
mod import_lists;
mod imports;
mod isolation;
mod jobs;
mod live;
mod live_states;
mod maps;
mod meters;
mod people;
mod rest;
mod sessions;
mod share_links;
mod specification;
mod support;
mod tickets;
mod track;
mod tracker_replacements;
mod units;
