//! Addresses of places, from a geocoder that the test plays.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

use armada_position_ingest::{Config, GeocoderConfig, GeocoderKind, NAME};
use armada_proto::{
    TenantId, Timestamp,
    v1::{AddressList, AddressPointInput, Locale, LookupAddressesRequest, addresses_client::AddressesClient},
};
use armada_runtime::{Error, Scope, Secret};
use armada_testkit::{Signed, World, both_databases, eventually};
use axum::{
    Json, Router,
    extract::State,
    http::{HeaderMap, StatusCode, Uri},
};
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};
use tokio::sync::RwLock;
use tonic::Code;

use crate::common::{Ingest, SOON};

const KEY: &str = "hunter2-of-the-geocoder";
const MONAS: (f64, f64) = (-6.1754, 106.8272);
const BANDUNG: (f64, f64) = (-6.9175, 107.6191);

/// A geocoder. It says the same of every place until it is told otherwise.
#[derive(Clone)]
struct Played(Arc<Inner>);

struct Inner {
    reply: Mutex<(StatusCode, Value)>,
    /// Paths and queries of requests.
    asked: Mutex<Vec<String>>,
    /// Nobody gets an answer while a test holds it for itself.
    gate: RwLock<()>,
    under_way: AtomicUsize,
    most_under_way: AtomicUsize,
}

impl Played {
    fn new(status: StatusCode, body: Value) -> Self {
        Self(Arc::new(Inner {
            reply: Mutex::new((status, body)),
            asked: Mutex::default(),
            gate: RwLock::default(),
            under_way: AtomicUsize::default(),
            most_under_way: AtomicUsize::default(),
        }))
    }

    async fn serve(&self) -> String {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let router = Router::new().fallback(answer).with_state(self.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        url
    }

    /// Ingest with it as its geocoder, which may be asked as often as one likes.
    async fn start_ingest_with(&self, world: World, kind: GeocoderKind) -> Ingest {
        Ingest::start_with(world, Config { geocoder: Some(self.config(kind).await), ..Config::default() }).await
    }

    async fn config(&self, kind: GeocoderKind) -> GeocoderConfig {
        GeocoderConfig {
            kind,
            url: self.serve().await,
            key: Some(Secret::new(KEY.to_owned())),
            requests_per_second: 1000,
            cache_days: 365,
            user_agent: None,
        }
    }

    fn respond_with(&self, status: StatusCode, body: Value) {
        *self.0.reply.lock().unwrap() = (status, body);
    }

    fn requests(&self) -> Vec<String> {
        self.0.asked.lock().unwrap().clone()
    }
}

async fn answer(State(Played(played)): State<Played>, uri: Uri, headers: HeaderMap) -> (StatusCode, Json<Value>) {
    let is_known = headers["user-agent"].to_str().is_ok_and(|agent| agent.starts_with("Armada/"));
    assert!(is_known, "{headers:?}");
    played.asked.lock().unwrap().push(uri.to_string());
    let under_way = played.under_way.fetch_add(1, SeqCst) + 1;
    played.most_under_way.fetch_max(under_way, SeqCst);
    drop(played.gate.read().await);
    // Long enough to be seen by a second request, if one came.
    tokio::time::sleep(Duration::from_millis(50)).await;
    played.under_way.fetch_sub(1, SeqCst);
    let (status, body) = played.reply.lock().unwrap().clone();
    (status, Json(body))
}

/// What Nominatim says, with `road` in it.
fn nominatim(road: &str) -> Value {
    json!({
        "place_id": 7,
        "display_name": format!("{road}, Gambir, Jakarta Pusat, Daerah Khusus Ibukota Jakarta, Jawa, 10110, Indonesia"),
        "address": { "road": road, "suburb": "Gambir", "city": "Jakarta Pusat", "country_code": "id" },
    })
}

fn request(points: &[(f64, f64)], language: Locale) -> LookupAddressesRequest {
    let points = points.iter().map(|&(lat, lng)| AddressPointInput { lat: Some(lat), lng: Some(lng) });
    LookupAddressesRequest { points: points.collect(), language: language.into() }
}

async fn ask(ingest: &Ingest, caller: &Signed, request: LookupAddressesRequest) -> Result<AddressList, tonic::Status> {
    let mut addresses = AddressesClient::new(ingest.context.peers.transport(NAME).unwrap());
    Ok(addresses.lookup(caller.sign(request)).await?.into_inner())
}

/// The addresses of places, with `pending` of those that are not known yet and `none` of those where there is nothing.
async fn lookup(ingest: &Ingest, points: &[(f64, f64)], language: Locale) -> Vec<String> {
    let list = ask(ingest, &ingest.admin, request(points, language)).await.unwrap();
    assert!(list.configured && !format!("{list:?}").contains(KEY), "{list:?}");
    let asked: Vec<_> = list.items.iter().map(|item| (item.lat, item.lng)).collect();
    assert_eq!(asked, points, "in the order asked");
    let pairs = list.items.into_iter().map(|item| match (item.address, item.pending) {
        (Some(text), _) => text,
        (None, true) => "pending".to_owned(),
        (None, false) => "none".to_owned(),
    });
    pairs.collect()
}

both_databases! {
    starting crate::common::world;

    async fn each_geocoder_has_its_own_format(world: World) {
        let photon = json!({ "name": "Monas", "street": "Jalan Silang Monas", "housenumber": "1", "city": "Jakarta", "state": "Jakarta" });
        let mut whole = nominatim("Jalan Medan Merdeka Barat");
        whole["address"]["house_number"] = json!("12");
        let kinds = [
            (
                GeocoderKind::Nominatim,
                whole,
                "Jalan Medan Merdeka Barat 12, Gambir, Jakarta Pusat",
                format!("/reverse?format=jsonv2&lat=-6.1754&lon=106.8272&zoom=18&accept-language=id&key={KEY}"),
            ),
            (
                GeocoderKind::Nominatim,
                json!({ "display_name": "Laut Jawa,\n Indonesia", "address": { "country": "Indonesia" } }),
                "Laut Jawa, Indonesia",
                format!("/reverse?format=jsonv2&lat=-6.1754&lon=106.8272&zoom=18&accept-language=id&key={KEY}"),
            ),
            (
                GeocoderKind::Photon,
                json!({ "features": [{ "type": "Feature", "properties": photon }] }),
                "Monas, Jalan Silang Monas 1, Jakarta",
                format!("/reverse?lat=-6.1754&lon=106.8272&lang=default&api_key={KEY}"),
            ),
            (
                GeocoderKind::Pelias,
                json!({ "features": [{ "properties": { "label": "Jalan Thamrin 1, Jakarta, Indonesia" } }] }),
                "Jalan Thamrin 1, Jakarta, Indonesia",
                format!("/v1/reverse?point.lat=-6.1754&point.lon=106.8272&size=1&lang=id&api_key={KEY}"),
            ),
        ];
        let geocoder = Played::new(StatusCode::OK, json!({}));
        let mut ingest = geocoder.start_ingest_with(world, GeocoderKind::Nominatim).await;
        for (kind, reply, address, asked) in kinds {
            ingest.kill().await;
            forget(&ingest).await;
            ingest.config.geocoder.as_mut().unwrap().kind = kind;
            ingest.run().await;
            geocoder.respond_with(StatusCode::OK, reply);
            assert_eq!(lookup(&ingest, &[MONAS], Locale::Id).await, [address]);
            assert_eq!(geocoder.requests().last(), Some(&asked));
        }
        assert!(!format!("{:?}", ingest.config).contains(KEY));
    }

    async fn known_addresses_are_cached(world: World) {
        let geocoder = Played::new(StatusCode::OK, nominatim("Jalan Silang Monas"));
        let mut ingest = geocoder.start_ingest_with(world, GeocoderKind::Nominatim).await;
        let address = "Jalan Silang Monas, Gambir, Jakarta Pusat";
        let near = (MONAS.0 + 0.000_04, MONAS.1 - 0.000_04);
        assert_eq!(lookup(&ingest, &[MONAS, near, BANDUNG, MONAS], Locale::Id).await, [address; 4]);
        assert_eq!(geocoder.requests().len(), 2, "places that are the same when they are rounded are one");
        assert_eq!(lookup(&ingest, &[near], Locale::Jv).await, [address], "Javanese is asked for in Indonesian");
        ingest.kill().await;
        ingest.run().await;
        assert_eq!(lookup(&ingest, &[BANDUNG, MONAS], Locale::Id).await, [address; 2]);
        assert_eq!(geocoder.requests().len(), 2, "it is known for good");
        geocoder.respond_with(StatusCode::OK, nominatim("Monas Street"));
        assert_eq!(lookup(&ingest, &[MONAS], Locale::En).await, ["Monas Street, Gambir, Jakarta Pusat"]);
        assert!(geocoder.requests()[2].contains("accept-language=en"));
        assert_eq!(ingest.number("SELECT count(*) FROM address").await.unwrap(), 3);
    }

    async fn slow_lookups_are_pending_and_found_later(world: World) {
        let geocoder = Played::new(StatusCode::OK, nominatim("Jalan Silang Monas"));
        let ingest = geocoder.start_ingest_with(world, GeocoderKind::Nominatim).await;
        let held = geocoder.0.gate.write().await;
        let (first, second) =
            tokio::join!(lookup(&ingest, &[MONAS], Locale::Id), lookup(&ingest, &[MONAS], Locale::Id));
        assert_eq!([first, second], [["pending"], ["pending"]]);
        drop(held);
        eventually("it is known", SOON, async || {
            let found = lookup(&ingest, &[MONAS], Locale::Id).await;
            anyhow::ensure!(found == ["Jalan Silang Monas, Gambir, Jakarta Pusat"], "{found:?}");
            Ok(())
        })
        .await;
        assert_eq!(geocoder.requests().len(), 1, "however many wait for a place, it is asked for once");
    }

    async fn geocoder_rate_limit_is_respected(world: World) {
        let geocoder = Played::new(StatusCode::OK, nominatim("Jalan Silang Monas"));
        let geocoder_config =
            GeocoderConfig { requests_per_second: 1, ..geocoder.config(GeocoderKind::Nominatim).await };
        let ingest =
            Ingest::start_with(world, Config { geocoder: Some(geocoder_config), ..Config::default() }).await;
        eventually("all are known", SOON, async || {
            let found = lookup(&ingest, &[MONAS, BANDUNG, (0.0, 0.0)], Locale::Id).await;
            anyhow::ensure!(!found.contains(&"pending".to_owned()), "{found:?}");
            Ok(())
        })
        .await;
        assert_eq!((geocoder.requests().len(), geocoder.0.most_under_way.load(SeqCst)), (3, 1));
    }

    async fn failing_geocoder_is_paused(world: World) {
        let geocoder = Played::new(StatusCode::INTERNAL_SERVER_ERROR, json!({}));
        let ingest = geocoder.start_ingest_with(world, GeocoderKind::Nominatim).await;
        let failures = [
            (StatusCode::INTERNAL_SERVER_ERROR, json!({ "error": "Unable to geocode" })),
            (StatusCode::NOT_FOUND, json!({ "detail": "Not Found" })),
            (StatusCode::OK, json!({ "features": [] })),
            (StatusCode::OK, json!("x".repeat(300_000))),
            (StatusCode::MOVED_PERMANENTLY, json!({})),
        ];
        for (index, (status, body)) in failures.into_iter().enumerate() {
            geocoder.respond_with(status, body);
            assert_eq!(lookup(&ingest, &[MONAS], Locale::Id).await, ["pending"], "{status}");
            assert_eq!(geocoder.requests().len(), index + 1, "it is asked for again");
        }
        geocoder.respond_with(StatusCode::OK, nominatim("Jalan Silang Monas"));
        assert_eq!(lookup(&ingest, &[MONAS, BANDUNG], Locale::Id).await, ["pending"; 2]);
        assert_eq!(geocoder.requests().len(), 5, "after five failures it is left alone");
        assert_eq!(ingest.number("SELECT count(*) FROM address").await.unwrap(), 0);
    }

    async fn empty_results_are_cached(world: World) {
        let geocoder = Played::new(StatusCode::OK, json!({ "error": "Unable to geocode" }));
        let ingest = geocoder.start_ingest_with(world, GeocoderKind::Nominatim).await;
        assert_eq!(lookup(&ingest, &[MONAS], Locale::Id).await, ["none"]);
        geocoder.respond_with(StatusCode::NOT_FOUND, json!({ "error": "Unable to geocode" }));
        assert_eq!(lookup(&ingest, &[BANDUNG], Locale::Id).await, ["none"]);
        assert_eq!(lookup(&ingest, &[MONAS, BANDUNG], Locale::Id).await, ["none"; 2]);
        assert_eq!(geocoder.requests().len(), 2);
    }

    async fn old_addresses_expire(world: World) {
        let now = Timestamp::now().millis();
        let db = world.database(NAME).await;
        let tx = db.write(&Scope::Platform).await.unwrap();
        for (lat, text, fetched_at) in [(-61_754, "Old", 0), (-69_175, "Young", now)] {
            let lng = if text == "Old" { 1_068_272 } else { 1_076_191 };
            let sql = format!("INSERT INTO address VALUES ({lat}, {lng}, 'id', '{text}', {fetched_at})");
            tx.execute_raw(Statement::from_string(db.backend(), sql)).await.unwrap();
        }
        tx.commit().await.unwrap();
        db.close().await.unwrap();
        let geocoder = Played::new(StatusCode::OK, nominatim("Jalan Silang Monas"));
        let ingest = geocoder.start_ingest_with(world, GeocoderKind::Nominatim).await;
        eventually("the old one is removed", SOON, async || {
            let left = ingest.number("SELECT count(*) FROM address").await?;
            anyhow::ensure!(left == 1, "{left}");
            Ok(())
        })
        .await;
        assert_eq!(lookup(&ingest, &[BANDUNG], Locale::Id).await, ["Young"]);
        assert_eq!(geocoder.requests().len(), 0);
    }

    async fn without_a_geocoder_there_are_no_addresses(world: World) {
        let ingest = Ingest::start(world).await;
        let list = ask(&ingest, &ingest.admin, request(&[MONAS, BANDUNG], Locale::Id)).await.unwrap();
        assert!(!list.configured);
        assert_eq!(list.items.iter().map(|item| (item.lat, item.lng)).collect::<Vec<_>>(), [MONAS, BANDUNG]);
        assert!(list.items.iter().all(|item| item.address.is_none() && !item.pending));

        // Who may see positions may ask, whosever they are.
        let stranger = ingest.world.user(TenantId::new()).await;
        ask(&ingest, &stranger, request(&[MONAS], Locale::En)).await.unwrap();
        let other = ingest.world.user_who_can(ingest.tenant, &[]).await;
        let refused = ask(&ingest, &other, request(&[MONAS], Locale::En)).await.unwrap_err();
        assert_eq!(refused.code(), Code::PermissionDenied);

        let wrong = async |request: LookupAddressesRequest| {
            let refused = ask(&ingest, &ingest.admin, request).await.unwrap_err();
            let mut fields: Vec<_> = Error::from(refused).fields.into_iter().collect();
            fields.sort();
            fields
        };
        let of = |field: &str, code: &str| (field.to_owned(), code.to_owned());
        assert_eq!(wrong(request(&[], Locale::Id)).await, [of("points", "required")]);
        assert_eq!(wrong(request(&[MONAS; 101], Locale::Id)).await, [of("points", "too_many")]);
        assert_eq!(wrong(request(&[MONAS], Locale::Unspecified)).await, [of("language", "required")]);
        let outside = request(&[MONAS, (90.1, -180.1)], Locale::Id);
        assert_eq!(wrong(outside).await, [of("points[1].lat", "too_large"), of("points[1].lng", "too_small")]);
        let mut half = request(&[MONAS], Locale::Id);
        half.points[0].lng = None;
        assert_eq!(wrong(half).await, [of("points[0].lng", "required")]);
    }
}

/// Empties the table.
async fn forget(ingest: &Ingest) {
    let db = ingest.world.database(NAME).await;
    let tx = db.write(&Scope::Platform).await.unwrap();
    tx.execute_raw(Statement::from_string(db.backend(), "DELETE FROM address")).await.unwrap();
    tx.commit().await.unwrap();
    db.close().await.unwrap();
}

#[test]
fn rejects_invalid_geocoder_urls() {
    let with = |change: fn(&mut GeocoderConfig)| {
        let mut geocoder = GeocoderConfig {
            kind: GeocoderKind::Photon,
            url: "https://photon.example.com/".to_owned(),
            key: Some(Secret::new(KEY.to_owned())),
            requests_per_second: 1,
            cache_days: 365,
            user_agent: Some("Armada (fleet@example.com)".to_owned()),
        };
        change(&mut geocoder);
        let checked = Config { geocoder: Some(geocoder), ..Config::default() }.check();
        checked.map_err(|error| error.message)
    };
    assert_eq!(with(|_| {}), Ok(()));
    type Spoil = fn(&mut GeocoderConfig);
    let wrong: [(Spoil, &str); 6] = [
        (
            |geocoder| geocoder.url = "photon.example.com".to_owned(),
            "url must begin with https:// or http:// and a host",
        ),
        (|geocoder| geocoder.url = "a b".to_owned(), "url is no address"),
        (
            |geocoder| geocoder.url += "?key=hunter2",
            "url must be without a query and a password; a key has a setting of its own",
        ),
        (|geocoder| geocoder.requests_per_second = 0, "requests_per_second must be 1 to 1000"),
        (|geocoder| geocoder.cache_days = 0, "cache_days must be 1 to 3653"),
        (
            |geocoder| geocoder.user_agent = Some("a\nb".to_owned()),
            "user_agent has characters that cannot stand in a header",
        ),
    ];
    for (change, why) in wrong {
        assert_eq!(with(change), Err(format!("position_ingest.geocoder.{why}")));
    }
}
