//! One fix as a gateway reports it, and why a fix is refused.

use std::{fmt, str::FromStr, sync::Arc};

use crate::position::{
    alarm_names::tidy_alarms,
    attributes::Attributes,
    geodesy::Place,
    left_out::{Field, Flaw, LeftOut},
    rollover::weeks_lost,
};

/// A short text that many positions share.
pub type Text = Arc<str>;

/// A message of more bytes is refused whole.
pub const MAX_MESSAGE_BYTES: usize = 1 << 20;
/// A message of more positions is refused whole.
pub const MAX_POSITIONS_PER_MESSAGE: usize = 5_000;
/// Bytes of the attributes of one position.
pub const MAX_ATTRS_BYTES: usize = 16 << 10;
/// A fix before 2000-01-01 00:00 UTC comes from a receiver whose clock was never set.
pub const ANCIENT_BEFORE_MS: i64 = 946_684_800_000;
/// How far a fix may lie after the moment at which it was received: clocks of trackers run on GPS time, the
/// tolerance is for gateways that stamp fixes themselves.
pub const FUTURE_TOLERANCE_MS: i64 = 5 * 60_000;

const MAX_LAT: i32 = 900_000_000;
const MAX_LNG: i32 = 1_800_000_000;

/// One fix, quantised to integers. Equal reports have equal bytes in every codec.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Report {
    /// Milliseconds since 1970, the device's clock.
    pub recorded_at: i64,
    /// 1e-7 degrees, WGS 84.
    pub lat: i32,
    /// 1e-7 degrees, WGS 84.
    pub lng: i32,
    /// 0.1 km/h.
    pub speed: Option<u32>,
    /// 0.1 degrees clockwise from north, below 3600.
    pub course: Option<u32>,
    /// 0.1 metres.
    pub alt: Option<i32>,
    /// Satellites in use.
    pub sat: Option<u32>,
    /// Metres, the vehicle's own.
    pub odometer: Option<u64>,
    /// 0.1 litres.
    pub fuel_liter: Option<u32>,
    /// Whole percent.
    pub fuel_percent: Option<u8>,
    /// Whole percent.
    pub batt_percent: Option<u8>,
    /// Whole percent.
    pub gsm_signal: Option<u8>,
    /// False when the receiver says that it has no fix.
    pub valid: bool,
    /// Whether the ignition is on.
    pub ignition: Option<bool>,
    /// Whether the tracker's battery is charged.
    pub charge: Option<bool>,
    /// Names of alarms, separated by commas, for example `sos`.
    pub alarm: Option<Text>,
    /// A JSON object as text: everything else that the device said.
    pub attrs: Option<Text>,
    /// Its clock had lost a multiple of 1,024 weeks, which were added to `recorded_at`.
    pub clock_corrected: bool,
    /// What cannot be of what it said: its gateway is told, and nothing of it is stored.
    pub left_out: LeftOut,
}

impl Report {
    /// A valid fix that says nothing but where and when.
    pub const fn new(recorded_at: i64, lat: i32, lng: i32) -> Self {
        Self {
            recorded_at,
            lat,
            lng,
            speed: None,
            course: None,
            alt: None,
            sat: None,
            odometer: None,
            fuel_liter: None,
            fuel_percent: None,
            batt_percent: None,
            gsm_signal: None,
            valid: true,
            ignition: None,
            charge: None,
            alarm: None,
            attrs: None,
            clock_corrected: false,
            left_out: LeftOut::NOTHING,
        }
    }

    /// Adds the weeks that its clock has lost, if it has; how many milliseconds that is. It was received then, in milliseconds
    /// since 1970.
    pub fn correct_clock(&mut self, received_at: i64) -> Option<i64> {
        let lost = weeks_lost(self.recorded_at, received_at);
        self.clock_corrected = lost.is_some();
        self.recorded_at += lost.unwrap_or_default();
        lost
    }

    /// Takes over what a device says besides: one JSON object as text. Anything else is left out.
    pub(crate) fn take_attrs(&mut self, attrs: Option<Text>, left_out: &mut LeftOut) {
        let flaw = attrs.as_deref().and_then(|text| match Attributes::of(text) {
            _ if text.len() > MAX_ATTRS_BYTES => Some(Flaw::TooLong),
            Attributes::Object => None,
            Attributes::Unreadable => Some(Flaw::Unreadable),
            Attributes::Other => Some(Flaw::WrongType),
        });
        if let Some(flaw) = flaw {
            left_out.add(Field::Attrs, flaw);
        }
        self.attrs = attrs.filter(|_| flaw.is_none());
    }

    /// Takes over the alarms that a device names. What is too long is cut: none of them is left out.
    pub(crate) fn take_alarm(&mut self, alarm: Option<Text>, left_out: &mut LeftOut) {
        self.alarm = alarm.and_then(|alarm| {
            let Some(tidy) = tidy_alarms(&alarm) else { return Some(alarm) };
            if tidy.is_cut {
                left_out.add(Field::Alarm, Flaw::TooLong);
            }
            Some(tidy.text).filter(|text| !text.is_empty()).map(Into::into)
        });
    }

    /// Without a place that can be, a fix is one of a receiver that has none if it tells an alarm.
    pub(crate) fn disown_impossible_place(&mut self, left_out: &mut LeftOut) {
        let (is_lat, is_lng) = ((-MAX_LAT..=MAX_LAT).contains(&self.lat), (-MAX_LNG..=MAX_LNG).contains(&self.lng));
        if self.alarm.is_some() && !(is_lat && is_lng) {
            left_out.place(!is_lat, !is_lng);
            (self.lat, self.lng) = (0, 0);
        }
        self.disown_no_place();
    }

    /// An alarm that comes without a place, as 0, 0 or none at all, is one of a receiver that does not know where it is.
    pub(crate) fn disown_no_place(&mut self) {
        self.valid &= self.alarm.is_none() || (self.lat, self.lng) != (0, 0);
    }

    /// Bytes of its texts.
    pub fn text_bytes(&self) -> usize {
        [&self.alarm, &self.attrs].into_iter().flatten().map(|text| text.len()).sum()
    }

    /// Where.
    pub const fn place(&self) -> Place {
        Place { lat: self.lat, lng: self.lng }
    }

    /// Whether both say the same. The coordinates of a fix that the receiver itself calls invalid say nothing.
    pub fn same_content(&self, other: &Self) -> bool {
        if self.valid || other.valid {
            return self == other;
        }
        let placed_alike = Self { lat: self.lat, lng: self.lng, ..other.clone() };
        *self == placed_alike
    }
}

macro_rules! rejects {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// Why a position, or a whole message, was not taken in. The names are stable: they are metric labels, and
        /// they are stored with the dead letters.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Reject { $($(#[$doc])* $variant,)* }

        impl Reject {
            /// Every reason.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The stable name.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

rejects! {
    /// It does not parse.
    Malformed = "malformed",
    /// The message has more than [`MAX_MESSAGE_BYTES`].
    TooLarge = "too_large",
    /// The message has more than [`MAX_POSITIONS_PER_MESSAGE`].
    TooManyPositions = "too_many_positions",
    /// The device is named by what is neither an IMEI nor another identifier.
    InvalidImei = "invalid_imei",
    /// No tenant has a device of that IMEI.
    UnknownDevice = "unknown_device",
    /// Beyond 90 degrees.
    LatitudeOutOfRange = "latitude_out_of_range",
    /// Beyond 180 degrees.
    LongitudeOutOfRange = "longitude_out_of_range",
    /// Exactly 0, 0: what receivers send that do not know where they are.
    NullIsland = "null_island",
    /// More than [`FUTURE_TOLERANCE_MS`] after it was received.
    FutureFix = "future_fix",
    /// Before [`ANCIENT_BEFORE_MS`].
    AncientFix = "ancient_fix",
    /// Recorded before the device came to its tenant.
    BeforeBinding = "before_binding",
    /// Older than its tenant keeps history.
    ExpiredFix = "expired_fix",
    /// The gateway speaks for another tenant's devices alone.
    ForeignDevice = "foreign_device",
    /// It was published for another partition than that of its IMEI.
    WrongPartition = "wrong_partition",
}

impl fmt::Display for Reject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl std::error::Error for Reject {}

/// A text that names no [`Reject`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a reason of refusal")]
pub struct UnknownReject;

impl FromStr for Reject {
    type Err = UnknownReject;

    fn from_str(text: &str) -> Result<Self, UnknownReject> {
        Self::ALL.iter().copied().find(|reject| reject.as_str() == text).ok_or(UnknownReject)
    }
}

/// Refuses a time or a place that cannot be. `received_at` is the moment at which the message was received,
/// milliseconds since 1970.
///
/// A fix that the receiver calls invalid may lie on null island, since its coordinates are not used: an alarm from a
/// garage without sky must come through.
pub fn validate(report: &Report, received_at: i64) -> Result<(), Reject> {
    if report.recorded_at < ANCIENT_BEFORE_MS {
        return Err(Reject::AncientFix);
    }
    if report.recorded_at > received_at.saturating_add(FUTURE_TOLERANCE_MS) {
        return Err(Reject::FutureFix);
    }
    if !(-MAX_LAT..=MAX_LAT).contains(&report.lat) {
        return Err(Reject::LatitudeOutOfRange);
    }
    if !(-MAX_LNG..=MAX_LNG).contains(&report.lng) {
        return Err(Reject::LongitudeOutOfRange);
    }
    if report.valid && report.lat == 0 && report.lng == 0 {
        return Err(Reject::NullIsland);
    }
    Ok(())
}
