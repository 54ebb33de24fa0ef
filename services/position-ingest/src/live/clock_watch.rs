//! Whether the clock of a tracker is right, as far as its fixes show it.
//!
//! A fix that comes late may have been buffered. But what is sent from a buffer catches up, or begins where the fix before it
//! ended; the fixes of a clock that is behind come late by the same, one after the other. So a clock is behind when each fix of
//! [`RUN_MS`] or longer, of [`RUN_FIXES`] or more, came equally late, give or take [`SAME_MS`]. Who is known to have had the
//! right time until right before those fixes may as well send a buffer as slowly as it was filled: of such a device it must have
//! been a day; and of one of which that is not known, since this process found it there. Any fix that comes within a minute shows
//! that the clock is right.

/// How far a fix may be from its reception before its clock may be wrong.
pub const OFF_MS: i64 = 60_000;
/// Times of transport that count as the same: trackers tell a fix some seconds later.
const SAME_MS: i64 = 15_000;
/// For how long fixes must come equally late.
const RUN_MS: i64 = 3 * 60_000;
/// And how many.
const RUN_FIXES: u32 = 4;
/// For how long those must that may come from a buffer.
const BUFFERED_RUN_MS: i64 = 24 * 3_600_000;

/// A fix that was received; times in milliseconds since 1970.
#[derive(Clone, Copy, Debug)]
pub struct Heard {
    /// What the fix says.
    pub recorded_at: i64,
    /// When it came.
    pub received_at: i64,
    /// Its clock had lost weeks, which were added.
    pub is_corrected: bool,
}

/// What the fixes of a device have shown of its clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClockWatch {
    off: Off,
    /// When the last fix was recorded that came within a minute; none of one that is new.
    right: Option<i64>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Off {
    /// As far as is known.
    #[default]
    Right,
    /// By so many milliseconds.
    Ahead(i64),
    /// It had lost weeks, which were added.
    WeeksLost,
    /// Fixes come late.
    Late(Run),
}

/// Fixes that come equally late, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    /// When the first of them was received.
    since: i64,
    /// When the last was.
    until: i64,
    /// By how many milliseconds they were late.
    least: i64,
    most: i64,
    fixes: u32,
    /// All are newer than the last fix of which the time was right.
    may_be_buffered: bool,
}

impl ClockWatch {
    /// Of a device of which this process has heard a part alone: its clock may have been right before, at any time.
    pub fn of_known_device(mut self) -> Self {
        self.right.get_or_insert(i64::MIN);
        if let Off::Late(run) = &mut self.off {
            run.may_be_buffered |= self.right == Some(i64::MIN);
        }
        self
    }

    /// Follows the fixes of the device, in the order in which they came.
    pub fn hear(&mut self, fix: Option<Heard>) {
        let Some(Heard { recorded_at, received_at, is_corrected }) = fix else { return };
        let late = received_at.saturating_sub(recorded_at);
        self.off = match self.off {
            _ if is_corrected => Off::WeeksLost,
            _ if late < -OFF_MS => Off::Ahead(-late),
            _ if late <= OFF_MS => {
                self.right = Some(recorded_at);
                Off::Right
            }
            Off::Late(run) if run.goes_on_with(late) => Off::Late(Run {
                until: received_at,
                least: run.least.min(late),
                most: run.most.max(late),
                fixes: run.fixes.saturating_add(1),
                may_be_buffered: run.may_be_buffered && self.is_behind_right(recorded_at),
                ..run
            }),
            _ => Off::Late(Run {
                since: received_at,
                until: received_at,
                least: late,
                most: late,
                fixes: 1,
                may_be_buffered: self.is_behind_right(recorded_at),
            }),
        };
    }

    fn is_behind_right(&self, recorded_at: i64) -> bool {
        self.right.is_some_and(|right| recorded_at > right)
    }

    /// By how many seconds the clock is ahead, or behind where negative; none of one that is not known to be wrong. Of one that
    /// has lost weeks 1,024, the least that it can be: by how many more is not kept.
    pub fn seconds_off(&self) -> Option<i32> {
        let millis = match self.off {
            Off::Right => return None,
            Off::Ahead(ahead) => ahead,
            Off::WeeksLost => -armada_track::ROLLOVER_MS,
            Off::Late(run) => -run.is_long_enough().then_some(run.least)?,
        };
        i32::try_from(millis / 1000).ok()
    }

    /// Whether the clock is known to be behind by about as much as a fix was late, in milliseconds.
    pub fn explains(&self, late: i64) -> bool {
        matches!(self.off, Off::Late(run) if run.is_long_enough() && run.goes_on_with(late))
    }
}

impl Run {
    fn goes_on_with(&self, late: i64) -> bool {
        (self.most - SAME_MS..=self.least + SAME_MS).contains(&late)
    }

    fn is_long_enough(&self) -> bool {
        let needed = if self.may_be_buffered { BUFFERED_RUN_MS } else { RUN_MS };
        self.fixes >= RUN_FIXES && self.until.saturating_sub(self.since) >= needed
    }
}
