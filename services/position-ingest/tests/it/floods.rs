//! What one gateway sends stops nobody else's positions.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use armada_position_ingest::admin;
use armada_proto::Timestamp;
use armada_runtime::{Bus, Scope};
use armada_testkit::{Gateway, Kind, both_databases, eventually};
use bytes::Bytes;
use futures::FutureExt;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

use crate::{
    common::{Ingest, SOON, at, at_ms, get, imei, imei_in, world},
    receiver::frame,
};

fn fix(second: i64) -> Vec<u8> {
    json!({ "recorded_at": at(second), "lat": -6.2, "lng": 106.8 }).to_string().into()
}

/// Gateways of the tenant by these names.
async fn gateways<const N: usize>(ingest: &Ingest, names: [&str; N]) -> Vec<Gateway> {
    let mut gateways = Vec::new();
    for name in names {
        ingest.make_gateway(name).await;
        gateways.push(Gateway::connect_trusted(&ingest.world.nats, name).await);
    }
    gateways
}

/// So many unknown devices, others for each `place`.
fn unknown(place: u64, count: u64) -> Vec<(u64, i32)> {
    let first = 100_000 * (place + 1);
    (first..first + count).map(|number| (number, -62_000_000)).collect()
}

/// A fix with attributes that hardly compress.
fn large_fix(second: i64) -> Value {
    let mut state = second as u64 + 1;
    let text: String = std::iter::repeat_with(|| {
        // xorshift64 (Marsaglia, 2003).
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        char::from(b'0' + (state % 64) as u8)
    })
    .map(|c| if c == '\\' { 'z' } else { c })
    .take(16_000)
    .collect();
    json!({ "recorded_at": at(second), "lat": -6.2, "lng": 106.8, "attrs": { "x": text } })
}

fn is_later(answer: &Value) -> bool {
    answer["error"]["description"] == "too_many_unknown"
}

both_databases! {
    starting world;

    /// More dead letters at once than a connection may have publications under way: partitions that held some of them while
    /// they waited for more would wait for one another for ever.
    async fn unknown_trackers_of_several_gateways_stop_nobody(world: World) {
        let mut ingest = Ingest::start(world).await;
        let device = ingest.device(imei(1)).await;
        let gateways = gateways(&ingest, ["north", "south", "west"]).await;
        for round in 0..2 {
            let frames = gateways.iter().enumerate().map(async |(place, gateway)| {
                gateway.send("frame", frame(&unknown(3 * round + place as u64, 800), 0)).await
            });
            let answers = futures::future::join_all(frames).await;
            // Two rounds may fall into one second, of which each gateway has its part.
            let problem = |answer: &Value| answer["error"]["description"].as_str().map(str::to_owned);
            let problems: Vec<_> = answers.iter().filter_map(problem).collect();
            assert!(problems.iter().all(|problem| problem == "unknown_device"), "{problems:?}");
            let sent = gateways[0].send(&imei(1).to_string(), fix(round as i64)).await;
            assert_eq!(sent["accepted"], 1, "{sent}");
            ingest.track_of(&device.id, round as usize + 1).await;
        }
        // The same backlog again.
        ingest.kill().await;
        ingest.run().await;
        let gateway = ingest.gateway().await;
        assert_eq!(gateway.send(&imei(1).to_string(), fix(10)).await["accepted"], 1);
        ingest.track_of(&device.id, 3).await;
    }

    /// What a round gathers while the database is away still fits into messages of NATS.
    async fn large_attributes_stop_nothing(world: World) {
        let ingest = Ingest::start(world).await;
        let device = ingest.device(imei(1)).await;
        let gateway = ingest.gateway().await;
        assert_eq!(gateway.send(&imei(1).to_string(), fix(0)).await["accepted"], 1);
        ingest.track_of(&device.id, 1).await;
        let db = ingest.world.database(armada_position_ingest::NAME).await;
        let held = db.write(&Scope::Platform).await.expect("the database is there");
        held.execute_unprepared("UPDATE partition SET epoch = epoch").await.expect("rows are locked");
        let sent = (0..14).map(async |message| {
            let fixes: Vec<_> = (0..60).map(|number| large_fix(1 + 60 * message + number)).collect();
            gateway.send(&imei(1).to_string(), Value::from(fixes).to_string().into()).await
        });
        let answers = futures::future::join_all(sent).await;
        assert!(answers.iter().all(|answer| answer["accepted"] == 60), "{answers:?}");
        held.rollback().await.expect("the rows are free");
        db.close().await.expect("it is closed");
        ingest.track_of(&device.id, 841).await;
        // Others read POSITIONS.
        eventually("the newest position is told", SOON, async || {
            let last = ingest.last(&ingest.admin).await?;
            anyhow::ensure!(last[0].recorded_at == Some(Timestamp::from_millis(at_ms(840))), "{:?}", last[0].recorded_at);
            Ok(())
        })
        .await;
    }

    /// A message with wrong elements is kept once, and nobody else hears of it.
    async fn refused_messages_are_kept_once(world: World) {
        let ingest = Ingest::start(world).await;
        let device = ingest.device(imei(1)).await;
        let gateway = ingest.gateway().await;
        let wrong = [
            json!({ "recorded_at": at(0), "lat": 91, "lng": 106.8 }),
            json!({ "recorded_at": at(0), "lat": 0, "lng": 0 }),
            json!({ "recorded_at": "1999-01-01T00:00:00Z", "lat": -6.2, "lng": 106.8 }),
            json!({ "recorded_at": "2999-01-01T00:00:00Z", "lat": -6.2, "lng": 106.8 }),
            json!({ "recorded_at": at(0), "lat": -6.2, "lng": 181 }),
            json!({ "lat": -6.2, "lng": 106.8, "attrs": { "x": "y".repeat(65_000) } }),
        ];
        let body = Value::from(wrong.to_vec()).to_string();
        let sent = (0..40).map(async |_| gateway.send(&imei(1).to_string(), body.clone().into()).await);
        let good = (1..40).map(async |second| gateway.send(&imei(1).to_string(), fix(second)).await);
        let (refused, accepted) =
            tokio::join!(futures::future::join_all(sent), futures::future::join_all(good));
        assert!(refused.iter().all(|answer| answer["rejected"].as_array().is_some_and(|all| all.len() == 6)), "{refused:?}");
        assert!(accepted.iter().all(|answer| answer["accepted"] == 1), "{accepted:?}");
        ingest.track_of(&device.id, 39).await;
        let reasons: BTreeSet<_> = refused[0]["rejected"].as_array().expect("a list").iter().map(|one| one["reason"].to_string()).collect();
        assert!(reasons.len() > 3, "{reasons:?}");
        eventually("each is kept once", SOON, async || {
            let kept = admin::list_dead_letters(&ingest.world.bus, None, None, 500).await?;
            anyhow::ensure!(kept.total == 40 && kept.items.iter().all(|one| one.count == 6), "{} {:?}", kept.total, kept.items.first());
            anyhow::ensure!(kept.items.iter().all(|one| one.other_reasons.len() + 1 == reasons.len()));
            Ok(())
        })
        .await;
    }

    /// The pace of unknown devices is each gateway's own.
    async fn unknown_trackers_of_one_gateway_slow_no_other(world: World) {
        let ingest = Ingest::start(world).await;
        let gateways = gateways(&ingest, ["loud", "quiet"]).await;
        let mut of_partition = (10_000..).map(imei).filter(|imei| imei.partition(8) == 0);
        let loud: Vec<_> = of_partition.by_ref().take(1_500).collect();
        let quiet: Vec<_> = of_partition.take(40).collect();
        let flood = futures::future::join_all(loud.iter().map(async |imei| {
            gateways[0].try_send(&imei.to_string(), fix(0)).await
        }));
        let others = futures::future::join_all(quiet.iter().map(async |imei| {
            gateways[1].try_send(&imei.to_string(), fix(0)).await
        }));
        let (flood, others) = tokio::join!(flood, others);
        let later = |answers: &[anyhow::Result<Value>]| answers.iter().flatten().filter(|answer| is_later(answer)).count();
        assert!(later(&flood) > 0, "the flood was slowed: {flood:?}");
        assert_eq!(later(&others), 0, "{others:?}");
    }

    /// More than can be read: what one gateway sends goes nowhere, and others are answered as ever.
    async fn flood_of_one_gateway_is_its_own_trouble(world: World) {
        const MEGABYTES: u64 = 300;
        let ingest = Ingest::start(world).await;
        let device = ingest.device(imei(1)).await;
        let gateways = gateways(&ingest, ["loud", "quiet"]).await;
        let body: Vec<_> = (0..60).map(large_fix).collect();
        let body = Bytes::from(Value::from(body).to_string());
        let url = ingest.world.nats.gateways_url();
        let flood = (0..4_u64).map(|connection| {
            let (url, body) = (url.clone(), body.clone());
            tokio::spawn(async move {
                let bus = Bus::connect_as_gateway(&url, "loud").await.expect("nats-server accepts gateways");
                // As fast as a program that is not optimised can take it off the line, which is more than it can read.
                let mut pace = tokio::time::interval(Duration::from_millis(25));
                for message in 0..MEGABYTES / 4 {
                    pace.tick().await;
                    let neighbour = imei_in(1_000 * (4 * message + connection + 1), |partition| partition == imei(1).partition(8));
                    let subject = format!("gps.loud.{neighbour}");
                    bus.client.publish(subject, body.clone()).await.expect("it leaves");
                }
                bus.client.flush().await.expect("it has left");
            })
        });
        let mut flood = futures::future::join_all(flood);
        let mut sent = 0;
        loop {
            // A slow machine may be cut off by the server; what is not answered then is sent again, as any gateway does.
            let answer = gateways[1].send(&imei(1).to_string(), fix(sent)).await;
            assert_eq!(answer["accepted"], 1, "{answer}");
            sent += 1;
            if (&mut flood).now_or_never().is_some() {
                break;
            }
        }
        ingest.track_of(&device.id, sent as usize).await;
        let metrics = get(ingest.context.health.router(), "/metrics").await;
        let number = |name: &str| {
            let line = metrics.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{name}"));
            line.rsplit_once(' ').and_then(|(_, number)| number.parse::<u64>().ok()).expect("a number")
        };
        assert!(number("armada_receiver_refused_total{outcome=\"too_much_waiting\"}") > 0, "it was a flood");
    }
}

/// Two instances renew their leases and store rounds at once, for as long as that takes to meet many times.
#[test]
fn rounds_and_leases_never_wait_for_each_other() {
    const FOR: Duration = Duration::from_secs(10);
    armada_testkit::run_body(|| async {
        let mut ingest = Ingest::start(world(Kind::Postgres).await).await;
        let second = ingest.run_second().await;
        let mut devices = Vec::new();
        for number in 0..40 {
            devices.push((imei(number).to_string(), ingest.device(imei(number)).await.id));
        }
        let gateway = ingest.gateway().await;
        let begun = Instant::now();
        let sent = devices.iter().map(async |(imei, _)| {
            let mut second = 0;
            while begun.elapsed() < FOR {
                gateway.report(imei, &serde_json::from_slice(&fix(second)).expect("JSON")).await.expect("acknowledged");
                second += 1;
            }
            second
        });
        // A slow disk, so that each commit stores rounds of several partitions.
        let slow = async {
            let db = ingest.world.database(armada_position_ingest::NAME).await;
            while begun.elapsed() < FOR {
                let held = db.write(&Scope::Platform).await.expect("the database is there");
                held.execute_unprepared("LOCK TABLE hot_frame IN SHARE MODE").await.expect("nobody stores");
                tokio::time::sleep(Duration::from_millis(40)).await;
                held.rollback().await.expect("they store again");
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            db.close().await.expect("it is closed");
        };
        let (sent, ()) = tokio::join!(futures::future::join_all(sent), slow);
        for ((_, device), sent) in devices.iter().zip(&sent) {
            ingest.track_of(device, *sent as usize).await;
        }
        second.stop().await.expect("it stops");
        ingest.process.take().expect("it runs").stop().await.expect("it stops");
        // A connection tells its numbers when it ends.
        let deadlocks = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()";
        assert_eq!(ingest.number(deadlocks).await.expect("a number"), 0, "with {} fixes", sent.iter().sum::<i64>());
    });
}
