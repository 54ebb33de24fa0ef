//! Whose tracker it is, as the console asks and is told.

use armada_testkit::both_databases;
use http::{Method, StatusCode};
use serde_json::json;

use crate::support::{Site, text};

const IMEI: &str = "356938035643809";

both_databases! {
    async fn conflict_names_the_own_device_in_every_language(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let one = site.tenant("one").await?;
        let device = json!({ "imei": "35-693803-564380-9", "name": "B 1 A" });
        let made = one.admin.api.post("/api/v1/devices", device.clone()).await?.expect(StatusCode::CREATED);
        assert_eq!((&made["imei"], &made["imei_status"], &made["imei_reason"]), (&json!(IMEI), &json!("bound"), &json!("")));
        for (language, message) in [
            ("en", "Already used by your device “B 1 A”."),
            ("id", "Sudah dipakai perangkat Anda “B 1 A”."),
            ("zh", "您的设备“B 1 A”已在使用。"),
            ("jv", "Sampun dipunginakaken piranti panjenengan “B 1 A”."),
        ] {
            let headers = [("accept-language", language)];
            let reply = one.admin.api.request(Method::POST, "/api/v1/devices", &headers, Some(&device)).await?;
            let error = reply.expect(StatusCode::CONFLICT);
            assert_eq!((&error["error"], &error["fields"]["imei"]), (&json!("conflict"), &json!(message)));
            assert_eq!(error["conflicting"], json!({ "id": made["id"], "name": "B 1 A" }));
        }
        site.running.stop().await
    }

    async fn a_claim_goes_from_the_tenant_to_the_platform_and_back(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let (one, two) = (site.tenant("one").await?, site.tenant("two").await?);
        let owner = &site.owner.api;
        let vouched = owner.get(&format!("/api/v1/tenants/{}", two.id)).await?.expect(StatusCode::OK);
        assert_eq!(vouched["confirmed"], true);
        let body = json!({ "tenant_id": one.id, "imeis": ["35 693803 564380 9", "356938035643800", "x"] });
        let lines = owner.post("/api/v1/imei-assignments", body).await?.expect(StatusCode::OK);
        let results: Vec<_> = lines["items"].as_array().expect("items").iter().map(|line| text(&line["result"])).collect();
        assert_eq!(results, ["assigned", "wrong_check_digit", "not_an_imei"]);

        let device = json!({ "imei": IMEI, "name": "B 2 B" });
        let made = two.admin.api.post("/api/v1/devices", device).await?.expect(StatusCode::CREATED);
        assert_eq!(made["imei_status"], "pending");
        let claims = owner.get("/api/v1/imei-claims?status=waiting").await?.expect(StatusCode::OK);
        let claim = &claims["items"][0];
        assert_eq!((&claims["total"], &claim["device_id"], &claim["tenant_id"]), (&json!(1), &made["id"], &made["tenant_id"]));
        assert_eq!((&claim["assigned_tenant_id"], &claim["heard_known"]), (&json!(one.id), &json!(true)));
        let path = format!("/api/v1/imei-claims/{}", text(&claim["id"]));
        let decide = async |act: &str, version: &str, body| {
            owner.request(Method::POST, &format!("{path}/{act}"), &[("if-match", version)], Some(&body)).await
        };
        decide("reject", "1", json!({})).await?.expect(StatusCode::UNPROCESSABLE_ENTITY);
        decide("approve", "7", json!({})).await?.expect(StatusCode::PRECONDITION_FAILED);
        decide("reject", "1", json!({ "reason": "Send us the invoice." })).await?.expect(StatusCode::OK);
        let seen = two.admin.api.get(&format!("/api/v1/devices/{}", text(&made["id"]))).await?.expect(StatusCode::OK);
        assert_eq!((&seen["imei_status"], &seen["imei_reason"]), (&json!("rejected"), &json!("Send us the invoice.")));
        let listed = two.admin.api.get("/api/v1/devices?imei_status=rejected").await?.expect(StatusCode::OK);
        assert_eq!(listed["total"], 1);
        decide("approve", "2", json!({})).await?.expect(StatusCode::OK);
        let decided = decide("approve", "3", json!({})).await?.expect(StatusCode::CONFLICT);
        assert_eq!(decided["error"], "imei_claim_decided");
        site.running.stop().await
    }
}
