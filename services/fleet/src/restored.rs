//! What a database of fleet that was restored needs before anything is served from it.

use armada_runtime::{Context, Result, outbox::OutboxHandle};

use crate::{
    bindings::{self, Bindings},
    commands::restored,
    config::NAME,
    device_erasures,
};

/// Brings the buckets in step with a database that was restored, and leaves the commands that wait in it to people; how
/// many those were. Without it position-ingest would begin with the devices of a moment ago. No process of the service may
/// run.
pub async fn settle_restored(context: &Context) -> Result<u64> {
    let context = &context.of(NAME)?;
    let db = context.database(NAME)?;
    let left = restored::leave_waiting_to_people(&db).await?;
    let bindings = Bindings::relay(db, context, OutboxHandle::default()).await?;
    device_erasures::catch_up(&bindings.states.erasures).await?;
    bindings::reconcile_once(&bindings).await?;
    Ok(left)
}
