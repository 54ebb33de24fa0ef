//! Identity, fleet and notification in a World, with tenants, their people and their devices.

use std::{
    sync::{
        LazyLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use armada_notification::NAME;
use armada_proto::{
    TenantId, Timestamp, alarm, coded,
    v1::{
        AcknowledgeAlarmInput, AcknowledgeAlarmsRequest, Alarm, AlarmList, AlarmName, DeleteRequest, Device,
        DeviceInput, DocumentReminder, Effect, Event, EventEntry, EventList, ListAlarmNamesRequest, ListAlarmsRequest,
        ListEventsRequest, RoleInput, RolePermission, RolePermissionsInput, StandingAlarms, TenantInput, UserInput,
        UserRolesInput, VehicleEvent, alarm_names_client::AlarmNamesClient, alarms_client::AlarmsClient,
        devices_client::DevicesClient, event::Details, events_client::EventsClient, roles_client::RolesClient,
        tenants_client::TenantsClient, users_client::UsersClient,
    },
};
use armada_runtime::{Context, Error, Result, Secret, Transport, auth::Grant, events};
use armada_testkit::{Kind, RunningProcess, Signed, Tables, World, eventually};
use armada_track::Imei;
use futures::TryStreamExt;
use prost::Message;
use tonic::{Response, Status};

/// How long anything may take on a busy machine.
pub const SOON: Duration = Duration::from_secs(20);
/// Events of tests happen after this, an hour before they run, in milliseconds since 1970.
pub static BEGIN: LazyLock<i64> = LazyLock::new(|| Timestamp::now().millis() - 3_600_000);

/// A World with the tables of the three services.
pub async fn world(kind: Kind) -> World {
    static TABLES: Tables =
        Tables::new(&["identity", "fleet", NAME], |context| Box::pin(async move { migrate(&context).await }));
    World::start_with_tables(kind, &TABLES).await
}

async fn migrate(context: &Context) {
    let (bus, of) = (&context.bus, |service| context.database(service).unwrap());
    armada_identity::migrate(bus, &of("identity"), &armada_identity::Config::default()).await.unwrap();
    armada_fleet::migrate(bus, &of("fleet"), &armada_fleet::Config::default()).await.unwrap();
    armada_notification::migrate(bus, &of(NAME), &armada_notification::Config::default()).await.unwrap();
}

/// Running services.
pub struct Site {
    pub world: World,
    pub running: RunningProcess,
    /// Where notification runs, beside the others, if it does.
    notification: Option<RunningProcess>,
    pub owner: Signed,
}

/// A tenant and its admin.
pub struct Company {
    pub id: TenantId,
    pub admin: Signed,
}

impl Site {
    pub async fn start(kind: Kind) -> Self {
        Box::pin(Self::started(world(kind).await)).await
    }

    async fn started(world: World) -> Self {
        let context = world.context(&["identity", "fleet"]).await;
        // The tables are there; streams and buckets are not.
        migrate(&world.context(&["identity", "fleet", NAME]).await).await;
        let mut process = world.process(&context);
        process.add(armada_identity::build(&context, armada_identity::Config::default()).await.unwrap());
        let secret_key = Some(Secret::new("a key of tests that nobody guesses".to_owned()));
        let fleet = armada_fleet::Config { secret_key, ..armada_fleet::Config::default() };
        process.add(armada_fleet::build(&context, fleet).await.unwrap());
        let running = world.run(process).await;
        let owner = world.platform_owner().await;
        let mut site = Self { world, running, notification: None, owner };
        site.start_notification().await;
        site
    }

    pub async fn start_notification(&mut self) {
        let peers = [("fleet".to_owned(), self.running.grpc.clone())].into();
        let context = self.world.context_with_peers(&[NAME], peers).await;
        let mut process = self.world.process(&context);
        process.add(armada_notification::build(&context, armada_notification::Config::default()).await.unwrap());
        self.notification = Some(self.world.run(process).await);
    }

    pub async fn stop_notification(&mut self) {
        self.notification.take().unwrap().stop().await.unwrap();
    }

    fn events(&self) -> EventsClient<Transport> {
        EventsClient::new(self.notification.as_ref().unwrap().context.peers.transport(NAME).unwrap())
    }

    pub fn alarms(&self) -> AlarmsClient<Transport> {
        AlarmsClient::new(self.notification.as_ref().unwrap().context.peers.transport(NAME).unwrap())
    }

    pub fn names(&self) -> AlarmNamesClient<Transport> {
        AlarmNamesClient::new(self.notification.as_ref().unwrap().context.peers.transport(NAME).unwrap())
    }

    /// Waits until exactly these names were heard so often, in the order of their letters.
    pub async fn names_are(&self, wanted: &[(&str, i64)]) -> Vec<AlarmName> {
        eventually("the names are listed", SOON, async || {
            let request = ListAlarmNamesRequest { sort: "name".to_owned(), ..ListAlarmNamesRequest::default() };
            let items = answer(self.names().list(self.owner.sign(request)).await)?.items;
            let found: Vec<_> = items.iter().map(|name| (name.name.as_str(), name.count)).collect();
            anyhow::ensure!(found == wanted, "{found:?}");
            Ok(items)
        })
        .await
    }

    pub fn devices(&self) -> DevicesClient<Transport> {
        DevicesClient::new(self.running.context.peers.transport("fleet").unwrap())
    }

    pub fn tenants(&self) -> TenantsClient<Transport> {
        TenantsClient::new(self.running.context.peers.transport("identity").unwrap())
    }

    pub async fn company(&self, name: &str) -> Company {
        let input = TenantInput { name: Some(name.to_owned()), confirmed: Some(true), ..TenantInput::default() };
        let id = answer(self.tenants().create(self.owner.sign(input)).await).unwrap().id.parse().unwrap();
        Company { id, admin: self.world.tenant_admin(id).await }
    }

    /// A user whom identity knows, with a role that allows these.
    pub async fn user(&self, company: &Company, name: &str, permissions: &[&str]) -> Signed {
        let identity = self.running.context.peers.transport("identity").unwrap();
        let tenant_id = Some(company.id.to_string());
        let input = UserInput {
            tenant_id: tenant_id.clone(),
            name: Some(name.to_owned()),
            email: Some(format!("{name}@example.org")),
            invite: true,
            ..UserInput::default()
        };
        let mut users = UsersClient::new(identity.clone());
        let user = answer(users.create(self.owner.sign(input)).await).unwrap();
        let mut roles = RolesClient::new(identity);
        let input = RoleInput { tenant_id, name: Some(format!("of {name}")), ..RoleInput::default() };
        let role = answer(roles.create(self.owner.sign(input)).await).unwrap();
        let allowed = |key: &&str| RolePermission { key: (*key).to_owned(), effect: Effect::Allow.into() };
        let items = permissions.iter().map(allowed).collect();
        let input = RolePermissionsInput { id: role.id.clone(), items, row_version: None };
        answer(roles.set_permissions(self.owner.sign(input)).await).unwrap();
        let input = UserRolesInput { id: user.id.clone(), role_ids: vec![role.id], row_version: None };
        answer(users.set_roles(self.owner.sign(input)).await).unwrap();
        for context in [&self.running.context, &self.notification.as_ref().unwrap().context] {
            eventually("the services know of the role", SOON, async || {
                let rights = context.policies.of(user.id.parse()?).await?;
                anyhow::ensure!(permissions.iter().all(|key| rights.allow(key)), "{rights:?}");
                Ok(())
            })
            .await;
        }
        let grant = Grant {
            user_id: user.id.parse().unwrap(),
            tenant_id: Some(company.id),
            is_platform_owner: false,
            is_tenant_admin: false,
            is_subscription_user: false,
            policy_version: 1,
            sid: None,
        };
        self.world.signed_in(grant).await
    }

    /// A device of a company, which somebody may own.
    pub async fn device(&self, company: &Company, name: &str, owner: Option<&Signed>) -> Device {
        static NEXT: AtomicU64 = AtomicU64::new(35_100_000_000_000);
        let imei = Imei::with_check_digit(NEXT.fetch_add(1, Ordering::Relaxed)).unwrap().to_string();
        let user_id = owner.map(|owner| owner.grant.user_id.to_string());
        let input = DeviceInput { imei: Some(imei), name: Some(name.to_owned()), user_id, ..DeviceInput::default() };
        answer(self.devices().create(company.admin.sign(input)).await).unwrap()
    }

    /// Tells an event, but without the header by which the server would know it again.
    pub async fn publish_event(&self, event: &Event) {
        let subject = format!("event.{}.{}", event.tenant_id, event.kind);
        self.publish(subject, event.encode_to_vec()).await;
    }

    pub async fn publish(&self, subject: String, payload: Vec<u8>) {
        #[allow(clippy::disallowed_methods, reason = "as a stranger publishes")]
        self.world.bus.jetstream.publish(subject, payload.into()).await.unwrap().await.unwrap();
    }

    pub async fn list(&self, caller: &Signed, request: ListEventsRequest) -> Result<EventList> {
        answer(self.events().list(caller.sign(request)).await)
    }

    /// How many events there are of each kind.
    pub async fn summary(&self, caller: &Signed, request: ListEventsRequest) -> Result<Vec<(String, u32)>> {
        let summary = answer(self.events().summary(caller.sign(request)).await)?;
        assert_eq!(summary.total, summary.items.iter().map(|item| item.count).sum::<u32>());
        Ok(summary.items.into_iter().map(|item| (item.kind, item.count)).collect())
    }

    /// Deletes a device, which may come back.
    pub async fn delete(&self, company: &Company, device: &Device) {
        let request = DeleteRequest { id: device.id.clone(), row_version: None };
        answer(self.devices().delete(company.admin.sign(request)).await).unwrap();
    }

    pub async fn export(&self, caller: &Signed, request: ListEventsRequest) -> Result<Vec<EventEntry>> {
        let pieces = answer(self.events().export(caller.sign(request)).await)?;
        let lists: Vec<EventList> = pieces.try_collect().await.map_err(Error::from)?;
        Ok(lists.into_iter().flat_map(|list| list.items).collect())
    }

    pub async fn list_alarms(&self, caller: &Signed, request: ListAlarmsRequest) -> Result<AlarmList> {
        answer(self.alarms().list(caller.sign(request)).await)
    }

    pub async fn export_alarms(&self, caller: &Signed, request: ListAlarmsRequest) -> Result<Vec<Alarm>> {
        let pieces = answer(self.alarms().export(caller.sign(request)).await)?;
        let lists: Vec<AlarmList> = pieces.try_collect().await.map_err(Error::from)?;
        Ok(lists.into_iter().flat_map(|list| list.items).collect())
    }

    /// Waits until a caller sees alarms of exactly these kinds with so many events each, in the order of the request.
    pub async fn alarms_are(&self, caller: &Signed, request: ListAlarmsRequest, wanted: &[(&str, u32)]) -> Vec<Alarm> {
        eventually("the alarms are listed", SOON, async || {
            let AlarmList { items, total, .. } = self.list_alarms(caller, request.clone()).await?;
            let found: Vec<_> = items.iter().map(|alarm| (alarm.kind.as_str(), alarm.count)).collect();
            anyhow::ensure!(found == wanted && total as usize == wanted.len(), "{found:?}");
            Ok(items)
        })
        .await
    }

    pub async fn acknowledge(&self, caller: &Signed, alarm: &Alarm, note: &str) -> Result<Alarm> {
        let input = AcknowledgeAlarmInput { id: alarm.id.clone(), note: note.to_owned() };
        answer(self.alarms().acknowledge(caller.sign(input)).await)
    }

    pub async fn acknowledge_all(&self, caller: &Signed, request: AcknowledgeAlarmsRequest) -> Result<Vec<Alarm>> {
        Ok(answer(self.alarms().acknowledge_all(caller.sign(request)).await)?.items)
    }

    /// Waits until others are told that alarms of exactly these kinds stand of a device, in this order.
    pub async fn expect_active_alarms(&self, device: &Device, wanted: &[&str]) {
        let bucket = self.world.bus.bucket(alarm::BUCKET).await.unwrap();
        eventually("the bucket says what stands", SOON, async || {
            let value = bucket.get(device.id.clone()).await?;
            let standing = value.map(|value| coded::decode::<StandingAlarms>(&value).unwrap()).unwrap_or_default();
            let kinds: Vec<_> = standing.alarms.iter().map(|alarm| alarm.kind.as_str()).collect();
            anyhow::ensure!(kinds == wanted, "{kinds:?}");
            Ok(())
        })
        .await;
    }

    /// Waits until a caller sees exactly these kinds, in the order of the request.
    pub async fn expect_events(&self, caller: &Signed, request: ListEventsRequest, wanted: &[&str]) -> EventList {
        eventually("the events are listed", SOON, async || {
            let list = self.list(caller, request.clone()).await?;
            let kinds: Vec<_> = list.items.iter().map(|event| event.kind.as_str()).collect();
            anyhow::ensure!(kinds == wanted, "{kinds:?}");
            Ok(list)
        })
        .await
    }
}

/// What happened to a device so many seconds after [`BEGIN`].
pub fn event_of(company: &Company, kind: &str, device: Option<&Device>, second: i64) -> Event {
    let at = Timestamp::from_millis(*BEGIN + second * 1000);
    let tenant_id = company.id.to_string();
    let device_id = device.map(|device| device.id.clone());
    let vehicle = VehicleEvent { speed: Some(91.0), value: Some(91.0), limit: Some(80.0), ..VehicleEvent::default() };
    Event {
        id: events::id(&[&tenant_id, kind, device_id.as_deref().unwrap_or_default(), &second.to_string()]),
        tenant_id,
        kind: kind.to_owned(),
        subject_id: device_id.clone().unwrap_or_default(),
        device_id,
        driver_id: None,
        occurred_at: Some(at),
        recorded_at: Some(at),
        row_version: 1,
        details: Some(Details::Vehicle(vehicle)),
    }
}

/// A reminder of a document of a device, or of nobody's.
pub fn reminder_event(company: &Company, device: Option<&Device>, second: i64) -> Event {
    let reminder = DocumentReminder { name: "STNK B 1234".to_owned(), days_left: 7, ..DocumentReminder::default() };
    let details = Some(Details::Document(reminder));
    Event { details, ..event_of(company, "document.expiring", device, second) }
}

/// What a call answered, with the error as the edge sees it.
pub fn answer<T>(answer: std::result::Result<Response<T>, Status>) -> Result<T> {
    answer.map(Response::into_inner).map_err(Error::from)
}
