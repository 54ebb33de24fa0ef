//! What NATS keeps of positions: the names of streams and subjects, what is handed over in memory, and what is purged.
//!
//! Way in: what the receiver writes to RAW. Way out: to the owner of the partition, from memory ([`tail`]) or out of RAW as
//! a [`raw_message`]; POSITIONS to whoever follows it; the oldest messages, once nobody needs them ([`purge`]).
//!
//! - **From the receiver to the pipeline** through memory ([`tail`]): whoever owns a partition receives it as well, so what
//!   was written a moment ago is neither fetched nor decoded again. Each message names the one behind which it was written;
//!   as long as that chain is whole, RAW is not read. After a start, a takeover, or when the owner has fallen behind, it
//!   reads RAW until it meets the chain again. 'Now' of every rule stands in the message (`received_at`), so it is judged
//!   alike whichever way it comes.
//! - **Sizes** are in bytes, and stand in one file ([`limits`]): a write to RAW, a commit batch and what is kept of a
//!   refused message each fit into one message of NATS, which the compiler proves of our `max_payload` and a start of the
//!   server's. A refused message is kept once, with all its reasons.
//! - **Publishing to streams** goes through `Bus::publish`, `publish_all` and `PublishWindow` alone (clippy forbids the
//!   rest): a connection has permits for what is not acknowledged yet, and whoever held some of them while it waited for
//!   more could stop everybody. *Test: `libs/testkit/tests/it/publishing.rs`.*
//! - **Purge.** RAW and POSITIONS refuse what does not fit (dropping the oldest would drop what nobody has read), so ingest
//!   removes what is stored ([`watermarks::committed_watermark`]) and what every registered consumer has read, once it is
//!   older than 72 h or once a stream is filled to 60 %. Sealed frames cannot be replayed, so a service that must see every
//!   frame **registers** before it reads: [`watermarks::Consumers`] keeps a watermark for each stream, consumer and
//!   partition in the bucket `watermarks`. Say it at least once a minute. A consumer that is not heard of holds the purge
//!   up and is reported ([`consumer_lag`]); when a stream is filled to 90 % the oldest third goes without it, and the log
//!   says what it lost, since a full stream would stop ingest.
//!
//! *Tests: `tests/it/{tail,consumers,floods}.rs`.*

pub(crate) mod batch_span;
pub(crate) mod consumer_lag;
pub(crate) mod limits;
mod names;
pub(crate) mod purge;
pub mod raw_message;
pub mod tail;
pub(crate) mod watermarks;

pub use self::names::{
    DLQ, DLQ_SUBJECTS, HEADER_SEQ, HEADER_STREAM_TS, HELD, HELD_SUBJECTS, IN_TEMPLATE, PARTITIONS, POSITIONS,
    POSITIONS_TEMPLATE, RAW, RAW_TEMPLATE, REFUSED, created, first_from, held_subject, migrate, partitions,
    positions_subject, raw, raw_subject, refused_of_tenant, refused_subject,
};
