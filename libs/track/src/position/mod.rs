//! What a fix says, and what a position is.
//!
//! - [`report`]: one fix as a gateway reports it, how it is checked ([`report::validate`]), and why one is refused. Its
//!   parts: [`alarm_names`] (as parts of subjects: [`token`]), [`attributes`], [`values`] (what its numbers can be),
//!   [`left_out`] (what of it could not be kept).
//! - [`enriched`]: the same with what was derived from it, as it is stored and shown.
//! - [`imei`] and [`tracker_id`]: whose it is. [`geodesy`]: where it is, and how far from another.
//! - [`unite`] makes one fix of several of one instant, [`rollover`] corrects clocks that have lost weeks, [`present`]
//!   says in bits what a fix has.
//!
//! In: reports, made by `input` and by simulators. Out: `Report`, `Position`, `Place`, `Imei`, on which everything else
//! works, and the messages of the contract that show a position.

pub(crate) mod alarm_names;
pub(crate) mod alarm_table;
pub(crate) mod attributes;
pub(crate) mod enriched;
pub(crate) mod geodesy;
pub(crate) mod imei;
pub(crate) mod left_out;
pub(crate) mod present;
pub(crate) mod report;
pub(crate) mod rollover;
pub(crate) mod token;
pub(crate) mod tracker_id;
pub(crate) mod unite;
pub(crate) mod values;
