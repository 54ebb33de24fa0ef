//! What other services tell this one, kept in memory.
//!
//! Way in: buckets of NATS, each followed from its beginning on: `devices` of fleet ([`registry`], [`bindings`]), `tenants`
//! and `gateways` of identity ([`tenants`], [`gateways`]), `alarms` of notification ([`standing_alarms`]). Way out: answers
//! without waiting, to the receiver, to [`crate::enrich`] and to whoever shows positions. [`bucket_cache`] is what most of
//! them are.
//!
//! - **Bindings.** IMEI → device and tenant, thresholds, meters and fuel. A binding has `bound_from`, the end of the IMEI's
//!   former binding: older fixes never reach the new tenant. If nobody had the IMEI before, everything the tracker has
//!   buffered is its owner's.
//! - **Settings of tenants.** Identity keeps the bucket `tenants` in step with its table by the outbox: an entry for each,
//!   with `history_days` and the time zone. Nothing is taken in before it has been read whole.
//! - **Gateways.** For whom each speaks; what the bucket does not name speaks for everybody's devices.
//!
//! *Tests: `tests/it/{bindings,retention,thresholds}.rs`.*

pub mod bindings;
mod bucket_cache;
pub(crate) mod gateways;
pub(crate) mod registry;
pub(crate) mod standing_alarms;
pub(crate) mod tenants;
