//! Gateways: what publishes positions. Each is a user of NATS; the server asks here who may connect ([`callout`]), and
//! whoever may no longer is cut off ([`disconnect`]). Whether the server believes it is tried ([`trial`]). For whom each speaks the other services read from a bucket
//! ([`directory`]).

pub mod addresses;
pub mod callout;
pub mod connections;
pub mod directory;
pub mod disconnect;
mod rejections;
mod secret;
pub mod traffic;
mod trial;

use std::{collections::HashMap, sync::Arc};

use armada_proto::{
    GatewayId, TenantId, Timestamp, Violations, gateway,
    v1::{
        Gateway, GatewayConnectionList, GatewayInput, GatewayList, GatewayRejection, GatewaySecretRequest,
        GatewayState, ListGatewayConnectionsRequest, ListGatewaysRequest, gateways_server,
    },
};
use armada_runtime::{
    Bus, Caller, Code, Context, Database, Error, Result, Scope, Secret, Validate, acts,
    audit::{self, Act, Object},
    db::is_unique_violation,
    list::{List, Searched, Sort},
    nkey::AccountKey,
    random::random_text,
    resource::{self, Acts, Resource, locked, tenant_of_new},
    resource_service,
};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, DatabaseTransaction, DbErr, EntityTrait, IntoActiveModel, PaginatorTrait,
    QueryFilter, QuerySelect, Select,
};
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Status};

use self::{callout::Callout, connections::Connections, directory::Directory, disconnect::Disconnect, trial::Trial};
use crate::entity::{
    gateway::{Column, Entity, Model},
    removed_gateway, tenant,
};

/// How many gateways a tenant may have.
const GATEWAYS_MAX: u32 = 100;

/// The RPCs.
#[derive(Clone)]
pub struct Gateways {
    pub(crate) db: Database,
    pub(crate) connections: Connections,
    pub(crate) directory: Directory,
    pub(crate) disconnect: Disconnect,
}

/// What is left to do when a change is committed.
#[derive(Default)]
pub struct Effects {
    cut_off: bool,
}

resource_service! {
    impl gateways_server::Gateways, for Gateways: List, Get, Update, Delete, Export;

    async fn create(&self, request: Request<GatewayInput>) -> Result<Response<Gateway>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.make(&caller, request.into_inner()).await?))
    }

    async fn rotate_secret(&self, request: Request<GatewaySecretRequest>) -> Result<Response<Gateway>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.rotate(&caller, &request.into_inner()).await?))
    }

    async fn retire_secret(&self, request: Request<GatewaySecretRequest>) -> Result<Response<Gateway>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.retire(&caller, &request.into_inner()).await?))
    }

    async fn list_connections(
        &self,
        request: Request<ListGatewayConnectionsRequest>,
    ) -> Result<Response<GatewayConnectionList>, Status> {
        let caller = Caller::of(&request)?;
        let mut request = request.into_inner();
        request.validate().check().map_err(Error::from)?;
        let gateway = resource::get(self, &caller, &request.id).await?;
        Ok(Response::new(self.connections.page(&gateway.name, request.page, request.page_size).await?))
    }
}

impl Resource for Gateways {
    type Entity = Entity;
    type Row = Model;
    type Message = Gateway;
    type Input = GatewayInput;
    type Request = ListGatewaysRequest;
    type List = GatewayList;
    type Prepared = ();
    type Effects = Effects;

    const ACTS: Acts = acts!("gateway");
    const LIST: List<Column> = List {
        sortable: &[
            ("name", Sort::Plain(Column::NameFolded)),
            ("last_heard_at", Sort::OrZero(Column::LastHeardAt)),
            ("created_at", Sort::Plain(Column::CreatedAt)),
            ("updated_at", Sort::Plain(Column::UpdatedAt)),
        ],
        searched: Searched::Indexed(Column::Search),
        id: Column::Id,
    };

    fn db(&self) -> &Database {
        &self.db
    }

    fn visible(_: &Caller, scope: Scope) -> Select<Entity> {
        let there = Column::TenantId.not_in_subquery(tenant::Entity::deleted());
        Entity::within(scope).filter(Condition::any().add(Column::TenantId.is_null()).add(there))
    }

    fn filter(&self, rows: Select<Entity>, request: &ListGatewaysRequest) -> Result<Select<Entity>> {
        Ok(match request.enabled {
            Some(enabled) => rows.filter(Column::Enabled.eq(enabled)),
            None => rows,
        })
    }

    /// With their connections and what of theirs was refused.
    async fn present(&self, tx: &DatabaseTransaction, rows: Vec<Model>) -> Result<Vec<Gateway>> {
        let ids: Vec<GatewayId> = rows.iter().map(|row| row.id).collect();
        let names: Vec<String> = rows.iter().map(|row| row.name.clone()).collect();
        let mut rejections = rejections::recent(tx, ids).await?;
        let connections = self.connections.counts(names).await;
        let now = Timestamp::now().millis();
        let with_all = |row: Model| {
            let refused = rejections.remove(&row.id).unwrap_or_default();
            with_state(row, refused, &connections, now)
        };
        Ok(rows.into_iter().map(with_all).collect())
    }

    fn new_row(caller: &Caller, input: &GatewayInput, violations: &mut Violations) -> Option<Model> {
        let named = input.tenant_id.as_deref().filter(|id| !id.is_empty());
        let tenant_id = match named {
            None if caller.is_platform_owner() => None,
            named => Some(tenant_of_new(caller, named, violations)?),
        };
        Some(Model::new(tenant_id))
    }

    fn check(&self, _: &Caller, before: Option<&Model>, input: &mut GatewayInput, violations: &mut Violations) {
        if let Some(name) = &input.name {
            match before {
                Some(before) if before.name != *name => violations.add("name", "not_changeable"),
                None if gateway::is_reserved(name) => violations.add("name", "reserved"),
                _ => {}
            }
        }
        if let Some(given) = &mut input.allowed_addresses {
            match addresses::normalized(given) {
                Ok(addresses) => *given = addresses,
                Err(code) => violations.add("allowed_addresses", code),
            }
        }
    }

    async fn apply(
        &self,
        tx: &DatabaseTransaction,
        _: &Caller,
        before: Option<&Model>,
        row: &mut Model,
        input: GatewayInput,
        (): (),
    ) -> Result<Effects> {
        use resource::Row as _;
        row.apply(input);
        let Some(before) = before else {
            must_be_new(tx, row).await?;
            must_have_room(tx, row).await?;
            return Ok(Effects::default());
        };
        // Whoever comes from elsewhere than is allowed now comes back and is refused.
        let cut_off = before.enabled && !row.enabled || before.allowed_addresses != row.allowed_addresses;
        if cut_off {
            disconnect::mark(tx, &row.name).await?;
        }
        Ok(Effects { cut_off })
    }

    async fn removing(&self, tx: &DatabaseTransaction, _: &Caller, row: &Model) -> Result<Effects> {
        if row.is_anonymous {
            return Err(Error::new(Code::Conflict, "gateway_is_built_in", "it can be switched off, and not removed"));
        }
        keep_name(tx, row).await?;
        disconnect::mark(tx, &row.name).await?;
        Ok(Effects { cut_off: true })
    }

    async fn committed(&self, effects: Effects) {
        self.directory.flush().await;
        if effects.cut_off {
            self.disconnect.wake();
        }
    }

    fn unique(error: DbErr) -> Error {
        Error::on_unique(error, &[("gateway_name", "name"), ("gateway.name_folded", "name")])
    }
}

fn with_state(row: Model, refused: Vec<GatewayRejection>, connections: &HashMap<String, u32>, now: i64) -> Gateway {
    let open = connections.get(&row.name).copied();
    let state = match (row.enabled, open, row.last_heard_at) {
        (false, ..) => GatewayState::Off,
        (true, Some(1..), _) => GatewayState::Connected,
        (true, _, None) if row.secret_used_at.is_none() => GatewayState::New,
        _ => GatewayState::Disconnected,
    };
    let rejected = refused.iter().fold(0, |sum: u32, reason| sum.saturating_add(reason.count));
    Gateway {
        state: state.into(),
        connections: open,
        fixes_per_second: row.fixes_per_second(now),
        rejected,
        rejections: refused,
        has_previous_secret: !row.previous_secret_hash.is_empty(),
        ..row.into()
    }
}

/// A tenant that there is, and that has not too many already.
async fn must_have_room(tx: &DatabaseTransaction, row: &Model) -> Result<()> {
    let Some(tenant) = row.tenant_id else { return Ok(()) };
    let found = tenant::Entity::within(Scope::Tenant(tenant)).lock_exclusive().one(tx).await?;
    found.ok_or_else(|| Error::field("tenant_id", "unknown"))?;
    if Entity::within(Scope::Tenant(tenant)).count(tx).await? < u64::from(GATEWAYS_MAX) {
        return Ok(());
    }
    let message = format!("a tenant may have {GATEWAYS_MAX} gateways");
    Err(Error::limit_reached("gateway_limit_reached", GATEWAYS_MAX, message))
}

/// Nobody gets the name of a gateway that there was: what that one sent may still wait.
async fn must_be_new(tx: &DatabaseTransaction, row: &Model) -> Result<()> {
    let folded = armada_runtime::text::fold(&row.name);
    match removed_gateway::Entity::find_by_id(folded).one(tx).await? {
        Some(_) => Err(Error::taken("name")),
        None => Ok(()),
    }
}

/// Remembers the name of a gateway that goes.
pub async fn keep_name(tx: &DatabaseTransaction, row: &Model) -> Result<()> {
    let removed = removed_gateway::Model {
        name_folded: armada_runtime::text::fold(&row.name),
        name: row.name.clone(),
        former_tenant_id: row.tenant_id,
    };
    removed_gateway::Entity::insert(removed.into_active_model()).exec_without_returning(tx).await?;
    Ok(())
}

/// Cuts the gateways of a tenant off; they are let in again if it comes back.
pub async fn tenant_goes(tx: &DatabaseTransaction, tenant: TenantId) -> Result<()> {
    for row in Entity::within(Scope::Tenant(tenant)).all(tx).await? {
        disconnect::mark(tx, &row.name).await?;
    }
    Ok(())
}

/// Removes the gateways of a tenant, but for their names, which nobody gets; how many there were.
pub async fn remove_all(tx: &DatabaseTransaction, tenant: TenantId) -> Result<usize> {
    let rows = Entity::within(Scope::Tenant(tenant)).all(tx).await?;
    for row in &rows {
        keep_name(tx, row).await?;
        disconnect::mark(tx, &row.name).await?;
    }
    Entity::delete_many().filter(Column::TenantId.eq(tenant)).exec(tx).await?;
    Ok(rows.len())
}

impl Gateways {
    async fn make(&self, caller: &Caller, input: GatewayInput) -> Result<Gateway> {
        let made = resource::create(self, caller, input).await?;
        let request = GatewaySecretRequest { id: made.id, row_version: None };
        self.give_secret(caller, &request, false).await
    }

    async fn rotate(&self, caller: &Caller, request: &GatewaySecretRequest) -> Result<Gateway> {
        self.give_secret(caller, request, true).await
    }

    /// A new secret; the one before goes on to be valid, and the one before that ends.
    async fn give_secret(&self, caller: &Caller, request: &GatewaySecretRequest, is_told: bool) -> Result<Gateway> {
        let secret = random_text()?;
        let hash = secret::hash(&secret);
        let act = is_told.then_some("gateway:rotate_secret");
        let mut gateway = self
            .change_secrets(caller, request, act, |row| {
                let ends = !row.previous_secret_hash.is_empty();
                row.previous_secret_hash = std::mem::replace(&mut row.secret_hash, hash);
                row.previous_secret_used_at = row.secret_used_at.take();
                row.secret_created_at = Some(Timestamp::now().millis());
                ends
            })
            .await?;
        gateway.secret = Some(secret);
        Ok(gateway)
    }

    async fn retire(&self, caller: &Caller, request: &GatewaySecretRequest) -> Result<Gateway> {
        let retired = |row: &mut Model| {
            row.previous_secret_used_at = None;
            !std::mem::take(&mut row.previous_secret_hash).is_empty()
        };
        self.change_secrets(caller, request, Some("gateway:retire_secret"), retired).await
    }

    /// Changes the secrets of a gateway; `change` says whether one of them has ended.
    async fn change_secrets(
        &self,
        caller: &Caller,
        request: &GatewaySecretRequest,
        act: Option<&'static str>,
        change: impl FnOnce(&mut Model) -> bool + Send,
    ) -> Result<Gateway> {
        let id = request.id.parse().map_err(|_| Error::not_found())?;
        let tx = self.db.write(&caller.scope()).await?;
        let mut row = locked(self, &tx, caller, id, request.row_version).await?;
        if row.is_anonymous {
            return Err(Error::new(Code::Conflict, "gateway_is_built_in", "it has no secret"));
        }
        let has_ended = change(&mut row);
        if act.is_some() {
            resource::Row::touch(&mut row, Timestamp::now());
        }
        if has_ended {
            disconnect::mark(&tx, &row.name).await?;
        }
        let row = row.into_active_model().reset_all().update(&tx).await?;
        if let Some(act) = act {
            let object = Object::new("gateway", row.id, &row.name);
            let change = audit::Change { before: None, after: None };
            audit::record(&tx, caller, Act { act, tenant: row.tenant_id, object, change }).await?;
        }
        let gateway = resource::message(self, &tx, row).await?;
        tx.commit().await?;
        self.committed(Effects { cut_off: has_ended }).await;
        Ok(gateway)
    }
}

impl Gateways {
    /// With a connection to the server's own account, if the process has one.
    pub async fn open(context: &Context, db: Database) -> Result<Self> {
        let connections = Connections::new(context.connection(connections::NATS_USER));
        let disconnect = Disconnect { db: db.clone(), connections: connections.clone(), wake: Arc::default() };
        Ok(Self { directory: Directory::open(context, db.clone()).await?, db, connections, disconnect })
    }

    /// What answers the server; none when it is not this process that does.
    pub fn callout(&self, context: &Context, seed: Option<&Secret>) -> Result<Option<Callout>> {
        let Some(seed) = seed else { return Ok(None) };
        let (bus, db, directory) = (context.bus.clone(), self.db.clone(), self.directory.clone());
        let (key, trial) = (AccountKey::from_seed(seed.reveal())?, Trial::listed(&context.health)?);
        Ok(Some(Callout { bus, db, key, directory, trial }))
    }

    /// What goes on beside the RPCs, until shutdown.
    pub async fn run(self, bus: Bus, callout: Option<Callout>, shutdown: CancellationToken) -> Result<()> {
        let admission = async {
            match callout {
                Some(callout) => callout.run(shutdown.clone()).await,
                None => Ok(()),
            }
        };
        tokio::try_join!(
            admission,
            self.directory.run(shutdown.clone()),
            self.disconnect.run(shutdown.clone()),
            traffic::count(bus, self.db, shutdown.clone()),
        )?;
        Ok(())
    }
}

/// Removes what is too old to be shown.
pub async fn tidy(db: &Database) -> Result<()> {
    let tx = db.write(&Scope::Platform).await?;
    rejections::tidy(&tx).await?;
    Ok(tx.commit().await?)
}

/// The gateway of whoever gives no name, on a machine whose server is managed. It is there once, and switched off stays
/// switched off.
pub async fn make_anonymous(db: &Database, enabled: bool) -> Result<()> {
    let tx = db.write(&Scope::Platform).await?;
    let there = Entity::find().filter(Column::IsAnonymous.eq(true)).one(&tx).await?;
    if there.is_none() {
        let row = Model {
            name: gateway::ANONYMOUS.to_owned(),
            enabled,
            is_anonymous: true,
            allowed_addresses: addresses::LOOPBACK.to_owned(),
            ..Model::new(None)
        };
        match row.into_active_model().insert(&tx).await {
            Ok(_) => {}
            // Another process that began at the same time has made it.
            Err(error) if is_unique_violation(&error) => return Ok(()),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(tx.commit().await?)
}
