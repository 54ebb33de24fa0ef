//! Positions from NATS into history and onto the live map. A fix goes through the folders in this order:
//!
//! ```text
//! gps.<gateway>.<imei>  ─┐ in.<partition>.<gateway>.<imei>              ┌─► live.<tenant> (core NATS) ─► bff ─► sockets
//!   JSON or protobuf     ├──► receiver ─► streams ─► pipeline ─► enrich ┤
//! gps.<gateway>.frame   ─┘  ◄─ answer     (RAW)                         └─► hot_frame ─► POSITIONS ─► live ─► api
//!   columns, any devices                                                        └─► history (track_block, per device) ─► api
//! ```
//!
//! Beside the way are [`ownership`] (which instance has which partition), [`rejected`] (what was not taken in), [`erasure`]
//! (the ledgers of what is erased), [`feeds`] (what others are told), [`directory`] (what others tell), [`storage`] (the
//! database as a whole), [`geocoding`] (what is at a place) and [`metrics`]. [`admin`] is what the program and tools call,
//! [`service`] puts all of it together. Each folder says at its head what comes in and what goes out; none imports another
//! one around a circle (`libs/testkit/tests/it/folders.rs`).

// Messages of gateways are checked, written to RAW, and answered.
pub mod receiver;

// What NATS keeps: RAW, POSITIONS and what was not taken in.
pub mod streams;

// The owner of a partition takes in what RAW has, and has it stored and published.
mod pipeline;

// What is made of a fix on the way.
mod enrich;

// The newest position of each device, in memory.
pub mod live;

// All others, in the database.
mod history;

// Who asks is answered over gRPC.
mod api;

// Beside the way.
pub mod directory;
mod erasure;
mod feeds;
mod geocoding;
pub mod metrics;
mod ownership;
mod rejected;
mod storage;

// What all of them have.
pub mod admin;
mod config;
mod entity;
mod migrations;
mod readiness;
mod service;

pub use config::{Config, GeocoderConfig, GeocoderKind, NAME};
pub use migrations::Migrator;
pub use service::{build, migrate};
