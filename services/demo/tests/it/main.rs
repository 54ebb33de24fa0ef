//! What the demonstration's vehicles do and what their trackers say, without a service: a function of the clock.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod calendar;
mod imeis;
mod motion;
mod roads;
