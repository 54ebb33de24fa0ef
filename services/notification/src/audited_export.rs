//! Everything that matches a list, in pieces for a file. To take that away is an act of its own, which the audit tells.

use armada_runtime::{
    Caller, Database, Result, Scope, ServiceKey,
    audit::{self, Act, Change, Object},
    auth::Grant,
    list::Export,
};
use futures::{StreamExt, stream, stream::BoxStream};
use sea_orm::EntityTrait;
use serde_json::json;
use tonic::Status;

/// What is left of an export.
pub struct AuditedExport<E: EntityTrait> {
    export: Export<E>,
    service_key: ServiceKey,
    /// For whom it is made.
    grant: Option<Grant>,
    /// Of whose data it is.
    scope: Scope,
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

    /// The rest as lists, each made of its entries by `list`, which is given as whom to ask for what belongs to them: whoever
    /// reads slowly outlives the token that they asked with.
    pub fn lists<L, List, Listed>(self, list: List) -> BoxStream<'static, Result<L, Status>>
    where
        L: Send + 'static,
        List: Fn(Caller, Scope, Vec<E::Model>) -> Listed + Send + 'static,
        Listed: Future<Output = Result<L>> + Send + 'static,
    {
        let lists = stream::try_unfold((self, list), async |(mut export, list)| {
            let Some(rows) = export.export.next().await? else { return Ok(None) };
            let caller = export.service_key.caller(export.scope, export.grant.clone())?;
            let listed = list(caller, export.scope, rows);
            Ok(Some((listed.await?, (export, list))))
        });
        lists.boxed()
    }
}
