//! Publishes positions as gateways do, so that none is lost: each message is kept and sent again until the receiver has
//! said what became of it. What arrives twice does no harm, since ingest drops exact repeats.

#![warn(missing_docs)]

mod counts;
mod frames;
mod json;
mod publisher;
mod sender;
mod single;

pub use self::{
    counts::{Counts, Reading},
    frames::{FramePublisher, Limits},
    publisher::{Form, Publisher},
    single::SinglePublisher,
};
