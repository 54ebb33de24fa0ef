//! A stranger's tenant names trackers that are somebody else's: it gets none of their positions, and learns nothing.

use anyhow::{Context as _, Result};
use armada_proto::Timestamp;
use armada_testkit::{Api, Gateway, both_databases, eventually};
use http::StatusCode;
use nix::sys::signal::Signal;
use serde_json::{Value, json};

use super::support::{SOON, site::Site};

const PASSWORD: &str = "correct horse battery";
/// Somebody has it.
const TAKEN: &str = "356938035643809";
/// Speaks, and nobody has it yet.
const HEARD: &str = "490154203237518";

fn fix() -> Value {
    json!({ "recorded_at": Timestamp::now().to_rfc3339(), "lat": -6.2, "lng": 106.8, "valid": true })
}

fn text(value: &Value) -> Result<String> {
    Ok(value.as_str().context("a text")?.to_owned())
}

/// A tenant, and its admin signed in.
async fn tenant(site: &Site, owner: &Api, name: &str, confirmed: bool) -> Result<Api> {
    let tenant = owner.post("/api/v1/tenants", json!({ "name": name, "confirmed": confirmed })).await?;
    let email = format!("{name}@example.com");
    let admin = json!({
        "tenant_id": tenant.expect(StatusCode::CREATED)["id"], "name": name, "email": email,
        "is_tenant_admin": true,
    });
    site.invited(owner, admin, PASSWORD).await?;
    site.sign_in(&email, PASSWORD).await
}

/// What an answer tells, but for ids, instants and the IMEI that was asked for.
fn without_ids(answer: &Value, imei: &str) -> Result<String> {
    let mut normalized = answer.clone();
    let fields = normalized.as_object_mut().context("an object")?;
    ["id", "created_at", "updated_at"].iter().for_each(|name| assert!(fields.remove(*name).is_some(), "{name}"));
    Ok(normalized.to_string().replace(imei, "the IMEI"))
}

async fn devices_with_positions(api: &Api) -> Result<Vec<String>> {
    let reply = api.get("/api/v1/last-positions").await?.expect(StatusCode::OK);
    reply["items"].as_array().context("items")?.iter().map(|item| text(&item["device_id"])).collect()
}

both_databases! {
    async fn squatting_an_imei_reveals_nothing(kind: Kind) -> Result<()> {
        let site = Site::new(kind).await;
        let armada = site.run().await;
        let owner = site.owner().await?;
        let (holder, stranger) = (tenant(&site, &owner, "holder", true).await?, tenant(&site, &owner, "stranger", false).await?);
        let held = holder.post("/api/v1/devices", json!({ "name": "B 1", "imei": TAKEN })).await?.expect(StatusCode::CREATED);
        assert_eq!(held["imei_status"], "bound");
        let gateway = Gateway::connect_to(&site.gateways_url()?, "depot").await;
        gateway.report(HEARD, &fix()).await?;
        eventually("the tracker is heard", SOON, async || {
            let rejections = owner.get("/api/v1/position-rejections").await?.json();
            anyhow::ensure!(rejections["counts"].to_string().contains("unknown_device"), "{rejections}");
            Ok(())
        })
        .await;

        // By making devices, and by giving other IMEIs to those that one has.
        let mut normalized = Vec::new();
        for imei in [TAKEN, HEARD] {
            let made = stranger.post("/api/v1/devices", json!({ "name": "x", "imei": imei })).await?;
            let made = made.expect(StatusCode::CREATED);
            assert_eq!(made["imei_status"], "pending");
            normalized.push(without_ids(&made, imei)?);
            let path = format!("/api/v1/devices/{}", text(&made["id"])?);
            stranger.delete(&path).await?;
            let spare = if imei == TAKEN { "352099001761481" } else { "352099001761499" };
            let own = stranger.post("/api/v1/devices", json!({ "name": "x", "imei": spare })).await?;
            let own = own.expect(StatusCode::CREATED);
            assert_eq!(own["imei_status"], "bound", "one that was never heard");
            let path = format!("/api/v1/devices/{}", text(&own["id"])?);
            normalized.push(without_ids(&stranger.put(&path, json!({ "imei": imei })).await?.expect(StatusCode::OK), imei)?);
        }
        assert_eq!((&normalized[0], &normalized[1]), (&normalized[2], &normalized[3]), "taken and heard are told alike");

        for imei in [TAKEN, HEARD] {
            gateway.report(imei, &fix()).await?;
        }
        eventually("who has the tracker sees it", SOON, async || {
            let seen = devices_with_positions(&holder).await?;
            anyhow::ensure!(seen == [text(&held["id"])?], "{seen:?}");
            Ok(())
        })
        .await;
        eventually("the other tracker was heard again", SOON, async || {
            let listed = owner.get("/api/v1/position-rejections?reason=unknown_device").await?.json();
            anyhow::ensure!(listed["total"] == 2, "{listed}");
            Ok(())
        })
        .await;
        assert!(devices_with_positions(&stranger).await?.is_empty());

        // Nor may the stranger decide.
        let claims = owner.get("/api/v1/imei-claims?status=waiting&sort=imei").await?.expect(StatusCode::OK);
        assert_eq!(claims["total"], 2, "{claims}");
        let [taken, listed] = [&claims["items"][0], &claims["items"][1]];
        assert_eq!((&taken["imei"], &taken["holder"]["device_id"]), (&json!(TAKEN), &held["id"]));
        assert_eq!((&listed["imei"], &listed["heard"]["gateways"]), (&json!(HEARD), &json!(["depot"])));
        let [approve_taken, approve_heard] = [text(&taken["id"])?, text(&listed["id"])?]
            .map(|id| format!("/api/v1/imei-claims/{id}/approve"));
        for (path, body) in [
            (approve_heard.as_str(), json!({})),
            ("/api/v1/imei-assignments", json!({ "tenant_id": held["tenant_id"], "imeis": [HEARD] })),
        ] {
            stranger.post(path, body).await?.expect(StatusCode::FORBIDDEN);
        }
        stranger.get("/api/v1/imei-claims").await?.expect(StatusCode::FORBIDDEN);
        let taken = json!({ "name": "depot", "tenant_id": held["tenant_id"] });
        stranger.post("/api/v1/gateways", taken).await?.expect(StatusCode::UNPROCESSABLE_ENTITY);

        // A platform owner may, where nobody else has the tracker: then it is seen.
        owner.post(&approve_taken, json!({})).await?.expect(StatusCode::CONFLICT);
        let approved = owner.post(&approve_heard, json!({})).await?.expect(StatusCode::OK);
        gateway.report(HEARD, &fix()).await?;
        eventually("the tracker is seen by whom it was given to", SOON, async || {
            let seen = devices_with_positions(&stranger).await?;
            anyhow::ensure!(seen == [text(&approved["device_id"])?], "{seen:?}");
            Ok(())
        })
        .await;
        let (status, _) = armada.stop(Signal::SIGTERM).await?;
        assert!(status.success());
        Ok(())
    }
}
