//! Fuel: how litres and per cent are read from what a tracker says, and what fills and drains show of them.
//!
//! - [`sensor`]: which of the reported values is the fuel, and how much that is. [`calibration`] is the table that
//!   makes litres of it.
//! - [`changes`]: fills and drains in the litres of one vehicle's fixes, each with its [`confidence`]. [`reading`] is what one
//!   fix says, [`failure`] a sensor that seems to have failed, [`loss`] what is lost slowly, [`saved`] what is known so far as
//!   bytes.
//!
//! In: reports, and the sensor in the binding of a device. Out: a `FuelLevel` to be shown, a `FuelChange` for events.
//! What was reported is stored as it was, so another table holds for all of history at once.

mod calibration;
mod changes;
mod confidence;
mod failure;
mod loss;
mod reading;
mod saved;
mod sensor;

pub(crate) use self::changes::FuelWatch;
pub use self::{
    calibration::{FuelPoint, FuelTable, FuelTableError},
    reading::FuelChange,
    sensor::{FuelLevel, FuelSensor},
};
