//! Links of users to devices: admins see and change all of their scope, owners those to their devices, and everybody sees
//! their own. The rules that links decide stand in `members.rs`.

mod access;
pub mod last_days;
mod link;

use std::collections::HashMap;

use armada_proto::{
    DeviceId, Timestamp, UserId, Violations,
    v1::{
        BulkDeviceMembersRequest, DeviceAccessList, DeviceMember, DeviceMemberInput, DeviceMemberList,
        DeviceMemberRole, DeviceMemberStatus, GetUserAccessRequest, ImportDeviceMembersRequest, LinkDevicesReport,
        LinkDevicesRequest, ListDeviceAccessRequest, ListDeviceMembersRequest, Tenant, UserAccess,
        device_members_server,
    },
};
use armada_runtime::{
    Caller, Code, Database, Error, Jobs, Result, Scope, ServiceKey, acts,
    auth::Policies,
    list::{List, Searched, Sort, among, among_ids},
    outbox::OutboxHandle,
    resource::{Acts, Resource, Row, tenant_of_new},
    resource_service,
};
use sea_orm::{
    ColumnTrait, Condition, DatabaseTransaction, EntityTrait, ModelTrait, QueryFilter, QuerySelect, Select,
    sea_query::ExprTrait,
};
use tonic::{Request, Response, Status};

use crate::{
    bindings,
    entity::{
        device,
        device_member::{Column, Entity, Model, holds_at},
    },
    identity::IdentityClient,
    members, today,
};

/// The RPCs.
#[derive(Clone)]
pub struct DeviceMembers {
    pub(crate) db: Database,
    pub(crate) identity: IdentityClient,
    pub(crate) policies: Policies,
    pub(crate) service_key: ServiceKey,
    /// Wakes the relay.
    pub(crate) outbox: OutboxHandle,
    pub(crate) jobs: Jobs,
}

resource_service! {
    impl device_members_server::DeviceMembers, for DeviceMembers:
        List, Get, Create, Update, Delete, Export, Bulk(BulkDeviceMembersRequest), Import(ImportDeviceMembersRequest);

    async fn link(&self, request: Request<LinkDevicesRequest>) -> Result<Response<LinkDevicesReport>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.link_devices(&caller, request.into_inner()).await?))
    }

    async fn of_device(&self, request: Request<ListDeviceAccessRequest>) -> Result<Response<DeviceAccessList>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.device_access(&caller, &request.into_inner().id).await?))
    }

    async fn of_user(
        &self,
        request: Request<GetUserAccessRequest>,
    ) -> Result<Response<UserAccess>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.user_access(&caller, &request.into_inner().id).await?))
    }
}

/// Who and what a link names, if the request says it.
#[derive(Default, Clone)]
pub struct Prepared {
    user: Option<UserId>,
    /// When the last day that the request names is over, if it names one.
    ends_at: Option<i64>,
}

impl Resource for DeviceMembers {
    type Entity = Entity;
    type Row = Model;
    type Message = DeviceMember;
    type Input = DeviceMemberInput;
    type Request = ListDeviceMembersRequest;
    type List = DeviceMemberList;
    type Prepared = Prepared;
    type Effects = ();

    const ACTS: Acts = acts!("device_member");
    const LIST: List<Column> = List {
        sortable: &[
            ("device", Sort::Plain(Column::DeviceNameFolded)),
            ("role", Sort::Plain(Column::Role)),
            ("ends_on", Sort::Plain(Column::EndsOn)),
            ("created_at", Sort::Plain(Column::CreatedAt)),
            ("updated_at", Sort::Plain(Column::UpdatedAt)),
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

    fn visible(caller: &Caller, scope: Scope) -> Select<Entity> {
        let rows = members::links_within(scope);
        let Some(user) = members::limited_user(caller) else { return rows };
        let own = Column::UserId.eq(user).and(holds_at(Timestamp::now()));
        let to_own = Column::DeviceId.in_subquery(Entity::devices_of([user], members::OWNERS));
        rows.filter(Condition::any().add(own).add(to_own))
    }

    fn filter(&self, rows: Select<Entity>, request: &ListDeviceMembersRequest) -> Result<Select<Entity>> {
        let rows = among_ids::<_, UserId>(rows, Column::UserId, &request.user_ids);
        let rows = among_ids::<_, DeviceId>(rows, Column::DeviceId, &request.device_ids);
        let rows = among::<_, DeviceMemberRole>(rows, Column::Role, request.roles.iter().copied());
        let holds = holds_at(Timestamp::now());
        Ok(match request.status() {
            DeviceMemberStatus::Unspecified => rows,
            DeviceMemberStatus::Active => rows.filter(holds),
            DeviceMemberStatus::Ended => rows.filter(holds.not()),
        })
    }

    async fn present(&self, tx: &DatabaseTransaction, rows: Vec<Model>) -> Result<Vec<DeviceMember>> {
        let devices = device::Entity::find().filter(device::Column::Id.is_in(rows.iter().map(|row| row.device_id)));
        let devices: HashMap<_, _> = devices.all(tx).await?.into_iter().map(|device| (device.id, device)).collect();
        Ok(rows
            .into_iter()
            .map(|row| {
                let device = devices.get(&row.device_id);
                members::link_message(row, device)
            })
            .collect())
    }

    fn new_row(caller: &Caller, input: &DeviceMemberInput, violations: &mut Violations) -> Option<Model> {
        tenant_of_new(caller, input.tenant_id.as_deref(), violations).map(Model::new)
    }

    fn check(&self, _: &Caller, before: Option<&Model>, input: &mut DeviceMemberInput, violations: &mut Violations) {
        if let Some(before) = before {
            let others = [
                ("device_id", &input.device_id, before.device_id.to_string()),
                ("user_id", &input.user_id, before.user_id.to_string()),
            ];
            for (field, named, present) in others {
                if named.as_ref().is_some_and(|named| *named != present) {
                    violations.add(field, "not_changeable");
                }
            }
        }
    }

    async fn prepare(&self, _: &Caller, row: &Model, input: &mut DeviceMemberInput) -> Result<Prepared> {
        let day = input.ends_on.as_deref().filter(|day| !day.is_empty());
        if !input.id.is_empty() && day.is_none() {
            return Ok(Prepared::default());
        }
        let tenant = self.identity.named_tenant(&self.service_key, &row.tenant_id.to_string()).await?;
        let user = match (&input.user_id, input.id.is_empty()) {
            (Some(id), true) => Some(self.identity.named_user(&self.service_key, row.tenant_id, id).await?),
            _ => None,
        };
        Ok(Prepared { user, ends_at: ends_at(day, &tenant)? })
    }

    async fn before_lock(&self, tx: &DatabaseTransaction, row: &Model) -> Result<()> {
        // Whoever changes a device changes its links after it.
        device::Entity::find_by_id(row.device_id).lock_exclusive().one(tx).await?;
        Ok(())
    }

    async fn apply(
        &self,
        tx: &DatabaseTransaction,
        caller: &Caller,
        before: Option<&Model>,
        row: &mut Model,
        input: DeviceMemberInput,
        prepared: Prepared,
    ) -> Result<()> {
        match before {
            Some(before) => members::must_be(tx, caller, before.device_id, members::OWNERS).await?,
            None => {
                let device = self.shareable(tx, caller, row, input.device_id.as_deref().unwrap_or_default()).await?;
                let user = prepared.user.ok_or_else(|| Error::field("user_id", "required"))?;
                make_room(tx, &device, user).await?;
                let id = row.id;
                *row = Model { id, ..members::new_link(&device, user, row.role) };
            }
        }
        if input.ends_on.is_some() {
            row.ends_at = prepared.ends_at;
        }
        row.apply(input);
        if row.role == DeviceMemberRole::Owner && row.ends_at.is_some() {
            return Err(Error::field("ends_on", "owner_does_not_end"));
        }
        Ok(())
    }

    fn claim(input: &DeviceMemberInput) -> Option<(&'static str, String)> {
        Some(("user_id", format!("{} {}", input.device_id.as_ref()?, input.user_id.as_ref()?)))
    }

    async fn written(
        &self,
        tx: &DatabaseTransaction,
        caller: &Caller,
        before: Option<&Model>,
        row: &mut Model,
        (): &mut (),
    ) -> Result<()> {
        let owner = |row: &Model| row.role == DeviceMemberRole::Owner;
        match (before.is_some_and(owner), owner(row)) {
            (false, true) => self.own(tx, caller, row.device_id, Some(row.user_id)).await,
            (true, false) => self.own(tx, caller, row.device_id, None).await,
            _ => bindings::mark_tenant(tx, row.tenant_id).await,
        }
    }

    async fn removing(&self, tx: &DatabaseTransaction, caller: &Caller, row: &Model) -> Result<()> {
        members::must_be(tx, caller, row.device_id, members::OWNERS).await?;
        match row.role {
            DeviceMemberRole::Owner => self.own(tx, caller, row.device_id, None).await,
            _ => bindings::mark_tenant(tx, row.tenant_id).await,
        }
    }
}

impl DeviceMembers {
    /// A device of a new link's tenant that the caller may share, locked.
    async fn shareable(
        &self,
        tx: &DatabaseTransaction,
        caller: &Caller,
        row: &Model,
        id: &str,
    ) -> Result<device::Model> {
        let unknown = || Error::field("device_id", "unknown");
        let id: DeviceId = id.parse().map_err(|_| unknown())?;
        let devices = device::Entity::visible_to(caller, Scope::Tenant(row.tenant_id));
        let device = devices.filter(device::Column::Id.eq(id)).lock_exclusive().one(tx).await?.ok_or_else(unknown)?;
        members::must_be(tx, caller, id, members::OWNERS).await?;
        Ok(device)
    }

    async fn own(&self, tx: &DatabaseTransaction, caller: &Caller, id: DeviceId, owner: Option<UserId>) -> Result<()> {
        let device = device::Entity::find_by_id(id).one(tx).await?.ok_or_else(Error::not_found)?;
        members::change_owner(tx, caller, device, owner).await
    }
}

/// When a link ends whose last day a request names. That day must not be over.
fn ends_at(day: Option<&str>, tenant: &Tenant) -> Result<Option<i64>> {
    let Some(day) = day else { return Ok(None) };
    let end = today::end_of(day, &tenant.time_zone).ok_or_else(|| Error::field("ends_on", "invalid_date"))?;
    if end <= Timestamp::now() {
        return Err(Error::field("ends_on", "in_the_past"));
    }
    Ok(Some(end.millis()))
}

/// An error when a user is linked to a device; a link that ended goes, since another one begins.
async fn make_room(tx: &DatabaseTransaction, device: &device::Model, user: UserId) -> Result<()> {
    match members::of(tx, device.id, user).await? {
        None => Ok(()),
        Some(link) if !link.holds(Timestamp::now()) => link.delete(tx).await.map(drop).map_err(Error::from),
        Some(link) if link.role == DeviceMemberRole::Owner => {
            Err(Error::new(Code::Conflict, "device_already_owned", "Device already owned by this user."))
        }
        Some(_) => {
            Err(Error::new(Code::Conflict, "device_already_linked", "Device already linked to destination user."))
        }
    }
}
