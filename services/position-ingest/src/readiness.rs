//! The parts of this service in `/readyz`, and what the loss of each means. Gateways speak to whoever owns a partition, over
//! NATS: what concerns them alone keeps nobody from reading history here.

use std::borrow::Cow;

use armada_runtime::health::Part;

/// Bindings and last positions, which this process loads when it starts.
pub const LOADED: Part = Part::required(Cow::Borrowed("position-ingest"));
/// Partitions of this process that do not move.
pub const STANDSTILL: Part = Part::required(Cow::Borrowed("standstill"));
/// Partitions that nobody owns, as every instance sees it.
pub const PARTITIONS: Part = Part::told(Cow::Borrowed("partitions"));
/// Rounds are stored.
pub const HISTORY: Part = Part::told(Cow::Borrowed("history"));
/// RAW takes what is written.
pub const RECEIVER: Part = Part::told(Cow::Borrowed("receiver"));
/// RAW is the stream that was read so far.
pub const RAW: Part = Part::told(Cow::Borrowed("RAW"));
/// Those who read the streams besides this service.
pub const CONSUMERS: Part = Part::told(Cow::Borrowed("consumers"));
