//! The services behind the edge.

use std::sync::Arc;

use armada_runtime::{Context, Error, Result, Transport};

/// The largest answer of another service, in bytes: the last positions of some 200,000 vehicles.
const ANSWER_MAX: usize = 64 << 20;

include!(concat!(env!("OUT_DIR"), "/clients.rs"));
