//! Sessions that have ended while access tokens of theirs may still be about: the bucket that identity fills and the edge
//! follows. A key is the id of a session, as it stands in its tokens; there is nothing in the values.

use std::time::Duration;

/// Name of the bucket.
pub const ENDED: &str = "ended_sessions";

/// How long an entry stays: longer than the longest life of an access token, whatever the clocks of two machines say.
pub const ENDED_KEPT: Duration = Duration::from_secs(15 * 60);
