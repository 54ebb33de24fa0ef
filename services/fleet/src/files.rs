//! Files that belong to other things. One is uploaded first, by whoever may make or change what has files, and then named
//! by it; who sees that thing reads the file. Its row is written before its object and removed after it, so that whatever
//! dies in between, no object is nobody's: [`sweep`] finds the row.

pub mod attached;
mod content;
mod http;
mod made;
mod storage;
mod sweep;
mod upload;

use std::{str::FromStr, sync::Arc};

use armada_proto::{
    FileId, TenantId,
    access::permission::{DOCUMENT_LIST, MAINTENANCE_LOG_LIST},
    v1::{self, FileContent, GetRequest, StorageUsage, StorageUsageRequest, UploadFileRequest, files_server},
};
use armada_runtime::{Caller, Code, Database, Error, Result, ServiceKey, idempotency::carried};
use futures::{StreamExt, stream, stream::BoxStream};
use sea_orm::{ColumnTrait, QueryFilter};
use tokio::sync::Notify;
use tonic::{Request, Response, Status, Streaming};

use self::attached::Owner;
pub use self::storage::Storage;
use crate::{
    entity::{
        document,
        file::{Column, Entity, Model},
        maintenance_log,
    },
    identity::IdentityClient,
    limits,
};

/// The RPCs. Cheap to clone.
#[derive(Clone)]
pub struct Files {
    pub(crate) db: Database,
    pub(crate) identity: IdentityClient,
    pub(crate) service_key: ServiceKey,
    pub(crate) storage: Storage,
    /// Bytes of one file.
    pub(crate) max_bytes: u64,
    /// Wakes the sweep: there is something to remove.
    pub(crate) removed: Arc<Notify>,
}

impl files_server::Files for Files {
    type ContentStream = BoxStream<'static, Result<FileContent, Status>>;

    async fn upload(&self, request: Request<Streaming<UploadFileRequest>>) -> Result<Response<v1::File>, Status> {
        let caller = Caller::of(&request)?;
        // To its end also when whoever asked goes away: it tidies up after itself.
        let received = tokio::spawn(carried(self.clone().receive(caller, request.into_inner())));
        Ok(Response::new(received.await.map_err(Error::internal)??))
    }

    async fn content(&self, request: Request<GetRequest>) -> Result<Response<Self::ContentStream>, Status> {
        let caller = Caller::of(&request)?;
        let file = self.seen(&caller, &request.into_inner().id).await?;
        let Some(content) = self.storage.read(file.tenant_id, file.id).await? else {
            let message = format!("the content of file {} is not in the store", file.id);
            tracing::error!(file = %file.id, "the content of a file is not in the store");
            return Err(Error::new(Code::NotFound, "file_missing", message).into());
        };
        let first = FileContent { file: Some(file.into()), ..FileContent::default() };
        let parts = content.map(|part| Ok(FileContent { file: None, content: part? }));
        Ok(Response::new(stream::once(async { Ok(first) }).chain(parts).boxed()))
    }

    async fn usage(&self, request: Request<StorageUsageRequest>) -> Result<Response<StorageUsage>, Status> {
        let caller = Caller::of(&request)?;
        let scope = caller.narrow(request.into_inner().tenant_id.as_deref())?;
        let tenant = scope.tenant().ok_or_else(|| Error::field("tenant_id", "required"))?;
        let limit = self.limit(tenant).await?;
        let tx = self.db.read(&scope).await?;
        let used = limits::used_bytes(&tx, tenant).await?;
        let number = |bytes: u64| i64::try_from(bytes).unwrap_or(i64::MAX);
        Ok(Response::new(StorageUsage {
            used_bytes: number(used),
            limit_bytes: number(limit),
            file_limit_bytes: number(self.max_bytes),
        }))
    }
}

impl Files {
    /// Bytes that the files of a tenant may take; 0 for no limit.
    async fn limit(&self, tenant: TenantId) -> Result<u64> {
        let tenant = self.identity.named_tenant(&self.service_key, &tenant.to_string()).await?;
        Ok(u64::from(tenant.storage_limit_mb) << 20)
    }

    /// A file, for who sees what names it; one that nothing names yet, for who uploaded it.
    async fn seen(&self, caller: &Caller, id: &str) -> Result<Model> {
        let tx = self.db.read(&caller.scope()).await?;
        let rows = Entity::kept().filter(Column::Id.is_in(FileId::from_str(id)));
        let rows = match caller.scope().tenant() {
            Some(tenant) => rows.filter(Column::TenantId.eq(tenant)),
            None => rows,
        };
        let file = rows.one(&tx).await?.ok_or_else(Error::not_found)?;
        let is_seen = match Owner::of(&file) {
            Some(Owner::Document(id)) if caller.can(DOCUMENT_LIST) => {
                let documents = document::Entity::visible_to(caller, caller.scope());
                documents.filter(document::Column::Id.eq(id)).one(&tx).await?.is_some()
            }
            Some(Owner::MaintenanceLog(id)) if caller.can(MAINTENANCE_LOG_LIST) => {
                let logs = maintenance_log::Entity::visible_to(caller, caller.scope());
                logs.filter(maintenance_log::Column::Id.eq(id)).one(&tx).await?.is_some()
            }
            Some(_) => false,
            None => file.uploaded_by == caller.grant.as_ref().map(|grant| grant.user_id),
        };
        if is_seen { Ok(file) } else { Err(Error::not_found()) }
    }
}
