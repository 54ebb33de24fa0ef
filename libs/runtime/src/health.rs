//! What the admin port tells: `/healthz` (the process lives, whatever is away), `/readyz` (what it needs, and what of
//! that is missing) and `/metrics` (OpenMetrics text, which Prometheus reads).
//!
//! Parts of a process say themselves that they are missing or present, or are looked at: a [check](Health::check) is
//! asked every two seconds. A check that needs something which is missing is not asked, and not listed: `/readyz` names
//! the cause, not everything that follows from it. Each [`Part`] declares whether its [`Loss`] takes the process out of
//! service or is only told.

mod part;
mod process;

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

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

use self::part::Condition;
pub use self::part::{Loss, Name, Part};
pub use crate::metrics::{SECONDS, seconds};

/// How often checks are asked.
const ROUND: Duration = Duration::from_secs(2);
/// How long one may take.
const TIMEOUT: Duration = Duration::from_secs(3);
/// A part that has been missing for so long is logged: what is made anew when an instance starts or dies takes less.
const LOGGED_AFTER: Duration = Duration::from_secs(10);
/// What stands behind a part of which nothing more is to be said.
const IN_ORDER: &str = "in order";

/// The parts of a process as they are, by name.
type Parts = BTreeMap<Name, Condition>;

fn set(parts: &mut Parts, part: &Part, ok: bool, message: String) {
    match parts.get_mut(&part.name) {
        Some(condition) => condition.update(part.loss, ok, message),
        None => drop(parts.insert(part.name.clone(), Condition::new(part.loss, ok, message))),
    }
}

fn are_ready(parts: &Parts) -> bool {
    parts.values().all(Condition::is_served)
}

/// A sentence, good or bad, or nothing to be said.
type Answer = Result<Option<String>>;
type Ask = Arc<dyn Fn() -> BoxFuture<'static, Answer> + Send + Sync>;

#[derive(Clone)]
struct Check {
    part: Part,
    needs: Vec<Name>,
    ask: Ask,
}

impl Check {
    /// Whether something that it needs is missing.
    fn lacks(&self, parts: &Parts) -> bool {
        self.needs.iter().any(|name| parts.get(name).is_some_and(|part| !part.ok))
    }

    async fn answer(&self) -> Answer {
        let answer = tokio::time::timeout(TIMEOUT, (self.ask)()).await;
        answer.unwrap_or_else(|_| Err(Error::unavailable(format!("no answer within {TIMEOUT:?}"))))
    }

    /// Takes over what it has answered.
    fn take(&self, parts: &mut Parts, answer: Answer) {
        match answer {
            Ok(Some(sentence)) => set(parts, &self.part, true, sentence),
            Ok(None) => drop(parts.remove(&self.part.name)),
            Err(error) => set(parts, &self.part, false, error.message),
        }
    }
}

/// Checks in waves: each needs nothing but what is asked in those before its own, or what no check looks at.
fn waves(mut checks: Vec<Check>) -> Vec<Vec<Check>> {
    let mut waves = Vec::new();
    while !checks.is_empty() {
        let waiting: Vec<Name> = checks.iter().map(|check| check.part.name.clone()).collect();
        let (later, now): (Vec<_>, Vec<_>) =
            checks.into_iter().partition(|check| check.needs.iter().any(|name| waiting.contains(name)));
        // Whatever needs each other is asked at once.
        let (later, now) = if now.is_empty() { (now, later) } else { (later, now) };
        waves.push(now);
        checks = later;
    }
    waves
}

async fn ask<'a>(checks: impl Iterator<Item = &'a Check>) -> Vec<(&'a Check, Answer)> {
    join_all(checks.map(|check| async move { (check, check.answer().await) })).await
}

#[derive(Default)]
struct Inner {
    parts: Arc<Mutex<Parts>>,
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
        let parts = Collected(new.0.parts.clone());
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
    /// Whether its loss takes the process out of service, at once or after a while.
    required: bool,
    since: String,
    message: String,
}

impl Health {
    /// Says that a part is missing and why.
    pub fn missing(&self, part: &Part, why: impl Into<String>) {
        set(&mut self.parts(), part, false, why.into());
    }

    /// Says that it is there.
    pub fn present(&self, part: &Part) {
        set(&mut self.parts(), part, true, IN_ORDER.to_owned());
    }

    /// Has a part looked at every two seconds, as long as what it `needs` is there. The answer is a sentence for
    /// people, good or bad; a part that says nothing is not listed.
    pub fn check<F, Fut>(&self, part: Part, needs: &[Name], ask: F)
    where
        F: Fn() -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Option<String>>> + Send + 'static,
    {
        let ask: Ask = Arc::new(move || ask().boxed());
        let check = Check { part, needs: needs.to_vec(), ask };
        self.0.checks.lock().expect("no panic while held").push(check);
    }

    /// Asks the checks until shutdown.
    pub(crate) async fn watch(self, shutdown: CancellationToken) -> Result<()> {
        while !shutdown.is_cancelled() {
            shutdown.run_until_cancelled(self.run_checks()).await;
            self.log();
            shutdown.run_until_cancelled(tokio::time::sleep(ROUND)).await;
        }
        Ok(())
    }

    /// Asks every check once: those that need nothing first, all at a time, then those that need these, and so on. Takes
    /// some seconds at most.
    pub async fn run_checks(&self) {
        let waves = waves(self.0.checks.lock().expect("no panic while held").clone());
        for (number, wave) in waves.iter().enumerate() {
            let before = || waves[..number].iter().flatten();
            let asked: Vec<_> = wave.iter().filter(|check| !check.lacks(&self.parts())).collect();
            let answers = ask(asked.into_iter()).await;
            // What is needed may have gone after it was asked; then it is the cause, and nobody sees anything else before it.
            let again = match answers.iter().any(|(_, answer)| answer.is_err()) {
                true => ask(before()).await,
                false => Vec::new(),
            };
            let mut parts = self.parts();
            for (check, answer) in again.into_iter().chain(answers) {
                check.take(&mut parts, answer);
            }
            for check in before().chain(wave) {
                if check.lacks(&parts) {
                    parts.remove(&check.part.name);
                }
            }
        }
    }

    /// Says once in the log what has been missing for a while under a process in service, and once that it is back.
    fn log(&self) {
        for (name, part) in self.parts().iter_mut().filter(|(_, part)| part.loss != Loss::OutOfService) {
            let part_name = name.as_ref();
            if part.is_missing_for(LOGGED_AFTER) && !part.is_logged {
                part.is_logged = true;
                tracing::warn!(part = part_name, in_service = part.is_served(), "is missing: {}", part.message);
            } else if part.ok && std::mem::take(&mut part.is_logged) {
                tracing::info!(part = part_name, "is there again");
            }
        }
    }

    fn parts(&self) -> MutexGuard<'_, Parts> {
        self.0.parts.lock().expect("no panic while held")
    }

    /// Whether the process is in service: nothing is missing but what is only told.
    pub fn is_ready(&self) -> bool {
        are_ready(&self.parts())
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
    let ready = are_ready(&parts);
    let list = parts.into_iter().map(|(name, part)| Listed {
        name,
        ok: part.ok,
        required: part.loss != Loss::Told,
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
struct Collected(Arc<Mutex<Parts>>);

impl std::fmt::Debug for Collected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Collected")
    }
}

impl Collector for Collected {
    fn encode(&self, mut encoder: DescriptorEncoder) -> std::fmt::Result {
        let parts = self.0.lock().expect("no panic while held").clone();
        let help = "Whether /readyz says yes: 1 or 0";
        gauge(&mut encoder, "armada_ready", help, i64::from(are_ready(&parts)))?;
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

    const PART: Part = Part::required(Name::Borrowed("part"));

    fn failing(health: &Health) -> Vec<String> {
        health.parts().iter().filter(|(_, part)| !part.ok).map(|(name, _)| name.to_string()).collect()
    }

    fn asked(flag: &Arc<AtomicBool>) -> impl Fn() -> BoxFuture<'static, Answer> + use<> {
        let flag = flag.clone();
        move || {
            let ok = flag.load(Ordering::Relaxed);
            async move { if ok { Ok(Some("fine".to_owned())) } else { Err(Error::unavailable("gone")) } }.boxed()
        }
    }

    #[tokio::test]
    async fn health_reports_the_root_cause_only() {
        let health = Health::default();
        let flags = [true, true, false].map(|ok| Arc::new(AtomicBool::new(ok)));
        let [base_ok, middle_ok, top_ok] = &flags;
        health.check(Part::required("top".into()), &["base".into(), "middle".into()], asked(top_ok));
        health.check(Part::required("middle".into()), &["base".into()], asked(middle_ok));
        health.check(Part::required("base".into()), &[], asked(base_ok));
        health.run_checks().await;
        assert_eq!(failing(&health), ["top"]);
        middle_ok.store(false, Ordering::Relaxed);
        health.run_checks().await;
        assert_eq!(failing(&health), ["middle"], "what needs it is not listed");
        base_ok.store(false, Ordering::Relaxed);
        health.run_checks().await;
        assert_eq!(failing(&health), ["base"], "nor what needs that");
        flags.iter().for_each(|flag| flag.store(true, Ordering::Relaxed));
        health.run_checks().await;
        assert!(health.is_ready() && health.parts().len() == 3);
    }

    #[test]
    fn the_declaration_decides_what_a_loss_means() {
        let health = Health::default();
        let told = Part::told("told".into());
        health.missing(&told, "gone");
        assert!(health.is_ready() && failing(&health) == ["told"]);
        health.missing(&Part::required_after("patient".into(), Duration::from_secs(3600)), "gone");
        assert!(health.is_ready());
        health.missing(&Part::required_after("patient".into(), Duration::ZERO), "gone");
        assert!(!health.is_ready());
        health.present(&Part::required_after("patient".into(), Duration::ZERO));
        health.missing(&PART, "gone");
        assert!(!health.is_ready());
    }

    #[test]
    fn since_is_the_time_of_the_last_change() {
        let health = Health::default();
        health.missing(&PART, "one reason");
        let since = health.parts()["part"].since;
        health.missing(&PART, "another reason");
        let part = health.parts()["part"].clone();
        assert_eq!((part.since, part.message.as_str()), (since, "another reason"));
        health.present(&PART);
        assert!(health.is_ready() && health.parts()["part"].since >= since);
    }
}
