//! What a vehicle has come to today: by its tenant's clock, right across midnight, whatever is restarted.

use armada_proto::{
    Timestamp, binding,
    v1::{DayActivity, LastPosition, LiveFrame, TenantInput, tenants_client::TenantsClient},
};
use armada_testkit::{both_databases, eventually};
use futures::StreamExt;
use prost::Message;
use serde_json::{Value, json};

use crate::common::{Ingest, SOON, imei};

/// 2025-10-26 in Berlin, a day of 25 hours.
const MIDNIGHT: i64 = 1_761_429_600_000;
const NEXT_MIDNIGHT: i64 = MIDNIGHT + 25 * 3_600_000;

/// So many seconds after midnight; before it when negative.
fn fix(second: i64, lat: f64, speed: u32, ignition: bool) -> Value {
    let at = Timestamp::from_millis(MIDNIGHT + second * 1000).to_rfc3339();
    json!({"recorded_at": at, "lat": lat, "lng": 13.4, "speed": speed, "ignition": ignition})
}

impl Ingest {
    async fn in_zone(&self, zone: &str) {
        let identity = self.context.peers.transport("identity").expect("identity is here");
        let owner = self.world.platform_owner().await;
        let input =
            TenantInput { id: self.tenant.to_string(), time_zone: Some(zone.to_owned()), ..TenantInput::default() };
        TenantsClient::new(identity).update(owner.sign(input)).await.expect("the zone is changed");
    }

    /// Sends a fix and waits until it is the newest one of the only device.
    async fn after(&self, fix: &Value) -> LastPosition {
        self.gateway().await.report(&imei(1).to_string(), fix).await.expect("acknowledged");
        eventually("the fix is the newest", SOON, async || self.newest_is(fix).await).await
    }

    async fn newest_is(&self, fix: &Value) -> anyhow::Result<LastPosition> {
        let last = self.last(&self.admin).await?;
        let [newest] = &last[..] else { anyhow::bail!("{last:?}") };
        let at = newest.recorded_at.unwrap_or_default().to_rfc3339();
        anyhow::ensure!(at == fix["recorded_at"], "{newest:?}");
        Ok(newest.clone())
    }
}

/// Seconds moving, idle, parked and with the engine on.
fn times(today: &DayActivity) -> [f64; 4] {
    [today.moving_seconds, today.idle_seconds, today.parked_seconds, today.engine_seconds.unwrap_or(-1.0)]
}

both_databases! {
    starting crate::common::world;

    async fn a_day_begins_at_midnight_in_the_zone_of_the_tenant(world: World) {
        let mut ingest = Ingest::start(world).await;
        ingest.in_zone("Europe/Berlin").await;
        ingest.device(imei(1)).await;
        // The zone comes with the bucket of tenants: a day is looked up again at the next fix.
        let mut second = -12 * 3_600;
        eventually("the zone is known", SOON, async || {
            second += 1;
            let newest = ingest.after(&fix(second, 52.5, 0, false)).await;
            let until = newest.today.and_then(|today| today.until);
            anyhow::ensure!(until == Some(Timestamp::from_millis(MIDNIGHT)), "{newest:?}");
            Ok(())
        })
        .await;
        ingest.after(&fix(-30, 52.5, 0, true)).await;
        let first = ingest.after(&fix(30, 52.5, 0, true)).await.today.expect("a day");
        let day = (first.from.map(|from| from.millis()), first.until.map(|until| until.millis()));
        assert_eq!(day, (Some(MIDNIGHT), Some(NEXT_MIDNIGHT)));
        assert_eq!((times(&first), first.distance), ([0.0, 30.0, 0.0, 30.0], 0.0));

        // From what was saved, and from what was stored since.
        ingest.seal().await;
        ingest.kill().await;
        ingest.run().await;
        let driven = fix(90, 52.501, 40, true);
        let today = ingest.after(&driven).await.today.expect("a day");
        assert_eq!(times(&today), [0.0, 90.0, 0.0, 90.0]);
        assert!((110.0..113.0).contains(&today.distance), "{today:?}");
        ingest.kill().await;
        ingest.run().await;
        let again = eventually("it is loaded", SOON, async || ingest.newest_is(&driven).await).await;
        assert_eq!(again.today, Some(today));

        // The last hour of the long day, and the next one; live as when asked for.
        let mut live = ingest.world.bus.client.subscribe(binding::live_subject(ingest.tenant)).await.unwrap();
        ingest.world.bus.client.flush().await.unwrap();
        let late = ingest.after(&fix(24 * 3_600 + 60, 52.501, 0, false)).await.today.expect("a day");
        assert_eq!((late.from, times(&late)), (today.from, [0.0, 90.0, 0.0, 90.0]), "nobody knows what it did meanwhile");
        let next = ingest.after(&fix(25 * 3_600 + 60, 52.501, 0, false)).await.today.expect("a day");
        assert_eq!((next.from, times(&next)), (late.until, [0.0, 0.0, 60.0, 0.0]));
        let live_values = eventually("it is told live", SOON, async || {
            let frame = LiveFrame::decode(live.next().await.expect("goes on").payload)?;
            let [position] = &frame.positions[..] else { anyhow::bail!("{frame:?}") };
            anyhow::ensure!(position.today.and_then(|today| today.from) == next.from, "{frame:?}");
            Ok(position.today)
        })
        .await;
        assert_eq!(live_values, Some(next));
    }
}
