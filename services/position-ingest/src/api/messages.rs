//! What a device sent, page by page: history and what was refused, put together by time.

use std::fmt;

use armada_proto::{
    Timestamp,
    v1::{DeviceMessage, DeviceMessageList, DeviceMessagesRequest, FixMark, MessageOutcome},
};
use armada_runtime::{Error, Result};
use armada_track::Position;

/// Messages of a page when nothing is said.
const PAGE: u32 = 25;
const PAGE_MOST: u32 = 500;

/// Where a message stands: by its time, and then by its place among the refused ones; a fix is there once and has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    at: i64,
    seq: u64,
}

impl Place {
    fn parse(text: &str) -> Option<Self> {
        let (at, seq) = text.split_once('.')?;
        Some(Self { at: at.parse().ok()?, seq: seq.parse().ok()? })
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.at, self.seq)
    }
}

/// What is asked for.
pub struct Wanted {
    outcome: MessageOutcome,
    /// Only fixes with one of these, unless it is empty.
    marks: Vec<FixMark>,
    from: i64,
    to: i64,
    before: Option<Place>,
    limit: usize,
}

impl Wanted {
    /// Reads a request.
    pub fn of(request: &DeviceMessagesRequest) -> Result<Self> {
        let from = request.from.map_or(0, |from| from.millis());
        let to = request.to.map_or(i64::MAX, |to| to.millis());
        if from > to {
            return Err(Error::field("from", "after_to"));
        }
        let before = match request.cursor.as_str() {
            "" => None,
            text => Some(Place::parse(text).ok_or_else(|| Error::field("cursor", "unknown"))?),
        };
        let limit = match request.page_size {
            0 => PAGE,
            size => size.min(PAGE_MOST),
        };
        let marks = request.marks().filter(|mark| *mark != FixMark::Unspecified).collect();
        Ok(Self { outcome: request.outcome(), marks, from, to, before, limit: limit as usize })
    }

    /// Nothing from before `kept_from`, milliseconds since 1970.
    pub fn since(self, kept_from: i64) -> Self {
        Self { from: self.from.max(kept_from), ..self }
    }

    /// Whether messages that came to this are among them.
    pub fn has(&self, outcome: MessageOutcome) -> bool {
        let is_possible = self.marks.is_empty() || outcome == MessageOutcome::Accepted;
        is_possible && (self.outcome == MessageOutcome::Unspecified || self.outcome == outcome)
    }

    /// The marks of which fixes must have one, if there are any.
    pub fn marks(&self) -> &[FixMark] {
        &self.marks
    }

    /// Since when and until before when fixes may be on the page, milliseconds since 1970.
    pub fn span(&self) -> (i64, i64) {
        let behind = self.before.map_or(i64::MAX, |Place { at, seq }| if seq > 0 { at.saturating_add(1) } else { at });
        (self.from, self.to.min(behind).max(self.from))
    }

    /// How many of each kind are needed to know the page, and whether there is another one.
    pub fn enough(&self) -> usize {
        self.limit + 1
    }

    /// The page.
    pub fn page(&self, fixes: Vec<Position>, refused: Vec<(u64, DeviceMessage)>) -> DeviceMessageList {
        let refused = refused.into_iter().map(|(seq, message)| {
            let at = message.at.map_or(0, |at| at.millis());
            (Place { at, seq }, message)
        });
        let fixes = fixes.iter().map(|fix| (Place { at: fix.recorded_at(), seq: 0 }, accepted(fix)));
        let mut found: Vec<_> = refused.chain(fixes).filter(|(place, _)| self.shows(*place)).collect();
        found.sort_by_key(|(place, _)| std::cmp::Reverse(*place));
        let next_cursor = found.get(self.limit).and(found.get(self.limit - 1)).map(|(last, _)| last.to_string());
        found.truncate(self.limit);
        DeviceMessageList { items: found.into_iter().map(|(_, message)| message).collect(), next_cursor }
    }

    fn shows(&self, place: Place) -> bool {
        (self.from..self.to).contains(&place.at) && self.before.is_none_or(|before| place < before)
    }
}

fn accepted(fix: &Position) -> DeviceMessage {
    DeviceMessage {
        outcome: MessageOutcome::Accepted.into(),
        at: Some(Timestamp::from_millis(fix.recorded_at())),
        fix: Some(fix.to_track_point()),
        refusal: None,
    }
}
