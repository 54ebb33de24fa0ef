//! The contract by itself: what must hold of all of its messages, and what is done with them.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod access;
mod bulk;
mod command;
mod contract;
mod currency;
mod email;
mod gateway;
mod validate;
