//! Which files a thing has.

use std::{
    collections::{BTreeSet, HashMap},
    str::FromStr,
};

use armada_proto::{DocumentId, FileId, MaintenanceLogId, TenantId, Timestamp, v1};
use armada_runtime::{Caller, Error, Result};
use sea_orm::{
    ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::{Expr, Value},
};

use crate::entity::file::{Column, Entity, Model};

/// Files of one thing.
const FILES_MAX: usize = 20;

/// What has files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Owner {
    /// A document of a vehicle or driver.
    Document(DocumentId),
    /// A maintenance that was completed.
    MaintenanceLog(MaintenanceLogId),
}

impl Owner {
    /// Whose a file is.
    pub fn of(file: &Model) -> Option<Self> {
        file.document_id.map(Self::Document).or(file.maintenance_log_id.map(Self::MaintenanceLog))
    }

    /// Where it stands.
    fn column(self) -> Column {
        match self {
            Self::Document(_) => Column::DocumentId,
            Self::MaintenanceLog(_) => Column::MaintenanceLogId,
        }
    }

    fn value(self) -> Value {
        match self {
            Self::Document(id) => id.into(),
            Self::MaintenanceLog(id) => id.into(),
        }
    }
}

/// The files of these, the first ones first.
pub async fn of(tx: &DatabaseTransaction, owners: Vec<Owner>) -> Result<HashMap<Owner, Vec<v1::File>>> {
    let Some(column) = owners.first().map(|owner| owner.column()) else { return Ok(HashMap::new()) };
    let values = owners.into_iter().map(Owner::value);
    let rows = Entity::kept().filter(column.is_in(values)).order_by_asc(Column::Id).all(tx).await?;
    let mut files = HashMap::<_, Vec<v1::File>>::new();
    for row in rows {
        if let Some(owner) = Owner::of(&row) {
            files.entry(owner).or_default().push(row.into());
        }
    }
    Ok(files)
}

/// Gives something of a tenant these files, by their ids with commas between, and no others. New ones are the caller's own
/// that nothing names yet.
pub async fn set(tx: &DatabaseTransaction, caller: &Caller, tenant: TenantId, owner: Owner, ids: &str) -> Result<()> {
    let unknown = || Error::field("file_ids", "unknown");
    let ids = ids.split(',').map(str::trim).filter(|id| !id.is_empty()).map(FileId::from_str);
    let ids: BTreeSet<FileId> = ids.collect::<Result<_, _>>().map_err(|_| unknown())?;
    if ids.len() > FILES_MAX {
        return Err(Error::field("file_ids", "too_many"));
    }
    let user = caller.grant.as_ref().map(|grant| grant.user_id);
    let named = Entity::kept().filter(Column::TenantId.eq(tenant));
    let named = named.filter(Column::Id.is_in(ids.iter().copied())).lock_exclusive().all(tx).await?;
    let is_own = |file: &&Model| match Owner::of(file) {
        Some(other) => other == owner,
        None => file.uploaded_by == user,
    };
    if named.iter().filter(is_own).count() != ids.len() {
        return Err(unknown());
    }
    remove(tx, owner, &ids).await?;
    let naming = Entity::update_many().col_expr(owner.column(), Expr::val(owner.value()));
    naming.filter(Column::Id.is_in(ids)).exec(tx).await?;
    Ok(())
}

/// Removes the files of something that goes away.
pub async fn remove_all(tx: &DatabaseTransaction, owner: Owner) -> Result<()> {
    remove(tx, owner, &BTreeSet::new()).await
}

/// Removes the files of something but for these: from now on nobody sees them, and the sweep takes them away.
async fn remove(tx: &DatabaseTransaction, owner: Owner, but: &BTreeSet<FileId>) -> Result<()> {
    let removing = Entity::update_many()
        .col_expr(Column::RemovedAt, Expr::val(Timestamp::now().millis()))
        .col_expr(owner.column(), Expr::val(Value::Uuid(None)))
        .filter(owner.column().eq(owner.value()))
        .filter(Column::Id.is_not_in(but.iter().copied()));
    removing.exec(tx).await?;
    Ok(())
}
