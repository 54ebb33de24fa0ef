//! IMEIs that nobody has: that they were heard is noted, and what they reported is held until somebody has them.

use armada_position_ingest::streams;
use armada_proto::{
    Timestamp, coded, heard_imeis,
    v1::{
        ApproveImeiClaimRequest, DeleteRequest, Device, DeviceInput, ImeiHeard, ImeiStatus, ListImeiClaimsRequest,
        TenantInput, imei_claims_client::ImeiClaimsClient, tenants_client::TenantsClient,
    },
};
use armada_testkit::{Gateway, Signed, both_databases, eventually};
use armada_track::{FrameBuilder, Imei, Report, TrackerId};
use prost::Message;
use serde_json::{Value, json};

use crate::common::{Ingest, SOON, at, at_ms, imei};

impl Ingest {
    /// What is noted of an IMEI.
    pub async fn heard_imei(&self, imei: Imei) -> anyhow::Result<Option<ImeiHeard>> {
        let value = self.world.bus.bucket(heard_imeis::BUCKET).await?.get(imei.to_string()).await?;
        Ok(value.map(|value| coded::decode(&value).expect("a record")))
    }

    /// The revision of what is noted of an IMEI.
    async fn heard_imei_revision(&self, imei: Imei) -> u64 {
        let bucket = self.world.bus.bucket(heard_imeis::BUCKET).await.expect("the bucket");
        bucket.entry(imei.to_string()).await.expect("NATS answers").expect("it was heard").revision
    }

    /// The admin of a tenant that nobody vouches for.
    async fn stranger(&self, name: &str) -> Signed {
        let identity = self.context.peers.transport("identity").expect("identity is here");
        let owner = self.world.platform_owner().await;
        let input = TenantInput { name: Some(name.to_owned()), confirmed: Some(false), ..TenantInput::default() };
        let made = TenantsClient::new(identity).create(owner.sign(input)).await.expect("the tenant is made");
        self.world.tenant_admin(made.into_inner().id.parse().expect("an id")).await
    }

    async fn name(&self, admin: &Signed, imei: Imei) -> Device {
        let input = DeviceInput { imei: Some(imei.to_string()), name: Some("x".to_owned()), ..DeviceInput::default() };
        self.devices().create(admin.sign(input)).await.expect("the device is made").into_inner()
    }

    async fn release_imei(&self, admin: &Signed, device: &Device) {
        let request = DeleteRequest { id: device.id.clone(), row_version: None };
        self.devices().delete(admin.sign(request)).await.expect("the device is removed");
    }

    pub async fn approve(&self, imei: impl Into<TrackerId>) {
        let imei = imei.into();
        let owner = self.world.platform_owner().await;
        let mut claims = ImeiClaimsClient::new(self.context.peers.transport("fleet").expect("fleet is here"));
        let request = ListImeiClaimsRequest { q: imei.to_string(), ..ListImeiClaimsRequest::default() };
        let claim = claims.list(owner.sign(request)).await.unwrap().into_inner().items.pop().expect("a claim");
        let input = ApproveImeiClaimRequest { id: claim.id, row_version: None };
        claims.approve(owner.sign(input)).await.expect("approved");
    }

    /// Waits until a device has these positions and no others.
    async fn expect_positions(&self, admin: &Signed, device: &Device, positions: &[i64]) {
        eventually(&format!("{positions:?}"), SOON, async || {
            let track: Vec<i64> = self.track(admin, &device.id).await?.into_keys().collect();
            anyhow::ensure!(track == positions, "found {track:?}");
            Ok(())
        })
        .await;
    }

    /// How many messages are held.
    async fn held(&self) -> anyhow::Result<u64> {
        Ok(self.world.bus.jetstream.get_stream(streams::HELD).await?.cached_info().state.messages)
    }
}

fn fix(recorded_at: &str) -> Value {
    json!({ "recorded_at": recorded_at, "lat": -6.2, "lng": 106.8 })
}

both_databases! {
    starting crate::common::world;

    async fn unknown_imeis_are_recorded_with_their_gateways(world: World) {
        let ingest = Ingest::start(world).await;
        let (known, unknown, wrong) = (imei(1), imei(2), imei(3));
        let device = ingest.device(known).await;
        let (one, two) = (ingest.gateway().await, Gateway::connect_trusted(&ingest.world.nats, "other").await);
        one.report(&known.to_string(), &fix(&at(0))).await.expect("acknowledged");
        let refused = json!({"recorded_at": at(0), "lat": 91, "lng": 1}).to_string().into_bytes();
        assert_eq!(one.send(&wrong.to_string(), refused).await["error"]["description"], "latitude_out_of_range");
        one.report(&unknown.to_string(), &json!([fix(&at(0)), fix(&at(1))])).await.expect("acknowledged");
        ingest.refused_for("unknown_device", 2).await;
        let noted = ingest.heard_imei(unknown).await.unwrap().expect("it was heard");
        assert_eq!((noted.gateways, noted.more_gateways, noted.fixes), (vec!["test".to_owned()], false, 2));

        let mut frame = FrameBuilder::default();
        frame.push(unknown, &Report::new(at_ms(2), -62_000_000, 1_068_000_000));
        two.frame(frame.take().encode_to_vec()).await.expect("acknowledged");
        ingest.refused_for("unknown_device", 3).await;
        let noted = ingest.heard_imei(unknown).await.unwrap().expect("it was heard");
        assert_eq!(noted.gateways, ["test", "other"]);
        assert!(noted.first_heard.unwrap() <= noted.last_heard.unwrap());

        ingest.track_of(&device.id, 1).await;
        assert!(ingest.heard_imei(known).await.unwrap().is_none(), "somebody has it");
        assert!(ingest.heard_imei(wrong).await.unwrap().is_none(), "that was no fix");
    }

    /// Of however many gateways an IMEI comes through, eight are named and it is known that there are more; what says
    /// nothing new is not written again.
    async fn gateways_of_an_unknown_imei_are_bounded(world: World) {
        let ingest = Ingest::start(world).await;
        let unknown = imei(1);
        let report = async |number: usize| {
            let gateway = Gateway::connect_trusted(&ingest.world.nats, &format!("g{number:02}")).await;
            let before = ingest.refused().await.unwrap().get("unknown_device").copied().unwrap_or_default();
            gateway.report(&unknown.to_string(), &fix(&at(number as i64))).await.expect("acknowledged");
            ingest.refused_for("unknown_device", before + 1).await;
        };
        report(0).await;
        let first = ingest.heard_imei_revision(unknown).await;
        report(0).await;
        assert_eq!(ingest.heard_imei_revision(unknown).await, first, "the same gateway, a moment later");
        for number in 1..10 {
            report(number).await;
        }
        let noted = ingest.heard_imei(unknown).await.unwrap().expect("it was heard");
        let named: Vec<String> = (0..8).map(|number| format!("g{number:02}")).collect();
        assert_eq!((noted.gateways, noted.more_gateways), (named, true));
        let full = ingest.heard_imei_revision(unknown).await;
        report(10).await;
        assert_eq!(ingest.heard_imei_revision(unknown).await, full, "that there are more is known already");
    }

    /// Nobody's fixes are shown to whoever comes first; they wait for the decision, and for nobody when they are older
    /// than the end of a former binding.
    async fn held_fixes_wait_for_the_decision(world: World) {
        let ingest = Ingest::start(world).await;
        let (first, second) = (ingest.stranger("First").await, ingest.stranger("Second").await);
        let gateway = ingest.gateway().await;
        let tracker = imei(7);
        let answer = gateway.send(&tracker.to_string(), fix(&at(0)).to_string().into()).await;
        assert_eq!((&answer["stream"], &answer["accepted"], &answer["held"]), (&json!("RAW"), &json!(0), &json!(1)));
        ingest.refused_for("unknown_device", 1).await;
        let device = ingest.name(&first, tracker).await;
        assert_eq!(device.imei_status(), ImeiStatus::Pending);
        assert!(ingest.track(&first, &device.id).await.unwrap().is_empty());
        assert_eq!(ingest.held().await.unwrap(), 1);
        ingest.approve(tracker).await;
        ingest.expect_positions(&first, &device, &[at_ms(0)]).await;
        assert_eq!(ingest.held().await.unwrap(), 0, "it is nowhere else");

        // Let go, it speaks of before and of now while nobody has it.
        ingest.release_imei(&first, &device).await;
        let now = Timestamp::now();
        let before = ingest.refused().await.unwrap()["unknown_device"];
        eventually("nobody has it", SOON, async || {
            gateway.report(&tracker.to_string(), &json!([fix(&at(60)), fix(&now.to_rfc3339())])).await?;
            anyhow::ensure!(ingest.refused().await?["unknown_device"] > before);
            Ok(())
        })
        .await;
        let device = ingest.name(&second, tracker).await;
        assert_eq!(device.imei_status(), ImeiStatus::Pending, "it was somebody else's");
        ingest.approve(tracker).await;
        ingest.expect_positions(&second, &device, &[now.millis()]).await;
        assert!(ingest.refused().await.unwrap().contains_key("before_binding"));
    }

    /// Whoever has it by the time the process starts gets what was held before.
    async fn held_fixes_are_found_after_a_restart(world: World) {
        let mut ingest = Ingest::start(world).await;
        let gateway = ingest.gateway().await;
        let trackers = [imei(11), imei(12), imei(13)];
        for tracker in trackers {
            for second in 0..3 {
                gateway.report(&tracker.to_string(), &fix(&at(second))).await.expect("kept");
            }
        }
        ingest.refused_for("unknown_device", 9).await;
        ingest.kill().await;
        ingest.run_without_ingest().await;
        let mut devices = Vec::new();
        for tracker in trackers {
            devices.push(ingest.device(tracker).await);
        }
        ingest.process.take().unwrap().stop().await.expect("drains");
        ingest.run().await;
        for device in devices {
            ingest.expect_positions(&ingest.admin, &device, &[at_ms(0), at_ms(1), at_ms(2)]).await;
        }
    }
}
