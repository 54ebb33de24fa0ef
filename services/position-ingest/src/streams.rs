//! The streams of the position path and their subjects.

use std::collections::HashMap;

use armada_runtime::{Bus, Error, Result, bus::StreamSpec};
use async_nats::{
    Subject,
    jetstream::{
        message::StreamMessage,
        stream::{Config, DirectGetErrorKind, DiscardPolicy, Stream, SubjectTransform},
    },
};

use crate::config::Config as IngestConfig;

/// What gateways publish.
pub const RAW: &str = "RAW";
/// Enriched frames, for everything downstream.
pub const POSITIONS: &str = "POSITIONS";
/// The subjects of RAW and of POSITIONS as metrics name them: one name, whatever stands in them.
pub const RAW_TEMPLATE: &str = "raw.{partition}";
pub const POSITIONS_TEMPLATE: &str = "positions.{partition}";
/// What could not be taken in.
pub const DLQ: &str = "DLQ";

/// Header of frames on POSITIONS: the frame's number in its partition. A reader applies number n after n − 1, drops
/// what is at or below its watermark, and waits at a gap.
pub const HEADER_SEQ: &str = "Armada-Seq";
/// Header of frames on POSITIONS: when RAW took the newest of its messages in, milliseconds since 1970: 'now' for rules.
pub const HEADER_STREAM_TS: &str = "Armada-Stream-Ts";

/// The metadata key under which RAW keeps the number of partitions.
pub const PARTITIONS: &str = "partitions";

/// Makes the streams. RAW refuses what does not fit: dropping the oldest would drop what nobody has read. The dead
/// letters may lose their oldest.
pub async fn migrate(bus: &Bus, config: &IngestConfig) -> Result<()> {
    let mut raw = StreamSpec::refusing_when_full(RAW, &["gps.*.*", "gps.*.frame.*"], config.raw_max_bytes);
    raw.fixed = fixed(config);
    raw.config.subject_transform = Some(SubjectTransform {
        source: "gps.*.*".to_owned(),
        destination: format!("raw.{{{{partition({},2)}}}}.{{{{wildcard(1)}}}}.{{{{wildcard(2)}}}}", config.partitions),
    });
    raw.config.num_replicas = config.stream_replicas;
    bus.ensure_stream(raw).await?;

    let mut positions = StreamSpec::refusing_when_full(POSITIONS, &["positions.*"], config.positions_max_bytes);
    positions.config.num_replicas = config.stream_replicas;
    bus.ensure_stream(positions).await?;

    let dead_letters = StreamSpec::refusing_when_full(DLQ, &["dlq.*"], config.dead_letters_max_bytes);
    let config = Config {
        discard: DiscardPolicy::Old,
        num_replicas: config.stream_replicas,
        duplicate_window: std::time::Duration::from_secs(120),
        ..dead_letters.config
    };
    bus.ensure_stream(StreamSpec { config, fixed: HashMap::new() }).await
}

/// RAW, if its partitions are as configured.
pub async fn raw(bus: &Bus, config: &IngestConfig) -> Result<Stream> {
    bus.stream(RAW, &fixed(config)).await
}

fn fixed(config: &IngestConfig) -> HashMap<String, String> {
    HashMap::from([(PARTITIONS.to_owned(), config.partitions.to_string())])
}

/// When a stream was made, nanoseconds since 1970: tells it from a later one of the same name.
pub fn created(stream: &Stream) -> i64 {
    stream.cached_info().created.unix_timestamp_nanos() as i64
}

/// The filters that select a partition from RAW.
pub fn filters(partition: u32) -> Vec<String> {
    vec![format!("raw.{partition}.>"), format!("gps.*.frame.{partition}")]
}

/// The first message on any of `subjects` whose sequence is `from` or later. The stream's cached state must not be older
/// than the question: an empty stream calls every question about its messages a bad request.
pub async fn first_from(stream: &Stream, subjects: &[String], from: u64) -> Result<Option<StreamMessage>> {
    if stream.cached_info().state.messages == 0 {
        return Ok(None);
    }
    let mut first: Option<StreamMessage> = None;
    for subject in subjects {
        match stream.direct_get_next_for_subject(subject, Some(from)).await {
            Ok(found) if first.as_ref().is_none_or(|first| found.sequence < first.sequence) => first = Some(found),
            Ok(_) => {}
            Err(error) if error.kind() == DirectGetErrorKind::NotFound => {}
            Err(error) => return Err(Error::unavailable(error)),
        }
    }
    Ok(first)
}

/// The subject of a partition's frames on POSITIONS.
pub fn positions_subject(partition: u32) -> String {
    format!("positions.{partition}")
}

/// The subject on which gateways that batch publish.
pub fn frame_subject(gateway: &str, partition: u32) -> String {
    format!("gps.{gateway}.frame.{partition}")
}

/// Who published a message of RAW, as its subject says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RawSubject<'a> {
    /// `gps.<gateway>.<imei>`.
    Device { gateway: &'a str, imei: &'a str },
    /// `gps.<gateway>.frame.<partition>`.
    Frame { gateway: &'a str },
}

impl<'a> RawSubject<'a> {
    /// From the subject as RAW holds it.
    pub fn of(subject: &'a Subject) -> Result<Self> {
        let mut tokens = subject.as_str().split('.');
        match (tokens.next(), tokens.next(), tokens.next(), tokens.next(), tokens.next()) {
            (Some("raw"), Some(_), Some(gateway), Some(imei), None) => Ok(Self::Device { gateway, imei }),
            (Some("gps"), Some(gateway), Some("frame"), Some(_), None) => Ok(Self::Frame { gateway }),
            _ => Err(Error::internal(format!("no subject of RAW: {subject}"))),
        }
    }

    /// The gateway's name.
    pub fn gateway(&self) -> &'a str {
        match self {
            Self::Device { gateway, .. } | Self::Frame { gateway } => gateway,
        }
    }

    /// The subject that the gateway published on.
    pub fn original(&self, partition: u32) -> String {
        match self {
            Self::Device { gateway, imei } => format!("gps.{gateway}.{imei}"),
            Self::Frame { gateway } => frame_subject(gateway, partition),
        }
    }
}
