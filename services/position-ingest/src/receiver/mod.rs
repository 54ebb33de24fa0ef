//! The receiver takes in what gateways publish, and tells each what became of it.
//!
//! The server maps `gps.<gateway>.<imei>` to `in.<partition>.<gateway>.<imei>`, by the hash of the IMEI. The owner of the
//! partition checks what comes there and gathers it while its last write is on its way to the disk; then it writes
//! everything as one message to `raw.<partition>`, and answers each gateway when that is on disk, never before. So the
//! wait is as short as the disk allows, however many publish.
//!
//! - [`partition`] is the owner's side of one partition, [`frames`] takes frames of many devices apart.
//! - [`check`] decides about each element, [`batch`] is what is gathered, [`raw_writer`] writes it behind the last
//!   message that is known, so that a former owner's write is refused and never answered.
//! - [`answer`] is what a gateway hears. It is sent to the inbox of that gateway alone, by a user of NATS that may
//!   write nothing else.

mod answer;
mod batch;
mod check;
mod frames;
mod metrics;
mod partition;
mod raw_writer;
mod shared;

pub use self::{
    answer::{Answer, Problem, Rejected, Warning},
    frames::send_part,
    partition::{Receiving, receive},
    shared::Shared,
};

/// The receiver's user of NATS: it may write RAW and answer gateways.
pub const NATS_USER: &str = "receiver";
