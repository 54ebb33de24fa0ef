//! What it costs to look again at what a live socket shows, when it is subscribed to many devices. It is a measurement:
//! `cargo test -p armada-fleet recheck -- --ignored --nocapture`.

use std::time::Instant;

use armada_proto::{
    DeviceId,
    v1::{GetRequest, VisibleDevicesRequest},
};
use armada_runtime::Scope;
use armada_testkit::Kind;
use sea_orm::{ConnectionTrait, DatabaseTransaction, Statement};

use crate::support::{Fleet, answer, new_device};

const DEVICES: usize = 100_000;
/// Devices of one question.
const AT_ONCE: usize = 10_000;
/// Of this many the cost of all is worked out where each is asked for by itself.
const SAMPLE: usize = 2_000;

async fn texts(tx: &DatabaseTransaction, sql: &str) -> Vec<String> {
    let rows = tx.query_all_raw(Statement::from_string(tx.get_database_backend(), sql.to_owned())).await.unwrap();
    rows.iter().map(|row| row.try_get_by_index(0).unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "a measurement"]
async fn rechecks_a_hundred_thousand_devices() -> anyhow::Result<()> {
    let fleet = Fleet::start(Kind::Sqlite).await;
    let company = fleet.company("Acme").await;
    fleet.create(&company.admin, new_device("Truck")).await?;
    let tx = fleet.world.database("fleet").await.write(&Scope::Platform).await?;
    let columns = texts(&tx, "SELECT name FROM pragma_table_info('device')").await;
    let values: Vec<_> = columns
        .iter()
        .map(|column| match column.as_str() {
            "id" => "randomblob(16)".to_owned(),
            "imei" => "CAST(900000000000000 + i AS TEXT)".to_owned(),
            column => format!("device.{column}"),
        })
        .collect();
    let numbers = format!("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {})", DEVICES - 1);
    let (columns, values) = (columns.join(", "), values.join(", "));
    tx.execute_unprepared(&format!("INSERT INTO device ({columns}) {numbers} SELECT {values} FROM device, n")).await?;
    let dashed = "substr(h, 1, 8) || '-' || substr(h, 9, 4) || '-' || substr(h, 13, 4) || '-' || substr(h, 17, 4) || '-' || \
                  substr(h, 21)";
    let ids = texts(&tx, &format!("SELECT {dashed} FROM (SELECT lower(hex(id)) AS h FROM device)")).await;
    tx.commit().await?;
    assert!(ids.len() == DEVICES && ids.iter().all(|id| id.parse::<DeviceId>().is_ok()));

    let started = Instant::now();
    for id in &ids[..SAMPLE] {
        answer(fleet.devices().get(company.admin.sign(GetRequest { id: id.clone() })).await)?;
    }
    let singly = started.elapsed() * u32::try_from(DEVICES / SAMPLE)?;

    let started = Instant::now();
    let mut named = 0;
    for ids in ids.chunks(AT_ONCE) {
        let request =
            VisibleDevicesRequest { device_ids: ids.to_vec(), with_names: true, ..VisibleDevicesRequest::default() };
        named += answer(fleet.devices().visible(company.admin.sign(request)).await)?.names.len();
    }
    assert_eq!(named, DEVICES);
    println!(
        "{DEVICES} devices: {singly:?} when each is asked for, {:?} with {AT_ONCE} in a question",
        started.elapsed()
    );
    fleet.running.stop().await
}
