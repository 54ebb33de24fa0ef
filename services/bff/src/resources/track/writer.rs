//! What writes a track, and what writers of lines have in common.

use armada_runtime::Result;
use armada_track::{DeviceThresholds, Position};

/// Writes positions as they come.
pub trait TrackWriter: Send + 'static {
    /// Of what it writes.
    const MEDIA_TYPE: &'static str;
    /// What stands before all positions.
    fn head(&mut self, out: &mut Vec<u8>) -> Result<()>;
    /// The next ones, at least one.
    fn positions(&mut self, positions: &[Position], out: &mut Vec<u8>) -> Result<()>;
    /// What stands behind them: without it the body is not whole.
    fn end(&mut self, out: &mut Vec<u8>) -> Result<()>;
}

/// Where a line may not go on: between fixes that lie too far apart for anything to be known of the time between them.
pub struct Line {
    /// How far that is, milliseconds.
    gap_ms: i64,
    last: Option<i64>,
}

impl Line {
    /// Of a device that is read by these thresholds.
    pub(super) fn new(thresholds: DeviceThresholds) -> Self {
        Self { gap_ms: thresholds.segments().gap_ms, last: None }
    }

    /// Whether the line goes on to this position.
    pub(super) fn goes_on(&mut self, position: &Position) -> bool {
        let at = position.recorded_at();
        self.last.replace(at).is_some_and(|last| at.saturating_sub(last) <= self.gap_ms)
    }
}

/// Text within XML, without what XML 1.0 has no place for.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => {}
            c if c.is_control() && !matches!(c, '\t' | '\n' | '\r') => {}
            c => escaped.push(c),
        }
    }
    escaped
}
