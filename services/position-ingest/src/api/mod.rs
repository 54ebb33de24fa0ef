//! The gRPC side.

pub mod gateway_messages;
mod messages;
pub mod positions;
mod rejections;
mod track;
mod track_chunks;
