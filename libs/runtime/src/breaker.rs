//! A circuit breaker: what has failed several times in a row is left alone for a while, so that nobody waits for it and it can
//! recover.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// Failures in a row that open it.
const FAILURES: u32 = 5;

/// Whether something outside is asked. Cheap to clone; every clone is the same one.
#[derive(Clone)]
pub struct CircuitBreaker {
    state: Arc<Mutex<State>>,
    rest: Duration,
}

#[derive(Default)]
struct State {
    failures: u32,
    open_until: Option<Instant>,
}

impl CircuitBreaker {
    /// One that stays open for so long. One more failure after that opens it again.
    pub fn new(rest: Duration) -> Self {
        Self { state: Arc::default(), rest }
    }

    /// Whether to leave it alone.
    pub fn is_open(&self) -> bool {
        self.state().open_until.is_some_and(|until| Instant::now() < until)
    }

    /// It has answered.
    pub fn succeeded(&self) {
        *self.state() = State::default();
    }

    /// It has failed; for how long it is left alone if that opened the breaker.
    pub fn failed(&self) -> Option<Duration> {
        let mut state = self.state();
        state.failures = state.failures.saturating_add(1);
        if state.failures < FAILURES {
            return None;
        }
        state.open_until = Some(Instant::now() + self.rest);
        Some(self.rest)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
