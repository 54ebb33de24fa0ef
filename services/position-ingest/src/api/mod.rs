//! The gRPC side: who asks for positions is answered here, whichever instance owns them.
//!
//! Way in: the service `Positions` ([`positions`]: the newest, states; [`track`]: tracks, trips, meters and what a device
//! sent; [`rejections`]: what was not taken in), and `GatewayMessages` ([`gateway_messages`]). Who sees a device is asked
//! of fleet. Way out: [`crate::live`] and [`crate::history`], as messages of the contract; tracks in pieces
//! ([`track_chunks`]).
//!
//! - **Trips and stops** (`armada_track::Segmenter`) are computed from history whenever somebody asks, fix by fix, and
//!   stored nowhere: a changed rule holds for all of history at once. The counters of two fixes tell the distance and the
//!   time between them, so that segments add up to the track. How many trips there were is counted as fixes come in as well
//!   (`armada_track::TripCounter`, which finds what a Segmenter would), and told with the meters.
//! - **What a device sent** ([`messages`]) is its history and what was refused of it, put together by time and read
//!   backwards, a page at a time. History knows neither the gateway nor when a fix came.
//! - **The last messages of a gateway** are in the memory of whoever received them, and are asked for on
//!   `gateways.messages`.
//!
//! *Tests: `tests/it/{messages,segments,path,isolation}.rs`.*

pub mod gateway_messages;
mod messages;
pub mod positions;
mod rejections;
mod track;
mod track_chunks;
