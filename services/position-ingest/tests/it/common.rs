//! Identity, fleet and ingest in one process, a tenant with devices, and what the tests do with them.

use std::{collections::BTreeMap, ops::RangeInclusive, time::Duration};

use armada_position_ingest as ingest;
use armada_proto::{
    TenantId, Timestamp, binding, coded,
    v1::{
        Device, DeviceBinding, DeviceInput, GatewayInput, GatewayMessage, LastPosition, LastPositionsRequest,
        ListGatewayMessagesRequest, TenantInput, TrackColumns, TrackFormat, TrackRequest,
        devices_client::DevicesClient, gateway_messages_client::GatewayMessagesClient, gateways_client::GatewaysClient,
        positions_client::PositionsClient, tenants_client::TenantsClient,
    },
};
use armada_runtime::{Context, Scope, Transport, clock::Clock};
use armada_testkit::{Gateway, Kind, RunningProcess, Signed, Tables, World, eventually};
use armada_track::{Imei, decode_block};
use prost::Message;
use sea_orm::{ConnectionTrait, Statement};

/// All that there is of a device.
fn whole_track(device: &str) -> TrackRequest {
    TrackRequest {
        id: device.to_owned(),
        from: Some(Timestamp::from_millis(0)),
        to: Some(Timestamp::from_millis(4_102_444_800_000)),
        ..TrackRequest::default()
    }
}

/// Within which everything that is published must be seen.
pub const SOON: Duration = Duration::from_secs(20);

/// A World with the tables of identity, fleet and ingest.
pub async fn world(kind: Kind) -> World {
    static TABLES: Tables = Tables::new(&["identity", "fleet", ingest::NAME], |context| {
        Box::pin(async move { migrate(&context, &ingest::Config::default()).await })
    });
    World::start_with_tables(kind, &TABLES).await
}

async fn migrate(context: &Context, config: &ingest::Config) {
    let (bus, of) = (&context.bus, |service| context.database(service).expect("a database"));
    let identity = armada_identity::Config::default();
    armada_identity::migrate(bus, &of("identity"), &identity).await.expect("identity migrates");
    armada_fleet::migrate(bus, &of("fleet"), &armada_fleet::Config::default()).await.expect("fleet migrates");
    armada_runtime::events::migrate(bus).await.expect("there is a stream of events");
    ingest::migrate(bus, &of(ingest::NAME), config).await.expect("ingest migrates");
}

/// A running ingest with a tenant.
pub struct Ingest {
    pub world: World,
    pub process: Option<RunningProcess>,
    pub context: Context,
    pub config: ingest::Config,
    pub tenant: TenantId,
    pub admin: Signed,
}

impl Ingest {
    pub async fn start(world: World) -> Self {
        Self::start_with(world, ingest::Config::default()).await
    }

    pub async fn start_with(world: World, config: ingest::Config) -> Self {
        Box::pin(Self::started(world, config)).await
    }

    async fn started(world: World, config: ingest::Config) -> Self {
        let context = world.context(&["identity", "fleet", ingest::NAME]).await;
        migrate(&context, &config).await;
        let owner = world.platform_owner().await;
        let mut this = Self { world, process: None, context, config, tenant: TenantId::new(), admin: owner.clone() };
        this.run().await;
        let identity = this.context.peers.transport("identity").expect("identity is here");
        let input = TenantInput { name: Some("Acme".to_owned()), ..TenantInput::default() };
        let made = TenantsClient::new(identity).create(owner.sign(input)).await.expect("the tenant is made");
        this.tenant = made.into_inner().id.parse().expect("an id");
        this.admin = this.world.tenant_admin(this.tenant).await;
        this
    }

    /// Starts the services, for the first time or again.
    pub async fn run(&mut self) {
        let context = self.world.context(&["identity", "fleet", ingest::NAME]).await;
        self.run_in(context).await;
    }

    /// The same with a clock of which nobody says that it is right.
    pub async fn run_unsure(&mut self) {
        let mut context = self.world.context(&["identity", "fleet", ingest::NAME]).await;
        context.clock = Clock::default();
        self.run_in(context).await;
    }

    async fn run_in(&mut self, context: Context) {
        self.context = context;
        let mut process = self.world.process(&self.context);
        let identity = armada_identity::Config::default();
        process.add(armada_identity::build(&self.context, identity).await.expect("identity"));
        process.add(armada_fleet::build(&self.context, armada_fleet::Config::default()).await.expect("fleet"));
        process.add(ingest::build(&self.context, self.config.clone()).await.expect("ingest"));
        self.process = Some(self.world.run(process).await);
    }

    /// Starts the other services alone.
    pub async fn run_without_ingest(&mut self) {
        self.context = self.world.context(&["identity", "fleet"]).await;
        let mut process = self.world.process(&self.context);
        let identity = armada_identity::Config::default();
        process.add(armada_identity::build(&self.context, identity).await.expect("identity"));
        process.add(armada_fleet::build(&self.context, armada_fleet::Config::default()).await.expect("fleet"));
        self.process = Some(self.world.run(process).await);
    }

    /// Starts a second ingest in a process of its own, and waits until both own half of the partitions.
    pub async fn run_second(&self) -> RunningProcess {
        let first = self.process.as_ref().expect("the first one runs");
        let peers = [("fleet".to_owned(), first.grpc.clone())].into();
        let context = self.world.context_with_peers(&[ingest::NAME], peers).await;
        let mut process = self.world.process(&context);
        process.add(ingest::build(&context, self.config.clone()).await.expect("ingest"));
        let second = self.world.run(process).await;
        eventually("both own their share", SOON, async || {
            let owners = self.owners().await?;
            let first = owners.iter().filter(|owner| **owner == owners[0]).count();
            anyhow::ensure!(!owners.contains(&String::new()) && first == owners.len() / 2, "{owners:?}");
            Ok(())
        })
        .await;
        second
    }

    /// Who owns each partition; nobody is empty.
    pub async fn owners(&self) -> anyhow::Result<Vec<String>> {
        let rows = self.rows("SELECT owner FROM partition ORDER BY partition").await?;
        rows.iter().map(|row| Ok(row.try_get("", "owner")?)).collect()
    }

    /// Looks into ingest's database.
    pub async fn rows(&self, sql: &str) -> anyhow::Result<Vec<sea_orm::QueryResult>> {
        let db = self.world.database(ingest::NAME).await;
        let tx = db.read(&Scope::Platform).await?;
        let rows = tx.query_all_raw(Statement::from_string(db.backend(), sql)).await?;
        tx.commit().await?;
        // All tests share the server's connections.
        db.close().await?;
        Ok(rows)
    }

    /// The first column of the first row, a number.
    pub async fn number(&self, sql: &str) -> anyhow::Result<i64> {
        Ok(self.rows(sql).await?[0].try_get_by_index(0)?)
    }

    /// Gives a device another IMEI; returns when ingest can know of it.
    pub async fn change_imei(&self, device: &str, imei: Imei) {
        let input = DeviceInput { id: device.to_owned(), imei: Some(imei.to_string()), ..DeviceInput::default() };
        self.devices().update(self.admin.sign(input)).await.expect("the IMEI is changed");
        self.is_bound(device, imei).await;
    }

    /// Waits until ingest can know that a device has an IMEI.
    pub async fn is_bound(&self, device: &str, imei: Imei) {
        let bucket = self.context.bus.bucket(binding::BUCKET).await.expect("the bucket of bindings");
        eventually("the binding is in the bucket", SOON, async || {
            let value = bucket.get(binding::key(&imei.to_string())).await?;
            let bound = value.as_deref().and_then(coded::decode::<DeviceBinding>);
            anyhow::ensure!(bound.is_some_and(|bound| bound.device_id == device));
            Ok(())
        })
        .await;
    }

    /// Stops the services without letting them finish, as a kill does.
    pub async fn kill(&mut self) {
        self.process.take().expect("it runs").abort().await;
    }

    pub fn devices(&self) -> DevicesClient<Transport> {
        DevicesClient::new(self.context.peers.transport("fleet").expect("fleet is here"))
    }

    pub fn positions(&self) -> PositionsClient<Transport> {
        PositionsClient::new(self.context.peers.transport(ingest::NAME).expect("ingest is here"))
    }

    /// Makes a device of the tenant.
    pub async fn device(&self, imei: Imei) -> Device {
        let input =
            DeviceInput { imei: Some(imei.to_string()), name: Some(format!("B {imei}")), ..DeviceInput::default() };
        self.devices().create(self.admin.sign(input)).await.expect("the device is made").into_inner()
    }

    /// Makes a device of another tenant.
    pub async fn device_elsewhere(&self, imei: Imei) -> Device {
        let owner = self.world.platform_owner().await;
        let identity = self.context.peers.transport("identity").expect("identity is here");
        let input = TenantInput { name: Some(format!("Elsewhere {imei}")), ..TenantInput::default() };
        let tenant = TenantsClient::new(identity).create(owner.sign(input)).await.expect("the tenant is made");
        let input = DeviceInput {
            tenant_id: Some(tenant.into_inner().id),
            imei: Some(imei.to_string()),
            name: Some("theirs".to_owned()),
            ..DeviceInput::default()
        };
        self.devices().create(owner.sign(input)).await.expect("the device is made").into_inner()
    }

    /// Makes a gateway of the tenant.
    pub async fn make_gateway(&self, name: &str) {
        let identity = self.context.peers.transport("identity").expect("identity is here");
        let input = GatewayInput { name: Some(name.to_owned()), ..GatewayInput::default() };
        GatewaysClient::new(identity).create(self.admin.sign(input)).await.expect("the gateway is made");
    }

    /// The last messages of a gateway.
    pub async fn last_messages(&self, caller: &Signed, gateway: &str) -> anyhow::Result<Vec<GatewayMessage>> {
        let ingest = self.context.peers.transport(ingest::NAME).expect("ingest is here");
        let request = ListGatewayMessagesRequest { name: gateway.to_owned() };
        Ok(GatewayMessagesClient::new(ingest).list(caller.sign(request)).await?.into_inner().items)
    }

    pub async fn gateway(&self) -> Gateway {
        Gateway::connect_trusted(&self.world.nats, "test").await
    }

    /// All positions of a device by their instant, in milliseconds; fails on one that comes twice or out of order.
    pub async fn track(&self, caller: &Signed, device: &str) -> anyhow::Result<BTreeMap<i64, armada_track::Position>> {
        let mut chunks = self.positions().track(caller.sign(whole_track(device))).await?.into_inner();
        let mut track = BTreeMap::new();
        while let Some(chunk) = chunks.message().await? {
            for position in decode_block(&chunk.block)? {
                let last = track.last_key_value().map_or(i64::MIN, |(at, _)| *at);
                anyhow::ensure!(position.recorded_at() > last, "{} comes after {last}", position.recorded_at());
                track.insert(position.recorded_at(), position);
            }
        }
        Ok(track)
    }

    /// The same as the columns that the console reads.
    pub async fn columns(&self, caller: &Signed, device: &str) -> anyhow::Result<TrackColumns> {
        let request = TrackRequest { format: TrackFormat::Columns.into(), ..whole_track(device) };
        let mut chunks = self.positions().track(caller.sign(request)).await?.into_inner();
        let mut columns = Vec::new();
        while let Some(chunk) = chunks.message().await? {
            columns.extend_from_slice(&chunk.columns);
        }
        Ok(TrackColumns::decode(columns.as_slice())?)
    }

    /// Waits until a device has so many positions, and returns them.
    pub async fn track_of(&self, device: &str, positions: usize) -> BTreeMap<i64, armada_track::Position> {
        eventually(&format!("{positions} positions"), SOON, async || {
            let track = self.track(&self.admin, device).await?;
            anyhow::ensure!(track.len() == positions, "found {}", track.len());
            Ok(track)
        })
        .await
    }

    pub async fn last(&self, caller: &Signed) -> anyhow::Result<Vec<LastPosition>> {
        let request = caller.sign(LastPositionsRequest::default());
        Ok(self.positions().last(request).await?.into_inner().items)
    }

    /// How many positions were refused, by reason.
    pub async fn refused(&self) -> anyhow::Result<BTreeMap<String, u32>> {
        let db = self.context.database(ingest::NAME)?;
        let mut refused = BTreeMap::new();
        for count in ingest::admin::rejection_counts(&db).await? {
            *refused.entry(count.reason).or_default() += count.count;
        }
        Ok(refused)
    }

    /// Waits until so many positions were refused for a reason.
    pub async fn refused_for(&self, reason: &str, count: u32) {
        self.refused_as(reason, count..=count).await;
    }

    /// Waits until so many, or more, are refused for that reason.
    pub async fn refused_at_least(&self, reason: &str, count: u32) {
        self.refused_as(reason, count..=u32::MAX).await;
    }

    async fn refused_as(&self, reason: &str, counts: RangeInclusive<u32>) {
        eventually(&format!("{counts:?} refused as {reason}"), SOON, async || {
            let refused = self.refused().await?;
            anyhow::ensure!(refused.get(reason).is_some_and(|found| counts.contains(found)), "found {refused:?}");
            Ok(())
        })
        .await;
    }

    /// Seals everything that is stored.
    pub async fn seal(&self) -> u64 {
        let mut sealed = 0;
        for partition in 0..self.config.partitions {
            sealed += eventually("the partition is sealed", SOON, async || {
                Ok(ingest::admin::seal_now(&self.context.bus, partition).await?)
            })
            .await;
        }
        sealed
    }
}

/// What a router answers.
pub async fn get(router: axum::Router, path: &str) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let serving = tokio::spawn(async move { axum::serve(listener, router).await });
    let reply = armada_testkit::Api::new(&url).get(path).await.unwrap();
    serving.abort();
    reply.text
}

/// An IMEI with its check digit.
pub fn imei(number: u64) -> Imei {
    Imei::with_check_digit(35_693_803_000_000 + number).expect("14 digits")
}

/// An IMEI of a partition that `wanted` selects, from `number` on.
pub fn imei_in(number: u64, wanted: impl Fn(u32) -> bool) -> Imei {
    (number..).map(imei).find(|imei| wanted(imei.partition(8))).expect("there are many")
}

/// An instant of the morning of 2026-01-05, so many seconds in, as RFC 3339.
pub fn at(seconds: i64) -> String {
    Timestamp::from_millis(at_ms(seconds)).to_rfc3339()
}

/// The same in milliseconds since 1970.
pub fn at_ms(seconds: i64) -> i64 {
    1_767_571_200_000 + seconds * 1000
}
