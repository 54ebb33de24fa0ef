//! The pure code about positions, by itself: a file for each one of the crate, and one for recorded traces.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod block;
mod events;
mod frame;
mod fuel;
mod geodesy;
mod hot;
mod hot_pages;
mod ignition;
mod imei;
mod left_out;
mod merge;
mod message;
mod meters;
mod motion;
mod packed;
mod preview;
mod quality;
mod rederive;
mod refused_field;
mod report;
mod rollover;
mod segments;
mod silence;
mod standing;
mod state;
mod summary;
mod support;
mod thresholds;
mod today;
mod traces;
mod track_columns;
mod tracker_id;
mod unite;
mod wire;
