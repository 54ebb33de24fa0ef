//! Mail. It is queued in the transaction that is the reason for it, and goes out whatever dies in between.

pub mod email;
mod queue;
pub mod refusals;
mod relay;
mod server;

pub use email::{Due, Kind};
pub use queue::{MailQueue, SEALED_FOR};
pub use relay::Relay;
