//! Through which gateways the rows of a message came.

use std::sync::Arc;

use armada_proto::{TenantId, v1::SentRows};

use crate::directory::gateways::Gateways;

/// Who sent a row.
#[derive(Clone)]
pub(super) struct Sender {
    pub(super) gateway: Arc<str>,
    /// For whose devices alone it speaks.
    pub(super) tenant: Option<TenantId>,
}

/// Who sent the rows of a message, row by row.
pub(super) struct Senders {
    runs: std::vec::IntoIter<SentRows>,
    sender: Sender,
    left: u32,
}

impl Senders {
    pub(super) fn new(runs: Vec<SentRows>) -> Self {
        Self { runs: runs.into_iter(), sender: Sender { gateway: "".into(), tenant: None }, left: 0 }
    }

    /// The sender of the next row.
    pub(super) fn next(&mut self, gateways: &Gateways) -> Sender {
        while self.left == 0 {
            let Some(run) = self.runs.next() else { break };
            let tenant = gateways.tenant_of(&run.gateway);
            (self.sender, self.left) = (Sender { gateway: run.gateway.into(), tenant }, run.rows);
        }
        self.left = self.left.saturating_sub(1);
        self.sender.clone()
    }
}
