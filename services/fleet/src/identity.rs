//! What fleet asks identity, of its own accord: whether a user exists, and what a tenant may have. Whoever manages devices
//! need not be allowed to see users.

use std::{
    collections::{BTreeSet, HashMap},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use armada_proto::{
    TenantId, UserId,
    v1::{
        GetRequest, ListTenantsRequest, ListUsersRequest, Tenant, User, tenants_client::TenantsClient,
        users_client::UsersClient,
    },
};
use armada_runtime::{Caller, Code, Error, Peers, Result, Scope, ServiceKey, Transport, jobs::is_one_of_many};
use chrono_tz::Tz;
use tonic::{Response, Status};

/// The service that knows them.
const IDENTITY: &str = armada_runtime::auth::IDENTITY;

/// Users or tenants of one question.
const PAGE: usize = 500;

/// For so long a tenant is the same to the rows of a file and the items of a job.
const RECENT: Duration = Duration::from_secs(1);

/// The way to identity. A process that has none fails when it first asks, and says how to configure it.
#[derive(Clone)]
pub struct IdentityClient {
    transport: Result<Transport>,
    recent: Arc<Mutex<HashMap<TenantId, (Instant, Tenant)>>>,
}

impl IdentityClient {
    /// Over the peers of this process.
    pub fn new(peers: &Peers) -> Self {
        let transport = peers.transport(IDENTITY);
        if let Err(error) = &transport {
            tracing::warn!(%error, "no devices can be made");
        }
        Self { transport, recent: Arc::default() }
    }

    /// A user; none when there is no such user for the caller.
    pub async fn user(&self, caller: &Caller, id: UserId) -> Result<Option<User>> {
        let mut users = UsersClient::new(self.transport.clone()?);
        found(users.get(caller.sign(GetRequest { id: id.to_string() })).await)
    }

    /// Those of many users whom there are for the caller.
    pub async fn users(&self, caller: &Caller, ids: Vec<String>) -> Result<Vec<User>> {
        let mut found = Vec::with_capacity(ids.len());
        for ids in ids.chunks(PAGE) {
            let request = ListUsersRequest { ids: ids.to_vec(), page_size: PAGE as u32, ..ListUsersRequest::default() };
            found.extend(self.listed(caller, request).await?);
        }
        Ok(found)
    }

    /// What users are called, platform owners among them, by their ids; nothing while identity is away, since a list without
    /// names is better than no list.
    pub async fn names(&self, key: &ServiceKey, users: impl IntoIterator<Item = UserId>) -> HashMap<String, String> {
        let ids: BTreeSet<_> = users.into_iter().map(|user| user.to_string()).collect();
        let asked = async {
            match ids.is_empty() {
                true => Ok(Vec::new()),
                false => self.users(&key.caller(Scope::Platform, None)?, ids.into_iter().collect()).await,
            }
        };
        match asked.await {
            Ok(users) => users.into_iter().map(|user| (user.id, user.name)).collect(),
            Err(error) => {
                tracing::warn!(%error, "cannot say what users are called");
                HashMap::new()
            }
        }
    }

    /// Who administers the tenant of a caller.
    pub async fn admins(&self, caller: &Caller) -> Result<Vec<User>> {
        let mut found = Vec::new();
        for page in 1.. {
            let request = ListUsersRequest {
                page,
                page_size: PAGE as u32,
                is_tenant_admin: Some(true),
                ..ListUsersRequest::default()
            };
            let users = self.listed(caller, request).await?;
            let is_last = users.len() < PAGE;
            found.extend(users);
            if is_last {
                break;
            }
        }
        Ok(found)
    }

    async fn listed(&self, caller: &Caller, request: ListUsersRequest) -> Result<Vec<User>> {
        let mut users = UsersClient::new(self.transport.clone()?);
        Ok(users.list(caller.sign(request)).await.map_err(Error::from)?.into_inner().items)
    }

    /// A tenant; none when there is no such tenant for the caller.
    pub async fn tenant(&self, caller: &Caller, id: TenantId) -> Result<Option<Tenant>> {
        let mut tenants = TenantsClient::new(self.transport.clone()?);
        found(tenants.get(caller.sign(GetRequest { id: id.to_string() })).await)
    }

    /// The time zone of a tenant; none when there is no such tenant.
    pub async fn time_zone(&self, key: &ServiceKey, tenant: TenantId) -> Result<Option<Tz>> {
        let asking = key.caller(Scope::Tenant(tenant), None)?;
        Ok(self.tenant(&asking, tenant).await?.map(|tenant| zone(&tenant)))
    }

    /// The time zones of all tenants.
    pub async fn time_zones(&self, key: &ServiceKey) -> Result<Vec<(TenantId, Tz)>> {
        let asking = key.caller(Scope::Platform, None)?;
        let mut tenants = TenantsClient::new(self.transport.clone()?);
        let (mut zones, mut next) = (Vec::new(), Some(String::new()));
        while let Some(after) = next {
            let request = ListTenantsRequest { after, page_size: PAGE as u32, ..ListTenantsRequest::default() };
            let list = tenants.list(asking.sign(request)).await.map_err(Error::from)?.into_inner();
            for tenant in &list.items {
                zones.push((tenant.id.parse()?, zone(tenant)));
            }
            next = list.next;
        }
        Ok(zones)
    }

    /// An error unless there is the tenant to which something new shall belong.
    pub async fn must_exist(&self, key: &ServiceKey, tenant: TenantId) -> Result<()> {
        self.named_tenant(key, &tenant.to_string()).await.map(drop)
    }

    /// A user of a tenant whom a request names; the field is wrong when there is none.
    pub async fn named_user(&self, key: &ServiceKey, tenant: TenantId, user_id: &str) -> Result<UserId> {
        let unknown = || Error::field("user_id", "unknown");
        let id: UserId = user_id.parse().map_err(|_| unknown())?;
        let asking = key.caller(Scope::Tenant(tenant), None)?;
        self.user(&asking, id).await?.ok_or_else(unknown)?;
        Ok(id)
    }

    /// A tenant that a platform owner names in a request; the field is wrong when there is none.
    pub async fn named_tenant(&self, key: &ServiceKey, tenant_id: &str) -> Result<Tenant> {
        let unknown = || Error::field("tenant_id", if tenant_id.is_empty() { "required" } else { "unknown" });
        let id: TenantId = tenant_id.parse().map_err(|_| unknown())?;
        if let Some(tenant) = self.recent(id).filter(|_| is_one_of_many()) {
            return Ok(tenant);
        }
        let asking = key.caller(Scope::Tenant(id), None)?;
        let tenant = self.tenant(&asking, id).await?.ok_or_else(unknown)?;
        self.remember(id, &tenant);
        Ok(tenant)
    }

    fn recent(&self, id: TenantId) -> Option<Tenant> {
        let recent = self.recent.lock().expect("no panic while held");
        recent.get(&id).filter(|(asked, _)| asked.elapsed() < RECENT).map(|(_, tenant)| tenant.clone())
    }

    fn remember(&self, id: TenantId, tenant: &Tenant) {
        let mut recent = self.recent.lock().expect("no panic while held");
        recent.retain(|_, (asked, _)| asked.elapsed() < RECENT);
        recent.insert(id, (Instant::now(), tenant.clone()));
    }
}

/// Identity takes no other names than those of zones.
fn zone(tenant: &Tenant) -> Tz {
    tenant.time_zone.parse().unwrap_or(Tz::UTC)
}

fn found<T>(answer: std::result::Result<Response<T>, Status>) -> Result<Option<T>> {
    match answer.map_err(Error::from) {
        Ok(answer) => Ok(Some(answer.into_inner())),
        Err(error) if error.class == Code::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
