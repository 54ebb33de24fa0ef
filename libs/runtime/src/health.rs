//! What the admin port tells: `/healthz` (the process lives, whatever is away), `/readyz` (what it needs, and what of
//! that is missing) and `/metrics` (OpenMetrics text, which Prometheus reads).
//!
//! Parts of a process say themselves that they are missing or present, or are looked at: a [check](Health::check) is
//! asked every two seconds. A check that needs something which is missing is not asked, and not listed: `/readyz` names
//! the cause, not everything that follows from it.

mod process;

use std::{
    borrow::Cow,
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use armada_proto::Timestamp;
use axum::{
    Json, Router,
    extract::State,
    http::{StatusCode, header::CONTENT_TYPE},
    response::IntoResponse,
    routing::get,
};
use futures::future::{BoxFuture, FutureExt, join_all};
use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeMetric, text::encode},
    metrics::{MetricType, gauge::ConstGauge},
    registry::Registry,
};
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use crate::{
    error::{Error, Result},
    metrics::gauge,
    telemetry::messaging::Messages,
};

pub use crate::metrics::{SECONDS, seconds};

/// How often checks are asked.
const ROUND: Duration = Duration::from_secs(2);
/// How long one may take.
const TIMEOUT: Duration = Duration::from_secs(3);
/// What stands behind a part of which nothing more is to be said.
const IN_ORDER: &str = "in order";

/// Name of a part: fixed, or with the name of a service in it.
pub type Name = Cow<'static, str>;

/// How a part is.
#[derive(Debug, Clone)]
struct Part {
    ok: bool,
    since: Timestamp,
    message: String,
}

fn set(parts: &mut BTreeMap<Name, Part>, name: Name, ok: bool, message: String) {
    let since = parts.get(&name).filter(|part| part.ok == ok).map_or_else(Timestamp::now, |part| part.since);
    parts.insert(name, Part { ok, since, message });
}

/// A sentence, good or bad, or nothing to be said.
type Answer = Result<Option<String>>;
type Ask = Arc<dyn Fn() -> BoxFuture<'static, Answer> + Send + Sync>;

#[derive(Clone)]
struct Check {
    name: Name,
    needs: Vec<Name>,
    ask: Ask,
}

impl Check {
    /// Whether something that it needs is missing.
    fn lacks(&self, parts: &BTreeMap<Name, Part>) -> bool {
        self.needs.iter().any(|name| parts.get(name).is_some_and(|part| !part.ok))
    }

    async fn answer(&self) -> Answer {
        let answer = tokio::time::timeout(TIMEOUT, (self.ask)()).await;
        answer.unwrap_or_else(|_| Err(Error::unavailable(format!("no answer within {TIMEOUT:?}"))))
    }
}

/// Takes over what checks have answered.
fn take<'a>(parts: &mut BTreeMap<Name, Part>, answers: impl Iterator<Item = (&'a Check, Answer)>) {
    for (check, answer) in answers {
        match answer {
            Ok(Some(sentence)) => set(parts, check.name.clone(), true, sentence),
            Ok(None) => drop(parts.remove(&check.name)),
            Err(error) => set(parts, check.name.clone(), false, error.message),
        }
    }
}

#[derive(Default)]
struct Inner {
    parts: Arc<Mutex<BTreeMap<Name, Part>>>,
    checks: Mutex<Vec<Check>>,
    metrics: Mutex<Registry>,
    messages: Messages,
}

/// The health of one process, shared by its services.
#[derive(Clone)]
pub struct Health(Arc<Inner>);

impl Default for Health {
    fn default() -> Self {
        let new = Self(Arc::default());
        // Not the whole, which would hold itself for ever, and with it whatever is collected.
        let parts = Parts(new.0.parts.clone());
        new.collect(parts);
        new.collect(process::Process::default());
        new.metrics(|registry| new.0.messages.register(registry));
        new
    }
}

#[derive(Serialize)]
struct Readiness {
    ready: bool,
    checks: Vec<Listed>,
}

#[derive(Serialize)]
struct Listed {
    name: Name,
    ok: bool,
    since: String,
    message: String,
}

impl Health {
    /// Says that `part` is missing and why; the process is not ready.
    pub fn missing(&self, part: impl Into<Name>, why: impl Into<String>) {
        self.set(part.into(), false, why.into());
    }

    /// Says that `part` is there.
    pub fn present(&self, part: impl Into<Name>) {
        self.set(part.into(), true, IN_ORDER.to_owned());
    }

    fn set(&self, name: Name, ok: bool, message: String) {
        set(&mut self.parts(), name, ok, message);
    }

    /// Has a part looked at every two seconds, as long as what it `needs` is there. The answer is a sentence for
    /// people, good or bad; a part that says nothing is not listed.
    pub fn check<F, Fut>(&self, name: impl Into<Name>, needs: &[Name], ask: F)
    where
        F: Fn() -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Option<String>>> + Send + 'static,
    {
        let ask: Ask = Arc::new(move || ask().boxed());
        let check = Check { name: name.into(), needs: needs.to_vec(), ask };
        self.0.checks.lock().expect("no panic while held").push(check);
    }

    /// Asks the checks until shutdown.
    pub(crate) async fn watch(self, shutdown: CancellationToken) -> Result<()> {
        while !shutdown.is_cancelled() {
            shutdown.run_until_cancelled(self.run_checks()).await;
            shutdown.run_until_cancelled(tokio::time::sleep(ROUND)).await;
        }
        Ok(())
    }

    /// Asks every check once: those that need nothing first, all at a time. Takes some seconds at most.
    pub async fn run_checks(&self) {
        let checks = self.0.checks.lock().expect("no panic while held").clone();
        let (first, then): (Vec<_>, Vec<_>) = checks.into_iter().partition(|check| check.needs.is_empty());
        let answers = join_all(first.iter().map(Check::answer)).await;
        take(&mut self.parts(), first.iter().zip(answers));
        let asked: Vec<_> = then.iter().filter(|check| !check.lacks(&self.parts())).collect();
        let answers = join_all(asked.iter().map(|check| check.answer())).await;
        // What is needed may have gone after it was asked; then it is the cause, and nobody sees anything else before it.
        let again = match answers.iter().any(Result::is_err) {
            true => join_all(first.iter().map(Check::answer)).await,
            false => Vec::new(),
        };
        let mut parts = self.parts();
        take(&mut parts, first.iter().zip(again).chain(asked.into_iter().zip(answers)));
        for check in &then {
            if check.lacks(&parts) {
                parts.remove(&check.name);
            }
        }
    }

    fn parts(&self) -> MutexGuard<'_, BTreeMap<Name, Part>> {
        self.0.parts.lock().expect("no panic while held")
    }

    /// True when nothing is missing.
    pub fn is_ready(&self) -> bool {
        self.parts().values().all(|part| part.ok)
    }

    /// Lets a service register its metrics.
    pub fn metrics<T>(&self, register: impl FnOnce(&mut Registry) -> T) -> T {
        register(&mut self.0.metrics.lock().expect("no panic while held"))
    }

    /// Where is counted how long work on messages took.
    pub fn messages(&self) -> Messages {
        self.0.messages.clone()
    }

    /// Adds numbers that are read when somebody asks for them.
    pub fn collect(&self, collector: impl Collector) {
        self.metrics(|registry| registry.register_collector(Box::new(collector)));
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
    let parts = health.parts().clone();
    let ready = parts.values().all(|part| part.ok);
    let list = parts.into_iter().map(|(name, part)| Listed {
        name,
        ok: part.ok,
        since: part.since.to_rfc3339(),
        message: part.message,
    });
    let status = if ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, Json(Readiness { ready, checks: list.collect() }))
}

async fn metrics(State(health): State<Health>) -> Result<impl IntoResponse, StatusCode> {
    let mut text = String::new();
    encode(&mut text, &health.0.metrics.lock().expect("no panic while held"))
        .map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
    Ok(([(CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8")], text))
}

/// What `/readyz` says, as numbers.
struct Parts(Arc<Mutex<BTreeMap<Name, Part>>>);

impl std::fmt::Debug for Parts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Parts")
    }
}

impl Collector for Parts {
    fn encode(&self, mut encoder: DescriptorEncoder) -> std::fmt::Result {
        let parts = self.0.lock().expect("no panic while held").clone();
        let help = "Whether /readyz says yes: 1 or 0";
        gauge(&mut encoder, "armada_ready", help, i64::from(parts.values().all(|part| part.ok)))?;
        let help = "Whether a part of /readyz is in order: 1 or 0";
        let mut family = encoder.encode_descriptor("armada_check_ok", help, None, MetricType::Gauge)?;
        for (name, part) in parts {
            ConstGauge::new(i64::from(part.ok)).encode(family.encode_family(&[("check", name.as_ref())])?)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    fn failing(health: &Health) -> Vec<String> {
        health.parts().iter().filter(|(_, part)| !part.ok).map(|(name, _)| name.to_string()).collect()
    }

    #[tokio::test]
    async fn health_reports_the_root_cause_only() {
        let health = Health::default();
        let (base_ok, top_ok) = (Arc::new(AtomicBool::new(true)), Arc::new(AtomicBool::new(false)));
        let asked = |flag: &Arc<AtomicBool>| {
            let flag = flag.clone();
            move || {
                let ok = flag.load(Ordering::Relaxed);
                async move { if ok { Ok(Some("fine".to_owned())) } else { Err(Error::unavailable("gone")) } }
            }
        };
        health.check("top", &["base".into()], asked(&top_ok));
        health.check("base", &[], asked(&base_ok));
        health.run_checks().await;
        assert_eq!(failing(&health), ["top"]);
        base_ok.store(false, Ordering::Relaxed);
        health.run_checks().await;
        assert_eq!(failing(&health), ["base"], "what needs it is not listed");
        base_ok.store(true, Ordering::Relaxed);
        top_ok.store(true, Ordering::Relaxed);
        health.run_checks().await;
        assert!(health.is_ready());
    }

    #[test]
    fn since_is_the_time_of_the_last_change() {
        let health = Health::default();
        health.missing("part", "one reason");
        let since = health.parts()["part"].since;
        health.missing("part", "another reason");
        let part = health.parts()["part"].clone();
        assert_eq!((part.since, part.message.as_str()), (since, "another reason"));
        health.present("part");
        assert!(health.is_ready() && health.parts()["part"].since >= since);
    }
}
