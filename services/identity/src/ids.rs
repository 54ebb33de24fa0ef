//! Lists that are narrowed to ids.

use std::str::FromStr;

use armada_runtime::{Error, Result};

/// Ids that one list may be narrowed to.
const IDS_MAX: usize = 500;

/// The ids that a list is narrowed to; none when it is not. What is no id is nobody's.
pub(crate) fn asked<Id: FromStr>(ids: &[String]) -> Result<Option<Vec<Id>>> {
    if ids.len() > IDS_MAX {
        return Err(Error::field("ids", "too_many"));
    }
    Ok((!ids.is_empty()).then(|| ids.iter().filter_map(|id| id.parse().ok()).collect()))
}
