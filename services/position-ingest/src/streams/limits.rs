//! How large what is written may become, in bytes. Each of these ends up as one message of JetStream, which takes no more than
//! the server's `max_payload`: what would never fit would stand in the way of everything behind it.

use armada_runtime::{Bus, Error, Result, nats_server::MAX_PAYLOAD};
use armada_track::{HOT_ROW_BYTES, MAX_ATTRS_BYTES, MAX_MESSAGE_BYTES, MAX_POSITIONS_PER_MESSAGE};

/// Messages of gateways of which one write to RAW is made, with what is kept of those that are refused.
pub const BATCH_BYTES: usize = 1 << 20;

/// What is kept of a message that is refused.
pub const REFUSED_BYTES: usize = 64 << 10;

/// What a message takes beside its body: the name of its gateway, and its place in a queue.
pub const OVERHEAD_BYTES: usize = 256;

/// The positions of a commit batch, before they are compressed, with which it is closed.
pub const COMMIT_BATCH_BYTES: usize = 9 << 18;

/// The most that one message of a gateway is in a batch: itself, and a copy when it is refused.
const MESSAGE_BYTES: usize = MAX_MESSAGE_BYTES + REFUSED_BYTES + 2 * OVERHEAD_BYTES;

/// A write to RAW: messages that fit into a batch, or one that is larger. They are smaller when they are encoded than they came,
/// but for [`ID_BYTES`].
const RAW_BYTES: usize = if BATCH_BYTES > MESSAGE_BYTES { BATCH_BYTES } else { MESSAGE_BYTES };

/// What a row of a device without IMEI takes that came in a message of its own: its identifier, which stood in the subject
/// once, that it has one, and the least that a row has.
const ID_BYTES: usize = 64;

/// The same write as rows of such devices alone. What is held of them is one, and is taken in again in one part.
const NAMED_RAW_BYTES: usize = RAW_BYTES + MAX_POSITIONS_PER_MESSAGE * ID_BYTES;

/// The positions of a commit batch that is closed behind the write to RAW that filled it.
const HOT_BYTES: usize = COMMIT_BATCH_BYTES + RAW_BYTES + MAX_POSITIONS_PER_MESSAGE * HOT_ROW_BYTES;

/// Messages of one gateway that wait for the owner of a partition, and of all gateways. One message always has room.
pub const GATEWAY_WAITING_BYTES: usize = 4 << 20;
pub const PARTITION_WAITING_BYTES: usize = 8 << 20;

/// Messages that an owner reads before it looks at what else has come.
pub const READ_BYTES: usize = 256 << 10;

/// Frames of one gateway that are under way in a process.
pub const GATEWAY_FRAMES_BYTES: usize = 8 << 20;

/// What stands before a message, and what an encoding needs of its own.
const HEADERS_BYTES: usize = 64 << 10;

/// A stored frame of more bytes fits into no message.
pub const FRAME_BYTES: usize = MAX_PAYLOAD - HEADERS_BYTES;

const _: () = assert!(NAMED_RAW_BYTES + HEADERS_BYTES <= MAX_PAYLOAD, "a write to RAW fits into one message");
const _: () = assert!(HOT_BYTES <= FRAME_BYTES, "a hot frame fits into one message");
const _: () = assert!(MAX_MESSAGE_BYTES + OVERHEAD_BYTES <= GATEWAY_WAITING_BYTES, "a message has room");
const _: () = assert!(GATEWAY_WAITING_BYTES < PARTITION_WAITING_BYTES, "a gateway leaves room to others");
const _: () = assert!(MAX_ATTRS_BYTES + OVERHEAD_BYTES <= MAX_MESSAGE_BYTES, "a position fits into a message");

/// Refuses a server that takes less in one message than is written.
pub fn check(bus: &Bus) -> Result<()> {
    let found = bus.client.server_info().max_payload;
    if found < MAX_PAYLOAD {
        return Err(Error::unavailable(format!(
            "NATS takes messages of {found} bytes, and {MAX_PAYLOAD} are needed: set `max_payload: 4MB` in its configuration"
        )));
    }
    Ok(())
}
