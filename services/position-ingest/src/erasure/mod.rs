//! The ledgers of what is erased, obeyed. What is only too old is [`crate::history`]'s to remove.
//!
//! Way in: the ledger of tenants ([`tenants`], the bucket `erasures`) and of devices ([`devices`], the bucket
//! `device_erasures`). Way out: nothing of them is left in tables, streams and memory ([`delete`]).
//!
//! A ledger names tenants that were removed. Blocks and states go at once, some at a time; what hot frames still hold of
//! them goes with the sweep after each sealing, until each partition has sealed everything that was on its way
//! (`erasure_pending`; an hour is allowed for that). After that no sealing looks for them. Devices go first, so that nobody
//! sees it meanwhile. A single device goes the same way when fleet has erased it (`device_erasure_pending`); while it is
//! deleted and can come back, its history stays and nobody sees it.
//!
//! *Test: `tests/it/erasing.rs`.*

pub mod delete;
pub mod devices;
pub mod tenants;
