//! Parts of a process that `/readyz` tells of, and what the loss of each means.

use std::{
    borrow::Cow,
    time::{Duration, Instant},
};

use armada_proto::Timestamp;

/// Name of a part: fixed, or with the name of a service in it.
pub type Name = Cow<'static, str>;

/// What it means for the process that a part is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// Nothing useful is answered without it, or this process alone has lost it: it is out of service at once.
    OutOfService,
    /// The same after so long: what comes back soon by itself takes nothing out of service.
    OutOfServiceAfter(Duration),
    /// Every process like this one loses it in the same moment, and much goes on without it: it is told, and the process
    /// stays in service.
    Told,
}

/// A part, declared once where it is looked at.
#[derive(Debug, Clone)]
pub struct Part {
    /// How it is listed.
    pub name: Name,
    /// What its loss means.
    pub loss: Loss,
}

impl Part {
    /// One without which the process is out of service.
    pub const fn required(name: Name) -> Self {
        Self { name, loss: Loss::OutOfService }
    }

    /// One without which it is so after a while.
    pub const fn required_after(name: Name, patience: Duration) -> Self {
        Self { name, loss: Loss::OutOfServiceAfter(patience) }
    }

    /// One whose loss is only told.
    pub const fn told(name: Name) -> Self {
        Self { name, loss: Loss::Told }
    }
}

/// How a part is.
#[derive(Debug, Clone)]
pub(super) struct Condition {
    pub(super) loss: Loss,
    pub(super) ok: bool,
    /// Since when, for people.
    pub(super) since: Timestamp,
    /// The same, by a clock that nobody sets.
    changed: Instant,
    pub(super) message: String,
    /// The log has said that it is missing.
    pub(super) is_logged: bool,
}

impl Condition {
    pub(super) fn new(loss: Loss, ok: bool, message: String) -> Self {
        Self { loss, ok, since: Timestamp::now(), changed: Instant::now(), message, is_logged: false }
    }

    /// The same part as it is now; `since` stays where nothing has changed.
    pub(super) fn update(&mut self, loss: Loss, ok: bool, message: String) {
        if self.ok != ok {
            (self.since, self.changed) = (Timestamp::now(), Instant::now());
        }
        (self.loss, self.ok, self.message) = (loss, ok, message);
    }

    /// Whether it keeps the process in service.
    pub(super) fn is_served(&self) -> bool {
        self.ok
            || match self.loss {
                Loss::OutOfService => false,
                Loss::OutOfServiceAfter(patience) => self.changed.elapsed() < patience,
                Loss::Told => true,
            }
    }

    /// Whether it has been missing for so long.
    pub(super) fn is_missing_for(&self, long: Duration) -> bool {
        !self.ok && self.changed.elapsed() >= long
    }
}
