//! Process plumbing, without a word about fleets: how a service is declared, built, run and drained; how services call
//! each other, know who is calling, speak to the bus and to the database, and report their health.

pub mod audit;
pub mod auth;
pub mod breaker;
pub mod bus;
pub mod clock;
pub mod db;
mod descriptor_check;
pub mod descriptors;
pub mod disk;
pub mod erasures;
pub mod error;
pub mod events;
pub mod health;
pub mod https;
pub mod idempotency;
pub mod jobs;
pub mod list;
mod metrics;
pub mod nats_server;
pub mod nkey;
pub mod outbox;
pub mod passwords;
pub mod random;
pub mod resource;
pub mod seal;
mod secret;
pub mod serve;
pub mod service;
mod stream_outbox;
pub mod telemetry;
pub mod text;
pub mod throttle;
pub mod transport;

pub use armada_proto::{Validate, Violations};
pub use audit::Audit;
pub use auth::{Caller, KeyRing, Policies, Scope, ServiceKey, ServiceSecrets, Verifier};
pub use bus::Bus;
pub use db::Database;
pub use erasures::{Erasures, LedgerUpdate};
pub use error::{Code, Error, Result};
pub use jobs::Jobs;
pub use seal::Seal;
pub use secret::Secret;
pub use service::{Context, Service};
pub use transport::{Peers, QUESTION_MAX, Transport};
