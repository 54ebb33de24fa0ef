//! Tenants, users, roles and the audit over HTTP: lists, counts, files, and what a change of rights does at once.

use armada_testkit::{Reply, both_databases, eventually};
use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{self, Person, SOON, Site, text};

async fn ask(person: &Person, path: &str, language: &str) -> anyhow::Result<Reply> {
    person.api.request(Method::GET, path, &[("accept-language", language)], None).await
}

fn names(list: &Value) -> Vec<String> {
    list["items"].as_array().unwrap().iter().map(|item| text(&item["name"])).collect()
}

both_databases! {
    async fn tenants_are_listed_counted_and_exported(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let owner = &site.owner;
        for (name, cost, status, active) in [
            ("Bahari", "per_device", "active", true),
            ("=Cendana", "bundle", "past_due", true),
            ("Dahlia", "free", "canceled", false),
        ] {
            let tenant = json!({
                "name": name, "cost_model": cost, "subscription_status": status, "active": active,
                "cost_per_device": 2_500_000, "currency": "IDR", "billing_day": 28, "used_devices": 99,
            });
            let made = owner.api.post("/api/v1/tenants", tenant).await?.expect(StatusCode::CREATED);
            assert_eq!((&made["used_devices"], &made["cost_per_device"]), (&json!(0), &json!(2_500_000)));
        }
        for (query, wanted) in [
            ("sort=-name", vec!["Dahlia", "Bahari", "=Cendana"]),
            ("sort=name&active=true", vec!["=Cendana", "Bahari"]),
            ("subscription_status=past_due&subscription_status=canceled&sort=name", vec!["=Cendana", "Dahlia"]),
            ("cost_model=free", vec!["Dahlia"]),
            ("q=ahar", vec!["Bahari"]),
        ] {
            let list = owner.api.get(&format!("/api/v1/tenants?{query}")).await?.expect(StatusCode::OK);
            assert_eq!(names(&list), wanted, "{query}");
        }
        let counts = owner.api.get("/api/v1/tenants/summary?active=true").await?.expect(StatusCode::OK);
        assert_eq!((&counts["total"], &counts["active"], &counts["past_due"]), (&json!(2), &json!(2), &json!(1)));
        let file = ask(owner, "/api/v1/tenants/export?columns=name&columns=cost_model&columns=cost_per_device&columns=active&sort=name", "en");
        let file = file.await?;
        assert_eq!(
            file.text,
            "\u{feff}Name,Cost model,Cost per device,Active\r\n'=Cendana,Plan,25000,Yes\r\n\
             Bahari,Per device,25000,Yes\r\nDahlia,Free,25000,No\r\n"
        );
        for (query, field) in [("cost_model=gift", "cost_model"), ("active=perhaps", "active")] {
            for path in ["tenants", "tenants/summary", "tenants/export"] {
                let reply = owner.api.get(&format!("/api/v1/{path}?{query}")).await?;
                let body = reply.expect(StatusCode::UNPROCESSABLE_ENTITY);
                assert!(body["fields"][field].is_string(), "{path} {query}: {body}");
            }
        }
        site.running.stop().await
    }

    async fn users_are_listed_counted_and_exported(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let tenant = site.tenant("acme").await?;
        let admin = &tenant.admin.api;
        let sari = site.account(tenant.id, "sari", false).await?;
        let role = site.allow(tenant.id, &sari, &["user:list"]).await?;
        let gone = site.account(tenant.id, "wati", false).await?;
        admin.put(&format!("/api/v1/users/{gone}"), json!({ "is_active": false })).await?.expect(StatusCode::OK);
        for (query, wanted) in [
            ("sort=name".to_owned(), vec!["admin-of-acme", "sari", "wati"]),
            ("status=inactive".to_owned(), vec!["wati"]),
            ("status=inactive&status=active&sort=-name".to_owned(), vec!["wati", "sari", "admin-of-acme"]),
            (format!("role_id={role}"), vec!["sari"]),
            (format!("ids={sari}&ids={gone}&sort=name"), vec!["sari", "wati"]),
        ] {
            let list = admin.get(&format!("/api/v1/users?{query}")).await?.expect(StatusCode::OK);
            assert_eq!(names(&list), wanted, "{query}");
        }
        let counts = admin.get("/api/v1/users/summary").await?.expect(StatusCode::OK);
        for (name, wanted) in [("total", 3), ("inactive", 1), ("tenant_admins", 1)] {
            assert_eq!(counts[name], wanted, "{name}: {counts}");
        }
        let query = "columns=name&columns=status&columns=roles&columns=is_tenant_admin&sort=name";
        let file = ask(&tenant.admin, &format!("/api/v1/users/export?{query}"), "en").await?;
        assert_eq!(
            file.text,
            format!(
                "\u{feff}Name,Status,Roles,Company admin\r\nadmin-of-acme,Active,,Yes\r\nsari,Active,of {sari},No\r\n\
                 wati,Inactive,,No\r\n"
            )
        );
        let version = admin.get(&format!("/api/v1/users/{gone}")).await?.headers["etag"].to_str()?.to_owned();
        let path = format!("/api/v1/users/{gone}");
        let stale = admin.request(Method::DELETE, &path, &[("if-match", "\"0\"")], None).await?;
        assert_eq!(stale.expect(StatusCode::PRECONDITION_FAILED)["error"], "version_mismatch");
        admin.request(Method::DELETE, &path, &[("if-match", &version)], None).await?.expect(StatusCode::NO_CONTENT);
        admin.get(&path).await?.expect(StatusCode::NOT_FOUND);
        site.running.stop().await
    }

    async fn role_changes_take_effect_at_once(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let tenant = site.tenant("acme").await?;
        let admin = &tenant.admin.api;
        let sari = site.account(tenant.id, "sari", false).await?;
        let role = site.allow(tenant.id, &sari, &["user:list"]).await?;
        let sari = site.sign_in("sari", &["user:list"]).await?;
        sari.api.get("/api/v1/users").await?.expect(StatusCode::OK);
        let me = sari.api.get("/api/v1/auth/me").await?.expect(StatusCode::OK);
        assert_eq!(me["permissions"], json!(["user:list"]));

        let path = format!("/api/v1/roles/{role}/permissions");
        let read = admin.get(&path).await?;
        assert_eq!(read.expect(StatusCode::OK)["items"], json!([{ "key": "user:list", "effect": "allow" }]));
        let seen = [("if-match", read.headers["etag"].to_str()?)];
        let denied = json!({ "items": [{ "key": "user:list", "effect": "deny" }] });
        admin.request(Method::PUT, &path, &seen, Some(&denied)).await?.expect(StatusCode::OK);
        let again = admin.request(Method::PUT, &path, &seen, Some(&denied)).await?;
        assert_eq!(again.expect(StatusCode::PRECONDITION_FAILED)["error"], "version_mismatch");
        eventually("who lost a right is refused", SOON, async || {
            let reply = sari.api.get("/api/v1/users").await?;
            anyhow::ensure!(reply.status == StatusCode::FORBIDDEN, "{}", reply.text);
            Ok(())
        })
        .await;
        let path = format!("/api/v1/users/{}/decisions?key=user:list", sari.id);
        let why = admin.get(&path).await?.expect(StatusCode::OK);
        let why = &why["items"][0];
        assert_eq!((&why["allowed"], &why["reason"]), (&json!(false), &json!("role_denies")));
        assert_eq!((&why["roles"][0]["role_id"], &why["roles"][0]["effect"]), (&json!(role), &json!("deny")));

        let roles = json!({ "role_ids": [] });
        let path = format!("/api/v1/users/{}/roles", sari.id);
        let reply = admin.request(Method::PUT, &path, &[("accept-language", "en")], Some(&roles)).await?;
        let body = reply.expect(StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(body["message"], "Invalid role selection. Please check your role selection.");
        assert!(body["fields"]["role_ids"].is_string(), "{body}");
        site.running.stop().await
    }

    async fn what_is_refused_is_in_the_audit(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let (tenant, other) = (site.tenant("acme").await?, site.tenant("other").await?);
        let admin = &tenant.admin.api;
        let budi = site.user(tenant.id, "budi", false).await?;
        budi.api.get("/api/v1/users").await?.expect(StatusCode::FORBIDDEN);
        let grab = json!({
            "name": "Sari", "email": "sari@example.org", "password": support::PASSWORD, "is_platform_owner": true,
        });
        let sari = admin.post("/api/v1/users", grab).await?.expect(StatusCode::CREATED);
        assert_eq!(sari["is_platform_owner"], false);
        let elsewhere = json!({ "tenant_id": other.id });
        let path = format!("/api/v1/users/{}", text(&sari["id"]));
        admin.put(&path, elsewhere).await?.expect(StatusCode::UNPROCESSABLE_ENTITY);
        let found = eventually("the refusals are in the audit", SOON, async || {
            let list = admin.get("/api/v1/audit?act=access:denied").await?.expect(StatusCode::OK);
            anyhow::ensure!(list["total"] == 2, "{list}");
            Ok(list["items"].as_array().cloned().unwrap_or_default())
        })
        .await;
        let of = |actor: &str| found.iter().find(|entry| entry["actor_name"] == actor).cloned().unwrap_or_default();
        assert_eq!(of("budi")["object_name"], "/armada.v1.Users/List");
        assert_eq!(of("budi")["after"]["code"], "forbidden");
        assert_eq!(of("admin-of-acme")["object_name"], "POST /api/v1/users");
        assert_eq!(of("admin-of-acme")["after"]["ignored"], json!(["is_platform_owner"]));
        site.running.stop().await
    }

    async fn what_is_done_is_in_the_audit(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let tenant = site.tenant("acme").await?;
        let admin = &tenant.admin.api;
        let sari = site.account(tenant.id, "sari", false).await?;
        let change = json!({ "phone": "0812 3456" });
        admin.put(&format!("/api/v1/users/{sari}"), change).await?.expect(StatusCode::OK);
        let path = format!("/api/v1/audit?act=user:update&object_id={sari}");
        let entry = eventually("the change is in the audit", SOON, async || {
            let list = admin.get(&path).await?.expect(StatusCode::OK);
            anyhow::ensure!(list["total"] == 1, "{list}");
            Ok(list["items"][0].clone())
        })
        .await;
        assert_eq!((&entry["actor_name"], &entry["address"]), (&json!("admin-of-acme"), &json!("127.0.0.1")));
        assert_eq!((&entry["before"]["phone"], &entry["after"]["phone"]), (&json!(""), &json!("0812 3456")));
        let at = text(&entry["at"]);
        for (query, total) in [
            ("act=user:*&q=sari".to_owned(), 3),
            (format!("object_id={sari}&from={at}"), 1),
            (format!("object_id={sari}&to={at}"), 3),
            (format!("actor_id={sari}"), 1),
        ] {
            let list = admin.get(&format!("/api/v1/audit?{query}")).await?.expect(StatusCode::OK);
            assert_eq!(list["total"], total, "{query}: {list}");
        }
        let wrong = admin.get("/api/v1/audit?from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z").await?;
        assert!(wrong.expect(StatusCode::UNPROCESSABLE_ENTITY)["fields"]["from"].is_string());
        let whole = admin.get("/api/v1/audit/verification").await?.expect(StatusCode::OK);
        assert!(whole.get("defect").is_none() && whole["checked"].as_i64() >= Some(2), "{whole}");
        let path = "/api/v1/audit/export?act=user:update&columns=act&columns=actor_name";
        let file = ask(&tenant.admin, path, "en").await?;
        assert_eq!(file.text, "\u{feff}Action,Who\r\nUser changed,admin-of-acme\r\n");
        site.running.stop().await
    }
}
