//! Whether a fix can be believed: the marks of those that cannot. A marked fix is stored as it was reported, and counts for
//! nothing: it adds no distance, its speed is no record, and no event follows from it.
//!
//! - **Clock**: it was recorded 1,024 weeks or longer before it was received, and the weeks that its clock has lost cannot be
//!   told (the receiver adds them where they can: [`crate::position::rollover`]). No tracker keeps a fix for 19 years.
//! - **Few satellites**: it tells of fewer than [`ENOUGH_SATELLITES`], and its device has told of as many before. One that
//!   never has does not count them.
//! - **Cell tower**: it tells of no satellites, and its device has told of enough before; and it says that it is
//!   [`COARSE_M`] or more off, or is [`COARSE_DM`] or more from the last trusted place and goes no faster than [`STUCK_SPEED`]. Who
//!   had no trusted place for [`COARSE_MS`] is believed again: its receiver may tell no satellites any more.
//! - **Stuck**: the very place again, for [`STUCK_FIXES`] fixes and [`STUCK_MS`], in each of which the vehicle is said to go
//!   [`STUCK_SPEED`] or faster: the receiver says again what it knew.
//! - **Jump**: nothing can have come there from the last trusted place, by [`JUMP_SPEED`] or twice its own speed; by
//!   [`MAX_SPEED_KMH`] where no speed is told. A second fix that goes on from a jump confirms it, and is trusted: a vehicle
//!   that was shipped is somewhere else.
//!
//! Marks do not depend on what a tenant has set, and a live fix keeps the one that it got. One that came late is judged by
//! the fixes before it in time, whenever it is read, since others may have come late as well.

use armada_proto::v1::FixMark;
use serde::Deserialize;

use crate::position::{
    geodesy::{Place, step_dm},
    report::{FUTURE_TOLERANCE_MS, Report},
    rollover::ROLLOVER_MS,
    values::MAX_SPEED_KMH,
};

/// A good fix has so many satellites: three tell a place only together with a guess of its height.
const ENOUGH_SATELLITES: u32 = 4;
/// A vehicle this fast, 0.1 km/h, goes from place to place.
const STUCK_SPEED: u32 = 50;
/// So many fixes of one place while it moves, and so long, milliseconds, are no coincidence. Some receivers look for
/// another place only every ten or twenty seconds.
const STUCK_FIXES: u8 = 5;
const STUCK_MS: u64 = 60_000;
/// No vehicle on the road or on water is this fast, 0.1 km/h.
const JUMP_SPEED: u32 = 3_000;
/// Receivers are off by as much, decimetres, however soon after the fix before.
const JUMP_DM: u64 = 300;

/// Further off, metres and decimetres, is the mast of a telephone network and no satellite's place.
const COARSE_M: f64 = 100.0;
const COARSE_DM: u64 = 2_000;
/// So long after the last trusted place a receiver is believed without satellites, milliseconds.
const COARSE_MS: i64 = 24 * 3_600_000;
/// How a tracker says, among what else it says, how far off it may be.
const ACCURACY: &str = "\"accuracy\"";

/// Where and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fixed {
    pub(crate) place: Place,
    pub(crate) recorded_at: i64,
}

/// What the next fix is judged by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Trust {
    /// The last valid fix whose place is trusted.
    pub(crate) fixed: Option<Fixed>,
    /// The last jump, unless a fix was trusted since.
    pub(crate) jumped: Option<Fixed>,
    /// The fixes of the place of `fixed` that said, one after the other, that the vehicle moves.
    pub(crate) held: Held,
    /// It has told of enough satellites before.
    pub(crate) counts_satellites: bool,
}

/// Fixes of one place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Held {
    /// When the first of them was recorded.
    pub(crate) since: i64,
    /// How many, 255 for more.
    pub(crate) fixes: u8,
}

impl Held {
    /// The first of them.
    pub(crate) fn first(fixed: Fixed) -> Self {
        Self { since: fixed.recorded_at, fixes: 1 }
    }
}

impl Trust {
    /// The mark of the next fix, as far as it follows from those before.
    pub(crate) fn judge(&self, report: &Report) -> FixMark {
        if !report.valid {
            return FixMark::Unspecified;
        }
        // The same fix, of which more was told, is judged once.
        let here = Some(Fixed { place: report.place(), recorded_at: report.recorded_at });
        if self.jumped == here {
            return FixMark::Jump;
        }
        if self.counts_satellites && report.sat.is_none() && self.is_coarse(report) {
            return FixMark::CellTower;
        }
        let mark = match self.fixed {
            _ if self.fixed == here => FixMark::Unspecified,
            Some(fixed) if fixed.place == report.place() => self.judge_same_place(report),
            Some(fixed) if is_out_of_reach(fixed.place, self.held.since, report) => self.judge_jump(report),
            _ => FixMark::Unspecified,
        };
        let has_few = || self.counts_satellites && report.sat.is_some_and(|sat| sat < ENOUGH_SATELLITES);
        if mark == FixMark::Unspecified && has_few() { FixMark::FewSatellites } else { mark }
    }

    /// An invalid fix that says no place stands where the device was last known to be; any other one keeps what it says.
    pub(crate) fn place_invalid(&self, report: &mut Report) {
        if let (false, Some(fixed)) = (report.valid || report.place() != Place::default(), self.fixed) {
            (report.lat, report.lng) = (fixed.place.lat, fixed.place.lng);
        }
    }

    /// Whether a fix without satellites is where a mast is.
    fn is_coarse(&self, report: &Report) -> bool {
        let Some(fixed) = self.fixed else { return false };
        let is_recent = report.recorded_at.saturating_sub(fixed.recorded_at) < COARSE_MS;
        let is_far = || step_dm(fixed.place, report.place()) >= COARSE_DM;
        is_recent && (!moves(report) && is_far() || says_coarse(report))
    }

    fn judge_same_place(&self, report: &Report) -> FixMark {
        let held_ms = report.recorded_at.saturating_sub(self.held.since).unsigned_abs();
        let is_stuck = moves(report) && self.held.fixes.saturating_add(1) >= STUCK_FIXES && held_ms >= STUCK_MS;
        if is_stuck { FixMark::Stuck } else { FixMark::Unspecified }
    }

    fn judge_jump(&self, report: &Report) -> FixMark {
        let confirms = |jumped: Fixed| !is_out_of_reach(jumped.place, jumped.recorded_at, report);
        if self.jumped.is_some_and(confirms) { FixMark::Unspecified } else { FixMark::Jump }
    }

    /// The jump that an unmarked, valid fix confirms; the way to it is not known.
    pub(crate) fn confirmed_jump(&self, report: &Report) -> Option<Fixed> {
        let (jumped, fixed) = (self.jumped?, self.fixed?);
        is_out_of_reach(fixed.place, self.held.since, report).then_some(jumped)
    }

    /// What the fix after it is judged by.
    pub(crate) fn follow(&mut self, report: &Report, mark: FixMark) {
        if !report.valid {
            return;
        }
        self.counts_satellites |= report.sat.is_some_and(|sat| sat >= ENOUGH_SATELLITES);
        let here = Fixed { place: report.place(), recorded_at: report.recorded_at };
        if [self.fixed, self.jumped].contains(&Some(here)) {
            return;
        }
        match mark {
            FixMark::Clock | FixMark::FewSatellites | FixMark::CellTower => {}
            FixMark::Jump => self.jumped = Some(here),
            FixMark::Stuck | FixMark::Unspecified | FixMark::ClockCorrected => {
                let goes_on = moves(report) && self.fixed.is_some_and(|fixed| fixed.place == here.place);
                self.held = if goes_on {
                    Held { fixes: self.held.fixes.saturating_add(1), ..self.held }
                } else {
                    Held::first(here)
                };
                (self.fixed, self.jumped) = (Some(here), None);
            }
        }
    }
}

/// Whether a fix that was received then, in milliseconds since 1970, says a wrong time.
pub(crate) fn clock_is_wrong(recorded_at: i64, received_at: i64) -> bool {
    received_at.saturating_sub(recorded_at) >= ROLLOVER_MS - FUTURE_TOLERANCE_MS
}

/// Whether so many decimetres in so many milliseconds are at least that speed in 0.1 km/h: 1 dm/ms is 3,600 of them.
pub(crate) fn reaches(distance_dm: u64, elapsed_ms: u64, speed: u32) -> bool {
    distance_dm.saturating_mul(3_600) >= elapsed_ms.saturating_mul(u64::from(speed))
}

/// Whether a fix says itself that it may be far off: `accuracy`, metres, in its attributes.
fn says_coarse(report: &Report) -> bool {
    let attrs = report.attrs.as_deref().filter(|attrs| attrs.contains(ACCURACY));
    let read = attrs.and_then(|attrs| serde_json::from_str::<Attributes>(attrs).ok());
    read.and_then(|read| read.accuracy).is_some_and(|metres| metres >= COARSE_M)
}

#[derive(Deserialize)]
struct Attributes {
    accuracy: Option<f64>,
}

fn moves(report: &Report) -> bool {
    report.speed.is_some_and(|speed| speed >= STUCK_SPEED)
}

/// Whether nothing that was at a place then can be where the fix is.
fn is_out_of_reach(from: Place, since: i64, report: &Report) -> bool {
    let elapsed_ms = report.recorded_at.saturating_sub(since).unsigned_abs();
    let fastest = MAX_SPEED_KMH * 10;
    let limit = report.speed.map_or(fastest, |speed| speed.saturating_mul(2).clamp(JUMP_SPEED, fastest));
    let is_far = |distance_dm: u64| distance_dm >= JUMP_DM && reaches(distance_dm, elapsed_ms, limit);
    // Of most fixes the bound says enough, and costs next to nothing.
    is_far(bound_dm(from, report.place())) && is_far(step_dm(from, report.place()))
}

/// No less than the distance, decimetres: the way along the meridian and the parallel. A stored unit is at most 0.112 dm.
fn bound_dm(from: Place, to: Place) -> u64 {
    (u64::from(from.lat.abs_diff(to.lat)) + u64::from(from.lng.abs_diff(to.lng))) / 8 + 1
}
