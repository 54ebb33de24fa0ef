//! Fuel is read as the device says: a fill is told once whatever is restarted, and another table holds for the past at once.

use armada_proto::{
    Timestamp,
    v1::{Device, DeviceInput, DeviceMessagesRequest, FuelSource, event::Details},
};
use armada_testkit::{both_databases, eventually_equal};
use serde_json::{Value, json};

use crate::common::{Ingest, SOON, imei};

/// A fix so many seconds after `began` of a vehicle that stands, of which the sensor says this.
fn parked_fix(began: i64, second: i64, raw: u32) -> Value {
    let at = Timestamp::from_millis(began + second * 1_000).to_rfc3339();
    json!({
        "recorded_at": at, "lat": -6.2, "lng": 106.8, "speed": 0, "ignition": false, "fuel_liter": 7.5,
        "attrs": {"adc1": raw},
    })
}

impl Ingest {
    async fn tanker(&self) -> Device {
        let input = DeviceInput {
            imei: Some(imei(1).to_string()),
            name: Some("B 1".to_owned()),
            fuel_capacity: Some(200),
            fuel_source: Some(FuelSource::Attribute.into()),
            fuel_attribute: Some("adc1".to_owned()),
            fuel_table: Some("0 0; 1000 200".to_owned()),
            ..DeviceInput::default()
        };
        self.devices().create(self.admin.sign(input)).await.expect("the device is made").into_inner()
    }

    async fn publish_fixes(&self, fixes: impl Iterator<Item = Value>) {
        let fixes: Value = fixes.collect();
        self.gateway().await.report(&imei(1).to_string(), &fixes).await.expect("acknowledged");
    }

    /// Waits until the newest fix shows so much, in litres and per cent.
    async fn expect_fuel(&self, wanted: (f64, f64)) {
        eventually_equal("the fuel is shown", SOON, (Some(wanted.0), Some(wanted.1)), async || {
            let last = self.last(&self.admin).await?;
            let [newest] = &last[..] else { anyhow::bail!("{last:?}") };
            Ok((newest.fuel_liter, newest.fuel_percent))
        })
        .await;
    }

    /// Tenths of a litre at the first fix and at the last one, and litres of the newest message.
    async fn past(&self, device: &Device) -> (Vec<Option<u32>>, Option<f64>) {
        let track = self.track(&self.admin, &device.id).await.expect("a track");
        let columns = self.columns(&self.admin, &device.id).await.expect("columns");
        let litres: Vec<_> = track.values().filter_map(|position| position.report.fuel_liter).collect();
        assert_eq!((columns.recorded_at.len(), columns.complete), (track.len(), true));
        assert_eq!(columns.fuel_liter, litres, "columns say what blocks say");
        let ends = [track.first_key_value(), track.last_key_value()].into_iter().flatten();
        let levels = ends.map(|(_, position)| position.report.fuel_liter).collect();
        let request = DeviceMessagesRequest { id: device.id.clone(), page_size: 1, ..DeviceMessagesRequest::default() };
        let page = self.positions().messages(self.admin.sign(request)).await.expect("a page").into_inner();
        (levels, page.items.first().and_then(|message| message.fix.as_ref()?.fuel_liter))
    }
}

both_databases! {
    starting crate::common::world;

    async fn fill_is_reported_once_and_new_fuel_table_applies_at_once(world: World) {
        let mut ingest = Ingest::start(world).await;
        let tanker = ingest.tanker().await;
        let began = Timestamp::now().millis() - 12 * 60_000;
        ingest.publish_fixes((0..10).map(|number| parked_fix(began, number * 30, 500))).await;
        ingest.track_of(&tanker.id, 10).await;
        ingest.seal().await;
        ingest.expect_fuel((100.0, 50.0)).await;

        // It is filled, and in the middle of it everything dies.
        ingest.publish_fixes((10..13).map(|number| parked_fix(began, number * 30, 800))).await;
        ingest.kill().await;
        ingest.run().await;
        ingest.publish_fixes((13..20).map(|number| parked_fix(began, number * 30, 800))).await;
        let events = ingest.expect_events(&["fuel.fill"]).await;
        assert_eq!(events[0].occurred_at, Some(Timestamp::from_millis(began + 300_000)));
        assert_eq!(events[0].device_id.as_ref(), Some(&tanker.id));
        let Some(Details::Vehicle(fill)) = &events[0].details else { panic!("{events:?}") };
        assert_eq!((fill.value, fill.before, fill.after), (Some(60.0), Some(100.0), Some(160.0)));
        assert_eq!((fill.confidence, fill.lat, fill.lng), (Some(100), Some(-6.2), Some(106.8)));
        ingest.kill().await;
        ingest.run().await;
        ingest.publish_fixes((20..22).map(|number| parked_fix(began, number * 30, 800))).await;
        ingest.expect_fuel((160.0, 80.0)).await;
        ingest.track_of(&tanker.id, 22).await;
        ingest.expect_events(&["fuel.fill"]).await;
        assert_eq!(ingest.past(&tanker).await, (vec![Some(1_000), Some(1_600)], Some(160.0)));

        // Another table: of the newest fix, of what is sealed and of what is not.
        let table = Some("0 0; 500 50; 1000 200".to_owned());
        ingest.change(&tanker, DeviceInput { fuel_table: table, ..DeviceInput::default() }).await;
        ingest.expect_fuel((140.0, 70.0)).await;
        assert_eq!(ingest.past(&tanker).await, (vec![Some(500), Some(1_400)], Some(140.0)));
        // What was reported is there all the same; and none of it has filled or drained anything.
        let as_said = Some(FuelSource::Liter.into());
        let input = DeviceInput { fuel_source: as_said, fuel_table: Some(String::new()), ..DeviceInput::default() };
        ingest.change(&tanker, input).await;
        ingest.expect_fuel((7.5, 4.0)).await;
        assert_eq!(ingest.past(&tanker).await, (vec![Some(75), Some(75)], Some(7.5)));
        ingest.publish_fixes((22..23).map(|number| parked_fix(began, number * 30, 900))).await;
        ingest.track_of(&tanker.id, 23).await;
        ingest.expect_events(&["fuel.fill"]).await;
        ingest.process.take().unwrap().stop().await.expect("drains");
    }
}
