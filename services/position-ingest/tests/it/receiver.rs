//! What gateways hear of what they publish, and whom the receiver answers.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use armada_position_ingest::streams::RAW;
use armada_proto::{TenantId, Timestamp, v1::GatewayMessage};
use armada_runtime::Bus;
use armada_testkit::{Gateway, both_databases, eventually};
use armada_track::{FrameBuilder, Imei, Report};
use async_nats::Request;
use futures::{FutureExt, StreamExt};
use prost::Message;
use serde_json::{Value, json};

use crate::common::{Ingest, SOON, at, at_ms, imei, imei_in};

fn fix(second: i64) -> Value {
    json!({"recorded_at": at(second), "lat": -6.2, "lng": 106.8})
}

/// A frame of one fix of each of these devices.
pub fn frame(rows: &[(u64, i32)], second: i64) -> Vec<u8> {
    let mut frame = FrameBuilder::default();
    for &(device, lat) in rows {
        frame.push(imei(device), &Report::new(at_ms(second), lat, 1_068_000_000));
    }
    frame.take().encode_to_vec()
}

/// Once a question is answered, what the same connection sent before is through.
async fn assert_acknowledged(bus: &Bus) {
    let _ = bus.client.request("$JS.API.INFO", "".into()).await;
}

impl Ingest {
    /// What each stream holds: its subjects, and the sequence of its last message.
    async fn streams(&self) -> Result<Vec<(String, Vec<String>, u64)>> {
        let jetstream = &self.world.bus.jetstream;
        let mut names = jetstream.stream_names();
        let mut found = Vec::new();
        while let Some(name) = names.next().await {
            let stream = jetstream.get_stream(name?).await?;
            let info = stream.cached_info();
            found.push((info.config.name.clone(), info.config.subjects.clone(), info.state.last_sequence));
        }
        found.sort();
        Ok(found)
    }
}

both_databases! {
    starting crate::common::world;

    async fn each_element_is_answered(world: World) {
        let ingest = Ingest::start(world).await;
        let device = ingest.device(imei(1)).await;
        let gateway = ingest.gateway().await;
        let one = gateway.send(&imei(1).to_string(), fix(0).to_string().into()).await;
        let seq = one["seq"].as_u64().expect("a sequence");
        assert_eq!(one, json!({"stream": RAW, "seq": seq, "accepted": 1}));
        let soon = Timestamp::from_millis(Timestamp::now().millis() + 200_000).to_rfc3339();
        let mixed = json!([fix(1), {"recorded_at": at(2), "lat": -6.2}, {"recorded_at": soon, "lat": 1, "lng": 2},
                           {"recorded_at": at(3), "lat": -6.2, "lng": 106.8, "speed": 2000}]);
        let mixed = gateway.send(&imei(1).to_string(), mixed.to_string().into()).await;
        assert_eq!((&mixed["accepted"], &mixed["error"]), (&json!(3), &Value::Null), "{mixed}");
        assert_eq!(mixed["rejected"], json!([{"index": 1, "reason": "malformed", "field": "lng"}]));
        assert_eq!((&mixed["warnings"][0]["index"], &mixed["warnings"][0]["warning"]), (&json!(2), &json!("clock_ahead")));
        let left_out = json!({"index": 3, "warning": "left_out", "field": "speed", "reason": "out_of_range"});
        assert_eq!(mixed["warnings"][1], left_out);
        ingest.track_of(&device.id, 4).await;

        // Where an IMEI belongs is nobody else's business, and who says so is not believed.
        let elsewhere = (imei(1).partition(8) + 1) % 8;
        let bus = Bus::connect_as_gateway(&ingest.world.nats.gateways_url(), "test").await.unwrap();
        let answer = bus.client.request(format!("in.{elsewhere}.test.{}", imei(1)), fix(9).to_string().into()).await;
        let answer: Value = serde_json::from_slice(&answer.unwrap().payload).unwrap();
        assert_eq!(answer["error"]["description"], "wrong_partition", "{answer}");
        ingest.refused_for("wrong_partition", 1).await;
    }

    /// The JetStream publish of a client library works as it is.
    async fn a_tenants_gateway_speaks_for_its_devices_alone(world: World) {
        let ingest = Ingest::start(world).await;
        let (own, foreign, unknown) = (imei(1), imei(2), imei(3));
        let device = ingest.device(own).await;
        ingest.device_elsewhere(foreign).await;
        ingest.make_gateway("depot").await;
        let gateway = Gateway::connect_trusted(&ingest.world.nats, "depot").await;
        // Whether somebody else has a device is not told: the answer is that for one that nobody has.
        let answer = async |imei: Imei| {
            let mut answer = gateway.send(&imei.to_string(), fix(0).to_string().into()).await;
            assert!(answer["seq"].take().as_u64() > Some(0), "{answer}");
            answer
        };
        let told = answer(foreign).await;
        assert_eq!((&told["held"], &told), (&json!(1), &answer(imei(5)).await));
        assert_eq!(gateway.send(&own.to_string(), fix(0).to_string().into()).await["accepted"], 1);
        let mixed = gateway.send("frame", frame(&[(1, -62_000_000), (2, -62_000_000), (3, -62_000_000)], 1)).await;
        assert_eq!((&mixed["accepted"], &mixed["held"], &mixed["rejected"]), (&json!(1), &json!(2), &Value::Null), "{mixed}");
        ingest.track_of(&device.id, 2).await;

        // What is held for whoever gets the device is not for another tenant, and the tenant's own gets it.
        assert_eq!(gateway.send(&imei(4).to_string(), fix(2).to_string().into()).await["held"], 1);
        ingest.device_elsewhere(unknown).await;
        ingest.refused_for("foreign_device", 3).await;
        // Nor by the list of what was heard.
        let heard = ingest.heard_imei(foreign).await.unwrap().expect("as one that nobody has");
        assert_eq!(heard.gateways, ["depot"]);
        let later = ingest.device(imei(4)).await;
        ingest.track_of(&later.id, 1).await;
    }

    async fn invented_devices_do_not_delay_others(world: World) {
        let ingest = Ingest::start(world).await;
        let device = ingest.device(imei(1)).await;
        let gateway = ingest.gateway().await;
        // One frame is looked at in one instant, so the count is exact.
        let rows: Vec<(u64, i32)> = (2..2_002).map(|number| (number, -62_000_000)).chain([(1, -62_000_000)]).collect();
        let answer = gateway.send("frame", frame(&rows, 0)).await;
        assert_eq!((&answer["accepted"], &answer["held"]), (&json!(1), &json!(800)));
        let rejected = answer["rejected"].as_array().expect("a list");
        assert!(rejected.len() == 1_200 && rejected.iter().all(|one| one["reason"] == "unknown_device"), "{rejected:?}");
        ingest.refused_for("unknown_device", 2_000).await;

        // Of one message a device more than a hundred in a second are to be sent again.
        let body = Vec::from(fix(1).to_string());
        let unknown = (10_000..).map(imei).filter(|imei| imei.partition(8) == 0).take(600);
        let asked = unknown.map(async |imei| gateway.try_send(&imei.to_string(), body.clone()).await);
        let answers = futures::future::join_all(asked).await;
        let accepted_rows = answers.iter().filter_map(|answer| answer.as_ref().ok());
        let later = accepted_rows.filter(|answer| answer["error"]["description"] == "too_many_unknown");
        assert!(later.clone().count() > 0 && later.clone().all(|answer| answer["retry_after_ms"] == 1_000), "{answers:?}");
        assert_eq!(gateway.send(&imei(1).to_string(), fix(2).to_string().into()).await["accepted"], 1);
        ingest.track_of(&device.id, 2).await;
    }

    async fn the_last_messages_of_a_gateway_are_shown(world: World) {
        let ingest = Ingest::start(world).await;
        ingest.device(imei(1)).await;
        ingest.make_gateway("depot").await;
        let gateway = Gateway::connect_trusted(&ingest.world.nats, "depot").await;
        gateway.send(&imei(1).to_string(), fix(0).to_string().into()).await;
        gateway.send(&imei(2).to_string(), fix(1).to_string().into()).await;
        gateway.send(&imei(1).to_string(), json!({"recorded_at": at(2), "lat": 91, "lng": 1}).to_string().into()).await;
        gateway.send("frame", frame(&[(1, -62_000_000), (3, -62_000_000)], 3)).await;
        let shown = eventually("all four are shown", SOON, async || {
            let shown = ingest.last_messages(&ingest.admin, "depot").await?;
            ensure!(shown.len() == 4, "{shown:?}");
            Ok(shown)
        })
        .await;
        // They may be of one millisecond.
        let found = |wanted: &dyn Fn(&GatewayMessage) -> bool| shown.iter().find(|message| wanted(message)).expect("it is");
        let of_frame = found(&|message| message.device == "frame");
        let refused = found(&|message| message.rejected_count > 0);
        let held = found(&|message| message.device == imei(2).to_string());
        let accepted = found(&|message| message.device == imei(1).to_string() && message.accepted > 0);
        assert_eq!((accepted.accepted, accepted.body.as_str()), (1, fix(0).to_string().as_str()));
        assert_eq!((held.held, &held.unknown_imeis), (1, &vec![imei(2).to_string()]));
        let because = &refused.rejected[0];
        assert_eq!((because.reason.as_str(), because.field.as_deref()), ("latitude_out_of_range", Some("lat")));
        assert_eq!((of_frame.device.as_str(), of_frame.accepted, of_frame.held), ("frame", 1, 1));
        assert!(of_frame.was_answered && !of_frame.is_text && of_frame.unknown_imeis == [imei(3).to_string()]);

        let stranger = ingest.world.tenant_admin(TenantId::new()).await;
        assert!(ingest.last_messages(&stranger, "depot").await.is_err(), "another tenant's");
        assert!(ingest.last_messages(&ingest.admin, "test").await.is_err(), "the platform's");
        let owner = ingest.world.platform_owner().await;
        assert!(ingest.last_messages(&owner, "test").await.unwrap().is_empty());
        let second = ingest.run_second().await;
        for number in 10..40 {
            gateway.send(&imei(number).to_string(), fix(0).to_string().into()).await;
        }
        eventually("both processes tell", SOON, async || {
            let shown = ingest.last_messages(&owner, "depot").await?;
            ensure!(shown.iter().filter(|message| message.held > 0).count() > 20, "{}", shown.len());
            Ok(())
        })
        .await;
        second.stop().await.unwrap();
    }

    async fn a_client_library_understands_the_answer(world: World) {
        let ingest = Ingest::start(world).await;
        let device = ingest.device(imei(1)).await;
        ingest.gateway().await.report(&imei(1).to_string(), &fix(0)).await.expect("it receives");
        let bus = Bus::connect_as_gateway(&ingest.world.nats.anonymous_url(), "local").await.unwrap();
        #[allow(clippy::disallowed_methods, reason = "as a stranger publishes")]
        let publish = async |body: String| bus.jetstream.publish(format!("gps.local.{}", imei(1)), body.into()).await.unwrap().await;
        let ack = publish(fix(1).to_string()).await.expect("acknowledged");
        assert!(ack.stream == RAW && ack.sequence > 0, "{ack:?}");
        let refused = publish("nonsense".to_owned()).await.expect_err("refused");
        assert!(format!("{refused:?}").contains("malformed"), "{refused:?}");
        // Without a reply it is taken in as well.
        bus.client.publish(format!("gps.local.{}", imei(1)), fix(2).to_string().into()).await.unwrap();
        ingest.track_of(&device.id, 3).await;
    }

    /// Devices of all partitions, received by two processes.
    async fn frames_have_any_mix_of_devices(world: World) {
        let ingest = Ingest::start(world).await;
        let mut devices = Vec::new();
        for number in 0..16 {
            devices.push(ingest.device(imei(number)).await);
        }
        let second = ingest.run_second().await;
        let gateway = ingest.gateway().await;
        let rows: Vec<(u64, i32)> = (0..18).map(|number| (number, if number == 3 { 900_000_001 } else { -62_000_000 })).collect();
        for step in 0..10 {
            let answer = gateway.send("frame", frame(&rows, step)).await;
            assert_eq!((&answer["accepted"], &answer["held"]), (&json!(15), &json!(2)), "{answer}");
            assert_eq!(answer["rejected"], json!([{"index": 3, "reason": "latitude_out_of_range", "field": "lat"}]));
        }
        for (number, device) in devices.iter().enumerate().filter(|(number, _)| *number != 3) {
            let track = ingest.track_of(&device.id, 10).await;
            assert!(track.values().all(|position| !position.late), "device {number} came in its order");
        }
        // A frame that nobody answers, since its partitions change hands, is sent again, and told again.
        ingest.refused_at_least("latitude_out_of_range", 10).await;
        ingest.refused_at_least("unknown_device", 20).await;
        let wrong = gateway.send("frame", frame(&[(0, 900_000_001)], 99)).await;
        assert_eq!(wrong["error"]["description"], "latitude_out_of_range");
        assert_eq!(gateway.send("frame", vec![0xff]).await["error"]["description"], "malformed");
        second.stop().await.expect("drains");
    }

    /// A process that comes, and one that goes, is noticed by nobody who publishes.
    async fn partitions_are_handed_over_without_a_gap(world: World) {
        let ingest = Ingest::start(world).await;
        let numbers: Vec<u64> = (0..16).collect();
        let mut devices = Vec::new();
        for number in &numbers {
            devices.push(ingest.device(imei(*number)).await);
        }
        let gateway = ingest.gateway().await;
        gateway.report(&imei(0).to_string(), &fix(-1)).await.expect("it receives");
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let publishing = async {
            let mut stopped = stopped;
            let mut second = 0;
            while (&mut stopped).now_or_never().is_none() {
                for number in &numbers {
                    // Once: nothing may be refused, and nobody may be away.
                    let answer = gateway.try_send(&imei(*number).to_string(), fix(second).to_string().into()).await?;
                    ensure!(answer["accepted"] == 1, "{answer}");
                }
                second += 1;
            }
            anyhow::Ok(second as usize)
        };
        let moving = async {
            let second = ingest.run_second().await;
            second.stop().await?;
            eventually("the first has all again", SOON, async || {
                let owners = ingest.owners().await?;
                ensure!(owners.iter().all(|owner| !owner.is_empty() && *owner == owners[0]), "{owners:?}");
                Ok(())
            })
            .await;
            let _ = stop.send(());
            anyhow::Ok(())
        };
        let (published, moved) = tokio::join!(publishing, moving);
        moved.expect("it drains");
        let published = published.expect("nothing was refused");
        for (number, device) in devices.iter().enumerate() {
            let track = ingest.track_of(&device.id, published + usize::from(number == 0)).await;
            assert!(track.values().all(|position| !position.late), "device {number} came in its order");
        }
    }

    /// Whatever reply a publisher names: nothing is written there, and what it sent is taken in all the same.
    async fn only_a_gateways_own_inbox_is_answered(world: World) {
        let ingest = Ingest::start(world).await;
        let device = ingest.device(imei(1)).await;
        ingest.gateway().await.report(&imei(1).to_string(), &fix(0)).await.expect("it receives");
        let operator = &ingest.world.bus;
        let anybody = Bus::connect_as_gateway(&ingest.world.nats.anonymous_url(), "local").await.unwrap();
        let named = Bus::connect_as_gateway(&ingest.world.nats.gateways_url(), "depot").await.unwrap();
        let user = "0198c0de-0000-7000-8000-000000000000";
        let replies = [
            format!("$KV.policies.{user}"),
            format!("$KV.devices.imei.{}", imei(1)),
            format!("$KV.routes.{}", imei(1)),
            "$KV.keys.bff".to_owned(),
            "$KV.ended_sessions.x".to_owned(),
            "positions.0".to_owned(),
            "audit.identity".to_owned(),
            "raw.0".to_owned(),
            "dlq.malformed".to_owned(),
            format!("held.0.{}", imei(1)),
            "refused.x.y".to_owned(),
            "live.x".to_owned(),
            "part.0".to_owned(),
            format!("command.depot.{}", imei(1)),
            format!("command.reply.depot.{}", imei(1)),
            "$JS.API.STREAM.PURGE.RAW".to_owned(),
            "_INBOX_armada.x".to_owned(),
            "_INBOX_bff.x".to_owned(),
            "_INBOX_other.x".to_owned(),
        ];
        ingest.track_of(&device.id, 1).await;
        let before = ingest.streams().await.unwrap();
        for (number, reply) in replies.iter().enumerate() {
            let mut heard = operator.client.subscribe(reply.clone()).await.unwrap();
            assert_acknowledged(operator).await;
            for (bus, gateway) in [(&anybody, "local"), (&named, "depot")] {
                let subject = format!("gps.{gateway}.{}", imei(1));
                let body = fix(1 + number as i64 * 2 + i64::from(gateway == "depot")).to_string();
                bus.client.publish_with_reply(subject, reply.clone(), body.into()).await.unwrap();
            }
            // Wrong ones are answered as little.
            named.client.publish_with_reply(format!("gps.depot.{}", imei(1)), reply.clone(), "x".into()).await.unwrap();
            let mine = named.client.request(format!("gps.depot.{}", imei(1)), fix(0).to_string().into()).await.unwrap();
            assert!(mine.payload.starts_with(b"{\"stream\""), "its own inbox is");
            assert_acknowledged(operator).await;
            if let Some(Some(message)) = heard.next().now_or_never() {
                // Services write to some of these meanwhile, and never this.
                assert!(!message.payload.starts_with(b"{\"stream\"") && !message.payload.starts_with(b"{\"error\""), "{reply}");
            }
        }
        ingest.track_of(&device.id, 1 + replies.len() * 2).await;
        for (before, after) in before.iter().zip(ingest.streams().await.unwrap()) {
            // What services write themselves; that nothing else comes there was heard above.
            if ["RAW", "POSITIONS", "DLQ", "REFUSED", "AUDIT", "KV_routes"].contains(&before.0.as_str()) {
                continue;
            }
            assert_eq!(*before, after, "nothing was written there");
        }
    }

    /// Its user of NATS may write nothing that is kept but RAW, and ask JetStream for nothing.
    async fn receiver_user_may_only_write_raw(world: World) {
        let ingest = Ingest::start(world).await;
        ingest.device(imei(1)).await;
        let receiver = Bus::connect(&ingest.world.nats.url_of("receiver"), "attacker").await.unwrap();
        let streams = ingest.streams().await.unwrap();
        assert!(streams.len() > 8, "{streams:?}");
        for (name, subjects, _) in &streams {
            for subject in subjects {
                let subject = subject.replace(['*', '>'], "x");
                receiver.client.publish(subject.clone(), "x".into()).await.unwrap();
                assert_acknowledged(&receiver).await;
                let stream = ingest.world.bus.jetstream.get_stream(name).await.unwrap();
                let kept = async || stream.direct_get_last_for_subject(subject.clone()).await;
                match name == RAW {
                    // A stream takes in after the server has gone on.
                    true => drop(eventually("RAW has it", SOON, async || Ok(kept().await?)).await),
                    false => assert!(kept().await.is_err(), "{subject}"),
                }
            }
            for request in [format!("$JS.API.STREAM.PURGE.{name}"), format!("$JS.API.STREAM.INFO.{name}")] {
                let request = receiver.client.send_request(request, Request::new().timeout(Some(Duration::from_millis(200))));
                assert!(request.await.is_err(), "{name}");
            }
        }
        let mut foreign = receiver.client.subscribe("_INBOX_identity.>").await.unwrap();
        assert_acknowledged(&receiver).await;
        ingest.world.bus.client.publish("_INBOX_identity.secret", "x".into()).await.unwrap();
        assert_acknowledged(&ingest.world.bus).await;
        assert!(foreign.next().now_or_never().flatten().is_none(), "nor hear what others hear");
    }

    /// What does not fit is refused at once, to be sent again; room makes it welcome.
    async fn full_stream_rejects_at_once(world: World) {
        let ingest = Ingest::start(world).await;
        let device = ingest.device(imei(1)).await;
        let gateway = ingest.gateway().await;
        gateway.report(&imei(1).to_string(), &fix(0)).await.expect("it receives");
        let jetstream = &ingest.world.bus.jetstream;
        let mut config = jetstream.get_stream(RAW).await.unwrap().cached_info().config.clone();
        let room = std::mem::replace(&mut config.max_bytes, 1);
        jetstream.update_stream(&config).await.unwrap();
        let refused = gateway.try_send(&imei(1).to_string(), fix(1).to_string().into()).await.unwrap();
        assert_eq!(refused["error"], json!({"code": 503, "err_code": 0, "description": "storage_full"}), "{refused}");
        assert!(refused["retry_after_ms"].as_u64().is_some_and(|pause| pause >= 1_000), "{refused}");
        config.max_bytes = room;
        jetstream.update_stream(&config).await.unwrap();
        gateway.report(&imei(1).to_string(), &fix(1)).await.expect("there is room");
        ingest.track_of(&device.id, 2).await;
    }
}

/// A stream that does not say whether it has written, as one whose disk is full: who publishes hears in time that it is to be sent
/// again, and what was there all the same is there once. Of the NATS server the database makes no difference.
#[tokio::test(flavor = "multi_thread")]
async fn unacknowledged_messages_are_rejected_in_time() -> Result<()> {
    let ingest = Ingest::start(armada_testkit::World::start(armada_testkit::Kind::Sqlite).await).await;
    let device = ingest.device(imei(1)).await;
    let gateway = ingest.gateway().await;
    gateway.report(&imei(1).to_string(), &fix(0)).await?;
    let jetstream = &ingest.world.bus.jetstream;
    let mut config = jetstream.get_stream(RAW).await?.cached_info().config.clone();
    config.no_ack = true;
    jetstream.update_stream(&config).await?;
    // What gateways wait, as docs/GATEWAYS.md has it.
    let request = Request::new().payload(fix(1).to_string().into()).timeout(Some(Duration::from_secs(5)));
    let refused = gateway.client().send_request(format!("gps.test.{}", imei(1)), request).await?;
    let refused: Value = serde_json::from_slice(&refused.payload)?;
    assert_eq!(refused["error"], json!({"code": 503, "err_code": 0, "description": "not_acknowledged"}), "{refused}");
    assert_eq!((&refused["accepted"], &refused["retry_after_ms"]), (&json!(0), &json!(1_000)), "{refused}");

    config.no_ack = false;
    jetstream.update_stream(&config).await?;
    for second in [1, 2] {
        gateway.report(&imei(1).to_string(), &fix(second)).await?;
    }
    ingest.track_of(&device.id, 3).await;
    Ok(())
}

/// A former owner that goes on for a while writes nothing over the present one, and answers nothing that is not written.
#[tokio::test(flavor = "multi_thread")]
async fn foreign_writes_advance_the_fence() -> Result<()> {
    let ingest = Ingest::start(armada_testkit::World::start(armada_testkit::Kind::Sqlite).await).await;
    let device = ingest.device(imei(1)).await;
    let gateway = ingest.gateway().await;
    gateway.report(&imei(1).to_string(), &fix(0)).await?;
    let partition = imei(1).partition(8);
    let in_same = imei_in(2, |other| other == partition);
    let also = ingest.device(in_same).await;
    for second in 1..4 {
        // Somebody else's message, which the owner does not expect: it looks who owns the partition, and writes behind it.
        let stranger = armada_proto::v1::ReceivedFrame::default().encode_to_vec();
        #[allow(clippy::disallowed_methods, reason = "as a stranger publishes")]
        ingest.world.bus.jetstream.publish(format!("raw.{partition}"), stranger.into()).await?.await.context("kept")?;
        gateway.report(&imei(1).to_string(), &fix(second)).await?;
        gateway.report(&in_same.to_string(), &fix(second)).await?;
    }
    ingest.track_of(&device.id, 4).await;
    ingest.track_of(&also.id, 3).await;
    Gateway::anonymous(&ingest.world.nats).await.report(&imei(1).to_string(), &fix(9)).await?;
    Ok(())
}
