//! The states of a command, and how others hear of them.

use armada_proto::v1::{Command, CommandReason, CommandState};
use armada_proto::{Timestamp, binding};
use armada_runtime::{Bus, Code, Database, Error, Result, Scope, resource::Row};
use prost::Message;
use sea_orm::{ActiveModelTrait, ColumnTrait, EntityTrait, IntoActiveModel, QueryFilter, QuerySelect};

use crate::entity::command::{Column, Entity, Model};

/// Whether something may still become of it by itself.
pub fn is_open(state: CommandState) -> bool {
    matches!(state, CommandState::AwaitingConsent | CommandState::Queued | CommandState::Sent)
}

/// An error unless a command is in one of these states.
pub fn must_be(row: &Model, states: &[CommandState]) -> Result<()> {
    if states.contains(&row.state) {
        return Ok(());
    }
    Err(Error::new(Code::Conflict, "command_state", "The command is in another state by now."))
}

/// Changes a command that is still in one of these states; none when it no longer is.
pub async fn change(
    db: &Database,
    row: &Model,
    from: &[CommandState],
    change: impl FnOnce(&mut Model) -> bool,
) -> Result<Option<Model>> {
    let tx = db.write(&Scope::Tenant(row.tenant_id)).await?;
    let rows = Entity::find().filter(Column::Id.eq(row.id)).lock_exclusive();
    let Some(mut row) = rows.one(&tx).await?.filter(|row| from.contains(&row.state)) else { return Ok(None) };
    if !change(&mut row) {
        return Ok(None);
    }
    row.touch(Timestamp::now());
    let row = row.into_active_model().reset_all().update(&tx).await?;
    tx.commit().await?;
    Ok(Some(row))
}

/// Puts a command into a state, and says why.
pub fn set(row: &mut Model, state: CommandState, reason: CommandReason) {
    (row.state, row.state_reason) = (state, reason);
}

/// Publishes to the edge how a command stands. Whoever misses it reads it.
pub async fn publish(bus: &Bus, row: &Model) {
    let command = Command::from(row.clone()).encode_to_vec();
    if let Err(error) = bus.client.publish(binding::commands_subject(row.tenant_id), command.into()).await {
        tracing::debug!(%error, "the edge is not notified how a command stands");
    }
}
