//! One user is linked to many devices, and links to others are taken away.

use std::{
    collections::{HashMap, HashSet},
    str::FromStr,
};

use armada_proto::{
    DeviceId, TenantId, Timestamp, UserId,
    access::permission,
    v1::{DeviceMember, DeviceMemberRole, LinkDevicesReport, LinkDevicesRequest, LinkOutcome, LinkedDevice},
};
use armada_runtime::{
    Caller, Error, Result, Scope, Validate,
    audit::{self, Act, Object},
    idempotency::apart,
    resource::Resource,
};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder,
    QuerySelect,
};

use super::{DeviceMembers, ends_at};
use crate::{
    bindings,
    entity::{
        device,
        device_member::{Column, Entity, Model},
    },
    members,
};

/// Devices of one request.
const MAX: usize = 10_000;
/// Devices of one transaction: on SQLite nobody else writes meanwhile.
const CHUNK: usize = 100;

/// What a request asks for, checked.
struct Wanted {
    user: UserId,
    /// The tenant of the user.
    scope: Scope,
    role: DeviceMemberRole,
    ends_on: String,
    ends_at: Option<i64>,
    /// To be linked, and to be unlinked, each once and in order.
    linked: Vec<String>,
    unlinked: Vec<String>,
    from_users: Vec<UserId>,
}

/// What the tables say of the devices of a request.
struct Known {
    /// Those that the caller sees.
    devices: HashMap<String, device::Model>,
    /// Whose own devices alone are shared; none for those who may share all that they see.
    sharer: Option<UserId>,
    /// The user's links.
    links: HashMap<DeviceId, Model>,
}

impl DeviceMembers {
    /// Some devices after the other, each of them in a transaction of its own: what was done stays when a later one fails,
    /// and to ask for the same again does the rest.
    pub(super) async fn link_devices(&self, caller: &Caller, request: LinkDevicesRequest) -> Result<LinkDevicesReport> {
        let is_dry_run = request.dry_run;
        if !request.unlinked_device_ids.is_empty() {
            caller.must(permission::DEVICE_MEMBER_DELETE)?;
        }
        let mut wanted = self.wanted(caller, request).await?;
        let tx = self.db.read(&wanted.scope).await?;
        wanted.add_owned(&tx, caller).await?;
        drop(tx);
        let mut all = LinkDevicesReport::default();
        let mut chunks = wanted.in_chunks().into_iter().peekable();
        while let Some(some) = chunks.next() {
            let report = match (is_dry_run, chunks.peek().is_some()) {
                (true, _) => Known::of(&self.db.read(&some.scope).await?, caller, &some, false).await?.report(&some),
                (false, true) => apart(self.link_some(caller, &some)).await?,
                // The whole is done with the last of them.
                (false, false) => self.link_some(caller, &some).await?,
            };
            all.succeeded += report.succeeded;
            all.skipped += report.skipped;
            all.failed += report.failed;
            all.items.extend(report.items);
        }
        if !is_dry_run {
            self.outbox.flush().await;
        }
        Ok(all)
    }

    async fn link_some(&self, caller: &Caller, wanted: &Wanted) -> Result<LinkDevicesReport> {
        let tx = self.db.write(&wanted.scope).await?;
        let known = Known::of(&tx, caller, wanted, true).await?;
        let report = known.report(wanted);
        known.unlink(&tx, caller, &report).await?;
        known.link(&tx, caller, wanted, &report).await?;
        if let Some(tenant) = wanted.scope.tenant() {
            bindings::mark_tenant(&tx, tenant).await?;
        }
        tx.commit().await?;
        Ok(report)
    }

    /// What a request asks for, and where: in the tenant of its user.
    async fn wanted(&self, caller: &Caller, mut request: LinkDevicesRequest) -> Result<Wanted> {
        let mut violations = request.validate();
        let links = !request.device_ids.is_empty() || !request.from_user_ids.is_empty();
        if !links && request.unlinked_device_ids.is_empty() {
            violations.add("device_ids", "required");
        }
        if links && request.role() == DeviceMemberRole::Unspecified {
            violations.add("role", "required");
        }
        let day = request.ends_on.clone().unwrap_or_default();
        if request.role() == DeviceMemberRole::Owner && !day.is_empty() {
            violations.add("ends_on", "owner_does_not_end");
        }
        violations.check()?;
        let unknown = || Error::field("user_id", "unknown");
        let user: UserId = request.user_id.parse().map_err(|_| unknown())?;
        let asking = self.service_key.caller(caller.scope(), None)?;
        let found = self.identity.user(&asking, user).await?;
        // Platform owners see everything and belong to no tenant.
        let tenant_id = found.and_then(|user| user.tenant_id).ok_or_else(unknown)?;
        let tenant = self.identity.named_tenant(&self.service_key, &tenant_id).await?;
        Ok(Wanted {
            user,
            scope: Scope::Tenant(TenantId::from_str(&tenant_id)?),
            role: request.role(),
            ends_at: ends_at(Some(&day).filter(|day| !day.is_empty()).map(String::as_str), &tenant)?,
            ends_on: day,
            linked: once(request.device_ids),
            unlinked: once(request.unlinked_device_ids),
            from_users: request.from_user_ids.iter().filter_map(|id| UserId::from_str(id).ok()).collect(),
        })
    }
}

/// Each of them once, as it came first.
fn once(mut ids: Vec<String>) -> Vec<String> {
    let mut seen = HashSet::new();
    ids.retain(|id| seen.insert(id.clone()));
    ids
}

impl Wanted {
    /// Adds what the users own whose devices shall be linked, as far as the caller sees it.
    async fn add_owned(&mut self, tx: &DatabaseTransaction, caller: &Caller) -> Result<()> {
        if !self.from_users.is_empty() {
            let owned = device::Entity::visible_to(caller, self.scope)
                .select_only()
                .column(device::Column::Id)
                .filter(device::Column::UserId.is_in(self.from_users.iter().copied()))
                .order_by_asc(device::Column::NameFolded)
                .order_by_asc(device::Column::Id)
                .limit(MAX as u64 + 1);
            let owned: Vec<DeviceId> = owned.into_tuple().all(tx).await?;
            let named = std::mem::take(&mut self.linked);
            self.linked = once(named.into_iter().chain(owned.iter().map(ToString::to_string)).collect());
        }
        let linked: HashSet<_> = self.linked.iter().collect();
        if self.unlinked.iter().any(|id| linked.contains(id)) {
            return Err(Error::field("unlinked_device_ids", "invalid"));
        }
        if self.linked.len() + self.unlinked.len() > MAX {
            return Err(Error::field("device_ids", "too_many"));
        }
        Ok(())
    }

    /// The same in parts, each for one transaction.
    fn in_chunks(&self) -> Vec<Self> {
        let part = |linked: &[String], unlinked: &[String]| Self {
            linked: linked.to_vec(),
            unlinked: unlinked.to_vec(),
            ends_on: self.ends_on.clone(),
            from_users: Vec::new(),
            ..*self
        };
        let linked = self.linked.chunks(CHUNK).map(|linked| part(linked, &[]));
        linked.chain(self.unlinked.chunks(CHUNK).map(|unlinked| part(&[], unlinked))).collect()
    }

    /// What becomes of a device that shall be linked. A link that ended is renewed; who is something else to a device
    /// becomes its owner if that is asked, and stays what they are if not.
    fn of_linking(&self, device: &device::Model, link: Option<&Model>) -> LinkOutcome {
        match link.filter(|link| link.holds(Timestamp::now())) {
            _ if device.user_id == Some(self.user) => LinkOutcome::AlreadyOwned,
            Some(_) if self.role != DeviceMemberRole::Owner => LinkOutcome::AlreadyLinked,
            _ => LinkOutcome::Linked,
        }
    }

    fn ids(&self) -> Vec<DeviceId> {
        let mut ids: Vec<_> =
            self.linked.iter().chain(&self.unlinked).filter_map(|id| DeviceId::from_str(id).ok()).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }
}

impl Known {
    /// What there is of a request, and if it shall be done, until the transaction ends: devices are locked in the order of
    /// their ids, so that two requests do not wait for each other.
    async fn of(tx: &DatabaseTransaction, caller: &Caller, wanted: &Wanted, lock: bool) -> Result<Self> {
        let mut known = Self { devices: HashMap::new(), sharer: members::limited_user(caller), links: HashMap::new() };
        let ids = wanted.ids();
        let ids = || ids.iter().copied();
        let devices = device::Entity::visible_to(caller, wanted.scope).filter(device::Column::Id.is_in(ids()));
        let devices = devices.order_by_asc(device::Column::Id);
        let devices = if lock { devices.lock_exclusive() } else { devices };
        for device in devices.all(tx).await? {
            known.devices.insert(device.id.to_string(), device);
        }
        let links = members::links_within(wanted.scope).filter(Column::UserId.eq(wanted.user));
        for link in links.filter(Column::DeviceId.is_in(ids())).all(tx).await? {
            known.links.insert(link.device_id, link);
        }
        Ok(known)
    }

    fn report(&self, wanted: &Wanted) -> LinkDevicesReport {
        let linked = wanted.linked.iter().map(|id| self.outcome(id, |device, link| wanted.of_linking(device, link)));
        let unlinked = wanted.unlinked.iter().map(|id| {
            self.outcome(id, |_, link| match link {
                Some(_) => LinkOutcome::Unlinked,
                None => LinkOutcome::NotLinked,
            })
        });
        let mut report = LinkDevicesReport { items: linked.chain(unlinked).collect(), ..LinkDevicesReport::default() };
        for item in &mut report.items {
            match item.outcome() {
                LinkOutcome::Linked | LinkOutcome::Unlinked => report.succeeded += 1,
                LinkOutcome::AlreadyLinked | LinkOutcome::AlreadyOwned | LinkOutcome::NotLinked => report.skipped += 1,
                _ => report.failed += 1,
            }
            let takes_place = item.outcome() == LinkOutcome::Linked && wanted.role == DeviceMemberRole::Owner;
            let owner = self.devices.get(&item.device_id).and_then(|device| device.user_id);
            item.replaced_owner_id = owner.filter(|_| takes_place).map(|owner| owner.to_string());
        }
        report
    }

    fn outcome(&self, id: &str, of_seen: impl FnOnce(&device::Model, Option<&Model>) -> LinkOutcome) -> LinkedDevice {
        let Some(device) = self.devices.get(id) else {
            let outcome = LinkOutcome::NotFound.into();
            return LinkedDevice { device_id: id.to_owned(), outcome, ..LinkedDevice::default() };
        };
        let is_own = self.sharer.is_none_or(|user| device.user_id == Some(user));
        let outcome = match is_own {
            true => of_seen(device, self.links.get(&device.id)),
            false => LinkOutcome::Forbidden,
        };
        LinkedDevice {
            device_id: id.to_owned(),
            device_name: device.name.clone(),
            vehicle_code: device.vehicle_code.clone(),
            outcome: outcome.into(),
            replaced_owner_id: None,
        }
    }

    /// The devices of a report with an outcome, and what links the user to each.
    fn with<'a>(
        &'a self,
        report: &'a LinkDevicesReport,
        outcome: LinkOutcome,
    ) -> impl Iterator<Item = (&'a device::Model, Option<&'a Model>)> {
        let items = report.items.iter().filter(move |item| item.outcome() == outcome);
        items.filter_map(|item| self.devices.get(&item.device_id)).map(|device| (device, self.links.get(&device.id)))
    }

    async fn unlink(&self, tx: &DatabaseTransaction, caller: &Caller, report: &LinkDevicesReport) -> Result<()> {
        let (mut former, mut acts, mut owned) = (Vec::new(), Vec::new(), Vec::new());
        for (device, link) in self.with(report, LinkOutcome::Unlinked) {
            let Some(link) = link else { continue };
            acts.extend(act((Some(link), None), device));
            former.push(link.id);
            if link.role == DeviceMemberRole::Owner {
                owned.push(device);
            }
        }
        audit::record_all(tx, caller, acts).await?;
        members::change_owners(tx, caller, &owned, None).await?;
        Entity::delete_many().filter(Column::Id.is_in(former)).exec(tx).await?;
        Ok(())
    }

    async fn link(
        &self,
        tx: &DatabaseTransaction,
        caller: &Caller,
        wanted: &Wanted,
        report: &LinkDevicesReport,
    ) -> Result<()> {
        let (mut former, mut acts, mut links, mut devices) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (device, link) in self.with(report, LinkOutcome::Linked) {
            former.extend(link.map(|link| link.id));
            let new = Model {
                ends_on: wanted.ends_on.clone(),
                ends_at: wanted.ends_at,
                ..members::new_link(device, wanted.user, wanted.role)
            };
            acts.extend(act((link, Some(&new)), device));
            links.push(new.into_active_model().reset_all());
            devices.push(device);
        }
        if links.is_empty() {
            return Ok(());
        }
        audit::record_all(tx, caller, acts).await?;
        Entity::delete_many().filter(Column::Id.is_in(former)).exec(tx).await?;
        Entity::insert_many(links).exec_without_returning(tx).await?;
        match wanted.role {
            DeviceMemberRole::Owner => members::change_owners(tx, caller, &devices, Some(wanted.user)).await,
            _ => Ok(()),
        }
    }
}

/// That a link was made, or taken away.
fn act((before, after): (Option<&Model>, Option<&Model>), device: &device::Model) -> Option<Act> {
    let message = |link: Option<&Model>| link.map(|link| members::link_message(link.clone(), Some(device)));
    let (before, after): (Option<DeviceMember>, Option<DeviceMember>) = (message(before), message(after));
    let link = after.as_ref().or(before.as_ref())?;
    let acts = DeviceMembers::ACTS;
    Some(Act {
        act: if after.is_some() { acts.create } else { acts.delete },
        tenant: Some(device.tenant_id),
        object: Object::new(acts.kind, &link.id, &link.name),
        change: audit::changes(before.as_ref(), after.as_ref()),
    })
}
