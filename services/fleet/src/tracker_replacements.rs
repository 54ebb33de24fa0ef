//! Replaced trackers of devices, as people say them: they lie one upon the other, so that a new one was not before the newest, and
//! the newest alone can be withdrawn. Odometer and engine hours go on over them, which position-ingest reads from the binding.

mod replace;

use std::str::FromStr;

use armada_proto::{
    ResourceList, Sorted as _, Timestamp, TrackerReplacementId, Validate,
    v1::{
        Empty, ListTrackerReplacementsRequest, ReplaceTrackerRequest, TrackerReplacement, TrackerReplacementList,
        WithdrawTrackerReplacementRequest, tracker_replacements_server,
    },
};
use armada_runtime::{
    Caller, Error, Result, Scope,
    audit::{self, Act, Change, Object},
    list::{List, ListQuery, Searched, Sort},
};
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, ModelTrait, QueryFilter};
use serde_json::json;
use tonic::{Request, Response, Status};

use crate::{
    bindings,
    devices::Devices,
    entity::{
        device,
        tracker_replacement::{Column, Entity, Model},
    },
    members,
    meters::{self, replaced_trackers},
};

const LIST: List<Column> = List {
    sortable: &[("replaced_at", Sort::Plain(Column::ReplacedAt)), ("created_at", Sort::Plain(Column::CreatedAt))],
    searched: Searched::Scanned(Column::Reason),
    id: Column::Number,
};

/// The RPCs.
pub struct TrackerReplacements {
    pub(crate) devices: Devices,
}

impl tracker_replacements_server::TrackerReplacements for TrackerReplacements {
    async fn list(
        &self,
        request: Request<ListTrackerReplacementsRequest>,
    ) -> Result<Response<TrackerReplacementList>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.of_device(&caller, request.into_inner()).await?))
    }

    async fn replace(&self, request: Request<ReplaceTrackerRequest>) -> Result<Response<TrackerReplacement>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.replace(&caller, request.into_inner()).await?))
    }

    async fn withdraw(&self, request: Request<WithdrawTrackerReplacementRequest>) -> Result<Response<Empty>, Status> {
        let caller = Caller::of(&request)?;
        let WithdrawTrackerReplacementRequest { id, replacement_id } = request.into_inner();
        self.withdraw(&caller, &id, &replacement_id).await?;
        Ok(Response::new(Empty {}))
    }
}

impl TrackerReplacements {
    /// Those of a device that the caller sees.
    async fn of_device(
        &self,
        caller: &Caller,
        mut request: ListTrackerReplacementsRequest,
    ) -> Result<TrackerReplacementList> {
        request.validate().check()?;
        let tx = self.devices.db.read(&caller.scope()).await?;
        let device = meters::seen(&tx, caller, &request.id).await?;
        let query = ListQuery {
            page: request.page,
            page_size: request.page_size,
            sort: &request.sort,
            offered: ListTrackerReplacementsRequest::SORTABLE,
            after: &request.after,
            q: "",
        };
        let rows = Entity::find().filter(Column::DeviceId.eq(device.id));
        let (rows, paging) = LIST.fetch(&tx, rows, query).await?;
        tx.commit().await?;
        Ok(TrackerReplacementList::new(self.messages(rows).await, paging))
    }

    /// Rows as they are read, with the names of who said so.
    async fn messages(&self, rows: Vec<Model>) -> Vec<TrackerReplacement> {
        let users = rows.iter().filter_map(|row| row.created_by);
        let names = self.devices.identity.names(&self.devices.service_key, users).await;
        let message = |row: Model| {
            let name = row.created_by.and_then(|user| names.get(&user.to_string()).cloned());
            TrackerReplacement { created_by_name: name.unwrap_or_default(), ..row.into() }
        };
        rows.into_iter().map(message).collect()
    }

    /// Takes the newest one of a device back.
    async fn withdraw(&self, caller: &Caller, device_id: &str, replacement_id: &str) -> Result<()> {
        let tx = self.devices.db.read(&caller.scope()).await?;
        let device = meters::seen(&tx, caller, device_id).await?;
        tx.commit().await?;
        let tx = self.devices.db.write(&Scope::Tenant(device.tenant_id)).await?;
        let device = members::maintained(&tx, caller, device.id).await?;
        let wanted = TrackerReplacementId::from_str(replacement_id).map_err(|_| Error::not_found())?;
        let row = Entity::find_by_id(wanted).filter(Column::DeviceId.eq(device.id)).one(&tx).await?;
        let row = row.ok_or_else(Error::not_found)?;
        let newest = replaced_trackers::last(&tx, device.id, 1).await?.pop();
        if newest.is_none_or(|newest| newest.id != row.id) {
            return Err(Error::field("replacement_id", "not_the_newest"));
        }
        let change = Change {
            before: Some(json!({
                "imei_before": row.imei_before,
                "imei": row.imei,
                "odometer_before": row.odometer_before_m,
                "odometer_after": row.odometer_after_m,
                "engine_seconds_before": row.engine_before_s,
                "engine_seconds_after": row.engine_after_s,
                "replaced_at": Timestamp::from_millis(row.replaced_at).to_rfc3339(),
                "reason": row.reason,
            })),
            after: None,
        };
        row.delete(&tx).await?;
        record(&tx, caller, &device, "device:withdraw_tracker_replacement", change).await?;
        bindings::mark(&tx, &device, &device.imei).await?;
        self.commit(tx, &device).await
    }

    async fn commit(&self, tx: DatabaseTransaction, device: &device::Model) -> Result<()> {
        tx.commit().await?;
        self.devices.outbox.flush().await;
        self.devices.meters_changed.notify([device.id]);
        Ok(())
    }
}

async fn record(
    tx: &DatabaseTransaction,
    caller: &Caller,
    device: &device::Model,
    act: &'static str,
    change: Change,
) -> Result<()> {
    let object = Object::new("device", device.id, &device.name);
    audit::record(tx, caller, Act { act, tenant: Some(device.tenant_id), object, change }).await
}
