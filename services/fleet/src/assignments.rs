//! IMEIs that a platform owner promises to a tenant beforehand: it binds them at once, and nobody else does.

use std::collections::HashMap;

use armada_proto::{
    ResourceList, TenantId, Timestamp,
    v1::{
        Empty, ImeiAssignment, ImeiAssignmentInput, ImeiAssignmentLine, ImeiAssignmentLines, ImeiAssignmentList,
        ImeiAssignmentResult, ListImeiAssignmentsRequest, RemoveImeiAssignmentRequest, Tenant, imei_assignments_server,
    },
};
use armada_runtime::{
    Caller, Database, Error, Result, Scope, ServiceKey, Validate,
    list::{List, ListQuery, Searched, Sort},
    outbox::OutboxHandle,
};
use armada_track::{TrackerId, has_almost_imei_digits, tracker_id_text};
use sea_orm::{
    ColumnTrait, Condition, DatabaseTransaction, EntityTrait, IntoActiveModel, ModelTrait, QueryFilter, QuerySelect,
    sea_query::Expr,
};
use tonic::{Request, Response, Status};

use crate::{
    acts, bindings,
    entity::{
        device,
        imei_assignment::{Column, Entity, Model},
    },
    identity::IdentityClient,
};

/// Characters of a line that come back.
const LINE_SHOWN: usize = 40;

/// The RPCs.
pub struct ImeiAssignments {
    pub(crate) db: Database,
    pub(crate) identity: IdentityClient,
    pub(crate) service_key: ServiceKey,
    /// Wakes the relay.
    pub(crate) outbox: OutboxHandle,
}

impl imei_assignments_server::ImeiAssignments for ImeiAssignments {
    async fn list(&self, request: Request<ListImeiAssignmentsRequest>) -> Result<Response<ImeiAssignmentList>, Status> {
        Ok(Response::new(self.page(&request.into_inner()).await?))
    }

    async fn assign(&self, request: Request<ImeiAssignmentInput>) -> Result<Response<ImeiAssignmentLines>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.promise(&caller, request.into_inner()).await?))
    }

    async fn remove(&self, request: Request<RemoveImeiAssignmentRequest>) -> Result<Response<Empty>, Status> {
        let caller = Caller::of(&request)?;
        self.take_back(&caller, request.into_inner().imei).await?;
        Ok(Response::new(Empty {}))
    }
}

const LIST: List<Column> = List {
    sortable: &[("created_at", Sort::Plain(Column::CreatedAt)), ("imei", Sort::Plain(Column::Imei))],
    searched: Searched::Scanned(Column::Imei),
    id: Column::Imei,
};

impl ImeiAssignments {
    async fn page(&self, request: &ListImeiAssignmentsRequest) -> Result<ImeiAssignmentList> {
        let scope = match request.tenant_id.as_deref().filter(|id| !id.is_empty()) {
            Some(tenant) => Scope::Tenant(tenant.parse()?),
            None => Scope::Platform,
        };
        let tx = self.db.read(&scope).await?;
        let (rows, paging) = LIST.fetch(&tx, Entity::within(scope), ListQuery::of(request)).await?;
        Ok(ImeiAssignmentList::new(rows.into_iter().map(ImeiAssignment::from).collect(), paging))
    }

    /// Each line is judged by itself: one that is wrong holds no other up.
    async fn promise(&self, caller: &Caller, mut input: ImeiAssignmentInput) -> Result<ImeiAssignmentLines> {
        input.imeis.retain(|line| !line.trim().is_empty());
        input.validate().check()?;
        let lines: Vec<&str> = input.imeis.iter().map(|line| line.trim()).collect();
        let tenant = self.identity.named_tenant(&self.service_key, &input.tenant_id).await?;
        let tenant_id: TenantId = tenant.id.parse()?;
        let tx = self.db.write(&Scope::Platform).await?;
        let named: Vec<String> = lines.iter().map(|line| tracker_id_text(line)).collect();
        let promised = Entity::within(Scope::Platform).filter(Column::Imei.is_in(named)).lock_exclusive();
        let mut owners: HashMap<String, TenantId> =
            promised.all(&tx).await?.into_iter().map(|row| (row.imei, row.tenant_id)).collect();
        let (mut items, mut rows) = (Vec::new(), Vec::new());
        for line in lines {
            let imei = tracker_id_text(line);
            let result = judge(&imei, input.accept_wrong_check_digits, owners.get(&imei), tenant_id);
            if result == ImeiAssignmentResult::Assigned {
                owners.insert(imei.clone(), tenant_id);
                rows.push(Model { imei, tenant_id, created_at: Timestamp::now().millis() });
            }
            items.push(ImeiAssignmentLine { line: line.chars().take(LINE_SHOWN).collect(), result: result.into() });
        }
        let assigned = u32::try_from(rows.len()).unwrap_or(u32::MAX);
        if !rows.is_empty() {
            self.store(&tx, caller, &tenant, rows).await?;
            tx.commit().await?;
            self.outbox.flush().await;
        }
        Ok(ImeiAssignmentLines { items, assigned })
    }

    async fn store(&self, tx: &DatabaseTransaction, caller: &Caller, tenant: &Tenant, rows: Vec<Model>) -> Result<()> {
        let imeis: Vec<String> = rows.iter().map(|row| row.imei.clone()).collect();
        let stored = Entity::insert_many(rows.into_iter().map(IntoActiveModel::into_active_model));
        // Of two owners who promise one IMEI at once, one is told to look again.
        let stored = stored.exec_without_returning(tx).await;
        stored.map_err(|error| Error::on_unique(error, &[("imei", "imeis")]))?;
        open_to_all(tx, tenant.id.parse()?, &imeis).await?;
        acts::assigned(tx, caller, tenant, &imeis).await
    }

    async fn take_back(&self, caller: &Caller, imei: String) -> Result<()> {
        let tx = self.db.write(&Scope::Platform).await?;
        let found = Entity::find_by_id(imei).lock_exclusive().one(&tx).await?.ok_or_else(Error::not_found)?;
        acts::unassigned(&tx, caller, &found).await?;
        found.delete(&tx).await?;
        Ok(tx.commit().await?)
    }
}

/// What a tenant has for its own gateways alone it has for all from now on.
async fn open_to_all(tx: &DatabaseTransaction, tenant: TenantId, imeis: &[String]) -> Result<()> {
    let of_own = Condition::all()
        .add(device::Column::Imei.is_in(imeis))
        .add(device::Column::TenantId.eq(tenant))
        .add(device::Column::OwnGateways.eq(true));
    let opened = device::Entity::bound().filter(of_own.clone()).all(tx).await?;
    if opened.is_empty() {
        return Ok(());
    }
    let opens = device::Entity::update_many().col_expr(device::Column::OwnGateways, Expr::val(false)).filter(of_own);
    opens.exec(tx).await?;
    bindings::mark_all(tx, &opened).await
}

fn judge(imei: &str, takes_odd: bool, owner: Option<&TenantId>, tenant: TenantId) -> ImeiAssignmentResult {
    let looks_wrong = |id: TrackerId| id.as_imei().is_some_and(|imei| !imei.check_digit_ok());
    match (imei.parse::<TrackerId>(), owner) {
        (Err(_), _) => ImeiAssignmentResult::NotAnImei,
        (_, Some(owner)) if *owner == tenant => ImeiAssignmentResult::AlreadyAssigned,
        (_, Some(_)) => ImeiAssignmentResult::AssignedElsewhere,
        (Ok(_), None) if takes_odd => ImeiAssignmentResult::Assigned,
        (Ok(id), None) if looks_wrong(id) => ImeiAssignmentResult::WrongCheckDigit,
        (Ok(_), None) if has_almost_imei_digits(imei) => ImeiAssignmentResult::ImeiLength,
        _ => ImeiAssignmentResult::Assigned,
    }
}
