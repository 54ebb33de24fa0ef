//! Whether the servers believe what this process says of gateways. They take the key of one issuer alone, and tell nobody when
//! an answer is signed with another: every gateway would be refused. So the process tries now and then whether it is let in
//! itself, with a login that it alone knows.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use armada_runtime::{
    Bus, Error, Result,
    bus::CONNECTION,
    health::{Health, Name, Part},
    random::random_text,
};
use tokio::sync::watch;

/// Who tries it. No gateway has a name with a dot.
pub const USER: &str = "armada.trial";

/// Its answers are this process's own.
const ADMISSION: Part = Part::required(Name::Borrowed("gateway logins"));
/// How long the servers are believed to believe it.
const EVERY: Duration = Duration::from_secs(60);
/// How soon it is tried again when they do not, or nobody knows.
const AGAIN: Duration = Duration::from_secs(5);
/// How often in a row: another process of the service may be asked each time.
const ATTEMPTS: usize = 20;

/// The trials of a process. Cheap to clone.
#[derive(Clone)]
pub struct Trial {
    secret: Arc<str>,
    /// This process was asked since the last attempt began.
    asked: Arc<AtomicBool>,
    /// What the last trial has shown; none before one has.
    believed: watch::Sender<Option<bool>>,
}

impl Trial {
    /// Lists it in `/readyz`, as soon as something is known.
    pub fn listed(health: &Health) -> Result<Self> {
        let new = Self { secret: random_text()?.into(), asked: Arc::default(), believed: watch::channel(None).0 };
        let believed = new.believed.subscribe();
        health.check(ADMISSION, &[CONNECTION], move || {
            let believed = *believed.borrow();
            std::future::ready(match believed {
                Some(true) => Ok(Some("the NATS servers believe who may connect".to_owned())),
                Some(false) => Err(Error::unavailable(
                    "the NATS servers refuse what is said of gateways: ARMADA_IDENTITY__GATEWAY_ISSUER_SEED is not the seed \
                     of their issuer",
                )),
                None => Ok(None),
            })
        });
        Ok(new)
    }

    /// Whether a secret of [`USER`] is that of this process, which is asked now.
    pub fn is_own(&self, secret: &str) -> bool {
        let is_own = *secret == *self.secret;
        self.asked.fetch_or(is_own, Ordering::Relaxed);
        is_own
    }

    /// Tries it for ever, and at once when the connection was made anew.
    pub async fn run(&self, bus: &Bus) {
        let mut connections = bus.connections();
        loop {
            if let Some(believed) = self.attempt(bus).await {
                let former = self.believed.send_replace(Some(believed));
                if !believed && former != Some(false) {
                    tracing::error!("the NATS servers refuse what is said of gateways: their issuer is another");
                }
            }
            let pause = if *self.believed.borrow() == Some(true) { EVERY } else { AGAIN };
            tokio::select! {
                Ok(()) = connections.changed() => {}
                () = tokio::time::sleep(pause) => {}
            }
        }
    }

    /// Whether this process is believed; none when it was not asked, or nobody has answered.
    async fn attempt(&self, bus: &Bus) -> Option<bool> {
        for _ in 0..ATTEMPTS {
            self.asked.store(false, Ordering::Relaxed);
            match bus.lets_in(USER, &self.secret).await {
                Ok(true) => return Some(true),
                Ok(false) if self.asked.load(Ordering::Relaxed) => return Some(false),
                Ok(false) => {}
                Err(error) => {
                    tracing::debug!(%error, "cannot try whether gateways are let in");
                    return None;
                }
            }
        }
        None
    }
}
