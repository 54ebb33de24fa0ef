//! Deleting devices: a deleted one is hidden with what belongs to it, and silent. For a while that can be undone.

use std::time::Duration;

use armada_proto::{
    DeviceId, Timestamp,
    v1::{CommandReason, CommandState},
};
use armada_runtime::{Caller, Result, resource::Row};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, QueryFilter, QuerySelect,
    sea_query::Expr,
};

use crate::{
    bindings, driver_assignments,
    entity::{command, device::Model, document, maintenance, maintenance_log, share_link},
};

/// For how long a deletion can be undone. Then the device is erased.
pub const UNDONE_FOR: Duration = Duration::from_secs(30 * 24 * 3600);

/// Deletes a device: its IMEI is free, nobody sees it, and what belongs to it rests. A claim rests as well.
pub async fn delete(tx: &DatabaseTransaction, caller: &Caller, mut device: Model) -> Result<()> {
    let now = Timestamp::now();
    driver_assignments::end_at(tx, device.id, now.millis()).await?;
    cancel_commands(tx, caller, &device, now).await?;
    rest(tx, device.id, Some(now.millis())).await?;
    if device.is_bound() {
        bindings::end(tx, &device).await?;
    }
    device.deleted_at = Some(now.millis());
    device.deleted_by = caller.grant.as_ref().map(|grant| grant.user_id);
    device.touch(now);
    let device = device.into_active_model().reset_all().update(tx).await?;
    bindings::mark(tx, &device, &device.imei).await
}

/// Hides what belongs to a device, or shows it again. Links to it, its groups, its commands and what its meters came to say
/// themselves whether it is there.
pub async fn rest(tx: &DatabaseTransaction, device: DeviceId, hidden_at: Option<i64>) -> Result<()> {
    macro_rules! set {
        ($($table:ident),+) => {$(
            let rows = $table::Entity::update_many().col_expr($table::Column::HiddenAt, Expr::val(hidden_at));
            rows.filter($table::Column::DeviceId.eq(device)).exec(tx).await?;
        )+};
    }
    set!(document, share_link, maintenance, maintenance_log);
    Ok(())
}

/// What was not sent yet is not sent when the device comes back.
async fn cancel_commands(tx: &DatabaseTransaction, caller: &Caller, device: &Model, now: Timestamp) -> Result<()> {
    use command::{Column, Entity};
    let open = Entity::find()
        .filter(Column::DeviceId.eq(device.id))
        .filter(Column::State.is_in([CommandState::Queued, CommandState::AwaitingConsent]));
    for mut row in open.lock_exclusive().all(tx).await? {
        (row.state, row.state_reason) = (CommandState::Cancelled, CommandReason::Unspecified);
        row.decided_by = caller.grant.as_ref().map(|grant| grant.user_id);
        row.touch(now);
        row.into_active_model().reset_all().update(tx).await?;
    }
    Ok(())
}
