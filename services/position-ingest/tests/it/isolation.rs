//! What belongs to another tenant is, to the byte, like what does not exist.

use armada_proto::{
    DeviceId, TenantId, Timestamp,
    v1::{LastPositionsRequest, TrackRequest},
};
use armada_testkit::both_databases;
use serde_json::json;

use crate::common::{Ingest, at, imei};

both_databases! {
    starting crate::common::world;

    async fn positions_of_another_tenant_do_not_exist(world: World) {
        let ingest = Ingest::start(world).await;
        let device = ingest.device(imei(1)).await;
        let gateway = ingest.gateway().await;
        let fix = json!({"recorded_at": at(0), "lat": -6.2, "lng": 106.8});
        gateway.report(&imei(1).to_string(), &fix).await.expect("acknowledged");
        ingest.track_of(&device.id, 1).await;

        let stranger = ingest.world.tenant_admin(TenantId::new()).await;
        let track = async |id: String| {
            let range = TrackRequest {
                id,
                from: Some(Timestamp::from_millis(0)),
                to: Some(Timestamp::now()),
            ..TrackRequest::default()
        };
            let Err(status) = ingest.positions().track(stranger.sign(range)).await else { panic!("not refused") };
            (status.code(), status.message().to_owned(), status.details().to_vec())
        };
        let foreign = track(device.id.clone()).await;
        let absent = track(DeviceId::new().to_string()).await;
        assert_eq!(foreign, absent);
        assert_eq!(foreign, track("no id at all".to_owned()).await);

        assert!(ingest.last(&stranger).await.unwrap().is_empty());
        let named = LastPositionsRequest { device_ids: vec![device.id], ..LastPositionsRequest::default() };
        let found = ingest.positions().last(stranger.sign(named)).await.unwrap().into_inner();
        assert_eq!((found.items.len(), found.total), (0, 0));
        let foreign_tenant =
            LastPositionsRequest { tenant_id: Some(ingest.tenant.to_string()), ..LastPositionsRequest::default() };
        let refused = ingest.positions().last(stranger.sign(foreign_tenant)).await.unwrap_err();
        assert_eq!(refused.code(), tonic::Code::NotFound);
        let linked = ingest.world.user(ingest.tenant).await;
        assert!(ingest.last(&linked).await.unwrap().is_empty(), "a user sees what they own or are linked to");
    }
}
