//! Trackers without an IMEI: what they call themselves is in subjects and frames, and leads to a device all the same.

use armada_proto::v1::{
    Device, DeviceInput, ImeiAssignmentInput, ImeiStatus, PositionReport, PositionReports,
    imei_assignments_client::ImeiAssignmentsClient,
};
use armada_testkit::{Gateway, Signed, both_databases};
use armada_track::{FrameBuilder, MAX_MESSAGE_BYTES, Report, TrackerId};
use prost::Message;
use serde_json::{Value, json};

use crate::common::{Ingest, at, at_ms, imei};

/// Of TK103 or H02, a MEID, of JT/T 808 of 2019, with a dash, and the name of a phone.
const IDS: [&str; 5] = ["0123456789", "A100000009296F", "00000000013812345678", "TK103-12345678", "hape_Budi"];

fn fix(second: i64) -> Value {
    json!({ "recorded_at": at(second), "lat": -6.2, "lng": 106.8 })
}

fn id(text: &str) -> TrackerId {
    text.parse().expect("an identifier")
}

async fn name(ingest: &Ingest, caller: &Signed, id: &str) -> Device {
    let input = DeviceInput {
        tenant_id: Some(ingest.tenant.to_string()),
        imei: Some(id.to_owned()),
        name: Some(format!("B {id}")),
        ..DeviceInput::default()
    };
    ingest.devices().create(caller.sign(input)).await.expect("the device is made").into_inner()
}

both_databases! {
    starting crate::common::world;

    async fn trackers_without_imei_are_seen_by_json_and_by_frame(world: World) {
        let mut ingest = Ingest::start(world).await;
        let owner = ingest.world.platform_owner().await;
        let gateway = ingest.gateway().await;
        let mut devices = vec![(id(&imei(1).to_string()), ingest.device(imei(1)).await)];
        for text in IDS {
            let device = name(&ingest, &owner, text).await;
            assert_eq!((device.imei.as_str(), device.imei_status()), (text, ImeiStatus::Bound));
            devices.push((id(text), device));
        }
        let mut frame = FrameBuilder::default();
        for (id, _) in &devices {
            let answer = gateway.send(&id.to_string(), fix(0).to_string().into()).await;
            assert_eq!(answer["accepted"], 1, "{id}: {answer}");
            frame.push(*id, &Report::new(at_ms(1), -62_000_000, 1_068_000_000));
        }
        // Letters are what they are, and one that nobody has is held.
        frame.push(id("HAPE_budi"), &Report::new(at_ms(1), -62_000_000, 1_068_000_000));
        let answer = gateway.send("frame", frame.take().encode_to_vec()).await;
        assert_eq!((&answer["accepted"], &answer["held"]), (&json!(6), &json!(1)), "{answer}");
        // Whoever registers it gets an IMEI.
        let answer = gateway.send("20240115-0000123", fix(0).to_string().into()).await;
        assert_eq!(answer["error"]["description"], "invalid_imei", "{answer}");
        for (_, device) in &devices {
            ingest.track_of(&device.id, 2).await;
        }
        assert_eq!(ingest.last(&ingest.admin).await.unwrap().len(), devices.len());

        // What a killed process has not stored it reads again.
        for (id, _) in &devices {
            gateway.report(&id.to_string(), &fix(2)).await.expect("acknowledged");
        }
        ingest.kill().await;
        ingest.run().await;
        for (id, device) in &devices {
            gateway.report(&id.to_string(), &fix(3)).await.expect("acknowledged");
            ingest.track_of(&device.id, 4).await;
        }
    }

    /// In a subject the identifier stood once, in what is held it stands in each row.
    async fn held_fixes_of_a_long_name_may_be_larger_than_they_came(world: World) {
        let ingest = Ingest::start(world).await;
        let owner = ingest.world.platform_owner().await;
        let gateway = ingest.gateway().await;
        let long = "a".repeat(32);
        let says = json!({ "io": "x".repeat(160) }).to_string();
        let report = |second| PositionReport {
            recorded_at: at_ms(second),
            lat: Some(-6.2),
            lng: Some(106.8),
            attrs: Some(says.clone()),
            ..PositionReport::default()
        };
        let body = PositionReports { reports: (0..5_000).map(report).collect() }.encode_to_vec();
        assert!(body.len() <= MAX_MESSAGE_BYTES && body.len() + 5_000 * 32 > MAX_MESSAGE_BYTES, "{}", body.len());
        assert_eq!(gateway.send(&long, body).await["held"], 5_000);
        ingest.refused_for("unknown_device", 5_000).await;
        let device = name(&ingest, &owner, &long).await;
        ingest.track_of(&device.id, 5_000).await;
    }

    /// Such an identifier can be guessed.
    async fn a_name_is_bound_at_once_where_it_was_heard_through_own_gateways_alone(world: World) {
        let ingest = Ingest::start(world).await;
        ingest.make_gateway("depot").await;
        let own = Gateway::connect_trusted(&ingest.world.nats, "depot").await;
        let open = ingest.gateway().await;
        assert_eq!(own.send("hape_Budi", fix(0).to_string().into()).await["held"], 1);
        assert_eq!(open.send("hape_Siti", fix(0).to_string().into()).await["held"], 1);
        ingest.refused_for("unknown_device", 2).await;
        let budi = name(&ingest, &ingest.admin, "hape_Budi").await;
        assert_eq!(budi.imei_status(), ImeiStatus::Bound);
        ingest.track_of(&budi.id, 1).await;
        let siti = name(&ingest, &ingest.admin, "hape_Siti").await;
        assert_eq!(siti.imei_status(), ImeiStatus::Pending, "heard elsewhere");

        // Whoever calls itself so elsewhere may be anybody's: that waits, until a platform owner says that it is this one.
        let answer = open.send("hape_Budi", fix(1).to_string().into()).await;
        assert_eq!((&answer["accepted"], &answer["held"]), (&json!(0), &json!(1)), "{answer}");
        ingest.refused_for("unknown_device", 3).await;
        assert_eq!(own.send("hape_Budi", fix(2).to_string().into()).await["accepted"], 1);
        let track: Vec<_> = ingest.track_of(&budi.id, 2).await.into_keys().collect();
        assert_eq!(track, [at_ms(0), at_ms(2)]);
        let owner = ingest.world.platform_owner().await;
        let input = ImeiAssignmentInput {
            tenant_id: ingest.tenant.to_string(),
            imeis: vec!["hape_Budi".to_owned()],
            accept_wrong_check_digits: false,
        };
        let fleet = ingest.context.peers.transport("fleet").expect("fleet is here");
        ImeiAssignmentsClient::new(fleet).assign(owner.sign(input)).await.expect("it is assigned");
        ingest.track_of(&budi.id, 3).await;
        assert_eq!(open.send("hape_Budi", fix(3).to_string().into()).await["accepted"], 1);
        assert_eq!(name(&ingest, &ingest.admin, "0123456789").await.imei_status(), ImeiStatus::Pending, "never heard");
        ingest.approve(id("hape_Siti")).await;
        ingest.track_of(&siti.id, 1).await;
    }
}
