//! Claims: a tenant names an IMEI that somebody else has, or that was heard elsewhere, and a platform owner decides.
//! Nothing is bound by itself.

use std::collections::HashMap;

use armada_proto::{
    ResourceList, TenantId, Timestamp,
    v1::{
        ApproveImeiClaimRequest, ImeiClaim, ImeiClaimList, ImeiClaimStatus, ImeiDecisionInput, ImeiHolder, ImeiStatus,
        ListImeiClaimsRequest, imei_claims_server,
    },
};
use armada_runtime::{
    Caller, Code, Database, Error, Result, Scope, Validate,
    list::{List, ListQuery, Searched, Sort, among},
    outbox::OutboxHandle,
    text,
};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, QueryFilter, QuerySelect, Select,
    prelude::Uuid,
};
use tonic::{Request, Response, Status};

use crate::{
    acts, bindings,
    entity::{
        device, imei_assignment,
        imei_claim::{Column, Entity, Model},
    },
    heard_imei_lookup::HeardImeiLookup,
};

/// The RPCs.
pub struct ImeiClaims {
    pub(crate) db: Database,
    pub(crate) heard_imeis: HeardImeiLookup,
    /// Wakes the relay.
    pub(crate) outbox: OutboxHandle,
}

impl imei_claims_server::ImeiClaims for ImeiClaims {
    async fn list(&self, request: Request<ListImeiClaimsRequest>) -> Result<Response<ImeiClaimList>, Status> {
        let mut request = request.into_inner();
        request.validate().check().map_err(Error::from)?;
        Ok(Response::new(self.page(&request).await?))
    }

    async fn approve(&self, request: Request<ApproveImeiClaimRequest>) -> Result<Response<ImeiClaim>, Status> {
        let caller = Caller::of(&request)?;
        let ApproveImeiClaimRequest { id, row_version } = request.into_inner();
        let decision = ImeiDecisionInput { id, row_version, reason: None };
        Ok(Response::new(self.decide(&caller, decision, ImeiClaimStatus::Approved).await?))
    }

    async fn reject(&self, request: Request<ImeiDecisionInput>) -> Result<Response<ImeiClaim>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.decide(&caller, request.into_inner(), ImeiClaimStatus::Rejected).await?))
    }
}

/// A claim on the IMEI that a device names, which nobody has to decide before the transaction ends.
pub async fn open(tx: &DatabaseTransaction, caller: &Caller, device: &device::Model) -> Result<()> {
    let claim = Model {
        id: Uuid::now_v7(),
        tenant_id: device.tenant_id,
        device_id: device.id,
        device_name: device.name.clone(),
        device_name_folded: device.name_folded.clone(),
        imei: device.imei.clone(),
        status: ImeiClaimStatus::Waiting,
        reason: String::new(),
        claimed_by: caller.grant.as_ref().map(|grant| grant.user_id),
        claimed_at: Timestamp::now().millis(),
        decided_by: None,
        decided_at: None,
        search: text::search_key(&format!("{}\n{}", device.imei, device.name)),
        row_version: 1,
    };
    Entity::insert(claim.into_active_model()).exec_without_returning(tx).await?;
    Ok(())
}

/// A device that goes away, or names another IMEI, claims nothing any more.
pub async fn withdraw(tx: &DatabaseTransaction, device: &device::Model) -> Result<()> {
    let undone = Entity::delete_many()
        .filter(Column::DeviceId.eq(device.id))
        .filter(Column::Status.ne(ImeiClaimStatus::Approved));
    undone.exec(tx).await?;
    Ok(())
}

const LIST: List<Column> = List {
    sortable: &[
        ("claimed_at", Sort::Plain(Column::ClaimedAt)),
        ("imei", Sort::Plain(Column::Imei)),
        ("device_name", Sort::Plain(Column::DeviceNameFolded)),
        ("status", Sort::Plain(Column::Status)),
        ("decided_at", Sort::OrZero(Column::DecidedAt)),
    ],
    searched: Searched::Indexed(Column::Search),
    id: Column::Id,
};

impl ImeiClaims {
    async fn page(&self, request: &ListImeiClaimsRequest) -> Result<ImeiClaimList> {
        let tx = self.db.read(&Scope::Platform).await?;
        let (rows, paging) = LIST.fetch(&tx, filtered(request)?, ListQuery::of(request)).await?;
        let items = messages(&tx, rows).await?;
        tx.commit().await?;
        Ok(ImeiClaimList::new(self.with_heard(items).await, paging))
    }

    /// Adds where the IMEIs were heard. Claims are shown without when NATS is away.
    async fn with_heard(&self, mut items: Vec<ImeiClaim>) -> Vec<ImeiClaim> {
        match self.heard_imeis.of_many(items.iter().map(|claim| claim.imei.clone()).collect()).await {
            Ok(mut heard) => {
                for claim in &mut items {
                    claim.heard_known = true;
                    claim.heard = heard.remove(&claim.imei).or_else(|| claim.heard.take());
                }
            }
            Err(error) => tracing::warn!(%error, "cannot ask where claimed IMEIs were heard"),
        }
        items
    }

    async fn decide(
        &self,
        caller: &Caller,
        mut input: ImeiDecisionInput,
        decision: ImeiClaimStatus,
    ) -> Result<ImeiClaim> {
        let reason = reason(&mut input, decision)?;
        let tx = self.db.write(&Scope::Platform).await?;
        let (before, device) = open_claim(&tx, &input.id, input.row_version).await?;
        if before.status == decision {
            return Err(decided());
        }
        if decision == ImeiClaimStatus::Approved {
            bind(&tx, device).await?;
        } else {
            refuse(&tx, device, &reason).await?;
        }
        let mut claim = before.clone();
        claim.status = decision;
        claim.reason = reason;
        claim.decided_at = Some(Timestamp::now().millis());
        claim.decided_by = caller.grant.as_ref().map(|grant| grant.user_id);
        claim.row_version += 1;
        let claim = claim.into_active_model().reset_all().update(&tx).await?;
        acts::decided(&tx, caller, &before, &claim).await?;
        let claims = messages(&tx, vec![claim]).await?;
        tx.commit().await?;
        self.outbox.flush().await;
        self.with_heard(claims).await.pop().ok_or_else(Error::not_found)
    }
}

/// The claims that a request asks for.
fn filtered(request: &ListImeiClaimsRequest) -> Result<Select<Entity>> {
    let rows = match request.tenant_id.as_deref().filter(|id| !id.is_empty()) {
        Some(tenant) => Entity::within(Scope::Tenant(tenant.parse::<TenantId>()?)),
        None => Entity::within(Scope::Platform),
    };
    let rows = rows.filter(Column::DeviceId.not_in_subquery(device::Entity::hidden()));
    Ok(among::<_, ImeiClaimStatus>(rows, Column::Status, request.status))
}

/// Claims with who has the IMEI, and to whom it was promised.
async fn messages(tx: &DatabaseTransaction, rows: Vec<Model>) -> Result<Vec<ImeiClaim>> {
    let imeis: Vec<String> = rows.iter().map(|row| row.imei.clone()).collect();
    let held = device::Entity::bound().filter(device::Column::Imei.is_in(imeis.clone())).all(tx).await?;
    let held: HashMap<String, device::Model> = held.into_iter().map(|device| (device.imei.clone(), device)).collect();
    let promised = imei_assignment::Entity::within(Scope::Platform).filter(imei_assignment::Column::Imei.is_in(imeis));
    let promised: HashMap<String, TenantId> =
        promised.all(tx).await?.into_iter().map(|row| (row.imei, row.tenant_id)).collect();
    let with_both = |row: Model| {
        let holder = held.get(&row.imei).map(holder);
        let assigned_tenant_id = promised.get(&row.imei).map(TenantId::to_string);
        ImeiClaim { holder, assigned_tenant_id, ..row.into() }
    };
    Ok(rows.into_iter().map(with_both).collect())
}

fn holder(device: &device::Model) -> ImeiHolder {
    ImeiHolder {
        device_id: device.id.to_string(),
        device_name: device.name.clone(),
        tenant_id: device.tenant_id.to_string(),
    }
}

/// Who refuses says why; the tenant reads it.
fn reason(input: &mut ImeiDecisionInput, decision: ImeiClaimStatus) -> Result<String> {
    let mut violations = input.validate();
    let is_refused = decision == ImeiClaimStatus::Rejected;
    violations.require("reason", input.reason.as_deref(), is_refused);
    violations.check()?;
    Ok(input.reason.take().filter(|_| is_refused).unwrap_or_default())
}

/// A claim that can still be decided, with its device, both held until the transaction ends: the device first, as who
/// changes devices does. One that was rejected can be approved all the same, while its device is there.
async fn open_claim(tx: &DatabaseTransaction, id: &str, version: Option<i32>) -> Result<(Model, device::Model)> {
    let id: Uuid = id.parse().map_err(|_| Error::not_found())?;
    let claim = Entity::find_by_id(id).one(tx).await?.ok_or_else(Error::not_found)?;
    let device = device::Entity::within(Scope::Platform).filter(device::Column::Id.eq(claim.device_id));
    let device = device.lock_exclusive().one(tx).await?;
    let claim = Entity::find_by_id(id).lock_exclusive().one(tx).await?.ok_or_else(Error::not_found)?;
    if version.is_some_and(|version| version != claim.row_version) {
        return Err(Error::version_mismatch());
    }
    let device = device.filter(|device| !device.is_bound() && device.imei == claim.imei);
    match device {
        Some(device) if claim.status != ImeiClaimStatus::Approved => Ok((claim, device)),
        _ => Err(decided()),
    }
}

fn decided() -> Error {
    Error::new(Code::Conflict, "imei_claim_decided", "the claim was decided or withdrawn")
}

/// The IMEI is the device's from the end of its former binding on; what the tracker has buffered, if nobody had it.
async fn bind(tx: &DatabaseTransaction, mut device: device::Model) -> Result<()> {
    if let Some(other) = device::Entity::bound().filter(device::Column::Imei.eq(&device.imei)).one(tx).await? {
        return Err(already_claimed().with_conflicting(other.id, &other.name));
    }
    device.imei_status = ImeiStatus::Bound;
    device.own_gateways = false;
    device.imei_reason.clear();
    let saved = save(tx, device).await;
    let mut device = saved.map_err(|error| if error == Error::taken("imei") { already_claimed() } else { error })?;
    bindings::begin(tx, vec![&mut device]).await?;
    bindings::mark(tx, &device, &device.imei).await
}

fn already_claimed() -> Error {
    Error::new(Code::Conflict, "imei_held", "another device has the IMEI")
}

async fn refuse(tx: &DatabaseTransaction, mut device: device::Model, reason: &str) -> Result<()> {
    device.imei_status = ImeiStatus::Rejected;
    device.imei_reason = reason.to_owned();
    let device = save(tx, device).await?;
    bindings::mark(tx, &device, &device.imei).await
}

async fn save(tx: &DatabaseTransaction, mut device: device::Model) -> Result<device::Model> {
    device.row_version += 1;
    device.updated_at = Timestamp::now().millis();
    let saved = device.into_active_model().reset_all().update(tx).await;
    saved.map_err(|error| Error::on_unique(error, &[("imei", "imei")]))
}
