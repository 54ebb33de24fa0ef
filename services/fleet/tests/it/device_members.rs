//! Links of users to devices: made one by one and many at once, ended by a day, and what follows from them.

use armada_proto::{
    TenantId,
    access::permission::{DEVICE_DELETE, DEVICE_LIST, DEVICE_MEMBER_CREATE, DEVICE_MEMBER_LIST, DEVICE_UPDATE},
    v1::{
        DeleteRequest, Device, DeviceAccessObstacle, DeviceAccessReason, DeviceInput, DeviceMember, DeviceMemberInput,
        DeviceMemberRole, DeviceMemberStatus, GetRequest, GetUserAccessRequest, LinkDevicesReport, LinkDevicesRequest,
        LinkOutcome, ListDeviceAccessRequest, ListDeviceMembersRequest, ListDevicesRequest, UserAccess,
        device_members_client::DeviceMembersClient,
    },
};
use armada_runtime::{Code, Error, Result, Scope, Transport};
use armada_testkit::{Signed, both_databases, eventually_equal};
use chrono::{TimeDelta, Utc};
use chrono_tz::Tz;
use sea_orm::ConnectionTrait;

use crate::support::{Fleet, SOON, answer, new_device, owned_by};

const OWNER: DeviceMemberRole = DeviceMemberRole::Owner;
const VIEWER: DeviceMemberRole = DeviceMemberRole::Viewer;
const TECHNICIAN: DeviceMemberRole = DeviceMemberRole::Technician;
/// A day that nobody who runs this sees.
const FAR: &str = "2099-12-31";

impl Fleet {
    fn members(&self) -> DeviceMembersClient<Transport> {
        DeviceMembersClient::new(self.running.context.peers.transport("fleet").unwrap())
    }

    pub async fn link_one(&self, caller: &Signed, input: DeviceMemberInput) -> Result<DeviceMember> {
        answer(self.members().create(caller.sign(input)).await)
    }

    pub async fn change_link(&self, caller: &Signed, input: DeviceMemberInput) -> Result<DeviceMember> {
        answer(self.members().update(caller.sign(input)).await)
    }

    async fn unlink(&self, caller: &Signed, id: &str) -> Result<()> {
        let request = DeleteRequest { id: id.to_owned(), row_version: None };
        answer(self.members().delete(caller.sign(request)).await).map(drop)
    }

    async fn link_many(&self, caller: &Signed, request: LinkDevicesRequest) -> Result<LinkDevicesReport> {
        answer(self.members().link(caller.sign(request)).await)
    }

    /// Links as `device user role`, with `!` behind those that have ended.
    pub async fn links(&self, caller: &Signed, request: ListDeviceMembersRequest) -> Result<Vec<String>> {
        let list = answer(self.members().list(caller.sign(request)).await)?;
        assert_eq!(list.total as usize, list.items.len(), "on one page");
        let shown = |link: DeviceMember| {
            let end = if link.status() == DeviceMemberStatus::Ended { "!" } else { "" };
            format!("{} {}{end}", link.name, link.role().as_str_name().rsplit('_').next().unwrap_or_default())
        };
        Ok(list.items.into_iter().map(shown).collect())
    }

    pub async fn seen(&self, caller: &Signed) -> anyhow::Result<Vec<String>> {
        let list = answer(self.devices().list(caller.sign(ListDevicesRequest::default())).await)?;
        Ok(list.items.into_iter().map(|device| device.name).collect())
    }

    async fn access(&self, caller: &Signed, user: &Signed) -> Result<UserAccess> {
        let request = GetUserAccessRequest { id: id(user) };
        answer(self.members().of_user(caller.sign(request)).await)
    }

    /// Lets the last day of all links of a tenant that have one be over.
    async fn end_links(&self, tenant: TenantId) -> anyhow::Result<()> {
        let tx = self.world.database("fleet").await.write(&Scope::Tenant(tenant)).await?;
        tx.execute_unprepared("UPDATE device_member SET ends_at = 1 WHERE ends_on <> ''").await?;
        Ok(tx.commit().await?)
    }
}

fn id(user: &Signed) -> String {
    user.grant.user_id.to_string()
}

pub fn link(device: &Device, user: &Signed) -> DeviceMemberInput {
    DeviceMemberInput { device_id: Some(device.id.clone()), user_id: Some(id(user)), ..DeviceMemberInput::default() }
}

fn of(user: &Signed) -> ListDeviceMembersRequest {
    ListDeviceMembersRequest { user_ids: vec![id(user)], ..ListDeviceMembersRequest::default() }
}

fn outcomes(report: &LinkDevicesReport) -> Vec<(&str, LinkOutcome)> {
    report.items.iter().map(|item| (item.device_name.as_str(), item.outcome())).collect()
}

both_databases! {
    async fn a_link_decides_what_is_seen_and_may_be_done(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let (admin, budi) = (&company.admin, &company.budi);
        let everything = [DEVICE_DELETE, DEVICE_LIST, DEVICE_MEMBER_CREATE, DEVICE_MEMBER_LIST, DEVICE_UPDATE];
        fleet.allow(&id(budi), &company.id.to_string(), &everything).await;
        let truck = fleet.create(admin, DeviceInput { vehicle_code: Some("B 1 AA".to_owned()), ..new_device("Truck") }).await?;
        assert!(fleet.seen(budi).await?.is_empty());

        let made = fleet.link_one(admin, link(&truck, budi)).await?;
        assert_eq!((made.role(), made.status(), made.ends_on.as_str()), (VIEWER, DeviceMemberStatus::Active, ""));
        assert_eq!((made.name.as_str(), made.vehicle_code.as_str(), &made.imei), ("Truck", "B 1 AA", &truck.imei));
        assert_eq!(answer(fleet.members().get(budi.sign(GetRequest { id: made.id.clone() })).await)?, made);
        assert_eq!(fleet.seen(budi).await?, ["Truck"]);
        let renamed = DeviceInput { id: truck.id.clone(), name: Some("Lorry".to_owned()), ..DeviceInput::default() };
        assert_eq!(fleet.update(budi, renamed.clone()).await.unwrap_err(), Error::forbidden());

        // A technician changes what is there, and removes nothing.
        let technician = DeviceMemberInput { id: made.id.clone(), role: Some(TECHNICIAN.into()), row_version: Some(made.row_version), ..DeviceMemberInput::default() };
        let changed = fleet.change_link(admin, technician.clone()).await?;
        assert_eq!(fleet.change_link(admin, technician).await.unwrap_err(), Error::version_mismatch());
        fleet.update(budi, renamed).await?;
        assert_eq!(fleet.links(admin, ListDeviceMembersRequest { q: "lorr".to_owned(), ..of(budi) }).await?, ["Lorry TECHNICIAN"], "links know what their devices are called");
        assert_eq!(fleet.delete(budi, &truck.id, None).await.unwrap_err(), Error::forbidden());
        assert_eq!(fleet.link_one(budi, link(&truck, &company.siti)).await.unwrap_err(), Error::forbidden());
        let denied = ListDeviceAccessRequest { id: truck.id.clone() };
        assert_eq!(answer(fleet.members().of_device(budi.sign(denied)).await).unwrap_err(), Error::forbidden());

        // An owner does everything.
        let owner = DeviceMemberInput { id: changed.id.clone(), role: Some(OWNER.into()), ..DeviceMemberInput::default() };
        fleet.change_link(admin, owner).await?;
        assert_eq!(fleet.get(admin, &truck.id).await?.user_id, Some(id(budi)));
        let shared = fleet.link_one(budi, link(&truck, &company.siti)).await?;
        assert_eq!(fleet.links(budi, ListDeviceMembersRequest::default()).await?.len(), 2, "of an own device all links are seen");
        assert_eq!(fleet.seen(&company.siti).await?, ["Lorry"]);
        fleet.unlink(admin, &shared.id).await?;
        assert!(fleet.seen(&company.siti).await?.is_empty());
        fleet.unlink(admin, &made.id).await?;
        assert_eq!(fleet.get(admin, &truck.id).await?.user_id, None, "without its owner's link a device has no owner");
        assert!(fleet.seen(budi).await?.is_empty());
        fleet.running.stop().await
    }

    async fn device_has_at_most_one_owner(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let (admin, budi, siti) = (&company.admin, &company.budi, &company.siti);
        let truck = fleet.create(admin, owned_by(budi, new_device("Truck"))).await?;
        let by_link = DeviceMemberInput { role: Some(OWNER.into()), ..link(&truck, siti) };
        fleet.link_one(admin, by_link).await?;
        assert_eq!(fleet.get(admin, &truck.id).await?.user_id, Some(id(siti)));
        assert!(fleet.links(admin, of(budi)).await?.is_empty(), "the one before is it no longer");
        let by_form = DeviceInput { id: truck.id.clone(), user_id: Some(id(budi)), ..DeviceInput::default() };
        fleet.update(admin, by_form).await?;
        assert_eq!(fleet.links(admin, of(budi)).await?, ["Truck OWNER"]);
        assert!(fleet.links(admin, of(siti)).await?.is_empty());

        let request = LinkDevicesRequest { user_id: id(siti), role: OWNER.into(), device_ids: vec![truck.id.clone()], ..LinkDevicesRequest::default() };
        let report = fleet.link_many(admin, LinkDevicesRequest { dry_run: true, ..request.clone() }).await?;
        assert_eq!(report.items[0].replaced_owner_id, Some(id(budi)), "a preview says whose place is taken");
        assert_eq!(fleet.get(admin, &truck.id).await?.user_id, Some(id(budi)), "and does nothing");
        assert_eq!(fleet.link_many(admin, request.clone()).await?, report);
        assert_eq!(fleet.links(admin, ListDeviceMembersRequest::default()).await?, ["Truck OWNER"]);
        assert_eq!(outcomes(&fleet.link_many(admin, request).await?), [("Truck", LinkOutcome::AlreadyOwned)]);
        fleet.running.stop().await
    }

    async fn many_are_linked_at_once_with_a_result_for_each(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (company, other) = (fleet.company("Acme").await, fleet.company("Other").await);
        let (admin, budi, siti) = (&company.admin, &company.budi, &company.siti);
        for name in ["A", "B"] {
            fleet.create(admin, owned_by(budi, new_device(name))).await?;
        }
        let free = fleet.create(admin, new_device("C")).await?;
        let own = fleet.create(admin, owned_by(siti, new_device("D"))).await?;
        let foreign = fleet.create(&other.admin, new_device("E")).await?;
        let ids = [&free, &own, &foreign, &free].map(|device| device.id.clone()).to_vec();
        let request = LinkDevicesRequest {
            user_id: id(siti),
            role: VIEWER.into(),
            device_ids: ids.into_iter().chain(["nothing".to_owned()]).collect(),
            from_user_ids: vec![id(budi)],
            unlinked_device_ids: vec![free.id.clone(), own.id.clone()],
            ..LinkDevicesRequest::default()
        };
        use LinkOutcome::{AlreadyLinked, AlreadyOwned, Forbidden, Linked, NotFound, NotLinked, Unlinked};
        let without_end = LinkDevicesRequest { unlinked_device_ids: vec![], ..request.clone() };
        let report = fleet.link_many(admin, without_end.clone()).await?;
        let wanted = [("C", Linked), ("D", AlreadyOwned), ("", NotFound), ("", NotFound), ("A", Linked), ("B", Linked)];
        assert_eq!(outcomes(&report), wanted);
        assert_eq!((report.succeeded, report.skipped, report.failed), (3, 1, 2));
        assert_eq!(fleet.links(admin, of(siti)).await?, ["A VIEWER", "B VIEWER", "C VIEWER", "D OWNER"]);
        let again = fleet.link_many(admin, without_end).await?;
        assert_eq!((again.succeeded, again.skipped, again.failed), (0, 4, 2), "already linked devices are skipped");
        assert_eq!(again.items[0].outcome(), AlreadyLinked);

        let removal = LinkDevicesRequest { device_ids: vec![], from_user_ids: vec![], ..request };
        assert_eq!(outcomes(&fleet.link_many(admin, removal.clone()).await?), [("C", Unlinked), ("D", Unlinked)]);
        assert_eq!(fleet.get(admin, &own.id).await?.user_id, None);
        assert_eq!(outcomes(&fleet.link_many(admin, removal).await?), [("C", NotLinked), ("D", NotLinked)]);

        // Who is no admin shares what they own, and nothing else.
        fleet.allow(&id(budi), &company.id.to_string(), &[DEVICE_LIST, DEVICE_MEMBER_CREATE, DEVICE_MEMBER_LIST]).await;
        fleet.link_one(admin, link(&free, budi)).await?;
        let mine = LinkDevicesRequest { user_id: id(siti), role: TECHNICIAN.into(), device_ids: vec![free.id.clone(), own.id.clone()], from_user_ids: vec![id(budi)], ..LinkDevicesRequest::default() };
        let report = fleet.link_many(budi, mine).await?;
        assert_eq!(outcomes(&report), [("C", Forbidden), ("", NotFound), ("A", AlreadyLinked), ("B", AlreadyLinked)]);
        let without_right = LinkDevicesRequest { user_id: id(siti), unlinked_device_ids: vec![free.id.clone()], ..LinkDevicesRequest::default() };
        assert_eq!(fleet.link_many(budi, without_right).await.unwrap_err(), Error::forbidden(), "to link is not to take links away");
        fleet.running.stop().await
    }

    async fn the_last_day_of_a_link_ends_at_the_midnight_of_the_time_zone_that_the_tenant_has(kind: Kind) -> anyhow::Result<()> {
        let mut fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let truck = fleet.create(&company.admin, new_device("Truck")).await?;
        // Where days end last it lasts for another hour at least; where they end first it is over.
        let day = (Utc::now() - TimeDelta::hours(11)).date_naive().to_string();
        let until = DeviceMemberInput { ends_on: Some(day), ..link(&truck, &company.budi) };
        fleet.in_zone(&company, Tz::Etc__GMTPlus12).await;
        fleet.link_one(&company.admin, until).await?;
        assert_eq!(fleet.seen(&company.budi).await?.len(), 1);
        fleet.in_zone(&company, Tz::Pacific__Kiritimati).await;
        fleet.restart().await;
        eventually_equal("the link is over", SOON, 0, async || Ok(fleet.seen(&company.budi).await?.len())).await;
        fleet.in_zone(&company, Tz::Etc__GMTPlus12).await;
        fleet.restart().await;
        eventually_equal("and is not", SOON, 1, async || Ok(fleet.seen(&company.budi).await?.len())).await;
        fleet.running.stop().await
    }

    async fn a_link_ends_on_its_day_and_can_be_renewed(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let (admin, budi) = (&company.admin, &company.budi);
        let truck = fleet.create(admin, new_device("Truck")).await?;
        let until = |day: &str| DeviceMemberInput { ends_on: Some(day.to_owned()), ..link(&truck, budi) };
        assert_eq!(fleet.link_one(admin, until("2020-01-01")).await.unwrap_err(), Error::field("ends_on", "in_the_past"));
        let owner = DeviceMemberInput { role: Some(OWNER.into()), ..until(FAR) };
        assert_eq!(fleet.link_one(admin, owner).await.unwrap_err(), Error::field("ends_on", "owner_does_not_end"));
        let made = fleet.link_one(admin, until(FAR)).await?;
        assert_eq!((made.ends_on.as_str(), fleet.seen(budi).await?.len()), (FAR, 1));

        fleet.end_links(company.id).await?;
        assert!(fleet.seen(budi).await?.is_empty());
        assert_eq!(fleet.links(admin, of(budi)).await?, ["Truck VIEWER!"]);
        let of_status = |status: DeviceMemberStatus| ListDeviceMembersRequest { status: Some(status.into()), ..of(budi) };
        assert!(fleet.links(admin, of_status(DeviceMemberStatus::Active)).await?.is_empty());
        assert_eq!(fleet.links(admin, of_status(DeviceMemberStatus::Ended)).await?.len(), 1);
        let access = fleet.access(admin, budi).await?;
        assert_eq!((access.reasons.len(), access.ended), (0, 1));
        let seen = answer(fleet.members().of_device(admin.sign(ListDeviceAccessRequest { id: truck.id.clone() })).await)?.items;
        let budis = seen.iter().find(|access| access.user_id == id(budi)).expect("named with the reason");
        assert_eq!((budis.obstacle(), budis.permissions.len()), (DeviceAccessObstacle::LinkEnded, 0));

        let renewed = fleet.link_one(admin, link(&truck, budi)).await?;
        assert_eq!((renewed.status(), renewed.ends_on.as_str()), (DeviceMemberStatus::Active, ""));
        assert_eq!(fleet.seen(budi).await?, ["Truck"]);
        let error = fleet.link_one(admin, link(&truck, budi)).await.unwrap_err();
        assert_eq!((error.class, error.code.as_ref()), (Code::Conflict, "device_already_linked"));
        fleet.running.stop().await
    }

    async fn explains_who_sees_a_device(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let company = fleet.company("Acme").await;
        let (admin, budi, siti) = (&company.admin, &company.budi, &company.siti);
        let truck = fleet.create(admin, owned_by(budi, new_device("Truck"))).await?;
        fleet.link_one(admin, DeviceMemberInput { role: Some(TECHNICIAN.into()), ..link(&truck, siti) }).await?;
        fleet.allow(&id(siti), &company.id.to_string(), &[DEVICE_UPDATE]).await;
        let request = ListDeviceAccessRequest { id: truck.id.clone() };
        let seen = answer(fleet.members().of_device(admin.sign(request.clone())).await)?.items;
        let seen: Vec<_> = seen.iter().map(|access| (access.user_name.as_str(), access.reason(), access.obstacle, access.permissions.len())).collect();
        let nothing = Some(DeviceAccessObstacle::NoPermission.into());
        let wanted = [
            ("admin", DeviceAccessReason::TenantAdmin, None, 14),
            ("budi", DeviceAccessReason::Owner, None, 3),
            ("siti", DeviceAccessReason::Technician, nothing, 0),
        ];
        assert_eq!(seen, wanted);

        let own = fleet.access(admin, budi).await?;
        assert_eq!((own.reasons[0].reason(), own.reasons[0].devices, own.obstacle), (DeviceAccessReason::Owner, 1, None));
        assert_eq!(fleet.access(admin, siti).await?.obstacle, nothing);
        let all = fleet.access(admin, admin).await?;
        assert_eq!((all.reasons[0].reason(), all.reasons[0].devices), (DeviceAccessReason::TenantAdmin, 1));
        let other = fleet.company("Other").await;
        assert_eq!(fleet.access(&other.admin, budi).await.unwrap_err(), Error::not_found());
        assert_eq!(answer(fleet.members().of_device(other.admin.sign(request)).await).unwrap_err(), Error::not_found());
        fleet.running.stop().await
    }

    async fn what_is_wrong_with_a_link_is_named(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (company, other) = (fleet.company("Acme").await, fleet.company("Other").await);
        let admin = &company.admin;
        let truck = fleet.create(admin, new_device("Truck")).await?;
        let foreign = fleet.create(&other.admin, new_device("Theirs")).await?;
        let refused = [
            (DeviceMemberInput { user_id: None, ..link(&truck, &company.budi) }, "user_id", "required"),
            (link(&truck, &other.budi), "user_id", "unknown"),
            (link(&foreign, &company.budi), "device_id", "unknown"),
            (DeviceMemberInput { ends_on: Some("2099-02-30".to_owned()), ..link(&truck, &company.budi) }, "ends_on", "invalid_date"),
        ];
        for (input, field, code) in refused {
            assert_eq!(fleet.link_one(admin, input).await.unwrap_err(), Error::field(field, code));
        }
        let made = fleet.link_one(admin, link(&truck, &company.budi)).await?;
        let moved = DeviceMemberInput { id: made.id, user_id: Some(id(&company.siti)), ..DeviceMemberInput::default() };
        assert_eq!(fleet.change_link(admin, moved).await.unwrap_err(), Error::field("user_id", "not_changeable"));
        let request = LinkDevicesRequest { user_id: id(&company.budi), ..LinkDevicesRequest::default() };
        assert_eq!(fleet.link_many(admin, request.clone()).await.unwrap_err(), Error::field("device_ids", "required"));
        let without_role = LinkDevicesRequest { device_ids: vec![truck.id.clone()], ..request };
        assert_eq!(fleet.link_many(admin, without_role.clone()).await.unwrap_err(), Error::field("role", "required"));
        let to_owner = LinkDevicesRequest { user_id: id(&fleet.owner), role: VIEWER.into(), ..without_role };
        assert_eq!(fleet.link_many(admin, to_owner).await.unwrap_err(), Error::field("user_id", "unknown"));
        fleet.running.stop().await
    }
}
