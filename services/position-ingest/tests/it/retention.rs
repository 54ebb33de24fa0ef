//! What is older than a tenant keeps it: not taken in, not shown, and removed. What another tenant has stays.

use armada_proto::{
    Timestamp,
    v1::{TenantInput, tenants_client::TenantsClient},
};
use armada_testkit::{Kind, both_databases, eventually, eventually_equal};
use serde_json::{Value, json};

use crate::common::{Ingest, SOON, imei};

const HOUR_MS: i64 = 3600 * 1000;
const DAYS: i64 = 30;

/// A fix of so many hours before the limit, or behind it.
fn around(limit: i64, hours: i64) -> Value {
    let recorded_at = Timestamp::from_millis(limit + hours * HOUR_MS).to_rfc3339();
    json!({"recorded_at": recorded_at, "lat": -6.2, "lng": 106.8, "speed": 30})
}

impl Ingest {
    async fn keep(&self, days: u32) {
        let owner = self.world.platform_owner().await;
        let identity = self.context.peers.transport("identity").expect("identity is here");
        let input = TenantInput { id: self.tenant.to_string(), history_days: Some(days), ..TenantInput::default() };
        TenantsClient::new(identity).update(owner.sign(input)).await.expect("the tenant is changed");
    }

    /// Times of all that is shown of a device, as hours before and behind the limit.
    async fn shown(&self, device: &str, limit: i64) -> anyhow::Result<Vec<i64>> {
        let track = self.track(&self.world.platform_owner().await, device).await?;
        Ok(track.keys().map(|at| (at - limit).div_euclid(HOUR_MS)).collect())
    }
}

both_databases! {
    starting crate::common::world;

    async fn fixes_beyond_retention_are_rejected_hidden_and_removed(world: World) {
        let ingest = Ingest::start(world).await;
        let (device, other) = (ingest.device(imei(1)).await, ingest.device_elsewhere(imei(2)).await);
        let gateway = ingest.gateway().await;
        // A whole second, as the times in messages are. Some hours go by until fixes around it are beyond it or before.
        let limit = (Timestamp::now().millis() - DAYS * 24 * HOUR_MS) / 1000 * 1000;
        let hours = [-48, -47, -2, 2, 48];
        let fixes: Value = hours.map(|hours| around(limit, hours)).into_iter().collect();
        for number in [1, 2] {
            gateway.report(&imei(number).to_string(), &fixes).await.expect("acknowledged");
        }
        ingest.track_of(&device.id, 5).await;
        ingest.seal().await;
        assert_eq!(ingest.shown(&device.id, limit).await.unwrap(), hours);
        // To the day: those that are just before the limit may be in a block with others.
        let old = limit - 24 * HOUR_MS;
        let tenant = uuid(&ingest);
        let old = format!("SELECT count(*) FROM track_block WHERE t_end < {old} AND tenant_id = {tenant}");
        assert!(ingest.number(&old).await.unwrap() > 0);

        ingest.keep(DAYS as u32).await;
        eventually_equal("it is not shown any more", SOON, vec![2, 48], async || ingest.shown(&device.id, limit).await).await;
        ingest.seal().await;
        assert_eq!(ingest.number(&old).await.unwrap(), 0);
        assert_eq!(ingest.shown(&other.id, limit).await.unwrap(), hours, "another tenant keeps everything");

        // What comes late is refused, in a message and in a frame of it with others.
        let answer = gateway.send(&imei(1).to_string(), json!([around(limit, -3), around(limit, 3)]).to_string().into()).await;
        assert_eq!(answer["rejected"], json!([{"index": 0, "reason": "expired_fix", "field": "recorded_at"}]), "{answer}");
        ingest.refused_for("expired_fix", 1).await;
        eventually_equal("the other one", SOON, vec![2, 3, 48], async || ingest.shown(&device.id, limit).await).await;

        // What is gone is gone; what comes from now on is kept.
        ingest.keep(0).await;
        eventually("it is taken in", SOON, async || {
            gateway.report(&imei(1).to_string(), &around(limit, -100)).await?;
            let shown = ingest.shown(&device.id, limit).await?;
            anyhow::ensure!(shown.first() == Some(&-100) && !shown.contains(&-48), "{shown:?}");
            Ok(())
        })
        .await;
    }
}

/// The id of the tenant as a literal of the database.
fn uuid(ingest: &Ingest) -> String {
    let id = ingest.tenant.to_string();
    match ingest.world.kind {
        Kind::Postgres => format!("'{id}'::uuid"),
        Kind::Sqlite => format!("x'{}'", id.replace('-', "")),
    }
}
