//! Long acts on many things, as clients start and watch them.

use anyhow::Context as _;
use armada_testkit::{Api, Reply, both_databases, eventually};
use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{SOON, Site, address, text};

const ABSENT: &str = "01900000-0000-7000-8000-000000000000";

/// The job that was started, and where.
fn started(reply: &Reply) -> (Value, String) {
    let job = reply.expect(StatusCode::ACCEPTED);
    let address = reply.headers["location"].to_str().expect("text").to_owned();
    assert_eq!(address, format!("/api/v1/jobs/{}/{}", text(&job["service"]), text(&job["id"])));
    (job, address)
}

/// A job once it is over.
async fn over(api: &Api, address: &str) -> Value {
    eventually("the job is over", SOON, async || {
        let job = api.get(address).await?.expect(StatusCode::OK);
        anyhow::ensure!(job["finished_at"].is_string(), "{job}");
        Ok(job)
    })
    .await
}

async fn items(api: &Api, address: &str, query: &str, language: &str) -> anyhow::Result<Value> {
    let path = format!("{address}/items{query}");
    Ok(api.request(Method::GET, &path, &[("accept-language", language)], None).await?.expect(StatusCode::OK))
}

both_databases! {
    async fn bulk_item_fails_like_a_single_call(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let tenant = site.tenant("one").await?;
        let api = &tenant.admin.api;
        let (one, two) = (tenant.admin.device(351756051523999, "Truck", None).await?, tenant.admin.device(351756051524005, "Van", None).await?);
        let ids = json!([one.id, two.id, ABSENT]);
        let wanted = json!({ "ids": ids, "update": { "imei": one.imei, "status": "inactive" } });
        let (job, address) = started(&api.post("/api/v1/devices/bulk", wanted).await?);
        assert_eq!((&job["status"], &job["total"], &job["action"]), (&json!("queued"), &json!(3), &json!("update")));
        assert!(job.get("started_at").is_none() && job.get("error").is_none(), "{job}");
        let job = over(api, &address).await;
        assert_eq!((&job["status"], &job["done"], &job["failed"]), (&json!("completed"), &json!(1), &json!(2)));
        assert_eq!(api.get(&format!("/api/v1/devices/{}", one.id)).await?.json()["status"], "inactive");

        for language in ["en", "id", "zh", "jv"] {
            let items = items(api, &address, "", language).await?;
            let alone = async |id: &str, body: Value| {
                let path = format!("/api/v1/devices/{id}");
                anyhow::Ok(api.request(Method::PUT, &path, &[("accept-language", language)], Some(&body)).await?.json())
            };
            let taken = alone(&two.id.to_string(), json!({ "imei": one.imei })).await?;
            let wanted = [
                json!({ "item_id": one.id, "name": "Truck", "status": "done", "fields": {} }),
                json!({
                    "item_id": two.id, "name": "Van", "status": "failed", "error": "conflict", "message": taken["message"],
                    "fields": taken["fields"], "conflicting": { "id": one.id, "name": "Truck" },
                }),
                json!({
                    "item_id": ABSENT, "name": "", "status": "failed", "error": "not_found", "fields": {},
                    "message": alone(ABSENT, json!({})).await?["message"],
                }),
            ];
            assert_eq!(items, json!({ "items": wanted, "total": 3, "more_than_total": false }), "{language}");
        }
        let failed = items(api, &address, "?status=failed&page=2&page_size=1", "en").await?;
        assert_eq!((&failed["total"], &failed["items"][0]["item_id"]), (&json!(2), &json!(ABSENT)));

        // What was done, was done by who started it, from where they did.
        eventually("the act is entered", SOON, async || {
            let entries = api.get(&format!("/api/v1/audit?object_id={}&act=device:update", one.id)).await?.json();
            let entry = entries["items"][0].clone();
            anyhow::ensure!(entries["total"] == 1 && entry["actor_id"] == tenant.admin.id, "{entries}");
            anyhow::ensure!(entry["address"] == "127.0.0.1" && entry["after"]["status"] == "inactive", "{entry}");
            Ok(())
        })
        .await;
        let metrics = site.metrics().await?;
        for (result, count) in [("done", 1), ("failed", 2)] {
            let line = format!("armada_job_items_total{{service=\"fleet\",result=\"{result}\"}} {count}");
            assert!(metrics.lines().any(|other| other == line), "{line}: {metrics}");
        }
        site.running.stop().await
    }

    async fn users_and_tenants_have_bulk_acts(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let tenant = site.tenant("one").await?;
        let api = &tenant.admin.api;
        let mut ids = Vec::new();
        for name in ["ani", "beni", "citra"] {
            ids.push(site.account(tenant.id, name, false).await?);
        }
        let role = text(&api.post("/api/v1/roles", json!({ "name": "crew" })).await?.expect(StatusCode::CREATED)["id"]);
        let roles = json!({ "ids": ids, "set_roles": { "role_ids": [role] } });
        let (_, address) = started(&api.post("/api/v1/users/bulk", roles).await?);
        assert_eq!(over(api, &address).await["done"], 3);
        let user = api.get(&format!("/api/v1/users/{}", ids[2])).await?.json();
        assert_eq!(user["roles"][0]["name"], "crew");

        let barred = json!({ "filter": { "role_id": [role], "sort": "-name" }, "update": { "is_active": false } });
        let (job, address) = started(&api.post("/api/v1/users/bulk", barred).await?);
        assert_eq!((over(api, &address).await["done"].clone(), job["service"].clone()), (json!(3), json!("identity")));
        let first = items(api, &address, "", "en").await?["items"][0].clone();
        assert_eq!((&first["name"], &first["status"]), (&json!("citra"), &json!("done")));
        assert_eq!(api.get("/api/v1/users/summary").await?.json()["inactive"], 3);

        // Nobody takes themselves away with the others.
        let everybody = json!({ "filter": {}, "delete": {} });
        let (_, address) = started(&api.post("/api/v1/users/bulk", everybody).await?);
        let job = over(api, &address).await;
        assert_eq!((&job["done"], &job["failed"]), (&json!(3), &json!(1)));
        let failed = items(api, &address, "?status=failed", "en").await?;
        assert_eq!(failed["items"][0]["fields"]["id"], "You cannot deactivate your own account.");
        let password = json!({ "ids": [ABSENT], "update": { "password": "correct horse battery" } });
        let refused = api.post("/api/v1/users/bulk", password).await?.expect(StatusCode::UNPROCESSABLE_ENTITY);
        assert!(refused["fields"]["update.password"].is_string(), "{refused}");

        let owner = &site.owner.api;
        let gone = site.tenant("gone").await?;
        owner.delete(&format!("/api/v1/tenants/{}?name=gone", gone.id)).await?.expect(StatusCode::OK);
        let back = json!({ "ids": [gone.id, tenant.id], "restore": {} });
        let (_, address) = started(&owner.post("/api/v1/tenants/bulk", back).await?);
        let job = over(owner, &address).await;
        assert_eq!((&job["done"], &job["failed"]), (&json!(1), &json!(1)));
        assert!(job.get("tenant_id").is_none(), "{job}");
        let past_due = json!({ "filter": { "q": "one" }, "update": { "subscription_status": "past_due" } });
        let (_, address) = started(&owner.post("/api/v1/tenants/bulk", past_due).await?);
        let job = over(owner, &address).await;
        assert_eq!(job["done"], 2, "{job}: {:?}", items(owner, &address, "?status=failed", "en").await?);
        site.running.stop().await
    }

    async fn jobs_are_asked_for_by_service(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let tenant = site.tenant("one").await?;
        let api = &tenant.admin.api;
        for path in ["/api/v1/jobs?service=bff", &format!("/api/v1/jobs/bff/{ABSENT}"), "/api/v1/jobs/fleet/x"] {
            assert_eq!(api.get(path).await?.expect(StatusCode::NOT_FOUND)["error"], "not_found", "{path}");
        }
        let missing = api.get("/api/v1/jobs").await?.expect(StatusCode::UNPROCESSABLE_ENTITY);
        assert!(missing["fields"]["service"].is_string(), "{missing}");
        let refused = async |body: Value| {
            let refused = api.post("/api/v1/devices/bulk", body).await?.expect(StatusCode::UNPROCESSABLE_ENTITY);
            let mut fields: Vec<_> = refused["fields"].as_object().context("fields")?.keys().cloned().collect();
            fields.sort();
            anyhow::Ok(fields.join(" "))
        };
        assert_eq!(refused(json!({})).await?, "delete filter ids restore update");
        assert_eq!(refused(json!({ "ids": [ABSENT], "filter": {}, "delete": {} })).await?, "filter ids");
        assert_eq!(refused(json!({ "ids": [ABSENT], "delete": {}, "update": {} })).await?, "delete restore update");
        assert_eq!(refused(json!({ "filter": { "status": "flying" }, "delete": {} })).await?, "filter.status");

        let name = site.user(tenant.id, "sari", false).await?;
        let forbidden = name.api.post("/api/v1/devices/bulk", json!({ "ids": [ABSENT], "delete": {} })).await?;
        assert_eq!(forbidden.expect(StatusCode::FORBIDDEN)["error"], "forbidden", "{}", address("sari"));
        let (job, address) = started(&api.post("/api/v1/devices/bulk", json!({ "ids": [ABSENT], "delete": {} })).await?);
        over(api, &address).await;
        let list = api.get("/api/v1/jobs?service=fleet&status=completed&status=cancelled").await?.json();
        assert_eq!((&list["total"], &list["items"][0]["id"]), (&json!(1), &job["id"]));
        assert_eq!(api.get("/api/v1/jobs?service=fleet&status=running").await?.json()["total"], 0);
        assert_eq!(api.get("/api/v1/jobs?service=identity").await?.json()["total"], 0);
        let stopped = api.post(&format!("{address}/cancel"), json!({})).await?.expect(StatusCode::OK);
        assert_eq!(stopped["status"], "completed", "what is over stays as it is");
        site.running.stop().await
    }
}
