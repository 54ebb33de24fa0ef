//! What was not taken in, for platform owners.

use armada_proto::v1::{ListRejectionsRequest, RejectionList};
use armada_runtime::{Error, Result};

use super::positions::PositionsService;
use crate::{rejected::dead_letters, storage::rejection_counts::counts};

impl PositionsService {
    pub(super) async fn rejections(&self, wanted: ListRejectionsRequest) -> Result<RejectionList> {
        let reason = match wanted.reason.as_str() {
            "" => None,
            text => Some(text.parse().map_err(|_| Error::field("reason", "unknown"))?),
        };
        let limit = match wanted.page_size {
            0 => 25,
            size => size.min(500) as usize,
        };
        let before = (wanted.before > 0).then_some(u64::from(wanted.before));
        let page = dead_letters::list(&self.bus, reason, before, limit).await?;
        Ok(RejectionList {
            counts: counts(&self.db).await?,
            items: page.items,
            total: page.total as u32,
            next_cursor: page.next_before.map(|seq| seq as u32),
        })
    }
}
