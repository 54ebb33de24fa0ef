//! Identity over gRPC, with NATS and both databases; in `units`, rules of it by themselves.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod account;
mod audit;
mod deletion;
mod gateways;
mod links;
mod mails;
mod oidc;
mod people;
mod policies;
mod preferences;
mod role_templates;
mod roles;
mod saved_views;
mod sessions;
mod support;
mod tenants;
mod throttle;
mod tokens;
mod units;
mod widening;
