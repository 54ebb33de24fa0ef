mod driving;
mod event;
mod saved;
mod watch;

pub use self::{
    event::{EventKind, VehicleEvent},
    watch::{EventLimits, EventWatch},
};
