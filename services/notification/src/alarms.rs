//! Alarms of vehicles, for whoever sees the vehicle: they are listed, and stand until somebody acknowledges them.

use std::str::FromStr;

use armada_proto::{
    DeviceId, ResourceList, Timestamp,
    access::permission,
    v1::{
        AcknowledgeAlarmInput, AcknowledgeAlarmsRequest, AcknowledgedAlarms, Alarm, AlarmList, AlarmSeverity,
        AlarmState, GetRequest, ListAlarmsRequest, alarms_server,
    },
};
use armada_runtime::{
    Bus, Caller, Database, Error, Result, Scope, ServiceKey, Validate,
    audit::{self, Act, Change, Object},
    list::{List, ListQuery, Searched, Sort, among},
    outbox::{self, OutboxHandle},
    text,
};
use futures::stream::BoxStream;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, IntoActiveModel, QueryFilter, QueryOrder, QuerySelect, Select,
    prelude::Uuid,
};
use serde_json::json;
use tonic::{Request, Response, Status};

use crate::{
    audited_export::AuditedExport,
    change_notifications,
    entity::alarm::{Column, Entity, Model},
    kinds::of_kinds,
    visible::{View, Visible, VisibleScope},
};

/// How alarms are listed.
const LIST: List<Column> = List {
    sortable: &[
        ("last_at", Sort::Plain(Column::LastAt)),
        ("first_at", Sort::Plain(Column::FirstAt)),
        ("severity", Sort::Plain(Column::Severity)),
        ("count", Sort::Plain(Column::Count)),
        ("acknowledged_at", Sort::OrZero(Column::AcknowledgedAt)),
    ],
    searched: Searched::Indexed(Column::Search),
    id: Column::Id,
};
/// The RPCs.
pub struct Alarms {
    pub(crate) db: Database,
    pub(crate) bus: Bus,
    pub(crate) visible: Visible,
    pub(crate) service_key: ServiceKey,
    /// Woken when alarms have changed.
    pub(crate) outbox: OutboxHandle,
}

impl alarms_server::Alarms for Alarms {
    async fn list(&self, request: Request<ListAlarmsRequest>) -> Result<Response<AlarmList>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.list(&caller, request.into_inner()).await?))
    }

    type ExportStream = BoxStream<'static, Result<AlarmList, Status>>;

    async fn export(&self, request: Request<ListAlarmsRequest>) -> Result<Response<Self::ExportStream>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.export(&caller, request.into_inner()).await?))
    }

    async fn get(&self, request: Request<GetRequest>) -> Result<Response<Alarm>, Status> {
        let caller = Caller::of(&request)?;
        let named = Column::Id.eq(id(&request.into_inner().id)?);
        Ok(Response::new(self.one(&caller, named.into()).await?))
    }

    async fn acknowledge(&self, request: Request<AcknowledgeAlarmInput>) -> Result<Response<Alarm>, Status> {
        let caller = Caller::of(&request)?;
        let mut input = request.into_inner();
        input.validate().check().map_err(Error::from)?;
        let alarm = self.one(&caller, Column::Id.eq(id(&input.id)?).into()).await?;
        let acknowledged = self.acknowledge(&caller, vec![alarm], &input.note).await?;
        Ok(Response::new(acknowledged.into_iter().next().ok_or_else(Error::not_found)?))
    }

    async fn acknowledge_all(
        &self,
        request: Request<AcknowledgeAlarmsRequest>,
    ) -> Result<Response<AcknowledgedAlarms>, Status> {
        let caller = Caller::of(&request)?;
        let mut request = request.into_inner();
        request.validate().check().map_err(Error::from)?;
        let alarms = self.seen(&caller, named(&request)?).await?;
        let items = self.acknowledge(&caller, alarms, &request.note).await?;
        Ok(Response::new(AcknowledgedAlarms { items }))
    }
}

impl Alarms {
    async fn list(&self, caller: &Caller, mut request: ListAlarmsRequest) -> Result<AlarmList> {
        request.validate().check()?;
        let view = self.visible.view(caller, scope_of(&request)).await?;
        let scope = view.scope;
        let tx = self.db.read(&scope).await?;
        let (rows, paging) = LIST.fetch(&tx, filtered(view, &request)?, ListQuery::of(&request)).await?;
        // Nothing is held while fleet is asked.
        tx.commit().await?;
        Ok(AlarmList::new(shown(&self.visible, caller, scope, rows).await?, paging))
    }

    /// Everything of a list, which is an act of its own.
    async fn export(
        &self,
        caller: &Caller,
        mut request: ListAlarmsRequest,
    ) -> Result<BoxStream<'static, Result<AlarmList, Status>>> {
        request.validate().check()?;
        let view = self.visible.view(caller, scope_of(&request)).await?;
        let scope = view.scope;
        let export = LIST.export(&self.db, scope, filtered(view, &request)?, ListQuery::of(&request)).await?;
        let (act, key) = (permission::ALARM_EXPORT, &self.service_key);
        let export = AuditedExport::begin(&self.db, key, caller, act, scope, export).await?;
        let visible = self.visible.clone();
        Ok(export.lists(move |caller, scope, rows| {
            let visible = visible.clone();
            async move { shown(&visible, &caller, scope, rows).await }
        }))
    }

    /// An alarm of a vehicle that the caller sees.
    async fn one(&self, caller: &Caller, named: Condition) -> Result<Alarm> {
        self.seen(caller, named).await?.pop().ok_or_else(Error::not_found)
    }

    /// The alarms that meet a condition, of vehicles that the caller sees.
    async fn seen(&self, caller: &Caller, which: Condition) -> Result<Vec<Alarm>> {
        let scope = caller.scope();
        let tx = self.db.read(&scope).await?;
        let rows = Entity::within(scope).filter(which).order_by_asc(Column::Id).all(&tx).await?;
        tx.commit().await?;
        let names = self.visible.names(caller, scope, rows.iter().map(|alarm| alarm.device_id).collect()).await?;
        let named = |alarm: Model| {
            let device_name = names.get(&alarm.device_id)?.clone();
            Some(Alarm { device_name, ..alarm.into() })
        };
        Ok(rows.into_iter().filter_map(named).collect())
    }

    /// Acknowledges those that stand; returns all of them as they are then.
    async fn acknowledge(&self, caller: &Caller, alarms: Vec<Alarm>, note: &str) -> Result<Vec<Alarm>> {
        let acknowledged = self.store(caller, &alarms, note).await?;
        if !acknowledged.is_empty() {
            self.outbox.flush().await;
            change_notifications::publish(
                &self.bus,
                acknowledged.iter().map(|alarm| (alarm.tenant_id, Some(alarm.device_id))),
            )
            .await;
        }
        let ids: Vec<Uuid> = alarms.iter().filter_map(|alarm| Uuid::try_parse(&alarm.id).ok()).collect();
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        self.seen(caller, Column::Id.is_in(ids).into()).await
    }

    /// Those that nobody has acknowledged until now, in one transaction with what the audit says of it.
    async fn store(&self, caller: &Caller, alarms: &[Alarm], note: &str) -> Result<Vec<Model>> {
        let open = alarms.iter().filter(|alarm| alarm.state() == AlarmState::Open);
        let ids: Vec<Uuid> = open.filter_map(|alarm| Uuid::try_parse(&alarm.id).ok()).collect();
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let (scope, now) = (caller.scope(), Timestamp::now().millis());
        let tx = self.db.write(&scope).await?;
        // In one order, or two who acknowledge the same would wait for each other.
        let open = Entity::within(scope).filter(Column::Id.is_in(ids)).filter(Column::AcknowledgedAt.is_null());
        let open = open.order_by_asc(Column::Id).lock_exclusive().all(&tx).await?;
        let mut acknowledged = Vec::with_capacity(open.len());
        for mut alarm in open {
            alarm.acknowledged_at = Some(now);
            alarm.acknowledged_by = caller.grant.as_ref().map(|grant| grant.user_id);
            (alarm.note, alarm.search) = (note.to_owned(), text::search_key(note));
            alarm.row_version += 1;
            let alarm = alarm.into_active_model().reset_all().update(&tx).await?;
            audit::record(&tx, caller, act(&alarm, alarms)).await?;
            acknowledged.push(alarm);
        }
        if !acknowledged.is_empty() {
            outbox::mark(&tx, acknowledged.iter().map(|alarm| alarm.device_id.to_string())).await?;
        }
        tx.commit().await?;
        Ok(acknowledged)
    }
}

/// Alarms as they are shown, with the names that their vehicles have now. One that is not seen any more has none.
async fn shown(visible: &Visible, caller: &Caller, scope: Scope, alarms: Vec<Model>) -> Result<Vec<Alarm>> {
    let names = visible.names(caller, scope, alarms.iter().map(|alarm| alarm.device_id).collect()).await?;
    let named = |alarm: Model| {
        let device_name = names.get(&alarm.device_id).cloned().unwrap_or_default();
        Alarm { device_name, ..alarm.into() }
    };
    Ok(alarms.into_iter().map(named).collect())
}

/// What the audit says of an alarm that was acknowledged. It is named after its vehicle.
fn act(alarm: &Model, shown: &[Alarm]) -> Act {
    let id = alarm.id.simple().to_string();
    let device_name = shown.iter().find(|shown| shown.id == id).map(|shown| shown.device_name.clone());
    let after = json!({ "alarm": alarm.kind, "count": alarm.count, "note": alarm.note });
    Act {
        act: permission::ALARM_ACKNOWLEDGE,
        tenant: Some(alarm.tenant_id),
        object: Object::new("alarm", id, device_name.unwrap_or_default()),
        change: Change { before: None, after: Some(after) },
    }
}

/// What is no id names nothing.
fn id(id: &str) -> Result<Uuid> {
    Uuid::try_parse(id).map_err(|_| Error::not_found())
}

/// The alarms that a request names: by their ids, or as those that stand of a vehicle.
fn named(request: &AcknowledgeAlarmsRequest) -> Result<Condition> {
    let device = request.device_id.as_deref().filter(|device| !device.is_empty());
    if request.ids.is_empty() && device.is_none() {
        return Err(Error::field("ids", "required"));
    }
    let ids = request.ids.iter().filter_map(|id| Uuid::try_parse(id).ok());
    let mut named = Condition::any().add(Column::Id.is_in(ids));
    if let Some(device) = device.and_then(|device| DeviceId::from_str(device).ok()) {
        let of_device = Condition::all().add(Column::DeviceId.eq(device)).add(Column::AcknowledgedAt.is_null());
        named = named.add(of_device);
    }
    Ok(named)
}

/// Of whose alarms it asks.
fn scope_of(request: &ListAlarmsRequest) -> VisibleScope<'_> {
    VisibleScope {
        user_id: request.user_id.as_deref(),
        tenant_id: request.tenant_id.as_deref(),
        device_ids: &request.device_ids,
    }
}

/// What a caller sees of what it asks for.
fn filtered(view: View, request: &ListAlarmsRequest) -> Result<Select<Entity>> {
    let mut rows = Entity::within(view.scope);
    rows = rows.filter(view.condition(Column::DeviceId));
    if !request.kinds.is_empty() {
        rows = rows.filter(of_kinds(Column::Kind, &request.kinds));
    }
    rows = among::<_, AlarmSeverity>(rows, Column::Severity, request.severities.iter().copied());
    let states: Vec<_> = request.states().filter(|state| *state != AlarmState::Unspecified).collect();
    if !states.is_empty() {
        let state = |state: &AlarmState| match state {
            AlarmState::Open => Column::AcknowledgedAt.is_null(),
            _ => Column::AcknowledgedAt.is_not_null(),
        };
        rows = rows.filter(states.iter().fold(Condition::any(), |any, each| any.add(state(each))));
    }
    if let Some((from, to)) = request.from.zip(request.to)
        && from > to
    {
        return Err(Error::field("from", "after_to"));
    }
    if let Some(from) = request.from {
        rows = rows.filter(Column::LastAt.gte(from.millis()));
    }
    if let Some(to) = request.to {
        rows = rows.filter(Column::LastAt.lt(to.millis()));
    }
    Ok(rows)
}
