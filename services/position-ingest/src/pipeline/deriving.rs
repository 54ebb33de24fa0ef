//! What an owner has under way beside: one device that is derived anew, or a look at what is noted.

use armada_proto::{DeviceId, TenantId};
use armada_runtime::Result;
use tokio::task::JoinSet;

use crate::{entity::late_fix, history::days::DerivedDays};

/// One device at most, or a look at what is noted, which ends with the owner.
pub(super) type DerivingTask = JoinSet<Outcome>;

/// What became of it.
pub(super) enum Outcome {
    Derived((TenantId, DeviceId), Result<Box<DerivedDays>>),
    Noted(Result<Vec<late_fix::Model>>),
}

/// What was done; waits for ever while nothing is.
pub(super) async fn derived(deriving: &mut DerivingTask) -> Option<Outcome> {
    match deriving.join_next().await {
        Some(Ok(derived)) => Some(derived),
        Some(Err(error)) => {
            tracing::error!(%error, "deriving a device failed");
            None
        }
        None => std::future::pending().await,
    }
}
