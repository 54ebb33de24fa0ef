//! Frames: `gps.<gateway>.frame`.

use anyhow::{Result, ensure};
use armada_runtime::Bus;
use armada_track::{FrameBuilder, MAX_POSITIONS_PER_MESSAGE, Report, TrackerId};
use prost::Message;

use crate::{
    counts::Counts,
    sender::{LaneKey, Sender},
};

/// Bytes of texts after which a frame is sent, however few rows it has: a message may have a megabyte.
const TEXT_LIMIT: usize = 384 * 1024;

/// A frame has any mix of devices, so all frames stay in order.
const SINGLE_LANE: LaneKey = None;

/// How much is sent at a time.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Rows of one frame.
    pub rows: usize,
    /// Frames under way.
    pub window: usize,
}

/// Gathers positions into frames and sends them.
pub struct FramePublisher {
    sender: Sender,
    subject: String,
    frame: FrameBuilder,
    text: usize,
    rows: usize,
}

impl FramePublisher {
    /// As the gateway of that name, over its own connection or that of whoever runs the machine.
    pub async fn new(bus: &Bus, gateway: &str, limits: Limits) -> Result<Self> {
        ensure!((1..=MAX_POSITIONS_PER_MESSAGE).contains(&limits.rows), "frames have 1 to 5,000 positions");
        Ok(Self {
            sender: Sender::new(bus, gateway, limits.window, limits.window).await?,
            subject: format!("gps.{gateway}.frame"),
            frame: FrameBuilder::default(),
            text: 0,
            rows: limits.rows,
        })
    }

    /// What it has sent.
    pub fn counts(&self) -> Counts {
        self.sender.counts()
    }

    /// Adds a position; sends the frame when it is full, which waits for room in the window.
    pub async fn push(&mut self, id: impl Into<TrackerId>, report: &Report) -> Result<()> {
        self.frame.push(id, report);
        self.text += report.attrs.as_ref().map_or(0, |text| text.len());
        self.text += report.alarm.as_ref().map_or(0, |text| text.len());
        if self.frame.len() >= self.rows || self.text >= TEXT_LIMIT {
            self.flush().await?;
        }
        Ok(())
    }

    /// Sends what has been gathered.
    pub async fn flush(&mut self) -> Result<()> {
        let rows = self.frame.len() as u64;
        if rows == 0 {
            return Ok(());
        }
        self.text = 0;
        let body = self.frame.take().encode_to_vec().into();
        self.sender.send(SINGLE_LANE, self.subject.clone(), body, rows).await
    }

    /// Sends the rest and waits until everything is answered; the last sequence of RAW that was named.
    pub async fn finish(&mut self) -> Result<u64> {
        self.flush().await?;
        Ok(self.sender.finish().await)
    }
}
