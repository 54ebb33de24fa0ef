//! The tables of fleet.

pub mod command;
pub mod device;
pub mod device_erasure;
pub mod device_group_member;
pub mod device_member;
pub mod device_meter_day;
pub mod document;
pub mod document_reminder;
pub mod driver;
pub mod driver_assignment;
pub mod file;
pub mod hidden_tenant;
pub mod imei_assignment;
pub mod imei_binding;
pub mod imei_claim;
pub mod maintenance;
pub mod maintenance_log;
pub mod maintenance_mail;
pub mod master_data;
pub mod meter_correction;
pub mod saved_command;
pub mod share_link;
pub mod thresholds;
pub mod tracker_replacement;
