//! From when on a vehicle moves, has stopped, stands idle, is silent: what a tenant says of all its devices.

use armada_proto::{
    TenantId, Timestamp, Validate,
    access::permission::THRESHOLD_UPDATE,
    v1::{TenantThresholds, TenantThresholdsInput, ThresholdsRequest, thresholds_server},
};
use armada_runtime::{
    Caller, Database, Error, Result, Scope, ServiceKey,
    audit::{self, Act, Object},
    outbox::OutboxHandle,
};
use sea_orm::{ActiveModelTrait, DbErr, EntityTrait, IntoActiveModel, QuerySelect, SqlErr};
use tonic::{Request, Response, Status};

use crate::{
    bindings,
    device_thresholds::refusal,
    entity::thresholds::{Entity, Model},
    identity::IdentityClient,
};

/// The RPCs.
pub struct Thresholds {
    pub(crate) db: Database,
    pub(crate) identity: IdentityClient,
    pub(crate) service_key: ServiceKey,
    /// Wakes the relay.
    pub(crate) outbox: OutboxHandle,
}

impl thresholds_server::Thresholds for Thresholds {
    async fn get(&self, request: Request<ThresholdsRequest>) -> Result<Response<TenantThresholds>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.of_tenant(&caller, request.into_inner()).await?))
    }

    async fn update(&self, request: Request<TenantThresholdsInput>) -> Result<Response<TenantThresholds>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.change(&caller, request.into_inner()).await?))
    }
}

impl Thresholds {
    async fn of_tenant(&self, caller: &Caller, request: ThresholdsRequest) -> Result<TenantThresholds> {
        let tenant = named(caller, request.tenant_id.as_deref())?;
        if caller.scope().tenant().is_none() {
            self.identity.must_exist(&self.service_key, tenant).await?;
        }
        let tx = self.db.read(&Scope::Tenant(tenant)).await?;
        let row = Entity::find_by_id(tenant).one(&tx).await?;
        tx.commit().await?;
        Ok(row.unwrap_or_else(|| Model::usual(tenant)).into())
    }

    async fn change(&self, caller: &Caller, mut input: TenantThresholdsInput) -> Result<TenantThresholds> {
        input.validate().check()?;
        let tenant = named(caller, input.tenant_id.as_deref())?;
        let name = self.identity.named_tenant(&self.service_key, &tenant.to_string()).await?.name;
        let tx = self.db.write(&Scope::Tenant(tenant)).await?;
        let stored = Entity::find_by_id(tenant).lock_exclusive().one(&tx).await?;
        let is_new = stored.is_none();
        let before = stored.unwrap_or_else(|| Model::usual(tenant));
        if input.row_version.is_some_and(|version| version != before.row_version) {
            return Err(Error::version_mismatch());
        }
        let after = before.changed(&input);
        if after.offline_seconds < after.stale_seconds
            && let Some(refusal) = refusal(input.offline_seconds, input.stale_seconds)
        {
            return Err(refusal);
        }
        if after == before {
            return Ok(before.into());
        }
        let after = Model { row_version: before.row_version + 1, updated_at: Timestamp::now().millis(), ..after };
        let row = after.into_active_model().reset_all();
        let after = if is_new { row.insert(&tx).await.map_err(lost_race)? } else { row.update(&tx).await? };
        let [before, after] = [before, after].map(TenantThresholds::from);
        let object = Object::new("threshold", tenant, &name);
        let change = audit::changes(Some(&before), Some(&after));
        audit::record(&tx, caller, Act { act: THRESHOLD_UPDATE, tenant: Some(tenant), object, change }).await?;
        bindings::mark_devices(&tx, tenant).await?;
        tx.commit().await?;
        self.outbox.flush().await;
        Ok(after)
    }
}

/// The tenant that a request is about: the caller's, unless they have none.
fn named(caller: &Caller, tenant_id: Option<&str>) -> Result<TenantId> {
    caller.narrow(tenant_id)?.tenant().ok_or_else(|| Error::field("tenant_id", "required"))
}

/// Somebody else stored the first ones of the tenant in the moment when these were to be.
fn lost_race(error: DbErr) -> Error {
    match error.sql_err() {
        Some(SqlErr::UniqueConstraintViolation(_)) => Error::version_mismatch(),
        _ => error.into(),
    }
}
