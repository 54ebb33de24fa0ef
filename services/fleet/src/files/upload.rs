//! Taking a file in: what it is shows in its beginning, before anything is kept; its room is taken before the rest comes;
//! and it can be named when all of it is in the store.

use std::time::Duration;

use armada_proto::{
    FileId, TenantId, Timestamp, UserId,
    access::permission::{DOCUMENT_CREATE, DOCUMENT_UPDATE, MAINTENANCE_LOG_CREATE, MAINTENANCE_LOG_UPDATE},
    v1::{self, FileKind, UploadFileRequest},
};
use armada_runtime::{Caller, Error, Result, Scope, Validate, resource::tenant_of_new};
use bytes::{Bytes, BytesMut};
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait, EntityTrait, QueryFilter,
    sea_query::Expr,
};
use sha2::{Digest, Sha256};
use tokio::time::timeout;
use tonic::Streaming;

use super::{Files, content, storage::Writer};
use crate::{
    entity::file::{ActiveModel, Column, Entity, Model},
    limits,
};

/// How long the next piece may take.
const STALLED: Duration = Duration::from_secs(30);
/// How long all of them may: the sweep takes for dead what is not whole by then.
const TIMEOUT: Duration = Duration::from_secs(30 * 60);

type Pieces = Streaming<UploadFileRequest>;

impl Files {
    /// Takes in a whole file.
    pub(super) async fn receive(self, caller: Caller, mut pieces: Pieces) -> Result<v1::File> {
        let naming = [DOCUMENT_CREATE, DOCUMENT_UPDATE, MAINTENANCE_LOG_CREATE, MAINTENANCE_LOG_UPDATE];
        if !naming.iter().any(|permission| caller.can(permission)) {
            return Err(Error::forbidden());
        }
        let mut first = next(&mut pieces).await?.unwrap_or_default();
        let mut violations = first.validate();
        let tenant = tenant_of_new(&caller, first.tenant_id.as_deref(), &mut violations);
        violations.check()?;
        let tenant = tenant.ok_or_else(Error::not_found)?;
        if first.size > self.max_bytes {
            return Err(too_large());
        }
        let head = head(&mut pieces, first.content).await?;
        if head.is_empty() {
            return Err(Error::field("file", "file_empty"));
        }
        let kind = content::kind(&first.name, &head)?;
        let size = if first.size == 0 { self.max_bytes } else { first.size };
        let user = caller.grant.as_ref().map(|grant| grant.user_id);
        let file = self.reserve(user, tenant, first.name, kind, size).await?;
        let stored = timeout(TIMEOUT, self.store(&file, head, &mut pieces)).await;
        let stored = stored.unwrap_or_else(|_| Err(Error::field("file", "file_broken")));
        let settled = match stored {
            Ok((size, sha256)) => self.settle(&file, size, sha256).await,
            Err(error) => Err(error),
        };
        if settled.is_err() {
            self.give_up(&file).await;
        }
        settled.map(v1::File::from)
    }

    /// Takes room for a file, and notes that there may be an object of it from now on.
    pub(super) async fn reserve(
        &self,
        uploaded_by: Option<UserId>,
        tenant: TenantId,
        name: String,
        kind: FileKind,
        size: u64,
    ) -> Result<Model> {
        let limit = self.limit(tenant).await?;
        let tx = self.db.write(&Scope::Tenant(tenant)).await?;
        limits::check_storage_limit(&tx, tenant, limit, size).await?;
        let row = ActiveModel {
            id: Set(FileId::new()),
            tenant_id: Set(tenant),
            name: Set(name),
            kind: Set(kind),
            size: Set(i64::try_from(size).unwrap_or(i64::MAX)),
            sha256: Set(String::new()),
            is_stored: Set(false),
            uploaded_by: Set(uploaded_by),
            document_id: NotSet,
            maintenance_log_id: NotSet,
            removed_at: NotSet,
            created_at: Set(Timestamp::now().millis()),
        };
        let row = Entity::insert(row).exec_with_returning(&tx).await?;
        tx.commit().await?;
        Ok(row)
    }

    /// Writes the content into the store; its size and its hash.
    async fn store(&self, file: &Model, head: Bytes, pieces: &mut Pieces) -> Result<(u64, String)> {
        let mut writer = self.storage.writer(file.tenant_id, file.id)?;
        match write(&mut writer, u64::try_from(file.size).unwrap_or_default(), head, pieces).await {
            Ok(written) => writer.finish().await.map(|()| written),
            Err(error) => {
                if let Err(error) = writer.abort().await {
                    tracing::warn!(%error, file = %file.id, "an upload could not be taken back");
                }
                Err(error)
            }
        }
    }

    /// From now on the file can be named; unless it was taken for dead, or its tenant was erased.
    async fn settle(&self, file: &Model, size: u64, sha256: String) -> Result<Model> {
        let file = Model { size: i64::try_from(size).unwrap_or(i64::MAX), sha256, is_stored: true, ..file.clone() };
        let tx = self.db.write(&Scope::Tenant(file.tenant_id)).await?;
        let settled = Entity::update_many()
            .col_expr(Column::Size, Expr::val(file.size))
            .col_expr(Column::Sha256, Expr::val(&file.sha256))
            .col_expr(Column::IsStored, Expr::val(true))
            .filter(Column::Id.eq(file.id))
            .filter(Column::RemovedAt.is_null());
        let settled = settled.exec(&tx).await?.rows_affected;
        tx.commit().await?;
        if settled == 1 { Ok(file) } else { Err(Error::field("file", "file_broken")) }
    }

    /// Removes what there is of a file; the sweep does when this cannot.
    pub(super) async fn give_up(&self, file: &Model) {
        let removed = async {
            self.storage.remove(file.tenant_id, file.id).await?;
            let tx = self.db.write(&Scope::Tenant(file.tenant_id)).await?;
            Entity::delete_by_id(file.id).exec(&tx).await?;
            Ok::<_, Error>(tx.commit().await?)
        };
        if let Err(error) = removed.await {
            tracing::warn!(%error, file = %file.id, "a file that was not taken in is still there; the sweep removes it");
        }
    }
}

/// As much of the beginning as tells what it is.
async fn head(pieces: &mut Pieces, first: Bytes) -> Result<Bytes> {
    let mut head = BytesMut::from(first);
    while head.len() < content::HEAD
        && let Some(piece) = next(pieces).await?
    {
        head.extend_from_slice(&piece.content);
    }
    Ok(head.freeze())
}

async fn write(writer: &mut Writer, max: u64, head: Bytes, pieces: &mut Pieces) -> Result<(u64, String)> {
    let (mut size, mut hash) = (0, Sha256::new());
    let mut part = Some(head);
    while let Some(bytes) = part {
        size += bytes.len() as u64;
        if size > max {
            return Err(too_large());
        }
        hash.update(&bytes);
        writer.write(bytes).await?;
        part = next(pieces).await?.map(|piece| piece.content);
    }
    Ok((size, data_encoding::HEXLOWER.encode(&hash.finalize())))
}

/// The next piece; none when that was all. What breaks off, or does not come, is no file.
async fn next(pieces: &mut Pieces) -> Result<Option<UploadFileRequest>> {
    let piece = timeout(STALLED, pieces.message()).await.map_err(|_| Error::field("file", "file_broken"))?;
    match piece {
        Ok(piece) if piece.as_ref().is_none_or(|piece| !piece.is_broken) => Ok(piece),
        _ => Err(Error::field("file", "file_broken")),
    }
}

fn too_large() -> Error {
    Error::field("file", "file_too_large")
}
