//! The tables of ingest.

pub mod address;
pub mod compaction_backlog;
pub mod device_day;
pub mod device_erasure_pending;
pub mod device_state;
pub mod erased_device;
pub mod erased_tenant;
pub mod erasure_pending;
pub mod hot_frame;
pub mod instance;
pub mod late_fix;
pub mod partition;
pub mod raw_key;
pub mod rejection;
pub mod set_aside;
pub mod track_block;
