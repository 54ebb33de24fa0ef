//! A position and everything pure that is done with it. Shared by the services, the edge, the demonstration and
//! replays. Nothing here waits, reads a clock or a file, or panics on bytes from outside.
//!
//! Each folder knows some of those above it here, and none below it:
//!
//! - [`wire`]: the bytes that codecs are made of.
//! - `position`: what a fix says, where it is and whose.
//! - `codec`: positions as bytes, for the bus, for history, for consoles.
//! - `input`: what gateways publish, read.
//! - `meters`: odometer, engine hours, the day.
//! - `motion`: what a sequence of fixes tells of a vehicle.
//! - `trips`: trips and stops.
//! - `days`: what a vehicle came to day by day.
//! - `fuel`: litres, fills and drains.
//! - `events`: what happens to a vehicle.
//!
//! Of what the codecs are made of, [`packed`] and [`wire`] are public, so that they are tested by themselves.

#![warn(missing_docs)]

mod codec;
mod days;
mod events;
mod fuel;
mod input;
mod meters;
mod motion;
mod position;
mod trips;
pub mod wire;

pub use codec::{
    block::{decode_block, decode_columns, encode_block},
    columns::Columns,
    hot::{HOT_ROW_BYTES, HotBuilder, HotFrame, HotRows},
    hot_pages::frame_pages,
    row_bits,
    summary::BlockSummary,
    track_columns::TrackColumnWriter,
};
pub use days::{
    day_end::{DayEnd, TrackState},
    vehicle_days::VehicleDays,
};
pub use events::{EventKind, EventLimits, EventWatch, VehicleEvent};
pub use fuel::{FuelChange, FuelLevel, FuelPoint, FuelSensor, FuelTable, FuelTableError};
pub use input::{
    frame::{FrameBuilder, FrameRows, read_frame, read_part},
    message::{Reports, decode_json, decode_message, decode_protobuf},
    preview::{Preview, preview},
    refused_field::RefusedFields,
};
pub use meters::{
    counters::Counters,
    day::{Day, begin_of_day},
    own::{MeterReset, OwnEngine, OwnMeters},
    replacement::{Replacement, Replacements},
    rules::{Activity, MeterOffsets, MeterRule, MeterRules, MeterValues, MetersRead},
    today::DayCounters,
};
pub use motion::{
    device_state::{DeviceState, Outcome, Thresholds},
    merge::{MergeCounts, fill_late, merge, split_by_utc_day},
    rederive::{Rederivation, rederive},
};
pub use position::{
    alarm_names::{MAX_ALARM_BYTES, MAX_ALARMS, alarms},
    alarm_table::{KNOWN_ALARMS, KnownAlarm, NO_ALARM, alarm_severity, known_alarm},
    enriched::{Derived, FixMark, Motion, Position},
    geodesy::{Bbox, EARTH_RADIUS_M, Place, bearing_deg, distance_m, haversine_m, step_m},
    imei::{Imei, ImeiError, PartitionHash, has_almost_imei_digits, imei_digits, imei_of_name, partition_of},
    left_out::{Field, Flaw, LeftOut},
    report::{
        ANCIENT_BEFORE_MS, FUTURE_TOLERANCE_MS, MAX_ATTRS_BYTES, MAX_MESSAGE_BYTES, MAX_POSITIONS_PER_MESSAGE, Reject,
        Report, Text, UnknownReject, validate,
    },
    rollover::ROLLOVER_MS,
    tracker_id::{TrackerId, TrackerIdError, tracker_id_text},
    unite::unite,
};
pub use trips::{
    counter::TripCounter,
    segments::{Mark, Segment, SegmentKind, SegmentRules, Segmenter},
    span::track_span,
    thresholds::DeviceThresholds,
};
pub use wire::{error::CodecError, packed};
