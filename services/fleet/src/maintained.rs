//! Devices that somebody maintains, for what is changed of them besides their rows.

use armada_proto::DeviceId;
use armada_runtime::{Caller, Error, Result};
use sea_orm::{ColumnTrait, DatabaseTransaction, QueryFilter, QuerySelect};

use crate::{
    entity::device::{Column, Entity, Model},
    members,
};

/// A device that the caller sees and may change, locked until the transaction ends.
pub async fn maintained(tx: &DatabaseTransaction, caller: &Caller, id: DeviceId) -> Result<Model> {
    let rows = Entity::visible_to(caller, caller.scope()).filter(Column::Id.eq(id));
    let device = rows.lock_exclusive().one(tx).await?.ok_or_else(Error::not_found)?;
    members::must_be(tx, caller, id, members::MAINTAINERS).await?;
    Ok(device)
}
