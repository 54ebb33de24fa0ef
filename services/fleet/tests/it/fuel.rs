//! How the fuel of a device is read: what may be said of it, and what goes with its binding.

use armada_proto::v1::{DeviceInput, FuelSource};
use armada_runtime::Error;
use armada_testkit::{both_databases, eventually_equal};
use armada_track::FuelSensor;

use crate::support::{Fleet, SOON, new_device};

fn of_table(table: &str) -> DeviceInput {
    DeviceInput { fuel_table: Some(table.to_owned()), ..DeviceInput::default() }
}

fn of_source(source: FuelSource) -> DeviceInput {
    DeviceInput { fuel_source: Some(source.into()), ..DeviceInput::default() }
}

impl Fleet {
    /// Waits until the bucket says that the fuel of an IMEI is read so.
    async fn reads(&self, imei: &str, wanted: Option<FuelSensor>) {
        eventually_equal("the bucket follows", SOON, wanted, async || {
            Ok(self.binding(imei).await?.and_then(|binding| FuelSensor::of_binding(binding.fuel)))
        })
        .await;
    }
}

both_databases! {
    async fn a_sensor_has_a_table_that_makes_sense_and_goes_with_the_binding(kind: Kind) -> anyhow::Result<()> {
        let fleet = Fleet::start(kind).await;
        let acme = fleet.company("Acme").await;
        let truck = fleet.create(&acme.admin, new_device("Truck")).await?;
        assert_eq!((truck.fuel_source(), truck.fuel_attribute.as_str(), truck.fuel_table.as_str()), (FuelSource::Liter, "", ""));
        let change = |input: DeviceInput| fleet.update(&acme.admin, DeviceInput { id: truck.id.clone(), ..input });
        let many: String = (0..101).map(|raw| format!("{raw} 1;")).collect();
        let tables = [
            ("0 0; 10", "fuel_table_unreadable"),
            ("0 0; ten 10", "fuel_table_unreadable"),
            ("0 0", "fuel_table_points"),
            (many.as_str(), "fuel_table_points"),
            ("10 0; 10 1", "fuel_table_order"),
            ("10 0; 5 1; 20 2", "fuel_table_order"),
            ("0 -1; 10 1", "fuel_table_litres"),
        ];
        for (table, code) in tables {
            assert_eq!(change(of_table(table)).await.unwrap_err(), Error::field("fuel_table", code), "{table}");
            let new = DeviceInput { fuel_table: Some(table.to_owned()), ..new_device("Other") };
            assert_eq!(fleet.create(&acme.admin, new).await.unwrap_err(), Error::field("fuel_table", code), "{table}");
        }
        // Which attribute has to be said with the source, or before it.
        let nameless = Error::field("fuel_attribute", "required");
        assert_eq!(change(of_source(FuelSource::Attribute)).await.unwrap_err(), nameless);
        fleet.reads(&truck.imei, None).await;

        let sensor = DeviceInput {
            fuel_attribute: Some(" adc1 ".to_owned()),
            fuel_table: Some("0 0;512 30,5 ; 1023 60".to_owned()),
            fuel_capacity: Some(60),
            ..of_source(FuelSource::Attribute)
        };
        let with_sensor = change(sensor).await?;
        assert_eq!((with_sensor.fuel_attribute.as_str(), with_sensor.fuel_table.as_str()), ("adc1", "0 0; 512 30.5; 1023 60"));
        let table = with_sensor.fuel_table.parse()?;
        let read = FuelSensor::new(FuelSource::Attribute, "adc1".to_owned(), 60, table);
        fleet.reads(&truck.imei, Some(read)).await;
        let unnamed = DeviceInput { fuel_attribute: Some(String::new()), ..DeviceInput::default() };
        assert_eq!(change(unnamed).await.unwrap_err(), nameless);

        let without = DeviceInput { fuel_capacity: Some(0), fuel_source: Some(FuelSource::Liter.into()), ..of_table("") };
        assert_eq!(change(without).await?.fuel_table, "");
        fleet.reads(&truck.imei, None).await;
        fleet.running.stop().await
    }
}
