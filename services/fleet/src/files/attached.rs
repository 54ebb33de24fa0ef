//! Which files a document has.

use std::{
    collections::{BTreeSet, HashMap},
    str::FromStr,
};

use armada_proto::{DocumentId, FileId, Timestamp, v1};
use armada_runtime::{Caller, Error, Result};
use sea_orm::{
    ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::{Expr, Value},
};

use crate::entity::{
    document,
    file::{Column, Entity, Model},
};

/// Files of one document.
const FILES_MAX: usize = 20;

/// The files of these documents, the first ones first.
pub async fn of(
    tx: &DatabaseTransaction,
    documents: impl IntoIterator<Item = DocumentId>,
) -> Result<HashMap<DocumentId, Vec<v1::File>>> {
    let rows = Entity::kept().filter(Column::DocumentId.is_in(documents)).order_by_asc(Column::Id).all(tx).await?;
    let mut files = HashMap::<_, Vec<v1::File>>::new();
    for row in rows {
        if let Some(document) = row.document_id {
            files.entry(document).or_default().push(row.into());
        }
    }
    Ok(files)
}

/// Gives a document these files, by their ids with commas between, and no others. New ones are the caller's own that
/// nothing names yet.
pub async fn set(tx: &DatabaseTransaction, caller: &Caller, document: &document::Model, ids: &str) -> Result<()> {
    let unknown = || Error::field("file_ids", "unknown");
    let ids = ids.split(',').map(str::trim).filter(|id| !id.is_empty()).map(FileId::from_str);
    let ids: BTreeSet<FileId> = ids.collect::<Result<_, _>>().map_err(|_| unknown())?;
    if ids.len() > FILES_MAX {
        return Err(Error::field("file_ids", "too_many"));
    }
    let user = caller.grant.as_ref().map(|grant| grant.user_id);
    let named = Entity::kept().filter(Column::TenantId.eq(document.tenant_id));
    let named = named.filter(Column::Id.is_in(ids.iter().copied())).lock_exclusive().all(tx).await?;
    let is_own = |file: &&Model| match file.document_id {
        Some(owner) => owner == document.id,
        None => file.uploaded_by == user,
    };
    if named.iter().filter(is_own).count() != ids.len() {
        return Err(unknown());
    }
    remove(tx, document.id, &ids).await?;
    let naming = Entity::update_many().col_expr(Column::DocumentId, Expr::val(document.id));
    naming.filter(Column::Id.is_in(ids)).exec(tx).await?;
    Ok(())
}

/// Removes the files of a document that goes away.
pub async fn remove_all(tx: &DatabaseTransaction, document: DocumentId) -> Result<()> {
    remove(tx, document, &BTreeSet::new()).await
}

/// Removes the files of a document but for these: from now on nobody sees them, and the sweep takes them away.
async fn remove(tx: &DatabaseTransaction, document: DocumentId, but: &BTreeSet<FileId>) -> Result<()> {
    let removing = Entity::update_many()
        .col_expr(Column::RemovedAt, Expr::val(Timestamp::now().millis()))
        .col_expr(Column::DocumentId, Expr::val(Value::Uuid(None)))
        .filter(Column::DocumentId.eq(document))
        .filter(Column::Id.is_not_in(but.iter().copied()));
    removing.exec(tx).await?;
    Ok(())
}
