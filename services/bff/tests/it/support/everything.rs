//! A tenant that has one of everything: what must stay hidden from others, and go with it.

use armada_proto::Timestamp;
use armada_testkit::{Api, eventually};
use http::StatusCode;
use serde_json::{Value, json};

use uuid::Uuid;

use super::{Device, SOON, Site, Tenant, text};

/// One of everything that a tenant can have, called `Theirs` where it has a name.
pub struct Everything {
    pub device: Device,
    pub alarm: String,
    /// The ids of all of it, and the name of the gateway, by which that is asked for as well.
    pub ids: Vec<String>,
}

impl Site {
    /// Makes one of everything for a tenant. A new resource is made here as well.
    pub async fn one_of_everything(&self, tenant: &Tenant) -> anyhow::Result<Everything> {
        let api = &tenant.admin.api;
        let device = tenant.admin.device(351_756_051_523_999, "Theirs", None).await?;
        let user = self.account(tenant.id, "sari", false).await?;
        let mut ids = vec![device.id.to_string(), self.allow(tenant.id, &user, &["device:list"]).await?];
        let named = json!({ "name": "Theirs" });
        let driver = make(api, "drivers", named.clone()).await?;
        let warehouse = make(api, "master-data", json!({ "kind": "warehouse", "name": "Theirs" })).await?;
        let file = api.upload("/api/v1/files?name=a.pdf", "application/pdf", b"%PDF-1.7".to_vec()).await?;
        let file = text(&file.expect(StatusCode::CREATED)["id"]);
        let oil = json!({ "title": "Theirs", "device_id": device.id, "interval_days": 90 });
        let oil = make(api, "maintenance", oil).await?;
        let tomorrow = Timestamp::from_millis(Timestamp::now().millis() + 86_400_000);
        let bodies = [
            ("device-members", json!({ "device_id": device.id, "user_id": user })),
            ("documents", json!({ "kind": "stnk", "device_id": device.id, "file_ids": file })),
            ("gateways", json!({ "name": "theirs" })),
            ("maintenance-logs", json!({ "maintenance_id": oil, "cost": 5_000 })),
            ("saved-commands", json!({ "name": "Theirs", "kind": "reboot" })),
            ("saved-views", json!({ "screen": "devices", "name": "Theirs", "is_shared": true })),
            ("share-links", json!({ "name": "Theirs", "device_id": device.id, "expires_at": tomorrow.to_rfc3339() })),
        ];
        for (path, body) in bodies {
            ids.push(make(api, path, body).await?);
        }
        let command = api.post(&format!("/api/v1/devices/{}/commands", device.id), json!({ "kind": "reboot" })).await?;
        ids.push(text(&command.expect(StatusCode::OK)["id"]));
        // Somebody else has the tracker, so that it is only claimed.
        let holder = self.tenant("holder").await?;
        holder.admin.device(490_154_203_237_524, "Held", None).await?;
        ids.push(tenant.admin.device(490_154_203_237_524, "Claimed", None).await?.id.to_string());
        let promised =
            json!({ "tenant_id": tenant.id, "imeis": ["351756051524005"], "accept_wrong_check_digits": true });
        self.owner.api.post("/api/v1/imei-assignments", promised).await?.expect(StatusCode::OK);
        let nobodys = json!({ "ids": [Uuid::now_v7()], "delete": {} });
        let job = text(&api.post("/api/v1/devices/bulk", nobodys).await?.expect(StatusCode::ACCEPTED)["id"]);
        eventually("the job is over", SOON, async || {
            let job = api.get(&format!("/api/v1/jobs/fleet/{job}")).await?.json();
            anyhow::ensure!(job["finished_at"].is_string(), "{job}");
            Ok(())
        })
        .await;
        ids.push(job);
        let drives = json!({ "primary_driver_id": driver, "warehouse_id": warehouse });
        api.put(&format!("/api/v1/devices/{}", device.id), drives).await?.expect(StatusCode::OK);
        ids.extend([driver, warehouse, file, oil, "theirs".to_owned()]);
        let alarm = self.raise(tenant.id, &device, "alarm.sos").await?;
        ids.push(alarm.clone());
        Ok(Everything { device, alarm, ids })
    }
}

async fn make(api: &Api, path: &str, body: Value) -> anyhow::Result<String> {
    Ok(text(&api.post(&format!("/api/v1/{path}"), body).await?.expect(StatusCode::CREATED)["id"]))
}
