//! What was read of the meters of devices: the stream that position-ingest fills and fleet reads. A message is a coded
//! [`crate::v1::MeterReadings`], signed by its owner.

/// Name of the stream.
pub const STREAM: &str = "METERS";

/// Its subjects.
pub const SUBJECTS: &str = "meters.*";

/// Its subjects as metrics and traces name them.
pub const SUBJECT_TEMPLATE: &str = "meters.{partition}";

/// The subject of a partition's readings.
pub fn subject(partition: u32) -> String {
    format!("meters.{partition}")
}
