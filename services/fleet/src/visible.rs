//! Who sees which devices: the answer to other services that hold data of devices.

use std::str::FromStr;

use armada_proto::{
    DeviceId, TenantId, UserId,
    v1::{VisibleDevices, VisibleDevicesRequest},
};
use armada_runtime::{Caller, Result, Scope, Validate};
use sea_orm::{ColumnTrait, DatabaseTransaction, QueryFilter, QuerySelect, Select};

use crate::{
    devices::Devices,
    entity::device::{self, linked_to},
};

/// Devices in one query: databases bound the values of a statement.
const CHUNK: usize = 1_000;

/// Which devices of a scope are seen.
struct View {
    scope: Scope,
    /// Each must be linked to what is seen; none of them is an admin.
    linked: Vec<UserId>,
}

impl View {
    fn rows(&self) -> Select<device::Entity> {
        self.linked.iter().fold(device::Entity::within(self.scope), |rows, &user| rows.filter(linked_to([user])))
    }
}

impl Devices {
    /// What the caller may see of a scope, or of the devices that the request names.
    pub(crate) async fn visible_to(
        &self,
        caller: &Caller,
        mut request: VisibleDevicesRequest,
    ) -> Result<VisibleDevices> {
        request.validate().check()?;
        let scope = caller.narrow(request.tenant_id.as_deref())?;
        let Some(view) = self.view(caller, scope, request.user_id.as_deref()).await? else {
            return Ok(answer(scope, false, Vec::new()));
        };
        let sees_all = request.device_ids.is_empty() && view.linked.is_empty();
        if sees_all && !request.with_hidden {
            return Ok(answer(view.scope, true, Vec::new()));
        }
        let tx = self.db.read(&view.scope).await?;
        if sees_all {
            let hidden_ids = ids(&tx, device::Entity::hidden_in(view.scope)).await?;
            return Ok(VisibleDevices { hidden_ids, ..answer(view.scope, true, Vec::new()) });
        }
        if request.device_ids.is_empty() {
            return Ok(answer(view.scope, false, ids(&tx, view.rows()).await?));
        }
        // What is no id names nothing that can be seen.
        let asked: Vec<_> = request.device_ids.iter().filter_map(|id| DeviceId::from_str(id).ok()).collect();
        let mut seen = answer(view.scope, false, Vec::new());
        for chunk in asked.chunks(CHUNK) {
            let rows = view.rows().filter(device::Column::Id.is_in(chunk.iter().copied()));
            if request.with_names {
                let named: Vec<(DeviceId, String)> = named(rows).into_tuple().all(&tx).await?;
                let (ids, names): (Vec<_>, Vec<_>) = named.into_iter().unzip();
                seen.device_ids.extend(ids.iter().map(ToString::to_string));
                seen.names.extend(names);
            } else {
                seen.device_ids.extend(ids(&tx, rows).await?);
            }
        }
        Ok(seen)
    }

    /// What the caller sees, and of that only what `user_id` sees as well; nothing when the caller knows no such user.
    async fn view(&self, caller: &Caller, scope: Scope, user_id: Option<&str>) -> Result<Option<View>> {
        let own = caller.grant.as_ref().map(|grant| grant.user_id);
        let mut view = View { scope, linked: own.filter(|_| !caller.is_admin()).into_iter().collect() };
        let Some(user_id) = user_id.filter(|id| !id.is_empty()) else { return Ok(Some(view)) };
        let Ok(user_id) = UserId::from_str(user_id) else { return Ok(None) };
        if own == Some(user_id) {
            return Ok(Some(view));
        }
        // Identity shows other users to admins alone; here it only matters what those users see.
        let asking = self.service_key.caller(scope, None)?;
        let Some(user) = self.identity.user(&asking, user_id).await? else { return Ok(None) };
        if let Some(tenant) = user.tenant_id.as_deref().map(TenantId::from_str) {
            view.scope = Scope::Tenant(tenant?);
        }
        if !user.is_platform_owner && !user.is_tenant_admin {
            view.linked.push(user_id);
        }
        Ok(Some(view))
    }
}

fn named(rows: Select<device::Entity>) -> Select<device::Entity> {
    rows.select_only().column(device::Column::Id).column(device::Column::Name)
}

async fn ids(tx: &DatabaseTransaction, rows: Select<device::Entity>) -> Result<Vec<String>> {
    let ids: Vec<DeviceId> = rows.select_only().column(device::Column::Id).into_tuple().all(tx).await?;
    Ok(ids.into_iter().map(|id| id.to_string()).collect())
}

fn answer(scope: Scope, all: bool, device_ids: Vec<String>) -> VisibleDevices {
    let tenant_id = scope.tenant().map(|tenant| tenant.to_string());
    VisibleDevices { all, device_ids, tenant_id, ..VisibleDevices::default() }
}
