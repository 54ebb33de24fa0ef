//! Replaced trackers over HTTP: said in the past, listed, refused in the reader's language, and withdrawn.

use armada_proto::Timestamp;
use armada_testkit::both_databases;
use http::StatusCode;
use serde_json::json;

use crate::support::{Site, text};

both_databases! {
    async fn a_tracker_is_replaced_and_that_is_withdrawn(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let tenant = site.tenant("acme").await?;
        let api = &tenant.admin.api;
        let truck = tenant.admin.device(490_154_203_237_518, "Truck", None).await?;
        let replacements = format!("/api/v1/devices/{}/tracker-replacements", truck.id);
        let at = Timestamp::from_millis(Timestamp::now().millis() - 86_400_000).to_rfc3339();
        let body = json!({
            "imei": "351756051523999", "replaced_at": at, "reason": "Rusak",
            "odometer_before": 85_000_000, "odometer_after": 0,
        });
        let made = api.post(&replacements, body).await?.expect(StatusCode::OK);
        assert_eq!((&made["imei_before"], &made["imei"]), (&json!("490154203237518"), &json!("351756051523999")));
        assert_eq!((&made["odometer_before"], &made["odometer_after"]), (&json!(85_000_000.0), &json!(0.0)));
        assert_eq!((&made["replaced_at"], text(&made["created_by_name"])), (&json!(at), "admin-of-acme".into()));
        assert_eq!((made.get("engine_seconds_before"), &made["is_by_imei"]), (None, &json!(false)));
        let device = api.get(&format!("/api/v1/devices/{}", truck.id)).await?.expect(StatusCode::OK);
        assert_eq!(device["imei"], "351756051523999");

        let half = json!({ "engine_seconds_before": 3_600 });
        let refused = api.post(&replacements, half).await?.expect(StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(refused["fields"]["engine_seconds_after"], "Wajib diisi.");
        let earlier = json!({ "replaced_at": "2026-01-01T00:00:00Z" });
        let refused = api.post(&replacements, earlier).await?.expect(StatusCode::UNPROCESSABLE_ENTITY);
        let told = "Sebelum penggantian terbaru. Tarik dahulu penggantian itu.";
        assert_eq!(refused["fields"]["replaced_at"], told);
        let newest = api.post(&replacements, json!({})).await?.expect(StatusCode::OK);
        let listed = api.get(&format!("{replacements}?page_size=1")).await?.expect(StatusCode::OK);
        assert_eq!((&listed["total"], &listed["items"][0]["id"]), (&json!(2), &newest["id"]));

        let one = |id: &serde_json::Value| format!("{replacements}/{}", text(id));
        let refused = api.delete(&one(&made["id"])).await?.expect(StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(refused["fields"]["replacement_id"], "Hanya yang terbaru yang dapat diurungkan.");
        for id in [&newest["id"], &made["id"]] {
            api.delete(&one(id)).await?.expect(StatusCode::NO_CONTENT);
        }
        assert_eq!(api.get(&replacements).await?.expect(StatusCode::OK)["total"], 0);
        site.running.stop().await
    }
}
