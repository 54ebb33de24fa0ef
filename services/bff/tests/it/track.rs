//! The track of a device.

use armada_testkit::Kind;
use http::StatusCode;
use serde_json::{Value, json};

use crate::support::Site;

#[tokio::test(flavor = "multi_thread")]
async fn a_track_is_half_open_and_complete() -> anyhow::Result<()> {
    let site = Site::start(Kind::Sqlite).await?;
    let tenant = site.tenant("acme").await?;
    let truck = tenant.admin.device(490_154_203_237_518, "Truck", None).await?;
    site.drive(&truck, 1_700_000_000, -6.2).await?;
    let fixes: Vec<_> = (1..1_200)
        .map(|second| {
            let at = armada_proto::Timestamp::from_millis((1_700_000_000 + second) * 1000);
            json!({ "recorded_at": at.to_rfc3339(), "lat": -6.2, "lng": 106.8, "attrs": { "n": second } })
        })
        .collect();
    site.gateway.report(&truck.imei, &Value::from(fixes)).await?;
    site.drive(&truck, 1_700_001_200, -6.2).await?;

    let api = &tenant.admin.api;
    let path = format!("/api/v1/devices/{}/track", truck.id);
    let track = async |query: &str| {
        let reply = api.get(&format!("{path}?{query}")).await?;
        assert_eq!(reply.headers["content-type"], "application/json");
        anyhow::Ok(reply.expect(StatusCode::OK)["items"].as_array().expect("items").clone())
    };
    let all = track("from=2023-11-14T22:13:20Z&to=2023-11-14T22:33:21Z").await?;
    assert_eq!(all.len(), 1_201);
    assert!(all.windows(2).all(|pair| pair[0]["recorded_at"].as_str() < pair[1]["recorded_at"].as_str()));
    assert_eq!(all[7]["attrs"], json!({ "n": 7 }));
    assert!(all[0].get("device_id").is_none());
    let some = track("from=2023-11-14T22:13:20Z&to=2023-11-15T05:13:22%2B07:00").await?;
    assert_eq!(some.len(), 2, "from is in it, to is not");
    assert_eq!(track("").await?, Vec::<Value>::new(), "the last day");
    assert_eq!(track("from=2023-11-14T22:13:20Z&to=2023-11-14T22:13:20Z").await?, Vec::<Value>::new());
    for (query, field) in [
        ("from=2023-11-15T00:00:00Z&to=2023-11-14T00:00:00Z", "from"),
        ("from=yesterday", "from"),
        ("to=2023-13-01T00:00:00Z", "to"),
    ] {
        let body = api.get(&format!("{path}?{query}")).await?.expect(StatusCode::UNPROCESSABLE_ENTITY);
        assert!(body["fields"][field].is_string(), "{query}: {body}");
    }
    site.running.stop().await
}
