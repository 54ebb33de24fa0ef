//! What the tests of the program share: a site to run it on, recorded traces, and what must be in history afterwards.

pub mod compose;
pub mod history;
pub mod site;
pub mod trace;

use std::time::Duration;

/// For what takes a moment on an idle machine; a busy one is slower.
pub const SOON: Duration = Duration::from_secs(60);
