//! Share links: who makes them, what they show at which moment, and how PINs are guarded.

use std::time::Duration;

use armada_proto::{
    Timestamp,
    access::permission::{
        DEVICE_LIST, POSITION_LIVE, SHARE_LINK_CREATE, SHARE_LINK_DELETE, SHARE_LINK_EXPORT, SHARE_LINK_LIST,
        SHARE_LINK_UPDATE,
    },
    v1::{
        DeleteRequest, Device, DeviceInput, GetRequest, ListShareLinksRequest, MasterDataEntry, MasterDataEntryInput,
        MasterDataKind, OpenShareLinkRequest, OpenedShareLink, ShareLink, ShareLinkActRequest, ShareLinkInput,
        ShareLinkStatus, ShareLinkTicket, TenantInput, UserInput, share_links_client::ShareLinksClient,
        users_client::UsersClient,
    },
};
use armada_runtime::{Code, Error, Result, Scope, Transport};
use armada_testkit::{Signed, both_databases, eventually, eventually_equal};
use sea_orm::ConnectionTrait;

use crate::{
    device_members::link as membership,
    master_data::new_entry,
    support::{Company, Fleet, SOON, answer, new_device, owned_by},
};

const ALL: [&str; 6] =
    [DEVICE_LIST, POSITION_LIVE, SHARE_LINK_CREATE, SHARE_LINK_DELETE, SHARE_LINK_LIST, SHARE_LINK_UPDATE];

impl Fleet {
    fn share_links(&self) -> ShareLinksClient<Transport> {
        ShareLinksClient::new(self.running.context.peers.transport("fleet").unwrap())
    }

    pub async fn share(&self, caller: &Signed, input: ShareLinkInput) -> Result<ShareLink> {
        answer(self.share_links().create(caller.sign(input)).await)
    }

    async fn change_share(&self, caller: &Signed, input: ShareLinkInput) -> Result<ShareLink> {
        answer(self.share_links().update(caller.sign(input)).await)
    }

    pub async fn shared(&self, caller: &Signed, request: ListShareLinksRequest) -> Result<Vec<String>> {
        let list = answer(self.share_links().list(caller.sign(request)).await)?;
        assert_eq!(list.total as usize, list.items.len(), "on one page");
        assert!(list.items.iter().all(|link| link.url_token.is_none()), "no list tells an address");
        Ok(list.items.into_iter().map(|link| link.name).collect())
    }

    /// As the edge opens a link for a visitor.
    async fn open_as(&self, request: OpenShareLinkRequest) -> Result<OpenedShareLink> {
        let edge = self.running.context.service_key.caller(Scope::Platform, None)?;
        answer(self.share_links().open(edge.sign(request)).await)
    }

    pub async fn open(&self, link: &ShareLink) -> Result<OpenedShareLink> {
        self.open_as(opening(link)).await
    }

    /// Why a link shows nothing any more.
    async fn refusal(&self, link: &ShareLink) -> String {
        let refused = self.open(link).await.unwrap_err();
        assert_eq!(refused.class, Code::NotFound, "{refused}");
        refused.code
    }

    pub async fn is_over(&self, link: &ShareLink) -> bool {
        self.open(link).await == Err(over())
    }

    /// What somebody sees to whom a link was opened.
    async fn look(&self, opened: &OpenedShareLink) -> Result<OpenedShareLink> {
        let edge = self.running.context.service_key.caller(Scope::Platform, None)?;
        answer(self.share_links().look(edge.sign(ticket(opened))).await)
    }

    async fn status_of(&self, caller: &Signed, link: &ShareLink) -> Result<ShareLinkStatus> {
        Ok(answer(self.share_links().get(caller.sign(GetRequest { id: link.id.clone() })).await)?.status())
    }

    async fn wait_for_end(&self, link: &ShareLink) {
        eventually("the link is over", SOON, async || {
            anyhow::ensure!(self.is_over(link).await);
            Ok(())
        })
        .await;
    }

    /// A company where Budi owns a truck, and may share it.
    async fn sharing(&self, name: &str) -> (Company, Device) {
        let company = self.company(name).await;
        self.allow(&id(&company.budi), &company.id.to_string(), &ALL).await;
        let truck = self.create(&company.admin, owned_by(&company.budi, new_device("Truck"))).await.unwrap();
        (company, truck)
    }
}

fn id(user: &Signed) -> String {
    user.grant.user_id.to_string()
}

fn over() -> Error {
    Error::new(Code::NotFound, "share_link_over", "this link no longer works")
}

fn opening(link: &ShareLink) -> OpenShareLinkRequest {
    let url_token = link.url_token.clone().expect("an address");
    OpenShareLinkRequest { url_token, ..OpenShareLinkRequest::default() }
}

fn one_day_link(name: &str) -> ShareLinkInput {
    let expires_at = Some(Timestamp::now() + Duration::from_secs(24 * 3600));
    ShareLinkInput { name: Some(name.to_owned()), expires_at, ..ShareLinkInput::default() }
}

pub fn of(device: &Device) -> ShareLinkInput {
    ShareLinkInput { device_id: Some(device.id.clone()), ..one_day_link(&device.name) }
}

fn ticket(opened: &OpenedShareLink) -> ShareLinkTicket {
    ShareLinkTicket { id: opened.id.clone(), ticket_version: opened.ticket_version }
}

fn only(status: ShareLinkStatus) -> ListShareLinksRequest {
    ListShareLinksRequest { statuses: vec![status.into()], ..ListShareLinksRequest::default() }
}

fn of_group(group: &MasterDataEntry) -> ShareLinkInput {
    ShareLinkInput { device_group_id: Some(group.id.clone()), ..one_day_link(&group.name) }
}

fn act(link: &ShareLink) -> ShareLinkActRequest {
    ShareLinkActRequest { id: link.id.clone(), row_version: Some(link.row_version) }
}

both_databases! {
    async fn an_owner_shares_a_device_and_sees_who_came(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (company, truck) = fleet.sharing("Acme").await;
        let (admin, budi) = (&company.admin, &company.budi);
        let link = fleet.share(budi, of(&truck)).await?;
        assert_eq!((link.status(), link.has_pin, link.user_id.as_str(), link.opened_count), (ShareLinkStatus::Active, false, id(budi).as_str(), 0));

        let opened = fleet.open(&link).await?;
        let expected = OpenedShareLink { id: link.id.clone(), tenant_id: company.id.to_string(), expires_at: link.expires_at, ticket_version: opened.ticket_version, needs_pin: false, device_ids: vec![truck.id.clone()], names: vec!["Truck".to_owned()], user_id: id(budi) };
        assert_eq!(opened, expected);
        fleet.open_as(OpenShareLinkRequest { ticket: Some(ticket(&opened)), ..opening(&link) }).await?;
        assert_eq!(fleet.look(&opened).await?, expected);
        let read = answer(fleet.share_links().get(budi.sign(GetRequest { id: link.id.clone() })).await)?;
        assert_eq!((read.opened_count, read.last_opened_at.is_some(), read.url_token, read.row_version), (1, true, None, link.row_version));
        assert_eq!(read.subject_name, "Truck");

        // Who did not make it sees it as an admin only.
        fleet.allow(&id(&company.siti), &company.id.to_string(), &ALL).await;
        assert_eq!(fleet.shared(admin, ListShareLinksRequest::default()).await?, ["Truck"]);
        assert_eq!(fleet.shared(budi, ListShareLinksRequest::default()).await?, ["Truck"]);
        assert!(fleet.shared(&company.siti, ListShareLinksRequest::default()).await?.is_empty());
        assert_eq!(fleet.share(&company.siti, of(&truck)).await.unwrap_err(), Error::field("device_id", "unknown"));
        fleet.link_one(admin, membership(&truck, &company.siti)).await?;
        assert_eq!(fleet.share(&company.siti, of(&truck)).await.unwrap_err(), Error::forbidden());

        // Only services open links.
        assert_eq!(answer(fleet.share_links().open(budi.sign(opening(&link))).await).unwrap_err(), Error::forbidden());
        assert_eq!(answer(fleet.share_links().look(budi.sign(ticket(&opened))).await).unwrap_err(), Error::forbidden());
        fleet.running.stop().await
    }

    async fn a_link_is_renewed_revoked_and_removed(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (company, truck) = fleet.sharing("Acme").await;
        let budi = &company.budi;
        let first = fleet.share(budi, of(&truck)).await?;
        let opened = fleet.open(&first).await?;
        let renewed = answer(fleet.share_links().renew_address(budi.sign(act(&first))).await)?;
        assert!(fleet.is_over(&first).await, "the former address shows nothing");
        assert_eq!(fleet.look(&opened).await, Err(over()), "nor does it to who has it open");
        let opened = fleet.open(&renewed).await?;

        let stale = answer(fleet.share_links().revoke(budi.sign(act(&first))).await);
        assert_eq!(stale.unwrap_err(), Error::version_mismatch());
        let revoked = answer(fleet.share_links().revoke(budi.sign(act(&renewed))).await)?;
        assert_eq!(revoked.status(), ShareLinkStatus::Revoked);
        assert_eq!(fleet.refusal(&renewed).await, "share_link_withdrawn");
        assert_eq!(fleet.look(&opened).await.unwrap_err().code, "share_link_withdrawn");
        let again = ShareLinkInput { id: revoked.id.clone(), ..one_day_link("Again") };
        assert_eq!(fleet.change_share(budi, again).await.unwrap_err().code, "share_link_revoked");
        assert_eq!(fleet.shared(budi, only(ShareLinkStatus::Revoked)).await?, ["Truck"]);
        assert!(fleet.shared(budi, only(ShareLinkStatus::Active)).await?.is_empty());

        let other = fleet.share(budi, of(&truck)).await?;
        let tx = fleet.world.database("fleet").await.write(&Scope::Tenant(company.id)).await?;
        tx.execute_unprepared("UPDATE share_link SET expires_at = 1 WHERE revoked_at IS NULL").await?;
        tx.commit().await?;
        assert_eq!(fleet.refusal(&other).await, "share_link_expired");
        assert_eq!(fleet.shared(budi, only(ShareLinkStatus::Expired)).await?, ["Truck"]);
        let prolonged = fleet.change_share(budi, ShareLinkInput { id: other.id.clone(), ..one_day_link("Longer") }).await?;
        assert_eq!(prolonged.status(), ShareLinkStatus::Active);
        fleet.open(&other).await?;
        answer(fleet.share_links().delete(budi.sign(DeleteRequest { id: other.id.clone(), row_version: None })).await)?;
        assert!(fleet.is_over(&other).await);
        fleet.running.stop().await
    }

    async fn a_pin_is_asked_for_and_guarded(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (company, truck) = fleet.sharing("Acme").await;
        let budi = &company.budi;
        let link = fleet.share(budi, ShareLinkInput { pin: Some("4821".to_owned()), ..of(&truck) }).await?;
        assert!(link.has_pin);
        assert_eq!(fleet.open(&link).await?, OpenedShareLink { needs_pin: true, ..OpenedShareLink::default() });
        let with = |pin: &str| OpenShareLinkRequest { pin: Some(pin.to_owned()), ..opening(&link) };
        let opened = fleet.open_as(with("4821")).await?;
        for _ in 0..5 {
            assert_eq!(fleet.open_as(with("0000")).await.unwrap_err(), Error::field("pin", "wrong_pin"));
        }
        assert_eq!(fleet.open_as(with("4821")).await.unwrap_err().class, Code::TooManyRequests);
        let with_ticket = OpenShareLinkRequest { ticket: Some(ticket(&opened)), ..opening(&link) };
        assert_eq!(fleet.open_as(with_ticket.clone()).await?.device_ids, opened.device_ids);

        // Another PIN, and tickets of the former one do not hold.
        let other = ShareLinkInput { id: link.id.clone(), pin: Some("77777777".to_owned()), ..ShareLinkInput::default() };
        fleet.change_share(budi, other).await?;
        assert!(fleet.open_as(with_ticket).await?.needs_pin);
        assert_eq!(fleet.look(&opened).await, Err(over()));
        let none = ShareLinkInput { id: link.id.clone(), pin: Some(String::new()), ..ShareLinkInput::default() };
        assert!(!fleet.change_share(budi, none).await?.has_pin);
        assert_eq!(fleet.open(&link).await?.device_ids, opened.device_ids);
        fleet.running.stop().await
    }

    async fn a_link_never_outlives_the_right_of_its_maker(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (company, truck) = fleet.sharing("Acme").await;
        let (admin, budi) = (&company.admin, &company.budi);
        let tenant = company.id.to_string();
        let link = fleet.share(budi, of(&truck)).await?;

        let given = |user: &Signed| DeviceInput { id: truck.id.clone(), user_id: Some(id(user)), ..DeviceInput::default() };
        fleet.update(admin, given(&company.siti)).await?;
        assert!(fleet.is_over(&link).await, "who owns it no more does not share it");
        fleet.update(admin, given(budi)).await?;
        fleet.open(&link).await?;

        fleet.allow(&id(budi), &tenant, &[DEVICE_LIST, POSITION_LIVE]).await;
        fleet.wait_for_end(&link).await;
        fleet.allow(&id(budi), &tenant, &[ALL.as_slice(), &[SHARE_LINK_EXPORT]].concat()).await;
        eventually_equal("the link shows again", SOON, vec![truck.id.clone()], async || Ok(fleet.open(&link).await?.device_ids)).await;

        let by_platform = fleet.share(&fleet.owner, ShareLinkInput { tenant_id: Some(tenant.clone()), ..of(&truck) }).await?;
        let active = |active| TenantInput { id: tenant.clone(), active: Some(active), ..TenantInput::default() };
        answer(fleet.tenants().update(fleet.owner.sign(active(false))).await)?;
        fleet.wait_for_end(&link).await;
        assert!(fleet.is_over(&by_platform).await, "also of who owns the platform");
        answer(fleet.tenants().update(fleet.owner.sign(active(true))).await)?;
        eventually_equal("the link shows again", SOON, vec![truck.id.clone()], async || Ok(fleet.open(&link).await?.device_ids)).await;

        let identity = fleet.running.context.peers.transport("identity").unwrap();
        let barred = UserInput { id: id(budi), is_active: Some(false), ..UserInput::default() };
        answer(UsersClient::new(identity).update(admin.sign(barred)).await)?;
        fleet.wait_for_end(&link).await;
        fleet.open(&by_platform).await?;
        fleet.delete(admin, &truck.id, None).await?;
        assert!(fleet.is_over(&by_platform).await);
        fleet.running.stop().await
    }

    async fn links_end_with_their_maker(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (company, truck) = fleet.sharing("Acme").await;
        let link = fleet.share(&company.budi, of(&truck)).await?;
        let identity = fleet.running.context.peers.transport("identity").unwrap();
        let gone = DeleteRequest { id: id(&company.budi), row_version: None };
        answer(UsersClient::new(identity).delete(company.admin.sign(gone)).await)?;
        fleet.wait_for_end(&link).await;
        eventually_equal("it is in no list", SOON, Vec::<String>::new(), async || Ok(fleet.shared(&company.admin, ListShareLinksRequest::default()).await?)).await;
        fleet.running.stop().await
    }

    async fn a_group_shows_what_its_maker_may_share(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (company, _) = fleet.sharing("Acme").await;
        let (admin, budi) = (&company.admin, &company.budi);
        let group = fleet.make_entry(admin, new_entry(MasterDataKind::DeviceGroup, "North")).await?;
        let inside = |name: &str| DeviceInput { group_ids: Some(group.id.clone()), ..new_device(name) };
        let seen = fleet.create(admin, inside("Seen")).await?;
        fleet.link_one(admin, membership(&seen, budi)).await?;
        let nothing = Error::field("device_group_id", "nothing_to_share");
        assert_eq!(fleet.share(budi, of_group(&group)).await.unwrap_err(), nothing);
        let own = fleet.create(admin, owned_by(budi, inside("Own"))).await?;
        let link = fleet.share(budi, of_group(&group)).await?;
        assert_eq!(fleet.open(&link).await?.device_ids, std::slice::from_ref(&own.id), "seeing is not sharing");
        let all = fleet.share(admin, of_group(&group)).await?;
        assert_eq!(fleet.open(&all).await?.device_ids.len(), 2);
        let out = DeviceInput { id: own.id, group_ids: Some(String::new()), ..DeviceInput::default() };
        fleet.update(admin, out).await?;
        assert!(fleet.is_over(&link).await);
        fleet.running.stop().await
    }

    async fn links_have_a_searchable_status(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (company, truck) = fleet.sharing("Acme").await;
        let (admin, budi) = (&company.admin, &company.budi);
        let outer = fleet.make_entry(admin, new_entry(MasterDataKind::DeviceGroup, "Java")).await?;
        let within = MasterDataEntryInput { parent_id: Some(outer.id.clone()), ..new_entry(MasterDataKind::DeviceGroup, "Solo") };
        let inner = fleet.make_entry(admin, within).await?;
        let inside = DeviceInput { group_ids: Some(inner.id.clone()), ..new_device("Bus") };
        let bus = fleet.create(admin, owned_by(budi, inside)).await?;
        let links = [fleet.share(budi, of(&truck)).await?, fleet.share(budi, of_group(&outer)).await?, fleet.share(admin, of_group(&outer)).await?];
        assert_eq!(links.each_ref().map(|link| (link.status(), link.subject_name.as_str())), [(ShareLinkStatus::Active, "Truck"), (ShareLinkStatus::Active, "Java"), (ShareLinkStatus::Active, "Java")]);

        let given = |device: &Device, user: &Signed| DeviceInput { id: device.id.clone(), user_id: Some(id(user)), ..DeviceInput::default() };
        fleet.update(admin, given(&truck, &company.siti)).await?;
        fleet.update(admin, given(&bus, &company.siti)).await?;
        for (link, wanted) in links.iter().zip([ShareLinkStatus::Ended, ShareLinkStatus::Ended, ShareLinkStatus::Active]) {
            assert_eq!(fleet.status_of(admin, link).await?, wanted);
        }
        let ended = ListShareLinksRequest { sort: "name".to_owned(), ..only(ShareLinkStatus::Ended) };
        assert_eq!(fleet.shared(admin, ended.clone()).await?, ["Java", "Truck"]);
        assert_eq!(fleet.shared(admin, only(ShareLinkStatus::Active)).await?, ["Java"]);
        assert!(fleet.shared(admin, only(ShareLinkStatus::Revoked)).await?.is_empty());
        let of_device = ListShareLinksRequest { device_ids: vec![truck.id.clone()], ..ListShareLinksRequest::default() };
        assert_eq!(fleet.shared(admin, of_device).await?, ["Truck"]);
        let of_group = ListShareLinksRequest { device_group_ids: vec![outer.id.clone()], ..ListShareLinksRequest::default() };
        assert_eq!(fleet.shared(admin, of_group).await?, ["Java", "Java"]);

        fleet.update(admin, given(&bus, budi)).await?;
        assert_eq!(fleet.shared(admin, ended).await?, ["Truck"]);
        fleet.allow(&id(budi), &company.id.to_string(), &[DEVICE_LIST, POSITION_LIVE, SHARE_LINK_LIST]).await;
        eventually_equal("who may share nothing any more", SOON, ShareLinkStatus::Ended, async || Ok(fleet.status_of(budi, &links[1]).await?)).await;

        // What links show takes them along.
        let out = DeviceInput { id: bus.id.clone(), group_ids: Some(String::new()), ..DeviceInput::default() };
        fleet.update(admin, out).await?;
        let mut master_data = fleet.master_data();
        for group in [inner, outer] {
            answer(master_data.delete(admin.sign(DeleteRequest { id: group.id, row_version: None })).await)?;
        }
        fleet.delete(admin, &truck.id, None).await?;
        assert!(fleet.shared(admin, ListShareLinksRequest::default()).await?.is_empty());
        fleet.running.stop().await
    }

    async fn what_is_wrong_with_a_link_is_said(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let (company, truck) = fleet.sharing("Acme").await;
        let (_, theirs) = fleet.sharing("Other").await;
        let budi = &company.budi;
        let until = |seconds| Some(Timestamp::now() + Duration::from_secs(seconds));
        let wrong = [
            (ShareLinkInput { expires_at: Some(Timestamp::from_millis(1)), ..of(&truck) }, ("expires_at", "in_the_past")),
            (ShareLinkInput { expires_at: until(91 * 24 * 3600), ..of(&truck) }, ("expires_at", "too_late")),
            (ShareLinkInput { expires_at: None, ..of(&truck) }, ("expires_at", "required")),
            (one_day_link("Nothing"), ("device_id", "required")),
            (ShareLinkInput { device_group_id: Some(truck.id.clone()), ..of(&truck) }, ("device_group_id", "one_subject")),
            (ShareLinkInput { device_group_id: Some(truck.id.clone()), ..one_day_link("No group") }, ("device_group_id", "unknown")),
            (of(&theirs), ("device_id", "unknown")),
        ];
        for (input, (field, code)) in wrong {
            assert_eq!(fleet.share(budi, input).await.unwrap_err(), Error::field(field, code));
        }
        for pin in ["123", "123456789", "12a4"] {
            let input = ShareLinkInput { pin: Some(pin.to_owned()), ..of(&truck) };
            assert_eq!(fleet.share(budi, input).await.unwrap_err().class, Code::Invalid, "{pin}");
        }
        let made_up = ShareLink { url_token: Some("nobody".to_owned()), ..ShareLink::default() };
        assert!(fleet.is_over(&made_up).await);
        fleet.running.stop().await
    }
}
