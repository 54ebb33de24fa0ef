//! Fuel: how litres and per cent are read from what a tracker says, and what fills and drains show of them.

mod calibration;
mod changes;
mod confidence;
mod saved;
mod sensor;

pub(crate) use self::changes::FuelWatch;
pub use self::{
    calibration::{FuelPoint, FuelTable, FuelTableError},
    changes::FuelChange,
    sensor::{FuelLevel, FuelSensor},
};
