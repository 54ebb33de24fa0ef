//! What the admin port tells: `/healthz` (the process lives), `/readyz` (what is missing for it to serve) and
//! `/metrics` (Prometheus text).

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use axum::{Json, Router, extract::State, http::StatusCode, routing::get};
use prometheus_client::{encoding::text::encode, registry::Registry};
use serde::Serialize;

#[derive(Default)]
struct Inner {
    missing: Mutex<BTreeMap<&'static str, String>>,
    metrics: Mutex<Registry>,
}

/// The health of one process, shared by its services.
#[derive(Clone, Default)]
pub struct Health(Arc<Inner>);

#[derive(Serialize)]
struct Readiness {
    ready: bool,
    missing: BTreeMap<&'static str, String>,
}

impl Health {
    /// Says that `part` is missing and why; the process is not ready.
    pub fn missing(&self, part: &'static str, why: impl Into<String>) {
        self.0.missing.lock().expect("no panic while held").insert(part, why.into());
    }

    /// Says that `part` is there.
    pub fn present(&self, part: &'static str) {
        self.0.missing.lock().expect("no panic while held").remove(part);
    }

    /// True when nothing is missing.
    pub fn is_ready(&self) -> bool {
        self.0.missing.lock().expect("no panic while held").is_empty()
    }

    /// Lets a service register its metrics.
    pub fn metrics<T>(&self, register: impl FnOnce(&mut Registry) -> T) -> T {
        register(&mut self.0.metrics.lock().expect("no panic while held"))
    }

    /// The routes of the admin port.
    pub fn router(&self) -> Router {
        Router::new()
            .route("/healthz", get(async || "ok\n"))
            .route("/readyz", get(readyz))
            .route("/metrics", get(metrics))
            .with_state(self.clone())
    }
}

async fn readyz(State(health): State<Health>) -> (StatusCode, Json<Readiness>) {
    let missing = health.0.missing.lock().expect("no panic while held").clone();
    let status = if missing.is_empty() { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, Json(Readiness { ready: missing.is_empty(), missing }))
}

async fn metrics(State(health): State<Health>) -> Result<String, StatusCode> {
    let mut text = String::new();
    encode(&mut text, &health.0.metrics.lock().expect("no panic while held"))
        .map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
    Ok(text)
}
