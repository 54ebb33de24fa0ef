//! Tenants: made and changed by platform owners.

use armada_proto::{
    TenantId, Timestamp,
    v1::{DeleteRequest, Empty, GetRequest, ListTenantsRequest, Tenant, TenantInput, TenantList, tenants_server},
};
use armada_runtime::{
    Caller, Database, Error, Fields, Result, Scope,
    list::{List, Sort, Wanted},
};
use sea_orm::{ActiveModelTrait, ColumnTrait, EntityTrait, IntoActiveModel, ModelTrait, QueryFilter, QuerySelect};
use tonic::{Request, Response, Status};

use crate::{
    ended::{self, Ended},
    entity::{
        session,
        tenant::{Column, Entity, Model},
        user,
    },
    ids,
};

const NAME_MAX: usize = 200;
const DESCRIPTION_MAX: usize = 2000;
/// Of a new tenant that names none.
const TIME_ZONE: &str = "Asia/Jakarta";

/// How tenants are listed.
const LIST: List<Column> = List {
    sortable: &[("name", Sort::Folded(Column::Name)), ("created_at", Sort::Plain(Column::CreatedAt))],
    searched: Column::Search,
    id: Column::Id,
};

/// The RPCs.
pub struct Tenants {
    pub(crate) db: Database,
    pub(crate) ended: Ended,
}

#[tonic::async_trait]
impl tenants_server::Tenants for Tenants {
    async fn list(&self, request: Request<ListTenantsRequest>) -> Result<Response<TenantList>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.page(&caller, &request.into_inner()).await?))
    }

    async fn get(&self, request: Request<GetRequest>) -> Result<Response<Tenant>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.one(&caller, &request.into_inner().id).await?.into()))
    }

    async fn create(&self, request: Request<TenantInput>) -> Result<Response<Tenant>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.make(&caller, request.into_inner()).await?.into()))
    }

    async fn update(&self, request: Request<TenantInput>) -> Result<Response<Tenant>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.change(&caller, request.into_inner()).await?.into()))
    }

    async fn delete(&self, request: Request<DeleteRequest>) -> Result<Response<Empty>, Status> {
        let caller = Caller::of(&request)?;
        self.remove(&caller, &request.into_inner()).await?;
        Ok(Response::new(Empty {}))
    }
}

impl Tenants {
    async fn page(&self, caller: &Caller, request: &ListTenantsRequest) -> Result<TenantList> {
        owner(caller)?;
        let wanted = Wanted { page: request.page, page_size: request.page_size, sort: &request.sort, q: &request.q };
        let mut rows = Entity::within(caller.scope());
        if let Some(ids) = ids::asked::<TenantId>(&request.ids)? {
            rows = rows.filter(Column::Id.is_in(ids));
        }
        let tx = self.db.read(&caller.scope()).await?;
        let (rows, total) = LIST.fetch(&tx, rows, wanted).await?;
        Ok(TenantList { items: rows.into_iter().map(Tenant::from).collect(), total })
    }

    async fn one(&self, caller: &Caller, id: &str) -> Result<Model> {
        if !caller.is_admin() {
            return Err(Error::forbidden());
        }
        let id: TenantId = id.parse()?;
        let tx = self.db.read(&caller.scope()).await?;
        Entity::within(caller.scope()).filter(Column::Id.eq(id)).one(&tx).await?.ok_or_else(Error::not_found)
    }

    async fn make(&self, caller: &Caller, mut input: TenantInput) -> Result<Model> {
        owner(caller)?;
        check(&mut input, true)?;
        let now = Timestamp::now().millis();
        let mut tenant = Model {
            id: TenantId::new(),
            name: String::new(),
            description: String::new(),
            time_zone: TIME_ZONE.to_owned(),
            active: true,
            is_demo: input.is_demo,
            search: String::new(),
            row_version: 1,
            created_at: now,
            updated_at: now,
        };
        apply(input, &mut tenant);
        let tx = self.db.write(&Scope::Platform).await?;
        let tenant = tenant.into_active_model().insert(&tx).await?;
        tx.commit().await?;
        Ok(tenant)
    }

    async fn change(&self, caller: &Caller, mut input: TenantInput) -> Result<Model> {
        owner(caller)?;
        let id: TenantId = input.id.parse()?;
        let tx = self.db.write(&Scope::Platform).await?;
        let found = Entity::within(Scope::Platform).filter(Column::Id.eq(id)).lock_exclusive().one(&tx).await?;
        let mut tenant = found.ok_or_else(Error::not_found)?;
        check(&mut input, false)?;
        if input.row_version.is_some_and(|version| version != tenant.row_version) {
            return Err(Error::version_mismatch());
        }
        let was_active = tenant.active;
        apply(input, &mut tenant);
        tenant.row_version += 1;
        tenant.updated_at = Timestamp::now().millis();
        let ended = match was_active && !tenant.active {
            true => ended::end(&tx, session::Column::TenantId.eq(id)).await?,
            false => Vec::new(),
        };
        let tenant = tenant.into_active_model().reset_all().update(&tx).await?;
        tx.commit().await?;
        self.ended.tell(ended).await;
        Ok(tenant)
    }

    /// Nobody is signed in to an inactive tenant, so that its users can go with it. Identity does not know of devices
    /// and positions: to remove those first is for the service that asks, and no person asks for this alone.
    async fn remove(&self, caller: &Caller, request: &DeleteRequest) -> Result<()> {
        owner(caller)?;
        if caller.grant.is_some() {
            return Err(Error::forbidden());
        }
        let id: TenantId = request.id.parse()?;
        let tx = self.db.write(&Scope::Platform).await?;
        let found = Entity::within(Scope::Platform).filter(Column::Id.eq(id)).lock_exclusive().one(&tx).await?;
        let tenant = found.ok_or_else(Error::not_found)?;
        if request.row_version.is_some_and(|version| version != tenant.row_version) {
            return Err(Error::version_mismatch());
        }
        if tenant.active {
            return Err(Error::field("active", "tenant_is_active"));
        }
        user::Entity::delete_many().filter(user::Column::TenantId.eq(id)).exec(&tx).await?;
        tenant.delete(&tx).await?;
        Ok(tx.commit().await?)
    }
}

/// Only who owns the platform makes tenants or sees that there are others.
fn owner(caller: &Caller) -> Result<()> {
    if caller.is_platform_owner() && caller.scope() == Scope::Platform { Ok(()) } else { Err(Error::forbidden()) }
}

/// Brings the input into the form in which it is stored, or says what is wrong with it.
fn check(input: &mut TenantInput, creating: bool) -> Result<()> {
    let mut fields = Fields::default();
    fields.require("name", input.name.as_deref(), creating);
    fields.line("name", &mut input.name, NAME_MAX);
    fields.lines("description", &mut input.description, DESCRIPTION_MAX);
    if input.time_zone.as_deref().is_some_and(|name| name.parse::<chrono_tz::Tz>().is_err()) {
        fields.wrong("time_zone", "invalid_time_zone");
    }
    fields.check()
}

/// Takes over what is present.
fn apply(input: TenantInput, tenant: &mut Model) {
    let TenantInput { id: _, name, description, time_zone, active, row_version: _, is_demo: _ } = input;
    if let Some(name) = name {
        tenant.search = name.to_lowercase();
        tenant.name = name;
    }
    if let Some(description) = description {
        tenant.description = description;
    }
    if let Some(time_zone) = time_zone {
        tenant.time_zone = time_zone;
    }
    if let Some(active) = active {
        tenant.active = active;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_zones_are_real() {
        for (name, ok) in
            [("Asia/Jakarta", true), ("UTC", true), ("Asia/Djakarta", false), ("", false), ("+07:00", false)]
        {
            let mut input = TenantInput { time_zone: Some(name.to_owned()), ..TenantInput::default() };
            assert_eq!(check(&mut input, false).is_ok(), ok, "{name}");
        }
    }

    #[test]
    fn every_wrong_field_is_named() {
        let mut input = TenantInput {
            description: Some("a\nb".to_owned()),
            time_zone: Some("Mars".to_owned()),
            ..TenantInput::default()
        };
        let error = check(&mut input, true).unwrap_err();
        let fields = [("name", "required"), ("time_zone", "invalid_time_zone")];
        assert_eq!(error.fields, fields.map(|(name, code)| (name.to_owned(), code.to_owned())).into());
    }
}
