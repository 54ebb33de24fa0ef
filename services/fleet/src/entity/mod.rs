//! The tables of fleet.

pub mod device;
pub mod device_member;
pub mod imei_binding;
