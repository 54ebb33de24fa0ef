//! The live socket in columns: how it is agreed on, what it says, and to whom.

use std::collections::{HashMap, HashSet};

use armada_bff::{
    Config,
    rules::live::{LITRES, TODAY},
};
use armada_proto::{
    DeviceId,
    v1::{DayActivity, LastPosition, LiveColumns},
};
use armada_testkit::{Kind, Socket, eventually};
use http::StatusCode;
use prost::Message;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Device, Person, SOON, Site, position};

const COLUMNS: (&str, &str) = ("sec-websocket-protocol", "armada.columns.v1");

/// A client that keeps what it hears.
struct Client {
    socket: Socket,
    sequence: u32,
    numbers: HashMap<u32, DeviceId>,
    names: HashMap<DeviceId, String>,
    /// Latitude in 1e-7 degrees.
    places: HashMap<DeviceId, i32>,
    complete: bool,
    /// Devices that a map leaves out.
    inactive: HashSet<DeviceId>,
    /// After how many seconds a position is old, and the device offline, where that is not the usual.
    ages: HashMap<DeviceId, [u32; 2]>,
    /// Metres that were driven today, as far as that was told with the newest position.
    today: HashMap<DeviceId, u32>,
    /// Tenths of litres, the same.
    litres: HashMap<DeviceId, u32>,
    /// Kinds of the alarms that stand.
    alarms: HashMap<DeviceId, Vec<String>>,
    /// Positions heard since the start.
    rows: usize,
}

impl Client {
    async fn open(person: &Person, query: &str) -> anyhow::Result<Self> {
        let url = person.api.url(&format!("/ws?token={}{query}", person.ticket().await?));
        Ok(Self {
            socket: Socket::open_with(&url, &[COLUMNS]).await?,
            sequence: 0,
            numbers: HashMap::new(),
            names: HashMap::new(),
            places: HashMap::new(),
            complete: false,
            inactive: HashSet::new(),
            ages: HashMap::new(),
            today: HashMap::new(),
            litres: HashMap::new(),
            alarms: HashMap::new(),
            rows: 0,
        })
    }

    async fn receive(&mut self) -> anyhow::Result<()> {
        let message = LiveColumns::decode(self.socket.next_binary(SOON).await?.as_slice())?;
        anyhow::ensure!(message.sequence == self.sequence + 1, "a gap: {} after {}", message.sequence, self.sequence);
        self.sequence = message.sequence;
        if let Some(catalogue) = message.catalogue {
            if catalogue.reset {
                self.numbers.clear();
                self.names.clear();
                self.places.clear();
            }
            for gone in catalogue.gone {
                let device = self.numbers.remove(&gone).expect("it was there");
                self.names.remove(&device);
                self.places.remove(&device);
            }
            for (place, number) in catalogue.index.into_iter().enumerate() {
                let device = DeviceId(Uuid::from_slice(&catalogue.device_id[place])?);
                self.numbers.insert(number, device);
                self.inactive.remove(&device);
                if catalogue.inactive.contains(&number) {
                    self.inactive.insert(device);
                }
                self.ages.remove(&device);
                if let Some(aged) = catalogue.aged.iter().position(|aged| *aged == number) {
                    self.ages.insert(device, [catalogue.stale_seconds[aged], catalogue.offline_seconds[aged]]);
                }
                let stands = |(alarmed, kind): (&u32, &String)| (*alarmed == number).then(|| kind.clone());
                let alarms: Vec<_> = catalogue.alarmed.iter().zip(&catalogue.alarm_kind).filter_map(stands).collect();
                assert_eq!(catalogue.alarmed.len(), catalogue.alarm_since.len());
                self.alarms.insert(device, alarms);
                self.names.insert(device, catalogue.name[place].clone());
            }
            self.complete = catalogue.complete;
        }
        let positions = message.positions.unwrap_or_default();
        self.rows += positions.index.len();
        let (mut today, mut litres) = (positions.today_distance.into_iter(), positions.fuel_liter.into_iter());
        for ((number, lat), present) in positions.index.iter().zip(positions.lat).zip(positions.present) {
            let device = self.numbers[number];
            self.places.insert(device, lat);
            self.today.remove(&device);
            if present & TODAY != 0 {
                self.today.insert(device, today.next().expect("a value for each bit"));
            }
            self.litres.remove(&device);
            if present & LITRES != 0 {
                self.litres.insert(device, litres.next().expect("a value for each bit"));
            }
        }
        Ok(())
    }

    async fn receive_until(&mut self, wanted: impl Fn(&Self) -> bool) -> anyhow::Result<()> {
        while !wanted(self) {
            self.receive().await?;
        }
        Ok(())
    }

    /// Says that all is read that was received.
    async fn acknowledge(&mut self) -> anyhow::Result<()> {
        self.socket.send(json!({ "type": "ack", "payload": { "sequence": self.sequence } })).await
    }

    fn lat(&self, device: DeviceId) -> Option<i32> {
        self.places.get(&device).copied()
    }

    /// The server has taken in what was sent before. Columns that it sends meanwhile are passed over.
    async fn receive_pending(&mut self) -> anyhow::Result<()> {
        self.socket.send(json!({ "type": "ping" })).await?;
        self.socket.wait_for(SOON, |message| message["type"] == "pong").await?;
        Ok(())
    }
}

fn at(device: DeviceId, second: i64, lat: f64) -> LastPosition {
    LastPosition { lat, ..position(device, second) }
}

async fn rename(person: &Person, device: &Device, name: &str) -> anyhow::Result<()> {
    let path = format!("/api/v1/devices/{}", device.id);
    person.api.put(&path, json!({ "name": name })).await?.expect(StatusCode::OK);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn columns_protocol_is_negotiated() -> anyhow::Result<()> {
    let site = Site::start(Kind::Sqlite).await?;
    let tenant = site.tenant("acme").await?;
    let truck = tenant.admin.device(490_154_203_237_518, "Truck", None).await?;
    site.drive(&truck, 1_700_000_000, -6.2).await?;

    let mut client = Client::open(&tenant.admin, "&context=maps").await?;
    client.receive_until(|client| client.lat(truck.id) == Some(-62_000_000)).await?;
    assert!(client.complete);
    assert_eq!(client.names[&truck.id], "Truck");

    // Made, renamed and removed while the socket is open.
    let van = tenant.admin.device(351_756_051_523_999, "Van", None).await?;
    client.receive_until(|client| client.names.contains_key(&van.id)).await?;
    rename(&tenant.admin, &van, "Lorry").await?;
    client.receive_until(|client| client.names[&van.id] == "Lorry").await?;
    site.live(tenant.id, vec![at(van.id, 1_700_000_010, -6.3)]).await?;
    client.receive_until(|client| client.lat(van.id) == Some(-63_000_000)).await?;
    tenant.admin.api.delete(&format!("/api/v1/devices/{}", van.id)).await?.expect(StatusCode::NO_CONTENT);
    client.receive_until(|client| !client.names.contains_key(&van.id)).await?;

    // Everything else is JSON still, subscriptions included.
    let subscribe = json!({ "type": "subscribe_devices", "payload": { "device_ids": [truck.id] } });
    client.socket.send(subscribe).await?;
    let update = client.socket.wait_for(SOON, |message| message["type"] == "device_update").await?;
    assert_eq!(update["payload"]["name"], "Truck");

    // Without the subprotocol there are neither bytes nor its messages.
    let mut plain = tenant.admin.socket("&context=maps").await?;
    assert_eq!(plain.next(SOON).await?["type"], "position");
    for kind in ["resync", "view", "ack"] {
        plain.send(json!({ "type": kind, "payload": {} })).await?;
        let answer = plain.wait_for(SOON, |message| message["type"] == "error").await?;
        assert_eq!(answer["payload"]["error"], "unknown_type");
    }
    site.running.stop().await
}

/// Switched off and on again; its positions come all the same, for its history and for who asks for it.
#[tokio::test(flavor = "multi_thread")]
async fn reports_inactive_devices() -> anyhow::Result<()> {
    let site = Site::start(Kind::Sqlite).await?;
    let tenant = site.tenant("acme").await?;
    let truck = tenant.admin.device(490_154_203_237_518, "Truck", None).await?;
    let mut client = Client::open(&tenant.admin, "&context=maps").await?;
    client.receive_until(|client| client.complete && client.names.contains_key(&truck.id)).await?;
    assert!(client.inactive.is_empty());

    let path = format!("/api/v1/devices/{}", truck.id);
    tenant.admin.api.put(&path, json!({ "status": "inactive" })).await?.expect(StatusCode::OK);
    client.receive_until(|client| client.inactive.contains(&truck.id)).await?;
    site.drive(&truck, 1_700_000_000, -6.2).await?;
    client.receive_until(|client| client.lat(truck.id) == Some(-62_000_000)).await?;
    tenant.admin.api.put(&path, json!({ "status": "active" })).await?.expect(StatusCode::OK);
    client.receive_until(|client| client.inactive.is_empty()).await?;
    site.running.stop().await
}

/// By what the tenant says, and the device of itself.
#[tokio::test(flavor = "multi_thread")]
async fn sends_other_freshness_limits() -> anyhow::Result<()> {
    let site = Site::start(Kind::Sqlite).await?;
    let tenant = site.tenant("acme").await?;
    let truck = tenant.admin.device(490_154_203_237_518, "Truck", None).await?;
    let mut client = Client::open(&tenant.admin, "&context=maps").await?;
    client.receive_until(|client| client.complete && client.names.contains_key(&truck.id)).await?;
    assert!(client.ages.is_empty(), "they are the usual ones");

    let later = json!({ "offline_seconds": 900, "idle_seconds": 60 });
    tenant.admin.api.put("/api/v1/thresholds", later).await?.expect(StatusCode::OK);
    client.receive_until(|client| client.ages.get(&truck.id) == Some(&[300, 900])).await?;
    let path = format!("/api/v1/devices/{}", truck.id);
    let own = json!({ "stale_seconds": 60, "offline_seconds": 90 });
    tenant.admin.api.put(&path, own).await?.expect(StatusCode::OK);
    client.receive_until(|client| client.ages.get(&truck.id) == Some(&[60, 90])).await?;
    let none = json!({ "stale_seconds": null, "offline_seconds": null });
    tenant.admin.api.put(&path, none).await?.expect(StatusCode::OK);
    client.receive_until(|client| client.ages.get(&truck.id) == Some(&[300, 900])).await?;
    let usual = json!({ "offline_seconds": 600 });
    tenant.admin.api.put("/api/v1/thresholds", usual).await?.expect(StatusCode::OK);
    client.receive_until(|client| client.ages.is_empty()).await?;
    site.running.stop().await
}

/// Whoever acknowledges them, and whether the vehicle is heard of or not.
#[tokio::test(flavor = "multi_thread")]
async fn alarms_that_stand_are_in_the_catalogue() -> anyhow::Result<()> {
    let site = Site::start(Kind::Sqlite).await?;
    let tenant = site.tenant("acme").await?;
    let truck = tenant.admin.device(490_154_203_237_518, "Truck", None).await?;
    let stands = |client: &Client, kinds: &[&str]| client.alarms.get(&truck.id).is_some_and(|known| known == kinds);
    let mut before = Client::open(&tenant.admin, "&context=maps").await?;
    before.receive_until(|client| client.complete && stands(client, &[])).await?;
    site.raise(tenant.id, &truck, "alarm.door").await?;
    let sos = site.raise(tenant.id, &truck, "alarm.sos").await?;
    before.receive_until(|client| stands(client, &["alarm.sos", "alarm.door"])).await?;
    // It came later, and knows of them all the same.
    let mut after = Client::open(&tenant.admin, "&context=maps").await?;
    after.receive_until(|client| stands(client, &["alarm.sos", "alarm.door"])).await?;

    let path = format!("/api/v1/alarms/{sos}/acknowledge");
    site.owner.api.post(&path, json!({})).await?.expect(StatusCode::OK);
    for client in [&mut before, &mut after] {
        client.receive_until(|client| stands(client, &["alarm.door"])).await?;
    }
    let all = json!({ "device_id": truck.id });
    let all = tenant.admin.api.post("/api/v1/alarms/acknowledge", all).await?.expect(StatusCode::OK);
    assert_eq!(all["items"].as_array().map(Vec::len), Some(1), "{all}");
    for client in [&mut before, &mut after] {
        client.receive_until(|client| stands(client, &[])).await?;
    }
    site.running.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn resends_everything_after_a_gap() -> anyhow::Result<()> {
    let site = Site::start(Kind::Sqlite).await?;
    let tenant = site.tenant("acme").await?;
    let truck = tenant.admin.device(490_154_203_237_518, "Truck", None).await?;
    site.drive(&truck, 1_700_000_000, -6.2).await?;
    let mut client = Client::open(&tenant.admin, "&context=maps").await?;
    client.receive_until(|client| client.lat(truck.id).is_some()).await?;

    // What is asked for too soon comes as well, a little later.
    for _ in 0..2 {
        client.names.clear();
        client.places.clear();
        client.numbers.clear();
        client.socket.send(json!({ "type": "resync" })).await?;
        client.receive_until(|client| client.lat(truck.id) == Some(-62_000_000)).await?;
        assert_eq!((client.complete, client.names.len()), (true, 1));
    }
    site.running.stop().await
}

/// What the client does not show comes later than what it shows, but it comes.
#[tokio::test(flavor = "multi_thread")]
async fn visible_devices_come_first() -> anyhow::Result<()> {
    let site = Site::start(Kind::Sqlite).await?;
    let tenant = site.tenant("acme").await?;
    let near = tenant.admin.device(490_154_203_237_518, "Near", None).await?;
    let far = tenant.admin.device(351_756_051_523_999, "Far", None).await?;
    let listed = tenant.admin.device(356_938_035_643_809, "Listed", None).await?;
    let mut client = Client::open(&tenant.admin, "&context=maps").await?;
    client.receive_until(|client| client.names.len() == 3).await?;
    let box_of_near = [106.0, -6.9, 107.0, -6.0];
    let view = json!({ "type": "view", "payload": { "box": box_of_near, "device_ids": [listed.id] } });
    client.socket.send(view).await?;
    client.receive_pending().await?;
    let publish = async |round: i64| {
        let lat = |base: f64| base - round as f64 * 0.001;
        let all = vec![
            at(near.id, 1_700_000_000 + round, lat(-6.2)),
            at(far.id, 1_700_000_000 + round, lat(-7.5)),
            at(listed.id, 1_700_000_000 + round, lat(-7.5)),
        ];
        site.live(tenant.id, all).await
    };
    let (near_at, far_at) = (|round: i32| -62_000_000 - round * 10_000, |round: i32| -75_000_000 - round * 10_000);
    // The first position of each is told at once.
    publish(0).await?;
    client.receive_until(|client| client.places.len() == 3).await?;
    publish(1).await?;
    client.receive_until(|client| client.lat(near.id) == Some(near_at(1))).await?;
    client.receive_until(|client| client.lat(listed.id) == Some(far_at(1))).await?;
    assert_eq!(client.lat(far.id), Some(far_at(0)), "it is not shown");
    client.receive_until(|client| client.lat(far.id) == Some(far_at(1))).await?;
    // Where it comes into view it is shown.
    site.live(tenant.id, vec![at(far.id, 1_700_000_100, -6.5)]).await?;
    client.receive_until(|client| client.lat(far.id) == Some(-65_000_000)).await?;
    site.running.stop().await
}

/// What a vehicle has come to today, and what is in its tank, takes room, so it is told of those alone that the client names:
/// at once, and then with every position.
#[tokio::test(flavor = "multi_thread")]
async fn sends_today_and_fuel_for_requested_devices() -> anyhow::Result<()> {
    let site = Site::start(Kind::Sqlite).await?;
    let tenant = site.tenant("acme").await?;
    let named = tenant.admin.device(490_154_203_237_518, "Named", None).await?;
    let other = tenant.admin.device(351_756_051_523_999, "Other", None).await?;
    let tank = tenant.admin.device(490_154_203_237_526, "Tank", None).await?;
    let mut client = Client::open(&tenant.admin, "&context=maps").await?;
    client.receive_until(|client| client.names.len() == 3).await?;
    let publish = async |second: i64, lat: f64, metres: f64| {
        let today = Some(DayActivity { distance: metres, ..DayActivity::default() });
        let fix = |device| LastPosition { fuel_liter: Some(142.04), ..at(device, 1_700_000_000 + second, lat) };
        let of = |device| LastPosition { today, ..fix(device) };
        site.live(tenant.id, vec![of(named.id), of(other.id), fix(tank.id)]).await
    };
    publish(0, -6.2, 400.0).await?;
    client.receive_until(|client| client.places.len() == 3).await?;
    assert!(client.today.is_empty() && client.litres.is_empty());
    client.socket.send(json!({ "type": "view", "payload": { "box": [], "device_ids": [named.id, tank.id] } })).await?;
    client.receive_until(|client| client.today.get(&named.id) == Some(&400)).await?;
    client.receive_until(|client| client.litres.get(&tank.id) == Some(&1_420)).await?;
    publish(10, -6.3, 900.0).await?;
    client.receive_until(|client| [named.id, tank.id].iter().all(|id| client.lat(*id) == Some(-63_000_000))).await?;
    assert_eq!(client.today, HashMap::from([(named.id, 900)]));
    assert_eq!(client.litres, HashMap::from([(named.id, 1_420), (tank.id, 1_420)]));
    site.running.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn columns_show_what_the_user_may_see() -> anyhow::Result<()> {
    let site = Site::start(Kind::Sqlite).await?;
    let tenant = site.tenant("acme").await?;
    let other = site.tenant("other").await?;
    let user = site.user(tenant.id, "budi", false).await?;
    let truck = tenant.admin.device(490_154_203_237_518, "Truck", Some(&user.id)).await?;
    let van = tenant.admin.device(351_756_051_523_999, "Van", None).await?;
    let foreign = other.admin.device(356_938_035_643_809, "Foreign", None).await?;
    let mut own = Client::open(&user, "&context=maps").await?;
    let mut admin = Client::open(&tenant.admin, "&context=maps").await?;
    let mut owner = Client::open(&site.owner, "&context=maps").await?;
    let publish = async |second: i64| {
        site.live(other.id, vec![at(foreign.id, second, -1.0)]).await?;
        site.live(tenant.id, vec![at(van.id, second, -2.0), at(truck.id, second, -3.0)]).await
    };
    for (client, devices) in [(&mut owner, 3), (&mut admin, 2), (&mut own, 1)] {
        client.receive_until(|client| client.names.len() == devices).await?;
    }
    publish(1_700_000_000).await?;
    owner.receive_until(|client| client.places.len() == 3).await?;
    admin.receive_until(|client| client.places.len() == 2).await?;
    own.receive_until(|client| client.places.len() == 1).await?;
    assert_eq!(own.names.values().collect::<Vec<_>>(), ["Truck"]);
    assert!(!admin.names.contains_key(&foreign.id));

    let link = |owner: Value| json!({ "user_id": owner });
    tenant.admin.api.put(&format!("/api/v1/devices/{}", van.id), link(json!(user.id))).await?.expect(StatusCode::OK);
    own.receive_until(|client| client.names.contains_key(&van.id)).await?;
    tenant.admin.api.put(&format!("/api/v1/devices/{}", truck.id), link(json!(""))).await?.expect(StatusCode::OK);
    own.receive_until(|client| !client.names.contains_key(&truck.id)).await?;
    publish(1_700_000_010).await?;
    own.receive_until(|client| client.lat(van.id).is_some()).await?;
    assert_eq!(own.lat(truck.id), None);
    site.running.stop().await
}

/// A client that does not read gets the newest of each device afterwards, not all that it has missed.
#[tokio::test(flavor = "multi_thread")]
async fn slow_column_reader_gets_fewer_updates() -> anyhow::Result<()> {
    const ROUNDS: i64 = 400;
    let site = Site::start_with(Kind::Sqlite, Config { flush_ms: 1, ..Config::default() }).await?;
    let tenant = site.tenant("acme").await?;
    let mut devices = Vec::new();
    for number in 0..20_u64 {
        devices.push(tenant.admin.device(490_154_203_237_000 + number, &format!("Truck {number}"), None).await?.id);
    }
    let mut client = Client::open(&tenant.admin, "&context=maps").await?;
    client.receive_pending().await?;
    for round in 1..=ROUNDS {
        site.live(tenant.id, devices.iter().map(|device| at(*device, round, round as f64 / 10.0)).collect()).await?;
    }
    eventually("positions give way", SOON, async || {
        anyhow::ensure!(site.metric("armada_live_positions_conflated_total").await? > 0.0);
        Ok(())
    })
    .await;
    let last = (ROUNDS * 1_000_000) as i32;
    client.receive_until(|client| devices.iter().all(|device| client.lat(*device) == Some(last))).await?;
    assert!(client.rows < devices.len() * ROUNDS as usize / 4, "{}", client.rows);
    site.running.stop().await
}

/// What is on its way to a client does not become newer: who acknowledges is sent a little at a time, and no catalogue waits
/// for that.
#[tokio::test(flavor = "multi_thread")]
async fn unread_positions_hold_back_newer_ones() -> anyhow::Result<()> {
    let site = Site::start(Kind::Sqlite).await?;
    let tenant = site.tenant("acme").await?;
    let mut vans = Vec::new();
    for number in 0..5_u64 {
        vans.push(tenant.admin.device(490_154_203_237_000 + number, &format!("Van {number}"), None).await?);
    }
    let mut client = Client::open(&tenant.admin, "&context=maps").await?;
    client.receive_until(|client| client.complete && client.names.len() == vans.len()).await?;
    client.acknowledge().await?;
    client.receive_pending().await?;
    let (last, first) = vans.split_last().expect("there are some");
    for van in first {
        site.live(tenant.id, vec![at(van.id, 1_700_000_000, -6.0)]).await?;
        client.receive_until(|client| client.lat(van.id).is_some()).await?;
    }
    let mut other = tenant.admin.socket("&context=maps").await?;
    site.live(tenant.id, vec![at(last.id, 1_700_000_000, -6.0)]).await?;
    let is_last = |message: &Value| message["position"]["device_id"] == json!(last.id);
    other.wait_for(SOON, is_last).await?;
    rename(&tenant.admin, &vans[0], "Lorry").await?;
    client.receive_until(|client| client.names[&vans[0].id] == "Lorry").await?;
    assert_eq!(client.lat(last.id), None, "four messages are not read");
    client.acknowledge().await?;
    client.receive_until(|client| client.lat(last.id).is_some()).await?;
    site.running.stop().await
}
