//! Tenants: made and changed by platform owners, each seen by its own people.

mod deletion;
mod input;

use std::collections::HashMap;

use armada_proto::{
    TenantId, Timestamp,
    v1::{
        DeleteTenantInput, Empty, GetRequest, ListTenantsRequest, Tenant, TenantInput, TenantList, TenantSummary,
        tenants_server,
    },
};
use armada_runtime::{
    Caller, Database, Error, Result, Scope,
    audit::{self, Act, Object},
    list::{Export, List, Searched, Sort, Wanted},
    outbox::OutboxHandle,
};
use futures::{StreamExt, TryStreamExt, stream, stream::BoxStream};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, PaginatorTrait, QueryFilter,
    QuerySelect, QueryTrait, Select, sea_query::Expr,
};
use tonic::{Request, Response, Status};

use crate::{
    counting::{self, sum_if},
    ended::{self, Ended},
    entity::{
        session,
        tenant::{Column, CostModel, Entity, Model, SubscriptionStatus},
        user,
    },
    erasures::LedgerFollower,
    policy, roles,
};

/// Tenants that one list may be narrowed to.
const IDS_MAX: usize = 500;

/// How tenants are listed.
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

/// The RPCs.
pub struct Tenants {
    pub(crate) db: Database,
    pub(crate) ended: Ended,
    pub(crate) follower: LedgerFollower,
    /// Wakes the relay.
    pub(crate) outbox: OutboxHandle,
}

#[tonic::async_trait]
impl tenants_server::Tenants for Tenants {
    async fn list(&self, request: Request<ListTenantsRequest>) -> Result<Response<TenantList>, Status> {
        Caller::of(&request)?;
        Ok(Response::new(self.page(&request.into_inner()).await?))
    }

    type ExportStream = BoxStream<'static, Result<TenantList, Status>>;

    async fn export(&self, request: Request<ListTenantsRequest>) -> Result<Response<Self::ExportStream>, Status> {
        let caller = Caller::of(&request)?;
        let request = request.into_inner();
        let export = LIST.export(&self.db, Scope::Platform, filtered(&request)?, wanted(&request)).await?;
        let total = export.remaining();
        let tx = self.db.write(&Scope::Platform).await?;
        let object = Object { kind: "tenant", ..Object::default() };
        audit::record(&tx, &caller, Act { act: "tenant:export", object, ..Act::default() }).await?;
        tx.commit().await.map_err(Error::from)?;
        let pieces = stream::try_unfold((self.db.clone(), export), piece);
        Ok(Response::new(pieces.map_ok(move |items| TenantList { items, total }).boxed()))
    }

    async fn summary(&self, request: Request<ListTenantsRequest>) -> Result<Response<TenantSummary>, Status> {
        Caller::of(&request)?;
        Ok(Response::new(self.counted(&request.into_inner()).await?))
    }

    async fn get(&self, request: Request<GetRequest>) -> Result<Response<Tenant>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.one(&caller, &request.into_inner().id).await?))
    }

    async fn create(&self, request: Request<TenantInput>) -> Result<Response<Tenant>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.make(&caller, request.into_inner()).await?))
    }

    async fn update(&self, request: Request<TenantInput>) -> Result<Response<Tenant>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.change(&caller, request.into_inner()).await?))
    }

    async fn delete(&self, request: Request<DeleteTenantInput>) -> Result<Response<Tenant>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.hide(&caller, &request.into_inner()).await?))
    }

    async fn restore(&self, request: Request<GetRequest>) -> Result<Response<Tenant>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.bring_back(&caller, &request.into_inner().id).await?))
    }

    async fn erase(&self, request: Request<DeleteTenantInput>) -> Result<Response<Empty>, Status> {
        let caller = Caller::of(&request)?;
        self.erase_now(&caller, &request.into_inner()).await?;
        Ok(Response::new(Empty {}))
    }
}

impl Tenants {
    async fn page(&self, request: &ListTenantsRequest) -> Result<TenantList> {
        let tx = self.db.read(&Scope::Platform).await?;
        let (rows, total) = LIST.fetch(&tx, filtered(request)?, wanted(request)).await?;
        Ok(TenantList { items: told(&tx, rows).await?, total })
    }

    async fn counted(&self, request: &ListTenantsRequest) -> Result<TenantSummary> {
        let rows = LIST.matching(self.db.backend(), filtered(request)?, wanted(request))?;
        let tx = self.db.read(&Scope::Platform).await?;
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

    async fn one(&self, caller: &Caller, id: &str) -> Result<Tenant> {
        let id: TenantId = id.parse()?;
        let tx = self.db.read(&caller.scope()).await?;
        // A person who owns the platform looks at deleted ones too; services ask for those that are there.
        let rows = match caller.grant.is_some() && caller.is_platform_owner() {
            true => Entity::find(),
            false => Entity::within(caller.scope()),
        };
        let found = rows.filter(Column::Id.eq(id)).one(&tx).await?;
        told_one(&tx, found.ok_or_else(Error::not_found)?).await
    }

    async fn make(&self, caller: &Caller, mut input: TenantInput) -> Result<Tenant> {
        input::check(&mut input, true)?;
        let mut tenant = Model { is_demo: input.is_demo, ..Model::new() };
        input::apply(input, &mut tenant);
        let tx = self.db.write(&Scope::Platform).await?;
        let tenant = told_one(&tx, open(&tx, tenant).await?).await?;
        record(&tx, caller, "tenant:create", None, Some(&tenant)).await?;
        tx.commit().await?;
        Ok(tenant)
    }

    async fn change(&self, caller: &Caller, mut input: TenantInput) -> Result<Tenant> {
        let tx = self.db.write(&Scope::Platform).await?;
        let mut tenant = locked(&tx, &input.id, input.row_version).await?;
        input::check(&mut input, false)?;
        let before = told_one(&tx, tenant.clone()).await?;
        input::apply(input, &mut tenant);
        tenant.row_version += 1;
        tenant.updated_at = Timestamp::now().millis();
        let tenant = tenant.into_active_model().reset_all().update(&tx).await?;
        let ended = match before.active && !tenant.active {
            true => ended::end(&tx, session::Column::TenantId.eq(tenant.id)).await?,
            false => Vec::new(),
        };
        if before.active != tenant.active {
            policy::changed(&tx, user::Column::TenantId.eq(tenant.id)).await?;
        }
        let tenant = told_one(&tx, tenant).await?;
        record(&tx, caller, "tenant:update", Some(&before), Some(&tenant)).await?;
        tx.commit().await?;
        self.outbox.flush().await;
        self.ended.tell(ended).await;
        Ok(tenant)
    }
}

/// Records what was done to a tenant, in the chain of the platform, which does it.
async fn record(
    tx: &DatabaseTransaction,
    caller: &Caller,
    act: &'static str,
    before: Option<&Tenant>,
    after: Option<&Tenant>,
) -> Result<()> {
    let Some(tenant) = after.or(before) else { return Ok(()) };
    let object = Object::new("tenant", &tenant.id, &tenant.name);
    audit::record(tx, caller, Act { act, tenant: None, object, change: audit::changes(before, after) }).await
}

/// Stores a new tenant, with the roles that every tenant begins with.
pub async fn open(tx: &DatabaseTransaction, mut tenant: Model) -> Result<Model> {
    tenant.search = tenant.searched();
    let tenant = tenant.into_active_model().insert(tx).await?;
    roles::make_first(tx, tenant.id).await?;
    Ok(tenant)
}

/// Reads a tenant for changing it, and refuses it when it is no longer at the version that the caller knows.
async fn locked(tx: &DatabaseTransaction, id: &str, row_version: Option<i32>) -> Result<Model> {
    let id: TenantId = id.parse()?;
    let found = Entity::within(Scope::Platform).filter(Column::Id.eq(id)).lock_exclusive().one(tx).await?;
    let tenant = found.ok_or_else(Error::not_found)?;
    if row_version.is_some_and(|version| version != tenant.row_version) {
        return Err(Error::version_mismatch());
    }
    Ok(tenant)
}

/// What a request says of order and search.
fn wanted(request: &ListTenantsRequest) -> Wanted<'_> {
    Wanted { page: request.page, page_size: request.page_size, sort: &request.sort, q: &request.q }
}

/// The tenants that a request asks for.
fn filtered(request: &ListTenantsRequest) -> Result<Select<Entity>> {
    let mut rows = match request.deleted {
        true => Entity::find().filter(Column::DeletedAt.is_not_null()),
        false => Entity::within(Scope::Platform),
    };
    if request.ids.len() > IDS_MAX {
        return Err(Error::field("ids", "too_many"));
    }
    if !request.ids.is_empty() {
        // What is no id names no tenant.
        rows = rows.filter(Column::Id.is_in(request.ids.iter().filter_map(|id| id.parse::<TenantId>().ok())));
    }
    if let Some(active) = request.active {
        rows = rows.filter(Column::Active.eq(active));
    }
    let models = counting::named("cost_models", &request.cost_models, CostModel::named)?;
    if !models.is_empty() {
        rows = rows.filter(Column::CostModel.is_in(models));
    }
    let statuses = counting::named("subscription_statuses", &request.subscription_statuses, SubscriptionStatus::named)?;
    if !statuses.is_empty() {
        rows = rows.filter(Column::SubscriptionStatus.is_in(statuses));
    }
    Ok(rows)
}

/// Tenants with the numbers of their users.
async fn told(tx: &DatabaseTransaction, rows: Vec<Model>) -> Result<Vec<Tenant>> {
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

async fn told_one(tx: &DatabaseTransaction, row: Model) -> Result<Tenant> {
    told(tx, vec![row]).await?.pop().ok_or_else(Error::not_found)
}

type Rest = (Database, Export<Entity>);

/// The next piece of an export.
async fn piece((db, mut export): Rest) -> Result<Option<(Vec<Tenant>, Rest)>, Status> {
    let Some(rows) = export.next().await? else { return Ok(None) };
    let tx = db.read(&Scope::Platform).await.map_err(Status::from)?;
    let items = told(&tx, rows).await?;
    drop(tx);
    Ok(Some((items, (db, export))))
}
