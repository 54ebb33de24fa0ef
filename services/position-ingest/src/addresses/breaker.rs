//! A circuit breaker: a geocoder that has failed several times in a row is left alone for a while, so that nobody waits
//! for it and it can recover.

use std::{
    sync::{Arc, Mutex, MutexGuard},
    time::{Duration, Instant},
};

/// Failures in a row that open it.
const FAILURES: u32 = 5;
/// How long it stays open. One more failure after that opens it again.
pub const REST: Duration = Duration::from_secs(60);

/// Cheap to clone; every clone is the same one.
#[derive(Clone, Default)]
pub struct CircuitBreaker(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    failures: u32,
    open_until: Option<Instant>,
}

impl CircuitBreaker {
    /// Whether to leave the geocoder alone.
    pub fn is_open(&self) -> bool {
        self.state().open_until.is_some_and(|until| Instant::now() < until)
    }

    /// It has answered.
    pub fn succeeded(&self) {
        *self.state() = State::default();
    }

    /// It has failed; whether it is left alone because of that.
    pub fn failed(&self) -> bool {
        let mut state = self.state();
        state.failures = state.failures.saturating_add(1);
        let opens = state.failures >= FAILURES;
        if opens {
            state.open_until = Some(Instant::now() + REST);
        }
        opens
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().expect("no panic while held")
    }
}
