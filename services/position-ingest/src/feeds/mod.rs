//! What other services are told.
//!
//! Way in: what an owner of a partition gathered with a commit batch. Way out, once that is committed: readings of meters
//! to fleet ([`meters`], the stream METERS), what happened to vehicles ([`vehicle_events`], recorded with the batch, told
//! on EVENTS), through which gateway a tracker is heard ([`routes`], the bucket `routes`); and before it is, which unknown
//! IMEIs were heard ([`heard_imeis`], the bucket `heard`).
//!
//! - **IMEIs that nobody has.** That one was heard is noted with the gateways, before the commit batch that passes the
//!   fixes is committed. Fleet asks that bucket when a tenant names an IMEI: what was heard elsewhere, or is somebody
//!   else's, is only claimed (docs/SECURITY.md).
//! - **Routes.** From the IMEI to the gateway of its newest fix: fleet asks it when it has a command. The owner of the
//!   partition compares each fix that moves a device forward with what it remembers, and writes what differs beside
//!   everything else, after the batch is committed. What it does not remember it compares with the bucket, so a restart
//!   writes nothing again.
//!
//! *Tests: `tests/it/{meters,events,routes,heard_imeis}.rs`.*

pub mod heard_imeis;
pub mod meters;
pub mod routes;
pub mod vehicle_events;
