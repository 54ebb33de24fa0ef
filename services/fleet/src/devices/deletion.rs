//! Deleting devices: a deleted one is hidden with what belongs to it, and silent. For a while that can be undone.

use std::time::Duration;

use armada_proto::{
    DeviceId, Timestamp,
    v1::{CommandReason, CommandState},
};
use armada_runtime::{Caller, Result, resource::Row};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, QueryFilter, QuerySelect,
    sea_query::{Expr, ExprTrait},
};

use crate::{
    bindings, driver_assignments,
    entity::{
        command,
        device::{Column, Entity, Model},
        document, maintenance, maintenance_log, share_link,
    },
};

/// For how long a deletion can be undone. Then the device is erased.
pub const UNDO_PERIOD: Duration = Duration::from_secs(30 * 24 * 3600);

/// Deletes devices: their IMEIs are free, nobody sees them, and what belongs to them rests. Claims rest as well.
pub async fn delete(tx: &DatabaseTransaction, caller: &Caller, devices: &[Model]) -> Result<()> {
    let now = Timestamp::now();
    let ids: Vec<_> = devices.iter().map(|device| device.id).collect();
    driver_assignments::end_at(tx, &ids, now.millis()).await?;
    cancel_commands(tx, caller, &ids, now).await?;
    rest(tx, &ids, Some(now.millis())).await?;
    bindings::end(tx, devices.iter().filter(|device| device.is_bound())).await?;
    let hidden = Entity::update_many()
        .col_expr(Column::DeletedAt, Expr::val(now.millis()))
        .col_expr(Column::DeletedBy, Expr::val(caller.grant.as_ref().map(|grant| grant.user_id)))
        .col_expr(Column::RowVersion, Expr::col(Column::RowVersion).add(1))
        .col_expr(Column::UpdatedAt, Expr::val(now.millis()))
        .filter(Column::Id.is_in(ids));
    hidden.exec(tx).await?;
    bindings::mark_all(tx, devices).await
}

/// Hides what belongs to devices, or shows it again. Links to them, their groups, their commands and what their meters came
/// to say themselves whether they are there.
pub async fn rest(tx: &DatabaseTransaction, devices: &[DeviceId], hidden_at: Option<i64>) -> Result<()> {
    macro_rules! set {
        ($($table:ident),+) => {$(
            let rows = $table::Entity::update_many().col_expr($table::Column::HiddenAt, Expr::val(hidden_at));
            rows.filter($table::Column::DeviceId.is_in(devices.iter().copied())).exec(tx).await?;
        )+};
    }
    set!(document, share_link, maintenance, maintenance_log);
    Ok(())
}

/// What was not sent yet is not sent when the device comes back.
async fn cancel_commands(
    tx: &DatabaseTransaction,
    caller: &Caller,
    devices: &[DeviceId],
    now: Timestamp,
) -> Result<()> {
    let open = command::Entity::find()
        .filter(command::Column::DeviceId.is_in(devices.iter().copied()))
        .filter(command::Column::State.is_in([CommandState::Queued, CommandState::AwaitingConsent]));
    for mut row in open.lock_exclusive().all(tx).await? {
        (row.state, row.state_reason) = (CommandState::Cancelled, CommandReason::Unspecified);
        row.decided_by = caller.grant.as_ref().map(|grant| grant.user_id);
        row.touch(now);
        row.into_active_model().reset_all().update(tx).await?;
    }
    Ok(())
}
