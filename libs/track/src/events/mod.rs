//! What happens to a vehicle, noticed from its fixes: docs/EVENTS.md says of each kind when it is told.
//!
//! - [`watch`]: what is under way with a vehicle, and what its newest fix, a late one or the passing of time shows.
//!   [`driving`] is what the way shows in which it goes, [`saved`] what is under way as bytes.
//! - [`event`]: what an event is, and what kinds of them there are.
//!
//! In: positions as they are taken in, and the limits of their device (`EventLimits`). Out: `VehicleEvent`s, each
//! happening once. What makes an event this one happening comes from the fixes alone, so whoever sees the same fixes
//! again notices the same events.

mod driving;
mod event;
mod saved;
mod watch;

pub use self::{
    event::{EventKind, VehicleEvent},
    watch::{EventLimits, EventWatch},
};
