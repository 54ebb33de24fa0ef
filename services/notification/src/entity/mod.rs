//! The tables of notification.

pub mod alarm;
pub mod alarm_name;
pub mod erased_device;
pub mod erased_tenant;
pub mod event;
