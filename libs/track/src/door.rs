//! The door for one device a message: `gps.<gateway>.<imei>`.

use crate::report::{Reject, Report};

/// Decodes a message body of either form.
pub fn decode_message(_body: &[u8]) -> Result<Vec<Result<Report, Reject>>, Reject> {
    Err(Reject::Malformed)
}

/// Decodes the JSON form.
pub fn decode_json(_body: &[u8]) -> Result<Vec<Result<Report, Reject>>, Reject> {
    Err(Reject::Malformed)
}

/// Decodes the protobuf form.
pub fn decode_protobuf(_body: &[u8]) -> Result<Vec<Result<Report, Reject>>, Reject> {
    Err(Reject::Malformed)
}
