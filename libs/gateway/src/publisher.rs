//! Either way of publishing.

use anyhow::Result;
use armada_runtime::Bus;
use armada_track::{Report, TrackerId};

use crate::{Counts, FramePublisher, Limits, SinglePublisher};

/// How positions are put into messages.
#[derive(Debug, Clone, Copy)]
pub enum Form {
    /// In frames.
    Frames(Limits),
    /// One a message, with so many kept at most until they are answered.
    Single(usize),
}

/// Publishes in one form.
pub enum Publisher {
    /// In frames.
    Frames(Box<FramePublisher>),
    /// One a message.
    Single(SinglePublisher),
}

impl Publisher {
    /// As the gateway of that name, over its own connection or that of whoever runs the machine.
    pub async fn new(bus: &Bus, gateway: &str, form: Form) -> Result<Self> {
        Ok(match form {
            Form::Frames(limits) => Self::Frames(Box::new(FramePublisher::new(bus, gateway, limits).await?)),
            Form::Single(in_flight) => Self::Single(SinglePublisher::new(bus, gateway, in_flight).await?),
        })
    }

    /// What it has sent.
    pub fn counts(&self) -> Counts {
        match self {
            Self::Frames(frames) => frames.counts(),
            Self::Single(single) => single.counts(),
        }
    }

    /// Adds a position, which waits for room.
    pub async fn push(&mut self, id: impl Into<TrackerId>, report: &Report) -> Result<()> {
        match self {
            Self::Frames(frames) => frames.push(id, report).await,
            Self::Single(single) => single.push(id, report).await,
        }
    }

    /// Sends what waits for others to share a frame with.
    pub async fn flush(&mut self) -> Result<()> {
        match self {
            Self::Frames(frames) => frames.flush().await,
            Self::Single(_) => Ok(()),
        }
    }

    /// Sends the rest and waits until everything is answered; the last sequence of RAW that was named.
    pub async fn finish(&mut self) -> Result<u64> {
        match self {
            Self::Frames(frames) => frames.finish().await,
            Self::Single(single) => single.finish().await,
        }
    }
}
