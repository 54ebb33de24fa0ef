//! Gateways whose trackers all belong to one tenant: what was heard through them alone, that tenant may bind.

use armada_proto::{
    TenantId, Timestamp,
    v1::{
        Empty, ListTenantGatewaysRequest, RemoveTenantGatewayRequest, TenantGateway, TenantGatewayInput,
        TenantGatewayList, tenant_gateways_server,
    },
};
use armada_runtime::{
    Caller, Database, Error, Result, Scope, ServiceKey,
    list::{List, ListQuery, Searched, Sort},
    text,
};
use sea_orm::{ActiveModelTrait, EntityTrait, IntoActiveModel, ModelTrait, QuerySelect};
use tonic::{Request, Response, Status};

use crate::{
    acts,
    entity::tenant_gateway::{Column, Entity, Model},
    people::People,
};

const NAME_MAX: usize = 64;

/// The RPCs.
pub struct TenantGateways {
    pub(crate) db: Database,
    pub(crate) people: People,
    pub(crate) service_key: ServiceKey,
}

#[tonic::async_trait]
impl tenant_gateways_server::TenantGateways for TenantGateways {
    async fn list(&self, request: Request<ListTenantGatewaysRequest>) -> Result<Response<TenantGatewayList>, Status> {
        Ok(Response::new(self.page(&request.into_inner()).await?))
    }

    async fn assign(&self, request: Request<TenantGatewayInput>) -> Result<Response<TenantGateway>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.give(&caller, request.into_inner()).await?))
    }

    async fn remove(&self, request: Request<RemoveTenantGatewayRequest>) -> Result<Response<Empty>, Status> {
        let caller = Caller::of(&request)?;
        self.take_back(&caller, request.into_inner().name).await?;
        Ok(Response::new(Empty {}))
    }
}

const LIST: List<Column> = List {
    sortable: &[("name", Sort::Plain(Column::Search)), ("created_at", Sort::Plain(Column::CreatedAt))],
    searched: Searched::Scanned(Column::Search),
    id: Column::Name,
};

impl TenantGateways {
    async fn page(&self, request: &ListTenantGatewaysRequest) -> Result<TenantGatewayList> {
        let scope = match request.tenant_id.as_deref().filter(|id| !id.is_empty()) {
            Some(tenant) => Scope::Tenant(tenant.parse()?),
            None => Scope::Platform,
        };
        let tx = self.db.read(&scope).await?;
        let (rows, total) = LIST.fetch(&tx, Entity::within(scope), ListQuery::of(request)).await?;
        Ok(TenantGatewayList { items: rows.into_iter().map(TenantGateway::from).collect(), total })
    }

    async fn give(&self, caller: &Caller, input: TenantGatewayInput) -> Result<TenantGateway> {
        if !is_name(&input.name) {
            return Err(Error::field("name", "invalid_gateway"));
        }
        let tenant = self.people.named_tenant(&self.service_key, &input.tenant_id).await?;
        let tenant_id: TenantId = tenant.id.parse()?;
        let tx = self.db.write(&Scope::Platform).await?;
        let before = Entity::find_by_id(input.name.clone()).lock_exclusive().one(&tx).await?;
        let gateway = Model {
            search: text::fold(&input.name),
            name: input.name,
            tenant_id,
            created_at: Timestamp::now().millis(),
        };
        let row = gateway.into_active_model().reset_all();
        let gateway = match before {
            Some(_) => row.update(&tx).await?,
            None => row.insert(&tx).await.map_err(|error| Error::on_unique(error, &[("gateway", "name")]))?,
        };
        acts::gateway(&tx, caller, before.as_ref(), Some(&gateway)).await?;
        tx.commit().await?;
        Ok(gateway.into())
    }

    async fn take_back(&self, caller: &Caller, name: String) -> Result<()> {
        let tx = self.db.write(&Scope::Platform).await?;
        let found = Entity::find_by_id(name).lock_exclusive().one(&tx).await?.ok_or_else(Error::not_found)?;
        acts::gateway(&tx, caller, Some(&found), None).await?;
        found.delete(&tx).await?;
        Ok(tx.commit().await?)
    }
}

/// One token of a subject of NATS, and nothing that could be read as several.
fn is_name(name: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    (1..=NAME_MAX).contains(&name.len()) && name.bytes().all(allowed)
}
