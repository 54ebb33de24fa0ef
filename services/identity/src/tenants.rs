//! Tenants: made and changed by platform owners, each seen by its own people.

mod deletion;

use std::collections::HashMap;

use armada_proto::{
    TenantId, Violations,
    access::MANAGE_INVOICES,
    currency,
    v1::{
        BulkTenantsRequest, CostModel, DeleteTenantInput, Empty, GetRequest, ListTenantsRequest, SubscriptionStatus,
        Tenant, TenantInput, TenantList, TenantSummary, tenants_server,
    },
};
use armada_runtime::{
    Caller, Database, Error, Jobs, Result, Scope, acts,
    list::{List, Searched, Sort, among, among_ids},
    outbox::OutboxHandle,
    resource::{self, Acts, Resource},
    resource_service,
};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, PaginatorTrait, QueryFilter,
    QuerySelect, QueryTrait, Select, sea_query::Expr,
};
use tonic::{Request, Response, Status};
use uuid::Uuid;

use crate::{
    counting::{self, sum_if},
    ended::{self, EndedSessions},
    entity::{
        session,
        tenant::{Column, Entity, Model},
        user,
    },
    erasures::LedgerFollower,
    policy, roles, tax_number, tenant_entries,
};

/// The fewest days of history that are kept where it is not kept for ever.
const HISTORY_DAYS_MIN: u32 = 7;

/// The RPCs.
#[derive(Clone)]
pub struct Tenants {
    pub(crate) db: Database,
    pub(crate) ended: EndedSessions,
    pub(crate) follower: LedgerFollower,
    /// Wakes the relay.
    pub(crate) outbox: OutboxHandle,
    pub(crate) jobs: Jobs,
}

resource_service! {
    impl tenants_server::Tenants, for Tenants:
        List, Create, Update, Export, Bulk(BulkTenantsRequest);

    async fn get(&self, request: Request<GetRequest>) -> Result<Response<Tenant>, Status> {
        let caller = Caller::of(&request)?;
        let tenant = resource::get(self, &caller, &request.into_inner().id).await?;
        Ok(Response::new(if caller.can(MANAGE_INVOICES) { tenant } else { without_plan(tenant) }))
    }

    async fn summary(&self, request: Request<ListTenantsRequest>) -> Result<Response<TenantSummary>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.summary(&caller, request.into_inner()).await?))
    }

    async fn delete(&self, request: Request<DeleteTenantInput>) -> Result<Response<Tenant>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.delete(&caller, request.into_inner()).await?))
    }

    async fn restore(&self, request: Request<GetRequest>) -> Result<Response<Tenant>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.restore(&caller, &request.into_inner().id).await?))
    }

    async fn erase(&self, request: Request<DeleteTenantInput>) -> Result<Response<Empty>, Status> {
        let caller = Caller::of(&request)?;
        self.erase(&caller, request.into_inner()).await?;
        Ok(Response::new(Empty {}))
    }
}

impl Resource for Tenants {
    type Entity = Entity;
    type Row = Model;
    type Message = Tenant;
    type Input = TenantInput;
    type Request = ListTenantsRequest;
    type List = TenantList;
    type Prepared = ();
    /// Sessions that have ended.
    type Effects = Vec<Uuid>;

    const ACTS: Acts = acts!("tenant");
    const LIST: List<Column> = List {
        sortable: &[
            ("name", Sort::Plain(Column::NameFolded)),
            ("cost_model", Sort::Plain(Column::CostModel)),
            ("subscription_status", Sort::Plain(Column::SubscriptionStatus)),
            ("used_devices", Sort::Plain(Column::UsedDevices)),
            ("active", Sort::Plain(Column::Active)),
            ("created_at", Sort::Plain(Column::CreatedAt)),
        ],
        searched: Searched::Indexed(Column::Search),
        id: Column::Id,
    };

    fn db(&self) -> &Database {
        &self.db
    }

    fn outbox(&self) -> Option<&OutboxHandle> {
        Some(&self.outbox)
    }

    fn visible(_: &Caller, scope: Scope) -> Select<Entity> {
        Entity::within(scope)
    }

    /// A person who owns the platform looks at deleted ones too; services ask for those that are there.
    fn readable(caller: &Caller) -> Select<Entity> {
        match caller.grant.is_some() && caller.is_platform_owner() {
            true => Entity::find(),
            false => Entity::within(caller.scope()),
        }
    }

    fn filter(&self, rows: Select<Entity>, request: &ListTenantsRequest) -> Result<Select<Entity>> {
        let rows = among_ids::<_, TenantId>(rows, Column::Id, &request.ids);
        let rows = among::<_, CostModel>(rows, Column::CostModel, request.cost_models.iter().copied());
        let statuses = request.subscription_statuses.iter().copied();
        let rows = among::<_, SubscriptionStatus>(rows, Column::SubscriptionStatus, statuses);
        Ok(match request.active {
            Some(active) => rows.filter(Column::Active.eq(active)),
            None => rows,
        })
    }

    fn requested(&self, _: &Caller, scope: Scope, request: &ListTenantsRequest) -> Result<Select<Entity>> {
        let rows = match request.deleted {
            true => Entity::find().filter(Column::DeletedAt.is_not_null()),
            false => Entity::within(scope),
        };
        self.filter(rows, request)
    }

    /// With the numbers of their users.
    async fn present(&self, tx: &DatabaseTransaction, rows: Vec<Model>) -> Result<Vec<Tenant>> {
        let users = user::Entity::find()
            .filter(user::Column::TenantId.is_in(rows.iter().map(|row| row.id)))
            .select_only()
            .column(user::Column::TenantId)
            .column_as(user::Column::Id.count(), "users")
            .group_by(user::Column::TenantId);
        let users: HashMap<TenantId, i64> = users.into_tuple::<(TenantId, i64)>().all(tx).await?.into_iter().collect();
        let with_users = |row: Model| {
            let used_users = users.get(&row.id).copied().unwrap_or_default();
            Tenant { used_users: u32::try_from(used_users).unwrap_or(u32::MAX), ..row.into() }
        };
        Ok(rows.into_iter().map(with_users).collect())
    }

    fn new_row(_: &Caller, input: &TenantInput, _: &mut Violations) -> Option<Model> {
        Some(Model { is_demo: input.is_demo, ..Model::new() })
    }

    fn check(&self, _: &Caller, _: Option<&Model>, input: &mut TenantInput, violations: &mut Violations) {
        if input.time_zone.as_deref().is_some_and(|name| name.parse::<chrono_tz::Tz>().is_err()) {
            violations.add("time_zone", "invalid_time_zone");
        }
        if input.history_days.is_some_and(|days| (1..HISTORY_DAYS_MIN).contains(&days)) {
            violations.add("history_days", "history_days_range");
        }
        if let Some(code) = &mut input.currency {
            *code = code.trim().to_ascii_uppercase();
            if !currency::is_known(code) {
                violations.add("currency", "unknown_currency");
            }
        }
        if let Some(number) = &mut input.tax_number {
            tax_number::check(violations, number);
        }
    }

    async fn written(
        &self,
        tx: &DatabaseTransaction,
        _: &Caller,
        before: Option<&Model>,
        row: &mut Model,
        ended: &mut Vec<Uuid>,
    ) -> Result<()> {
        let Some(before) = before else { return begin(tx, row.id).await };
        if (before.history_days, &before.time_zone) != (row.history_days, &row.time_zone) {
            tenant_entries::mark(tx, row.id).await?;
        }
        if before.active && !row.active {
            *ended = ended::end(tx, session::Column::TenantId.eq(row.id)).await?;
        }
        if before.active != row.active {
            policy::changed(tx, user::Column::TenantId.eq(row.id)).await?;
        }
        Ok(())
    }

    async fn committed(&self, ended: Vec<Uuid>) {
        self.ended.announce(ended).await;
    }
}

impl Tenants {
    async fn summary(&self, caller: &Caller, request: ListTenantsRequest) -> Result<TenantSummary> {
        let (scope, rows) = resource::matching(self, caller, request).await?;
        let tx = self.db.read(&scope).await?;
        let of_status = |status: SubscriptionStatus| sum_if(Column::SubscriptionStatus.eq(status));
        let sums = [
            sum_if(Column::Active.eq(true)),
            of_status(SubscriptionStatus::Active),
            of_status(SubscriptionStatus::Inactive),
            of_status(SubscriptionStatus::PastDue),
            of_status(SubscriptionStatus::Canceled),
            counting::sum(Expr::col(Column::UsedDevices)),
        ];
        let (total, [active, subscription_active, subscription_inactive, past_due, canceled, used_devices]) =
            counting::fetch(&tx, rows.clone(), sums).await?;
        let ids = rows.select_only().column(Column::Id).into_query();
        let used_users = user::Entity::find().filter(user::Column::TenantId.in_subquery(ids)).count(&tx).await?;
        Ok(TenantSummary {
            total,
            active,
            inactive: total - active,
            subscription_active,
            subscription_inactive,
            past_due,
            canceled,
            used_devices,
            used_users: u32::try_from(used_users).unwrap_or(u32::MAX),
        })
    }
}

/// A tenant without what it pays, what for, and how much of it there is.
fn without_plan(tenant: Tenant) -> Tenant {
    Tenant {
        id: tenant.id,
        name: tenant.name,
        description: tenant.description,
        time_zone: tenant.time_zone,
        active: tenant.active,
        currency: tenant.currency,
        history_days: tenant.history_days,
        engine_stop_consent: tenant.engine_stop_consent,
        is_demo: tenant.is_demo,
        created_at: tenant.created_at,
        updated_at: tenant.updated_at,
        row_version: tenant.row_version,
        deleted_at: tenant.deleted_at,
        erase_after: tenant.erase_after,
        confirmed: tenant.confirmed,
        ..Tenant::default()
    }
}

/// Stores the tenant of a company that registered itself.
pub async fn open(tx: &DatabaseTransaction, tenant: Model) -> Result<Model> {
    let tenant = tenant.into_active_model().insert(tx).await.map_err(Error::from)?;
    begin(tx, tenant.id).await?;
    Ok(tenant)
}

/// What every new tenant begins with: its first roles, and that others learn of it.
async fn begin(tx: &DatabaseTransaction, tenant: TenantId) -> Result<()> {
    roles::make_first(tx, tenant).await?;
    tenant_entries::mark(tx, tenant).await
}
