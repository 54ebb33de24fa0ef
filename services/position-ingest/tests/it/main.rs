//! Black-box tests of ingest: NATS in, gRPC out, real servers between.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod addresses;
mod bindings;
mod clock_watch;
mod clocks;
mod common;
mod consumers;
mod days;
mod draining;
mod erasing;
mod events;
mod floods;
mod fuel;
mod heard_imeis;
mod isolation;
mod left_out;
mod messages;
mod meters;
mod migrations;
mod moving;
mod path;
mod quality;
mod receiver;
mod refusals;
mod retention;
mod routes;
mod same_instant;
mod segments;
mod space;
mod standstill;
mod tail;
mod thresholds;
mod today;
mod tracker_ids;
mod unmapped;
mod verify;
