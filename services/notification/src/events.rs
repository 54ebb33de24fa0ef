//! What has happened, for whoever may see the vehicle or driver that it concerns.

use armada_proto::{
    ResourceList,
    access::permission,
    v1::{EventCount, EventList, EventSummary, ListEventsRequest, events_server},
};
use armada_runtime::{
    Caller, Database, Error, Result, ServiceKey, Validate,
    list::{List, ListQuery, Searched, Sort},
};
use futures::stream::BoxStream;
use sea_orm::{ColumnTrait, Condition, QueryFilter, QueryOrder, QuerySelect, Select};
use tonic::{Request, Response, Status};

use crate::{
    audited_export::AuditedExport,
    entity::event::{Column, Entity},
    kinds::{of_kind, of_kinds},
    visible::{View, Visible, VisibleScope},
};

/// How events are listed.
const LIST: List<Column> = List {
    sortable: &[("occurred_at", Sort::Plain(Column::OccurredAt)), ("recorded_at", Sort::Plain(Column::RecordedAt))],
    searched: Searched::Indexed(Column::Search),
    id: Column::Id,
};
/// Modules whose events say what their own lists say, and the permission for those.
const LISTED_ELSEWHERE: [(&str, &str); 2] =
    [("document.*", permission::DOCUMENT_LIST), ("maintenance.*", permission::MAINTENANCE_LIST)];

/// The RPCs.
pub struct Events {
    pub(crate) db: Database,
    pub(crate) visible: Visible,
    pub(crate) service_key: ServiceKey,
}

impl events_server::Events for Events {
    async fn list(&self, request: Request<ListEventsRequest>) -> Result<Response<EventList>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.list(&caller, request.into_inner()).await?))
    }

    async fn summary(&self, request: Request<ListEventsRequest>) -> Result<Response<EventSummary>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.summary(&caller, request.into_inner()).await?))
    }

    type ExportStream = BoxStream<'static, Result<EventList, Status>>;

    async fn export(&self, request: Request<ListEventsRequest>) -> Result<Response<Self::ExportStream>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.export(&caller, request.into_inner()).await?))
    }
}

impl Events {
    async fn list(&self, caller: &Caller, mut request: ListEventsRequest) -> Result<EventList> {
        request.validate().check()?;
        let view = self.visible.view(caller, scope_of(&request)).await?;
        let scope = view.scope;
        let tx = self.db.read(&scope).await?;
        let (rows, paging) = LIST.fetch(&tx, filtered(caller, view, &request)?, ListQuery::of(&request)).await?;
        // Nothing is held while fleet is asked.
        tx.commit().await?;
        Ok(EventList::new(self.visible.named(caller, scope, rows).await?, paging))
    }

    async fn summary(&self, caller: &Caller, mut request: ListEventsRequest) -> Result<EventSummary> {
        request.validate().check()?;
        let view = self.visible.view(caller, scope_of(&request)).await?;
        let tx = self.db.read(&view.scope).await?;
        let rows = LIST.matching(&tx, filtered(caller, view, &request)?, ListQuery::of(&request)).await?;
        let counts = rows.select_only().column(Column::Kind).column_as(Column::Id.count(), "count");
        let counts: Vec<(String, i64)> =
            counts.group_by(Column::Kind).order_by_asc(Column::Kind).into_tuple().all(&tx).await?;
        tx.commit().await?;
        let count = |(kind, count): (String, i64)| EventCount { kind, count: u32::try_from(count).unwrap_or(u32::MAX) };
        let items: Vec<_> = counts.into_iter().map(count).collect();
        Ok(EventSummary { total: items.iter().map(|item| item.count).sum(), items })
    }

    /// Everything of a list, which is an act of its own.
    async fn export(
        &self,
        caller: &Caller,
        mut request: ListEventsRequest,
    ) -> Result<BoxStream<'static, Result<EventList, Status>>> {
        request.validate().check()?;
        let view = self.visible.view(caller, scope_of(&request)).await?;
        let scope = view.scope;
        let export = LIST.export(&self.db, scope, filtered(caller, view, &request)?, ListQuery::of(&request)).await?;
        let (act, key) = (permission::EVENT_EXPORT, &self.service_key);
        let export = AuditedExport::begin(&self.db, key, caller, act, scope, export).await?;
        let visible = self.visible.clone();
        Ok(export.lists(move |caller, scope, rows| {
            let visible = visible.clone();
            async move { visible.named(&caller, scope, rows).await }
        }))
    }
}

/// Of whose events a request asks.
fn scope_of(request: &ListEventsRequest) -> VisibleScope<'_> {
    VisibleScope {
        user_id: request.user_id.as_deref(),
        tenant_id: request.tenant_id.as_deref(),
        device_ids: &request.device_ids,
    }
}

/// What a caller sees of what a request asks for.
fn filtered(caller: &Caller, view: View, request: &ListEventsRequest) -> Result<Select<Entity>> {
    let mut rows = Entity::within(view.scope);
    rows = rows.filter(view.condition(Column::DeviceId));
    for (kinds, permission) in LISTED_ELSEWHERE {
        if !caller.can(permission) {
            rows = rows.filter(Condition::all().add(of_kind(Column::Kind, kinds)).not());
        }
    }
    if !request.kinds.is_empty() {
        rows = rows.filter(of_kinds(Column::Kind, &request.kinds));
    }
    if let Some((from, to)) = request.from.zip(request.to)
        && from > to
    {
        return Err(Error::field("from", "after_to"));
    }
    if let Some(from) = request.from {
        rows = rows.filter(Column::OccurredAt.gte(from.millis()));
    }
    if let Some(to) = request.to {
        rows = rows.filter(Column::OccurredAt.lt(to.millis()));
    }
    Ok(rows)
}
