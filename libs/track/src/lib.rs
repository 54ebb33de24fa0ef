//! A position and everything pure that is done with it: how it is read from what gateways publish, what it tells about a vehicle, how
//! it is packed for the bus and for history, and the geometry of the earth. Shared by ingest, geofences, reports and
//! the edge. Nothing here waits, reads a clock or a file, or panics on bytes from outside.
//!
//! Of what the codecs are made of, [`packed`] and [`wire`] are public, so that they are tested by themselves.

#![warn(missing_docs)]

mod alarm_names;
mod attributes;
mod block;
mod columns;

mod day;
mod element;
mod error;
mod events;
mod frame;
mod fuel;
mod geodesy;
mod hardly_json;
mod hot;
mod hot_body;
mod hot_pages;
mod ids;
mod imei;
mod left_out;
mod merge;
mod message;
mod meters;
mod motion;
pub mod packed;
mod planes;
mod position;
mod predict;
mod present;
mod preview;
mod quality;
mod rederive;
mod refused_field;
mod report;
mod rollover;
pub mod row_bits;
mod segments;
mod span;
mod state;
mod strings;
mod summary;
mod thresholds;
mod today;
mod token;
mod track_columns;
mod tracker_id;
mod trips;
mod unite;
mod utf8;
mod values;
pub mod wire;
mod wrong_wire_types;
mod zip;

pub use alarm_names::{MAX_ALARM_BYTES, MAX_ALARMS, alarms};
pub use block::{decode_block, decode_columns, encode_block};
pub use columns::Columns;
pub use day::{Day, begin_of_day};
pub use error::CodecError;
pub use events::{EventKind, EventLimits, EventWatch, VehicleEvent};
pub use frame::{FrameBuilder, FrameRows, read_frame, read_part};
pub use fuel::{FuelChange, FuelLevel, FuelPoint, FuelSensor, FuelTable, FuelTableError};
pub use geodesy::{Bbox, EARTH_RADIUS_M, Place, bearing_deg, distance_m, haversine_m, step_m};
pub use hot::{HOT_ROW_BYTES, HotBuilder, HotFrame, HotRows};
pub use hot_pages::frame_pages;
pub use imei::{Imei, ImeiError, PartitionHash, has_almost_imei_digits, imei_digits, imei_of_name, partition_of};
pub use left_out::{Field, Flaw, LeftOut};
pub use merge::{MergeCounts, fill_late, merge, split_by_utc_day};
pub use message::{Reports, decode_json, decode_message, decode_protobuf};
pub use meters::{Activity, MeterOffsets, MeterRule, MeterRules, MeterValues, MetersRead, OwnEngine};
pub use motion::{DeviceState, Outcome, Thresholds};
pub use position::{Derived, FixMark, Motion, Position};
pub use preview::{Preview, preview};
pub use rederive::{Rederivation, rederive};
pub use refused_field::RefusedFields;
pub use report::{
    ANCIENT_BEFORE_MS, FUTURE_TOLERANCE_MS, MAX_ATTRS_BYTES, MAX_MESSAGE_BYTES, MAX_POSITIONS_PER_MESSAGE, Reject,
    Report, Text, UnknownReject, validate,
};
pub use rollover::ROLLOVER_MS;
pub use segments::{Mark, Segment, SegmentKind, SegmentRules, Segmenter};
pub use span::track_span;
pub use summary::BlockSummary;
pub use thresholds::DeviceThresholds;
pub use today::DayCounters;
pub use track_columns::TrackColumnWriter;
pub use tracker_id::{TrackerId, TrackerIdError, tracker_id_text};
pub use trips::TripCounter;
pub use unite::unite;
