//! The streams of the position path and their subjects.

use std::collections::HashMap;

use armada_proto::{DeviceId, TenantId};
use armada_runtime::{Bus, Error, Result, bus::StreamSpec};
use armada_track::TrackerId;
use async_nats::jetstream::{
    message::StreamMessage,
    stream::{DirectGetErrorKind, DiscardPolicy, Stream},
};

use crate::config::Config as IngestConfig;

/// What the receiver has taken in, a [`armada_proto::v1::ReceivedFrame`] a message.
pub const RAW: &str = "RAW";
/// Enriched frames, for everything downstream.
pub const POSITIONS: &str = "POSITIONS";
/// The subjects of RAW and of POSITIONS as metrics name them: one name, whatever stands in them.
pub const RAW_TEMPLATE: &str = "raw.{partition}";
pub const IN_TEMPLATE: &str = "in.{partition}.{gateway}.{imei}";
pub const POSITIONS_TEMPLATE: &str = "positions.{partition}";
/// What could not be taken in.
pub const DLQ: &str = "DLQ";
/// Fixes of IMEIs that nobody has, for whoever gets them.
pub const HELD: &str = "HELD";
/// What was refused of the devices that somebody has, for whoever sees them.
pub const REFUSED: &str = "REFUSED";

/// The subjects of the dead letters.
pub const DLQ_SUBJECTS: &str = "dlq.*";
/// How long they are kept: they hold what somebody sent of people.
const DEAD_LETTERS_FOR: std::time::Duration = std::time::Duration::from_secs(30 * 24 * 3600);
/// The subjects of HELD: `held.<partition>.<imei>`.
pub const HELD_SUBJECTS: &str = "held.*.*";
/// How long the fixes of an IMEI wait for somebody who has it.
const HELD_MAX_AGE: std::time::Duration = std::time::Duration::from_secs(30 * 24 * 3600);
/// Messages of one IMEI that wait; the oldest go. Each is what one commit batch took in.
const HELD_PER_IMEI: i64 = 20_000;

/// The subjects of REFUSED: `refused.<tenant>.<device>`.
const REFUSED_SUBJECTS: &str = "refused.*.*";
/// How long they are kept.
const REFUSED_FOR: std::time::Duration = std::time::Duration::from_secs(14 * 24 * 3600);
/// Messages of one device that are kept; the oldest go.
const REFUSED_OF_ONE: i64 = 100;

/// Header of frames on POSITIONS: the frame's number in its partition. A reader applies number n after n − 1, drops
/// what is at or below its watermark, and waits at a gap.
pub const HEADER_SEQ: &str = "Armada-Seq";
/// Header of frames on POSITIONS: when the receiver wrote the newest of its messages, milliseconds since 1970: 'now' for
/// rules.
pub const HEADER_STREAM_TS: &str = "Armada-Stream-Ts";

/// The metadata key under which RAW keeps the number of partitions.
pub const PARTITIONS: &str = "partitions";

/// The metadata key under which RAW says what its messages are: a stream of before the receiver is refused, since nobody
/// reads what it holds.
const MESSAGES: (&str, &str) = ("messages", "ReceivedFrame");

/// Makes the streams. RAW refuses what does not fit: dropping the oldest would drop what nobody has read. The dead
/// letters may lose their oldest.
pub async fn migrate(bus: &Bus, config: &IngestConfig) -> Result<()> {
    // No stream captures what a gateway publishes: JetStream would send its acknowledgement to whatever reply the gateway
    // names, with nobody's rights.
    let mut raw = StreamSpec::refusing_when_full(RAW, &["raw.*"], config.raw_max_bytes);
    raw.fixed = fixed(config);
    bus.ensure_signed_stream(raw).await?;

    let positions = StreamSpec::refusing_when_full(POSITIONS, &["positions.*"], config.positions_max_bytes);
    bus.ensure_stream(positions).await?;

    let mut dead_letters = StreamSpec::refusing_when_full(DLQ, &[DLQ_SUBJECTS], config.dead_letters_max_bytes);
    dead_letters.config.discard = DiscardPolicy::Old;
    dead_letters.config.duplicate_window = std::time::Duration::from_secs(120);
    dead_letters.config.max_age = DEAD_LETTERS_FOR;
    bus.ensure_stream(dead_letters).await?;

    let mut held = StreamSpec::refusing_when_full(HELD, &[HELD_SUBJECTS], config.held_max_bytes);
    held.config.discard = DiscardPolicy::Old;
    held.config.duplicate_window = std::time::Duration::from_secs(120);
    held.config.max_age = HELD_MAX_AGE;
    held.config.max_messages_per_subject = HELD_PER_IMEI;
    bus.ensure_stream(held).await?;

    let mut refused = StreamSpec::refusing_when_full(REFUSED, &[REFUSED_SUBJECTS], config.refused_max_bytes);
    refused.config.discard = DiscardPolicy::Old;
    refused.config.duplicate_window = std::time::Duration::from_secs(120);
    refused.config.max_age = REFUSED_FOR;
    refused.config.max_messages_per_subject = REFUSED_OF_ONE;
    bus.ensure_stream(refused).await
}

/// RAW, if its partitions are as configured.
pub async fn raw(bus: &Bus, config: &IngestConfig) -> Result<Stream> {
    bus.stream(RAW, &fixed(config)).await
}

fn fixed(config: &IngestConfig) -> HashMap<String, String> {
    let (key, messages) = MESSAGES;
    HashMap::from([(PARTITIONS.to_owned(), config.partitions.to_string()), (key.to_owned(), messages.to_owned())])
}

/// How many partitions there are.
pub async fn partitions(bus: &Bus) -> Result<u32> {
    let raw = bus.stream(RAW, &HashMap::new()).await?;
    let partitions = raw.cached_info().config.metadata.get(PARTITIONS).and_then(|partitions| partitions.parse().ok());
    partitions.ok_or_else(|| Error::unavailable("stream RAW does not say how many partitions it has"))
}

/// When a stream was made, nanoseconds since 1970: tells it from a later one of the same name.
pub fn created(stream: &Stream) -> i64 {
    stream.cached_info().created.unix_timestamp_nanos() as i64
}

/// The subject of a partition's frames on RAW.
pub fn raw_subject(partition: u32) -> String {
    format!("raw.{partition}")
}

/// Where the fixes of an IMEI that nobody has wait.
pub fn held_subject(imei: TrackerId, partitions: u32) -> String {
    format!("held.{}.{imei}", imei.partition(partitions))
}

/// Where the refused messages of a device are kept.
pub fn refused_subject(tenant: TenantId, device: DeviceId) -> String {
    format!("refused.{tenant}.{device}")
}

/// Those of all devices of a tenant.
pub fn refused_of_tenant(tenant: TenantId) -> String {
    format!("refused.{tenant}.*")
}

/// The first message on `subject` whose sequence is `from` or later. The stream's cached state must not be older than the
/// question: an empty stream calls every question about its messages a bad request.
pub async fn first_from(stream: &Stream, subject: String, from: u64) -> Result<Option<StreamMessage>> {
    if stream.cached_info().state.messages == 0 {
        return Ok(None);
    }
    match stream.direct_get_next_for_subject(subject, Some(from)).await {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == DirectGetErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::unavailable(error)),
    }
}

/// The subject of a partition's frames on POSITIONS.
pub fn positions_subject(partition: u32) -> String {
    format!("positions.{partition}")
}
