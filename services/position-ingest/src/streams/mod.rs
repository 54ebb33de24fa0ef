//! The streams of the position path.

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
