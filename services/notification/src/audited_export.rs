//! Everything that matches a list, in pieces for a file. To take that away is an act of its own, which the audit tells.

use armada_proto::ResourceList;
use armada_runtime::{
    Caller, Database, Result, Scope, ServiceKey,
    audit::{self, Act, Object},
    auth::Grant,
    list::Export,
};
use futures::{StreamExt, stream, stream::BoxStream};
use sea_orm::EntityTrait;
use tonic::Status;

/// What is left of an export.
pub struct AuditedExport<E: EntityTrait> {
    export: Export<E>,
    service_key: ServiceKey,
    /// For whom it is made.
    grant: Option<Grant>,
    /// Of whose data it is.
    scope: Scope,
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
        let change = audit::taken_away(export.counted());
        let tx = db.write(&scope).await?;
        audit::record(&tx, caller, Act { act, tenant: scope.tenant(), object: Object::default(), change }).await?;
        tx.commit().await?;
        Ok(Self { export, service_key: service_key.clone(), grant: caller.grant.clone(), scope })
    }

    /// The rest as lists, their entries shown by `show`, which is given as whom to ask for what belongs to them: whoever
    /// reads slowly outlives the token that they asked with.
    pub fn lists<L, Show, Shown>(self, show: Show) -> BoxStream<'static, Result<L, Status>>
    where
        L: ResourceList,
        Show: Fn(Caller, Scope, Vec<E::Model>) -> Shown + Send + 'static,
        Shown: Future<Output = Result<Vec<L::Item>>> + Send + 'static,
    {
        let lists = stream::try_unfold((self, show), async |(mut export, show)| {
            let Some(rows) = export.export.next().await? else { return Ok(None) };
            let caller = export.service_key.caller(export.scope, export.grant.clone())?;
            let shown = show(caller, export.scope, rows);
            let list = L::new(shown.await?, export.export.counted().clone());
            Ok(Some((list, (export, show))))
        });
        lists.boxed()
    }
}
