//! What was done, by whom, and whether the record of it is whole: tenants see their own chain, platform owners all.

pub mod append;
pub mod canonical;
pub mod erase;
pub mod received;
pub mod verify;

use armada_proto::{
    ResourceList, UserId,
    access::permission,
    v1::{AuditEntry, AuditList, AuditVerification, ListAuditRequest, VerifyAuditRequest, audit_server},
};
use armada_runtime::{
    Caller, Database, Error, Result, Scope,
    audit::{self, Act, Object},
    list::{Export, List, ListQuery, Searched, Sort},
};
use futures::{StreamExt, TryStreamExt, stream, stream::BoxStream};
use sea_orm::{ColumnTrait, Condition, QueryFilter, Select, sea_query::LikeExpr};
use tonic::{Request, Response, Status};

use crate::entity::audit_entry::{Column, Entity};

/// Users, or acts, that one list may be narrowed to.
const FILTERS_MAX: usize = 500;

/// How entries are listed.
const LIST: List<Column> =
    List { sortable: &[("at", Sort::Plain(Column::At))], searched: Searched::Indexed(Column::Search), id: Column::Id };
/// The RPCs.
pub struct Audit {
    pub(crate) db: Database,
}

impl audit_server::Audit for Audit {
    async fn list(&self, request: Request<ListAuditRequest>) -> Result<Response<AuditList>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.list(&caller, &request.into_inner()).await?))
    }

    type ExportStream = BoxStream<'static, Result<AuditList, Status>>;

    async fn export(&self, request: Request<ListAuditRequest>) -> Result<Response<Self::ExportStream>, Status> {
        let caller = Caller::of(&request)?;
        let export = self.export(&caller, &request.into_inner()).await?;
        let counted = export.counted().clone();
        let pieces = stream::try_unfold(export, async |mut export| Ok(export.next().await?.map(|rows| (rows, export))));
        let lists = pieces
            .map_ok(move |rows| AuditList::new(rows.into_iter().map(AuditEntry::from).collect(), counted.clone()));
        Ok(Response::new(lists.boxed()))
    }

    async fn verify(&self, request: Request<VerifyAuditRequest>) -> Result<Response<AuditVerification>, Status> {
        let caller = Caller::of(&request)?;
        let request = request.into_inner();
        let scope = caller.narrow(request.tenant_id.as_deref())?;
        Ok(Response::new(verify::verify(&self.db, scope.tenant(), request).await?))
    }
}

impl Audit {
    async fn list(&self, caller: &Caller, request: &ListAuditRequest) -> Result<AuditList> {
        let scope = caller.narrow(request.tenant_id.as_deref())?;
        let rows = filtered(scope, request)?;
        let tx = self.db.read(&scope).await?;
        let (rows, paging) = LIST.fetch(&tx, rows, ListQuery::of(request)).await?;
        Ok(AuditList::new(rows.into_iter().map(AuditEntry::from).collect(), paging))
    }

    /// Everything of a list, which is an act of its own.
    async fn export(&self, caller: &Caller, request: &ListAuditRequest) -> Result<Export<Entity>> {
        let scope = caller.narrow(request.tenant_id.as_deref())?;
        let export = LIST.export(&self.db, scope, filtered(scope, request)?, ListQuery::of(request)).await?;
        let change = audit::taken_away(export.counted());
        let tx = self.db.write(&scope).await?;
        let act = Act { act: permission::AUDIT_EXPORT, tenant: scope.tenant(), object: Object::default(), change };
        audit::record(&tx, caller, act).await?;
        tx.commit().await?;
        Ok(export)
    }
}

/// The entries of a scope that a request asks for.
fn filtered(scope: Scope, request: &ListAuditRequest) -> Result<Select<Entity>> {
    for (name, values) in [("actor_id", &request.actor_ids), ("act", &request.acts)] {
        if values.len() > FILTERS_MAX {
            return Err(Error::field(name, "too_many"));
        }
    }
    let mut rows = Entity::within(scope);
    if !request.actor_ids.is_empty() {
        // What is no id did nothing; a list of such narrows to nothing.
        let actors = request.actor_ids.iter().filter_map(|id| id.parse::<UserId>().ok());
        rows = rows.filter(Column::ActorId.is_in(actors));
    }
    if !request.acts.is_empty() {
        let query = request.acts.iter().fold(Condition::any(), |any, act| any.add(acts(act)));
        rows = rows.filter(query);
    }
    for (column, query) in [(Column::ObjectKind, &request.object_kind), (Column::ObjectId, &request.object_id)] {
        if !query.is_empty() {
            rows = rows.filter(column.eq(query));
        }
    }
    if let Some((from, to)) = request.from.zip(request.to)
        && from > to
    {
        return Err(Error::field("from", "after_to"));
    }
    if let Some(from) = request.from {
        rows = rows.filter(Column::At.gte(from.millis()));
    }
    if let Some(to) = request.to {
        rows = rows.filter(Column::At.lt(to.millis()));
    }
    Ok(rows)
}

/// One act, or with a star all of a module.
fn acts(query: &str) -> sea_orm::sea_query::Expr {
    match query.strip_suffix('*') {
        Some(module) => {
            let literally = module.replace('\\', r"\\").replace('%', r"\%").replace('_', r"\_");
            Column::Act.like(LikeExpr::new(format!("{literally}%")).escape('\\'))
        }
        None => Column::Act.eq(query),
    }
}
