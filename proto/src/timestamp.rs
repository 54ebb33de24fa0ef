use std::sync::LazyLock;

use chrono::{DateTime, TimeDelta, Utc};
use prost::{
    DecodeError, Message,
    bytes::{Buf, BufMut},
    encoding::{DecodeContext, WireType},
};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// An instant to the millisecond: RFC 3339 in JSON, `google.protobuf.Timestamp` on the wire, milliseconds since 1970
/// in storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Timestamp(i64);

impl Timestamp {
    /// Now, by this machine's clock.
    pub fn now() -> Self {
        Self(Utc::now().timestamp_millis() + wrong_by())
    }

    /// From milliseconds since 1970.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Milliseconds since 1970.
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// RFC 3339 in UTC; seconds only, unless there are milliseconds.
    pub fn to_rfc3339(self) -> String {
        let format =
            if self.0.rem_euclid(1000) == 0 { chrono::SecondsFormat::Secs } else { chrono::SecondsFormat::Millis };
        self.datetime().to_rfc3339_opts(format, true)
    }

    /// Parses RFC 3339 with any offset; what is finer than a millisecond is cut.
    pub fn parse_rfc3339(text: &str) -> Option<Self> {
        DateTime::parse_from_rfc3339(text).ok().map(|t| Self(t.timestamp_millis()))
    }

    fn datetime(self) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::milliseconds(self.0.clamp(-62_135_596_800_000, 253_402_300_799_999))
    }

    fn to_wire(self) -> prost_types::Timestamp {
        prost_types::Timestamp { seconds: self.0.div_euclid(1000), nanos: self.0.rem_euclid(1000) as i32 * 1_000_000 }
    }
}

impl std::ops::Add<std::time::Duration> for Timestamp {
    type Output = Self;
    fn add(self, other: std::time::Duration) -> Self {
        Self(self.0 + i64::try_from(other.as_millis()).unwrap_or(i64::MAX / 2))
    }
}

impl Message for Timestamp {
    fn encode_raw(&self, buf: &mut impl BufMut) {
        self.to_wire().encode_raw(buf);
    }

    fn merge_field(
        &mut self,
        tag: u32,
        wire_type: WireType,
        buf: &mut impl Buf,
        ctx: DecodeContext,
    ) -> Result<(), DecodeError> {
        let mut wire = self.to_wire();
        wire.merge_field(tag, wire_type, buf, ctx)?;
        self.0 = wire.seconds.saturating_mul(1000).saturating_add(i64::from(wire.nanos / 1_000_000));
        Ok(())
    }

    fn encoded_len(&self) -> usize {
        self.to_wire().encoded_len()
    }

    fn clear(&mut self) {
        *self = Self::default();
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.to_rfc3339())
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        Self::parse_rfc3339(&text).ok_or_else(|| de::Error::custom("not an RFC 3339 instant"))
    }
}

/// By how many milliseconds the clock of this process is wrong: tests have no other host to run it on. Of debug builds alone.
fn wrong_by() -> i64 {
    static WRONG_BY: LazyLock<i64> = LazyLock::new(|| {
        let asked = std::env::var("ARMADA_TEST_CLOCK_WRONG_BY_MS").ok().filter(|_| cfg!(debug_assertions));
        asked.and_then(|millis| millis.parse().ok()).unwrap_or_default()
    });
    if cfg!(debug_assertions) { *WRONG_BY } else { 0 }
}
