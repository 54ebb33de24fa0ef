//! What is wrong is counted by reason, kept, and holds nothing up.

use crate::common::{Ingest, at, imei};
use armada_position_ingest::streams::RAW;
use armada_proto::v1::ListRejectionsRequest;
use armada_testkit::both_databases;
use async_nats::{HeaderMap, jetstream::stream::Config};
use serde_json::{Value, json};

both_databases! {
    starting crate::common::world;

    async fn invalid_messages_are_counted_and_do_not_stop_the_partition(world: World) {
        let ingest = Ingest::start(world).await;
        let device = ingest.device(imei(1)).await;
        let gateway = ingest.gateway().await;
        let fix = |changes: Value| {
            let mut fix = json!({"recorded_at": at(0), "lat": -6.2, "lng": 106.8});
            fix.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
            fix
        };
        let good = imei(1).to_string();
        let one_bad = json!([fix(json!({"recorded_at": at(1)})), fix(json!({"recorded_at": at(2), "lat": "north"})),
                             fix(json!({"recorded_at": at(3)}))]);
        let ten_thousand = Value::Array(vec![fix(json!({})); 10_000]);
        let messages: Vec<(&str, Vec<u8>, &str, u32)> = vec![
            (&good, fix(json!({"lat": 91})).to_string().into(), "latitude_out_of_range", 1),
            (&good, fix(json!({"lng": -180.5})).to_string().into(), "longitude_out_of_range", 1),
            (&good, fix(json!({"lat": 0, "lng": 0})).to_string().into(), "null_island", 1),
            (&good, fix(json!({"recorded_at": "2099-01-01T00:00:00Z"})).to_string().into(), "future_fix", 1),
            (&good, fix(json!({"recorded_at": "1999-08-22T00:00:00Z"})).to_string().into(), "ancient_fix", 1),
            (&good, vec![b' '; 2 << 20], "too_large", 1),
            (&good, vec![b'{', 0xff, 0xfe, b'}'], "malformed", 1),
            (&good, ten_thousand.to_string().into(), "too_many_positions", 1),
            (&good, one_bad.to_string().into(), "malformed", 2),
            ("35693803564380~", fix(json!({})).to_string().into(), "invalid_imei", 1),
            ("356938035643809", fix(json!({})).to_string().into(), "unknown_device", 1),
        ];
        for (imei, body, reason, count) in messages {
            let answer = gateway.send(imei, body).await;
            match reason {
                "unknown_device" => assert_eq!((&answer["seq"].is_u64(), &answer["held"]), (&true, &json!(1)), "{answer}"),
                _ if count == 2 => assert_eq!(answer["rejected"], json!([{"index": 1, "reason": reason, "field": "lat"}])),
                _ => {
                    assert_eq!(answer["error"]["description"], reason, "{answer}");
                    assert_eq!(answer["rejected"][0]["reason"], reason);
                    assert!(answer["retry_after_ms"].is_null(), "it stays wrong");
                }
            }
            ingest.refused_for(reason, count).await;
        }
        gateway.report(&good, &fix(json!({"recorded_at": at(4)}))).await.expect("acknowledged");
        ingest.track_of(&device.id, 3).await;

        let owner = ingest.world.platform_owner().await;
        let request = ListRejectionsRequest { page_size: 100, ..ListRejectionsRequest::default() };
        let seen = ingest.positions().rejections(owner.sign(request.clone())).await.unwrap().into_inner();
        assert_eq!((seen.items.len(), seen.total), (10, 10));
        let held = ListRejectionsRequest { reason: "unknown_device".into(), ..request.clone() };
        let held = ingest.positions().rejections(owner.sign(held)).await.unwrap().into_inner();
        assert_eq!((held.total, held.items[0].imei.as_str()), (1, "356938035643809"));
        assert!(seen.items.iter().any(|item| item.reason == "too_large" && item.size == 2 << 20));
        let only = ListRejectionsRequest { reason: "malformed".into(), page_size: 1, ..request.clone() };
        let first = ingest.positions().rejections(owner.sign(only.clone())).await.unwrap().into_inner();
        assert_eq!((first.items.len(), first.total), (1, 2));
        let rest = ListRejectionsRequest { before: first.next_cursor.unwrap(), ..only };
        let second = ingest.positions().rejections(owner.sign(rest)).await.unwrap().into_inner();
        assert_eq!(second.items.len(), 1);
        assert!(second.items[0].seq < first.items[0].seq);

        let refused = ingest.positions().rejections(ingest.admin.sign(request)).await.unwrap_err();
        assert_eq!(refused.code(), tonic::Code::PermissionDenied, "dead letters are the platform owner's");
    }

    async fn a_recreated_stream_is_refused_until_it_is_adopted(world: World) {
        let mut ingest = Ingest::start(world).await;
        let device = ingest.device(imei(2)).await;
        let gateway = ingest.gateway().await;
        let fix = |second| json!({"recorded_at": at(second), "lat": -6.2, "lng": 106.8});
        gateway.report(&imei(2).to_string(), &fix(0)).await.expect("acknowledged");
        ingest.track_of(&device.id, 1).await;
        ingest.process.take().unwrap().stop().await.expect("drains");

        let bus = ingest.world.bus.clone();
        bus.jetstream.delete_stream(RAW).await.unwrap();
        let db = ingest.world.database(armada_position_ingest::NAME).await;
        armada_position_ingest::migrate(&bus, &db, &ingest.config).await.unwrap();
        ingest.run().await;
        gateway.report(&imei(2).to_string(), &fix(1)).await.expect("acknowledged");
        let partition = imei(2).partition(8);
        armada_position_ingest::admin::seal_now(&bus, partition).await.expect_err("nobody owns the partition");
        assert_eq!(ingest.track(&ingest.admin, &device.id).await.unwrap().len(), 1);
        ingest.process.take().unwrap().stop().await.expect("drains");

        armada_position_ingest::admin::adopt_stream(&bus, &db, &ingest.config).await.unwrap();
        ingest.run().await;
        ingest.track_of(&device.id, 2).await;
    }

    /// What was refused can be played back once its cause is gone; what cannot be read stays.
    async fn dead_letters_are_played_back(world: World) {
        let ingest = Ingest::start(world).await;
        let device = ingest.device(imei(1)).await;
        let fix = json!({"recorded_at": at(0), "lat": -6.2, "lng": 106.8}).to_string();
        for body in [fix.as_str(), "nonsense"] {
            let mut headers = HeaderMap::new();
            headers.insert("Armada-Gateway", "gt06");
            headers.insert("Armada-Imei", imei(1).to_string());
            headers.insert("Armada-Size", body.len().to_string());
            #[allow(clippy::disallowed_methods, reason = "as a stranger publishes")]
            let letter = ingest.world.bus.jetstream.publish_with_headers("dlq.future_fix", headers, body.to_owned().into());
            letter.await.unwrap().await.unwrap();
        }
        let played = armada_position_ingest::admin::replay_dead_letters(&ingest.world.bus, ingest.world.gateways_bus().await, None, |_| ()).await.unwrap();
        assert_eq!(played, 1);
        ingest.track_of(&device.id, 1).await;
        let left = ingest.world.bus.jetstream.get_stream("DLQ").await.unwrap().cached_info().state.messages;
        assert_eq!(left, 1);
    }

    /// The stream of an older data folder holds what nobody reads any more.
    async fn a_stream_of_an_older_form_is_refused(world: World) {
        let older = Config {
            name: RAW.to_owned(),
            subjects: vec!["gps.*.*".to_owned()],
            metadata: [("partitions".to_owned(), "8".to_owned())].into(),
            ..Config::default()
        };
        world.bus.jetstream.create_stream(older).await.unwrap();
        let db = world.database(armada_position_ingest::NAME).await;
        let config = armada_position_ingest::Config::default();
        let refused = armada_position_ingest::migrate(&world.bus, &db, &config).await.expect_err("it is of another form");
        assert_eq!(refused.message, "stream RAW has messages = nothing, configured is ReceivedFrame");
    }
}
