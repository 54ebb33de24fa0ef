//! The door for many devices a message: `gps.<gateway>.frame.<partition>`.

use armada_proto::v1::PositionFrame;

use crate::{
    imei::Imei,
    report::{Reject, Report},
};

/// Collects reports into one frame.
#[derive(Debug, Default)]
pub struct FrameBuilder {
    frame: PositionFrame,
}

impl FrameBuilder {
    /// Adds a row.
    pub fn push(&mut self, _imei: Imei, _report: &Report) {}

    /// Rows so far.
    pub fn len(&self) -> usize {
        self.frame.imei.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.frame.imei.is_empty()
    }

    /// The frame; the builder starts anew.
    pub fn take(&mut self) -> PositionFrame {
        std::mem::take(&mut self.frame)
    }
}

/// Decodes a message body and checks its shape once. `Err` refuses the whole message.
pub fn read_frame(_body: &[u8]) -> Result<FrameRows, Reject> {
    Err(Reject::Malformed)
}

/// The rows of a frame in order. An item is the device and its report, or the number that was given as IMEI and why
/// this row alone is refused. Ranges are not checked here: [`crate::validate`] does.
#[derive(Debug)]
pub struct FrameRows {
    _frame: PositionFrame,
}

impl FrameRows {
    /// Checks the shape of a frame.
    pub fn new(_frame: PositionFrame) -> Result<Self, Reject> {
        Err(Reject::Malformed)
    }
}

impl Iterator for FrameRows {
    type Item = Result<(Imei, Report), (u64, Reject)>;

    fn next(&mut self) -> Option<Self::Item> {
        None
    }
}
