//! The receiver takes in what gateways publish, and tells each what became of it.
//!
//! Way in: `in.<partition>.<gateway>.<imei>`, to which the server maps `gps.<gateway>.<imei>`; no stream captures it.
//! `partition = FNV-1a 32 (IMEI) mod P` over what stands in the subject, the hash that the server uses; "IMEI" is whatever
//! the tracker calls itself (`libs/track/src/tracker_id.rs`: a number for the 15 digits of an IMEI, bytes for other
//! identifiers); P is in RAW's metadata, and another one is refused. What comes in one piece with `CONNECT` the server maps
//! nowhere: each owner hears it as `gps.*.*`, and takes what is of its partition ([`sender`]).
//!
//! Way out: the partition's owner checks each fix ([`check`]), gathers what arrives while its last write is on its way to
//! the disk ([`batch`]), writes everything as one `ReceivedFrame` to `raw.<partition>` ([`raw_writer`]), and answers each
//! gateway when that is on disk, never before ([`answer`]). The next write begins when the former is acknowledged: nothing
//! lingers, and an fsync pays for all that came during the last. An answer goes to the inbox of that gateway alone, over a
//! connection to the account of gateways, which has no streams. What was written is handed on in memory
//! ([`crate::streams::tail`]).
//!
//! - [`task`] goes on for as long as a process owns a partition, [`partition_receiver`] is what it has of it, [`context`]
//!   what all of a process share. [`traffic`] counts what each gateway sends, [`recent_messages`] keeps its last ones for
//!   whoever looks, [`raw_key`] has the key that signs RAW.
//! - **The fence.** Each write names the sequence of the partition's last message. What a former owner still writes is
//!   refused; it looks whether the row is still its own, and answers nothing when it is not. A write whose acknowledgement
//!   was lost is told from somebody else's by a header of its own, so it is never written twice.
//! - **Handing over.** A new owner listens first, then asks the one before (`receiver.handover.<partition>`) to write and
//!   answer what it has, for half a second at most, and writes then. In between both hear the same messages; what is
//!   written twice is a repeat, and dropped. Receiving goes on when the partition's row was released, until somebody else
//!   receives; it needs no database. An owner that dies is replaced within three seconds, and senders try again.
//! - **Frames** ([`frames`]) have any mix of devices. The server maps `gps.<gateway>.frame` like a device, so one owner
//!   takes all of them apart, which keeps the fixes of a device in order; the parts go to the owners of their partitions
//!   (`part.<partition>`, or straight through memory), and the answer when all are written.
//! - **A flood is its sender's own trouble** ([`fair_queue`]). An owner reads at most 256 kB before it looks at what else
//!   has come. While two batches wait to be written, messages wait in a queue of so many bytes for each gateway and for all
//!   of them, and what is too much goes from the end of the longest (docs/GATEWAYS.md, Floods); so does nothing else wait
//!   without a bound, and the connection is read as fast as the server sends. Where all is quiet the queue costs nothing.
//! - **Bounded** ([`backpressure`]). 64 MB of messages may wait in a process; what comes then, and while RAW or the disk is
//!   full, is refused at once with `retry_after_ms`. RAW that is gone or refuses is told as `not_writable`, and one that says
//!   nothing as `not_acknowledged`, never as a full disk.
//!
//! *Tests: `tests/it/{receiver,floods,unmapped,draining}.rs`, the fault tests with single fixes, and a negative control
//! that answers before it has written.*

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
