//! The REST API: the handlers that the build makes of the contract, and those that stream otherwise or put into words what
//! others say.

pub(crate) mod files;
pub(crate) mod filled;
#[allow(clippy::type_complexity, reason = "nobody reads the types of a table that is made")]
pub(crate) mod generated;
pub(crate) mod imports;
pub(crate) mod jobs;
pub(crate) mod track;
