//! Everything that matches a list, in pieces for a file. To take that away is an act of its own, which the audit tells.

use armada_runtime::{
    Caller, Database, Result, Scope, ServiceKey,
    audit::{self, Act, Change, Object},
    auth::Grant,
    list::Export,
};
use sea_orm::EntityTrait;
use serde_json::json;

/// What is left of an export.
pub struct AuditedExport<E: EntityTrait> {
    export: Export<E>,
    service_key: ServiceKey,
    /// For whom it is made.
    grant: Option<Grant>,
    /// Of whose data it is.
    pub scope: Scope,
    /// Entries that matched.
    pub total: u32,
}

impl<E: EntityTrait> AuditedExport<E> {
    /// Enters in the audit, as this act, that a caller takes an export away.
    pub async fn begin(
        db: &Database,
        service_key: &ServiceKey,
        caller: &Caller,
        act: &'static str,
        scope: Scope,
        export: Export<E>,
    ) -> Result<Self> {
        let total = export.remaining();
        let change = Change { before: None, after: Some(json!({ "count": total })) };
        let tx = db.write(&scope).await?;
        audit::record(&tx, caller, Act { act, tenant: scope.tenant(), object: Object::default(), change }).await?;
        tx.commit().await?;
        Ok(Self { export, service_key: service_key.clone(), grant: caller.grant.clone(), scope, total })
    }

    /// The next entries, and as whom to ask for what belongs to them: whoever reads slowly outlives the token that they
    /// asked with.
    pub async fn next(&mut self) -> Result<Option<(Vec<E::Model>, Caller)>> {
        let Some(rows) = self.export.next().await? else { return Ok(None) };
        Ok(Some((rows, self.service_key.caller(self.scope, self.grant.clone())?)))
    }
}
