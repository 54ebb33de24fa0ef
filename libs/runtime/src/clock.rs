//! Whether the clock of this host can be believed. It is compared with those of PostgreSQL and of NATS, and the kernel is asked
//! whether it keeps its own in step with the world. What is decided by a clock that may be wrong must not be final.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use armada_proto::Timestamp;
use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeMetric},
    metrics::{MetricType, gauge::ConstGauge},
};
use tokio::time::timeout;

use crate::{
    bus::Bus,
    db::Database,
    error::{Error, Result},
};

/// Clocks that are further apart than this differ, milliseconds.
const APART_MS: i64 = 10_000;
/// How far behind a clock may be that nobody compares itself with, milliseconds: a host without a battery goes on with the time at
/// which it was switched off.
const UNHEARD_MS: i64 = 30 * 24 * 3_600_000;

/// How long another clock may take to answer: one that hangs is no word against this one.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);

/// The clock of this process. Cheap to clone.
#[derive(Clone, Default)]
pub struct Clock(Arc<Inner>);

#[derive(Default)]
struct Inner {
    is_trusted: bool,
    seen: Mutex<Seen>,
}

/// What was seen last.
#[derive(Default, Clone)]
struct Seen {
    /// By how many milliseconds other clocks are ahead of this one.
    ahead: BTreeMap<&'static str, i64>,
    /// The kernel keeps it in step.
    is_synchronised: bool,
}

impl Seen {
    fn behind_ms(&self) -> i64 {
        self.ahead.values().max().map_or(UNHEARD_MS, |&ahead| ahead.max(0))
    }
}

/// What is to be thought of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Right,
    /// Nobody says that it is right, or one says that it is not.
    Unknown,
    /// All others agree against it.
    Wrong,
}

impl Clock {
    /// Somebody else may vouch for it: `is_trusted`.
    pub fn new(is_trusted: bool) -> Self {
        Self(Arc::new(Inner { is_trusted, ..Inner::default() }))
    }

    /// Whether what it says may be final.
    pub fn is_known_right(&self) -> bool {
        self.verdict(&self.seen()) == Verdict::Right
    }

    /// By how many milliseconds it may be behind the right time: as far as any other is ahead of it, or 30 days where none was
    /// heard.
    pub fn may_be_behind_ms(&self) -> i64 {
        self.seen().behind_ms()
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.0.seen.lock().expect("no panic while held")
    }

    fn verdict(&self, seen: &Seen) -> Verdict {
        let differs = |ahead: &i64| ahead.abs() > APART_MS;
        let (least, most) = (seen.ahead.values().min(), seen.ahead.values().max());
        let agree = least.zip(most).is_some_and(|(least, most)| most - least <= APART_MS);
        if seen.ahead.len() > 1 && agree && seen.ahead.values().all(differs) {
            Verdict::Wrong
        } else if seen.ahead.values().any(differs) {
            Verdict::Unknown
        } else if self.0.is_trusted || seen.is_synchronised || !seen.ahead.is_empty() {
            Verdict::Right
        } else {
            Verdict::Unknown
        }
    }

    /// Compares it with the others, for `/readyz`.
    pub(crate) async fn check(&self, buses: &[Bus], database: Option<&Database>) -> Result<Option<String>> {
        let (nats, postgres) = tokio::join!(ahead(now_of(buses)), async {
            match database {
                Some(database) => ahead(database.clock()).await,
                None => None,
            }
        });
        let mut seen = Seen { is_synchronised: is_synchronised(), ..Seen::default() };
        seen.ahead.extend(nats.map(|ahead| ("nats", ahead)));
        seen.ahead.extend(postgres.map(|ahead| ("postgresql", ahead)));
        let (verdict, said) = (self.verdict(&seen), describe(&seen));
        *self.seen() = seen;
        match verdict {
            Verdict::Right => Ok(Some(format!("is right: {said}"))),
            Verdict::Unknown => Ok(Some(format!("is not known to be right: {said}"))),
            Verdict::Wrong => Err(Error::unavailable(format!("the clock of this host is wrong: {said}"))),
        }
    }
}

/// Each connection has opened other streams, or none.
async fn now_of(buses: &[Bus]) -> Result<Option<i64>> {
    for bus in buses {
        if let Some(now) = bus.now().await? {
            return Ok(Some(now));
        }
    }
    Ok(None)
}

fn describe(seen: &Seen) -> String {
    let others = seen.ahead.iter().map(|(name, ahead)| format!("{name} {:+.1} s", *ahead as f64 / 1000.0));
    let kernel =
        if seen.is_synchronised { "the kernel keeps it in step" } else { "the kernel does not keep it in step" };
    others.chain([kernel.to_owned()]).collect::<Vec<_>>().join(", ")
}

/// By how many milliseconds another clock is ahead; none when it does not say. What the question took is shared by both ways.
async fn ahead(asked: impl Future<Output = Result<Option<i64>>>) -> Option<i64> {
    let before = Timestamp::now().millis();
    let other = timeout(ANSWER_TIMEOUT, asked).await.ok()?.ok().flatten()?;
    let after = Timestamp::now().millis();
    Some(other - (before + (after - before) / 2))
}

/// Whether the kernel says that something keeps its clock in step, as NTP does: adjtimex(2).
#[allow(unsafe_code, reason = "no crate asks the kernel for it")]
fn is_synchronised() -> bool {
    // SAFETY: zeros are a valid `timex`, which asks for nothing to be set, and the kernel writes to it alone.
    let state = unsafe {
        let mut asked: nix::libc::timex = std::mem::zeroed();
        nix::libc::adjtimex(&raw mut asked)
    };
    state >= 0 && state != nix::libc::TIME_ERROR
}

impl std::fmt::Debug for Clock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Clock")
    }
}

impl Collector for Clock {
    fn encode(&self, mut encoder: DescriptorEncoder) -> std::fmt::Result {
        let ahead = self.seen().ahead.clone();
        let help = "By how many seconds another clock is ahead of that of this host";
        let mut family = encoder.encode_descriptor("armada_clock_ahead_seconds", help, None, MetricType::Gauge)?;
        for (of, ahead) in ahead {
            ConstGauge::new(ahead as f64 / 1000.0).encode(family.encode_family(&[("clock", of)])?)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Clock, Seen, UNHEARD_MS, Verdict};

    fn verdict(clock: &Clock, ahead: &[(&'static str, i64)], is_synchronised: bool) -> Verdict {
        clock.verdict(&Seen { ahead: ahead.iter().copied().collect(), is_synchronised })
    }

    #[test]
    fn others_and_the_kernel_decide() {
        let clock = Clock::default();
        assert_eq!(verdict(&clock, &[], false), Verdict::Unknown);
        assert_eq!(verdict(&clock, &[], true), Verdict::Right);
        assert_eq!(verdict(&Clock::new(true), &[], false), Verdict::Right);
        assert_eq!(verdict(&clock, &[("nats", 300)], false), Verdict::Right);
        assert_eq!(verdict(&clock, &[("nats", 3_600_000)], true), Verdict::Unknown);
        assert_eq!(
            verdict(&clock, &[("nats", 3_600_000), ("postgresql", 20)], true),
            Verdict::Unknown,
            "one of them is wrong"
        );
        assert_eq!(verdict(&clock, &[("nats", 3_600_000), ("postgresql", 3_601_000)], true), Verdict::Wrong);
        assert_eq!(
            verdict(&clock, &[("nats", -60_000), ("postgresql", 60_000)], true),
            Verdict::Unknown,
            "they disagree"
        );
    }

    #[test]
    fn it_is_behind_by_what_the_furthest_says() {
        let behind = |ahead: &[(&'static str, i64)]| {
            Seen { ahead: ahead.iter().copied().collect(), is_synchronised: false }.behind_ms()
        };
        assert_eq!(behind(&[("nats", 3_600_000), ("postgresql", 20)]), 3_600_000);
        assert_eq!(behind(&[("nats", -3_600_000)]), 0);
        assert_eq!(behind(&[]), UNHEARD_MS);
        assert_eq!(Clock::default().may_be_behind_ms(), UNHEARD_MS);
    }
}
