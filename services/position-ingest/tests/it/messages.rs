//! What a device sent: fixes and what was refused, for whoever sees the device.

use armada_proto::{
    DeviceId, TenantId, Timestamp,
    v1::{DeleteRequest, Device, DeviceMessage, DeviceMessagesRequest, MessageOutcome, MessageRefusal},
};
use armada_testkit::{Gateway, Signed, both_databases, eventually};
use armada_track::{FrameBuilder, Report};
use prost::Message;
use serde_json::{Value, json};

use crate::common::{Ingest, SOON, at, at_ms, imei};

fn fix(second: i64) -> Value {
    json!({"recorded_at": at(second), "lat": -6.2, "lng": 106.8, "speed": 40.5})
}

fn refused_of(device: &str) -> DeviceMessagesRequest {
    DeviceMessagesRequest { outcome: MessageOutcome::Refused.into(), ..of(device) }
}

fn of(device: &str) -> DeviceMessagesRequest {
    DeviceMessagesRequest { id: device.to_owned(), ..DeviceMessagesRequest::default() }
}

async fn messages(
    ingest: &Ingest,
    caller: &Signed,
    request: DeviceMessagesRequest,
) -> (Vec<DeviceMessage>, Option<String>) {
    let page = ingest.positions().messages(caller.sign(request)).await.expect("a page").into_inner();
    (page.items, page.next_cursor)
}

/// Has a device send a fix, and waits until it is there: from then on it is known whose the tracker is.
async fn is_known(ingest: &Ingest, gateway: &Gateway, device: &Device) {
    let fix = json!({"recorded_at": Timestamp::now().to_rfc3339(), "lat": -6.2, "lng": 106.8});
    gateway.report(&device.imei, &fix).await.expect("acknowledged");
    let owner = ingest.world.platform_owner().await;
    eventually("the fix is there", SOON, async || {
        anyhow::ensure!(ingest.track(&owner, &device.id).await?.len() == 1);
        Ok(())
    })
    .await;
}

/// Waits until so many refused messages of a device are there, and returns them.
async fn refused(ingest: &Ingest, device: &str, count: usize) -> Vec<MessageRefusal> {
    let request = refused_of(device);
    eventually("the refused messages are there", SOON, async || {
        let (found, _) = messages(ingest, &ingest.admin, request.clone()).await;
        anyhow::ensure!(found.len() == count, "found {found:?}");
        Ok(found.into_iter().filter_map(|message| message.refusal).collect())
    })
    .await
}

both_databases! {
    starting crate::common::world;

    async fn fixes_and_refusals_come_page_by_page_the_newest_first(world: World) {
        let ingest = Ingest::start(world).await;
        let device = ingest.device(imei(1)).await;
        let gateway = ingest.gateway().await;
        let good = imei(1).to_string();
        for second in [0, 1, 86_400] {
            gateway.report(&good, &fix(second)).await.expect("acknowledged");
        }
        ingest.track_of(&device.id, 3).await;
        ingest.seal().await;
        gateway.report(&good, &fix(86_401)).await.expect("acknowledged");
        ingest.track_of(&device.id, 4).await;
        let bad = json!({"recorded_at": at(2), "lat": -6.2, "lng": "east"}).to_string();
        gateway.send(&good, bad.clone().into_bytes()).await;
        gateway.send(&good, vec![8, 0xff, 0xfe]).await;
        let kept = refused(&ingest, &device.id, 2).await;
        assert_eq!((kept[0].reason.as_str(), kept[0].is_text, kept[0].body.as_deref()), ("malformed", false, Some("08fffe")));
        let MessageRefusal { reason, field, gateway: from, count, size, body, is_text, is_cut } = kept[1].clone();
        assert_eq!((reason.as_str(), field.as_deref(), from.as_str(), count), ("malformed", Some("lng"), "test", 1));
        assert_eq!((size as usize, body.as_deref(), is_text, is_cut), (bad.len(), Some(bad.as_str()), true, false));

        // Refused ones came now, the fixes are of January.
        let all: Vec<_> = messages(&ingest, &ingest.admin, of(&device.id)).await.0;
        let times: Vec<_> = all.iter().map(|message| message.at.unwrap().millis()).collect();
        assert_eq!(&times[2..], [at_ms(86_401), at_ms(86_400), at_ms(1), at_ms(0)]);
        assert!(times[0] >= times[1] && times[1] > times[2]);
        let point = all[2].fix.as_ref().unwrap();
        assert_eq!((point.speed, point.lat, all[2].refusal.is_none()), (Some(40.5), -6.2, true));
        assert_eq!(all[2].outcome(), MessageOutcome::Accepted);

        let (mut paged, mut cursor) = (Vec::new(), Some(String::new()));
        while let Some(from) = cursor {
            let request = DeviceMessagesRequest { page_size: 1, cursor: from, ..of(&device.id) };
            let (page, next) = messages(&ingest, &ingest.admin, request).await;
            assert_eq!(page.len(), 1);
            paged.extend(page);
            cursor = next;
        }
        assert_eq!(paged, all, "each once, in the same order");

        let time = |ms| Some(Timestamp::from_millis(ms));
        let request = DeviceMessagesRequest { from: time(at_ms(1)), to: time(at_ms(86_401)), ..of(&device.id) };
        assert_eq!(messages(&ingest, &ingest.admin, request).await.0, all[3..5], "from is in it, to is not");
        let request = DeviceMessagesRequest { outcome: MessageOutcome::Accepted.into(), ..of(&device.id) };
        assert_eq!(messages(&ingest, &ingest.admin, request).await.0, all[2..]);
        for (request, field) in [
            (DeviceMessagesRequest { from: time(2), to: time(1), ..of(&device.id) }, "from"),
            (DeviceMessagesRequest { cursor: "yesterday".to_owned(), ..of(&device.id) }, "cursor"),
        ] {
            let wrong = ingest.positions().messages(ingest.admin.sign(request)).await.unwrap_err();
            assert_eq!(wrong.code(), tonic::Code::InvalidArgument, "{field}");
        }
    }

    async fn a_frame_is_told_to_each_of_its_devices_alone(world: World) {
        let ingest = Ingest::start(world).await;
        let (one, two) = (ingest.device(imei(1)).await, ingest.device_elsewhere(imei(2)).await);
        let gateway = ingest.gateway().await;
        is_known(&ingest, &gateway, &one).await;
        is_known(&ingest, &gateway, &two).await;
        let mut frame = FrameBuilder::default();
        let future = 4_102_444_800_000;
        for (number, seconds) in [(1, 0), (1, 5), (2, 9)] {
            frame.push(imei(number), &Report::new(future + seconds * 1000, -62_000_000, 1_068_000_000));
        }
        gateway.send("frame", frame.take().encode_to_vec()).await;
        let kept = refused(&ingest, &one.id, 1).await;
        assert_eq!((kept[0].reason.as_str(), kept[0].count, kept[0].body.is_none()), ("future_fix", 2, true));
        let (found, _) = messages(&ingest, &ingest.admin, refused_of(&one.id)).await;
        let newest = found[0].fix.as_ref().unwrap();
        assert_eq!((newest.recorded_at.unwrap().millis(), newest.lng), (future + 5000, 106.8));
        let owner = ingest.world.platform_owner().await;
        let (found, _) = messages(&ingest, &owner, refused_of(&two.id)).await;
        assert_eq!((found.len(), found[0].refusal.as_ref().unwrap().count), (1, 1));
    }

    async fn of_another_tenant_nothing_is_told(world: World) {
        let ingest = Ingest::start(world).await;
        ingest.make_gateway("own").await;
        let (mine, theirs) = (ingest.device(imei(1)).await, ingest.device_elsewhere(imei(2)).await);
        let gateway = ingest.gateway().await;
        is_known(&ingest, &gateway, &mine).await;
        is_known(&ingest, &gateway, &theirs).await;
        gateway.send(&imei(2).to_string(), b"nonsense".to_vec()).await;
        let owner = ingest.world.platform_owner().await;
        eventually("their own is told", SOON, async || {
            let (found, _) = messages(&ingest, &owner, refused_of(&theirs.id)).await;
            anyhow::ensure!(found.len() == 1, "{found:?}");
            Ok(())
        })
        .await;
        // A tenant's gateway that speaks of somebody else's device: what it says is told to neither.
        let foreign = Gateway::connect_trusted(&ingest.world.nats, "own").await;
        foreign.send(&imei(2).to_string(), b"more nonsense".to_vec()).await;
        foreign.send(&imei(1).to_string(), b"nonsense".to_vec()).await;
        let own = refused(&ingest, &mine.id, 1).await;
        assert_eq!(own[0].gateway, "own");
        ingest.refused_for("malformed", 3).await;
        let (found, _) = messages(&ingest, &owner, refused_of(&theirs.id)).await;
        assert_eq!(found.len(), 1);

        let ask = async |id: String| {
            let Err(status) = ingest.positions().messages(ingest.admin.sign(of(&id))).await else { panic!("not refused") };
            (status.code(), status.message().to_owned(), status.details().to_vec())
        };
        let foreign = ask(theirs.id.clone()).await;
        assert_eq!(foreign, ask(DeviceId::new().to_string()).await);
        assert_eq!(foreign, ask("no id at all".to_owned()).await);
        let stranger = ingest.world.tenant_admin(TenantId::new()).await;
        let refused = ingest.positions().messages(stranger.sign(of(&mine.id))).await.unwrap_err();
        assert_eq!(refused.code(), tonic::Code::NotFound);
    }

    /// Of a tracker that was somebody else's, what may be theirs is not told.
    async fn a_resold_tracker_tells_nothing_of_before(world: World) {
        let ingest = Ingest::start(world).await;
        let first = ingest.device_elsewhere(imei(1)).await;
        let owner = ingest.world.platform_owner().await;
        let delete = DeleteRequest { id: first.id, row_version: None };
        ingest.devices().delete(owner.sign(delete)).await.unwrap();
        let device = ingest.device(imei(1)).await;
        let gateway = ingest.gateway().await;
        is_known(&ingest, &gateway, &device).await;
        let good = imei(1).to_string();
        // Of January, when it was theirs, at an impossible place.
        let old = json!([fix(0), {"recorded_at": at(1), "lat": 91, "lng": 106.8}]);
        gateway.send(&good, old.to_string().into_bytes()).await;
        let kept = refused(&ingest, &device.id, 1).await;
        assert_eq!((kept[0].reason.as_str(), kept[0].body.as_deref()), ("latitude_out_of_range", None));
    }
}
