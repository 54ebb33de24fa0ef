//! A host whose clock is wrong refuses nothing for good.

use anyhow::ensure;
use armada_proto::Timestamp;
use armada_testkit::{Api, Gateway, Kind, eventually};
use serde_json::{Value, json};

use crate::support::{SOON, site::Site};

const IMEI: &str = "356307042441013";

/// An hour behind: every fix is from the future.
#[tokio::test(flavor = "multi_thread")]
async fn fixes_are_asked_for_again_while_the_clock_is_not_known_to_be_right() -> anyhow::Result<()> {
    let mut site = Site::new(Kind::Postgres).await;
    site.set("ARMADA_TEST_CLOCK_WRONG_BY_MS", "-3600000");
    let _armada = site.run().await;
    let gateway = Gateway::connect_to(&format!("nats://127.0.0.1:{}", site.nats_port), "local").await;
    let fix = |minutes: i64| {
        let at = Timestamp::from_millis(Timestamp::now().millis() + minutes * 60_000);
        json!({ "recorded_at": at.to_rfc3339(), "lat": -6.2, "lng": 106.8 })
    };
    let admin = Api::new(&format!("http://{}", site.admin));
    eventually("it is said", SOON, async || {
        let body = admin.get("/readyz").await?.json();
        let check = body["checks"].as_array().and_then(|checks| checks.iter().find(|check| check["name"] == "clock"));
        let message = check.map(|check| check["message"].to_string()).unwrap_or_default();
        ensure!(message.contains("not known to be right") && message.contains("postgresql +3600"), "{message}");
        Ok(())
    })
    .await;
    let metrics = admin.get("/metrics").await?.text;
    assert!(metrics.contains("armada_clock_ahead_seconds{clock=\"postgresql\"} 3"), "{metrics}");

    let alone = gateway.try_send(IMEI, fix(0).to_string().into()).await?;
    let again = (json!("clock_unsure"), json!(503), json!(30_000));
    let said = |answer: &Value| {
        let error = &answer["error"];
        (error["description"].clone(), error["code"].clone(), answer["retry_after_ms"].clone())
    };
    assert_eq!(said(&alone), again, "{alone}");
    // What it can tell is taken in; the message comes again with the rest.
    let both = json!([fix(-90), fix(0)]);
    let answer = gateway.try_send(IMEI, both.to_string().into()).await?;
    assert_eq!(said(&answer), again, "{answer}");
    let past = gateway.try_send(IMEI, fix(-90).to_string().into()).await?;
    assert_eq!(past["held"], 1, "{past}");
    Ok(())
}

/// Where all agree a fix from the future is one.
#[tokio::test(flavor = "multi_thread")]
async fn fixes_of_the_future_are_refused_by_a_clock_that_is_right() -> anyhow::Result<()> {
    let site = Site::new(Kind::Postgres).await;
    let _armada = site.run().await;
    let gateway = Gateway::connect_to(&format!("nats://127.0.0.1:{}", site.nats_port), "local").await;
    let at = Timestamp::from_millis(Timestamp::now().millis() + 3_600_000).to_rfc3339();
    let fix = json!({ "recorded_at": at, "lat": -6.2, "lng": 106.8 });
    eventually("the clock is compared, and the fix refused", SOON, async || {
        let answer = gateway.try_send(IMEI, fix.to_string().into()).await?;
        ensure!(answer["error"]["description"] == "future_fix" && answer["error"]["code"] == 400, "{answer}");
        Ok(())
    })
    .await;
    Ok(())
}
