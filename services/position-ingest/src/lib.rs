//! Positions from NATS into history and onto the live map. The folders stand in the order in which a fix goes through them:
//! [`receiver`], [`streams`], [`pipeline`], [`enrich`], then [`live`] and [`history`], which [`api`] reads.

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
mod service;

pub use config::{Config, GeocoderConfig, GeocoderKind, NAME};
pub use migrations::Migrator;
pub use service::{build, migrate};
