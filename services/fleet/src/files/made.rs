//! Files that this service makes itself: kept with what waits for them, or not at all.

use armada_proto::v1::FileKind;
use armada_runtime::{Result, Scope};
use bytes::Bytes;
use sea_orm::{
    ColumnTrait, EntityTrait, QueryFilter,
    sea_query::{Expr, Value},
};
use sha2::{Digest, Sha256};

use super::Files;
use crate::entity::{
    file::{Column, Entity, Model},
    maintenance_log,
};

impl Files {
    /// Keeps the report of a completed maintenance, unless that waits for none any more: another process was faster, or it
    /// was removed.
    pub(crate) async fn keep_report(&self, log: &maintenance_log::Model, name: String, content: Bytes) -> Result<()> {
        let size = content.len() as u64;
        let sha256 = data_encoding::HEXLOWER.encode(&Sha256::digest(&content));
        let file = self.reserve(None, log.tenant_id, name, FileKind::Pdf, size).await?;
        let stored = async {
            let mut writer = self.storage.writer(file.tenant_id, file.id)?;
            writer.write(content).await?;
            writer.finish().await
        };
        let kept = match stored.await {
            Ok(()) => self.hand_over(&file, sha256, log).await,
            Err(error) => Err(error),
        };
        if !matches!(kept, Ok(true)) {
            self.give_up(&file).await;
        }
        kept.map(drop)
    }

    /// Gives a file to what waits for it; false when nothing does.
    async fn hand_over(&self, file: &Model, sha256: String, log: &maintenance_log::Model) -> Result<bool> {
        use maintenance_log::Column as OfLog;
        let tx = self.db.write(&Scope::Tenant(file.tenant_id)).await?;
        let waiting = maintenance_log::Entity::update_many()
            .col_expr(OfLog::ReportAt, Expr::val(Value::BigInt(None)))
            .filter(OfLog::Id.eq(log.id))
            .filter(OfLog::ReportAt.is_not_null());
        let waited = waiting.exec(&tx).await?.rows_affected == 1;
        let named = Entity::update_many()
            .col_expr(Column::Sha256, Expr::val(sha256))
            .col_expr(Column::IsStored, Expr::val(true))
            .col_expr(Column::MaintenanceLogId, Expr::val(log.id))
            .filter(Column::Id.eq(file.id))
            .filter(Column::RemovedAt.is_null());
        let is_kept = waited && named.exec(&tx).await?.rows_affected == 1;
        if is_kept {
            tx.commit().await?;
        }
        Ok(is_kept)
    }
}
