//! The receiver takes in what gateways publish, and tells each what became of it.
//!
//! The server maps `gps.<gateway>.<imei>` to `in.<partition>.<gateway>.<imei>`, by the hash of the IMEI. The owner of the
//! partition checks what comes there and gathers it while its last write is on its way to the disk; then it writes
//! everything as one message to `raw.<partition>`, and answers each gateway when that is on disk, never before. So the
//! wait is as short as the disk allows, however many publish.
//!
//! - [`task`] goes on for as long as a process owns a partition, [`partition_receiver`] is what it has of it, [`frames`]
//!   takes frames of many devices apart.
//! - [`check`] decides about each element, [`batch`] is what is gathered, [`raw_writer`] writes it behind the last
//!   message that is known, so that a former owner's write is refused and never answered.
//! - [`traffic`] counts what each gateway sends, [`recent_messages`] keeps its last messages for whoever looks.
//! - [`answer`] is what a gateway hears. It is sent to the inbox of that gateway alone, over a connection to the
//!   account of gateways, which has no streams.

mod answer;
mod backpressure;
mod batch;
mod check;
mod context;
mod draft;
mod fair_queue;
mod frames;
mod metrics;
mod odd;
mod partition_receiver;
mod per_gateway;
pub(crate) mod raw_key;
mod raw_writer;
mod recent_messages;
mod sender;
mod task;
mod traffic;
mod unknown_budget;

pub use self::{
    context::ReceiverContext,
    frames::send_part,
    recent_messages::{RecentMessages, merged},
    task::{Receiving, receive},
    traffic::Traffic,
};

/// The receiver's user of NATS that may write RAW.
pub const NATS_USER: &str = "receiver";
/// Its user in the account of gateways, where it hears and answers them.
pub const GATEWAYS_USER: &str = "receiver-gateways";
