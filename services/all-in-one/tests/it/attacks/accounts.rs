//! Ways to come into somebody else's account, or to keep what one was given: each worked once.

use anyhow::{Context as _, Result};
use armada_testkit::{Api, both_databases, eventually};
use http::StatusCode;
use serde_json::{Value, json};

use super::support::{
    SOON,
    site::{Site, handed_over},
};

const CHOSEN: &str = "chosen by its own user";
const GIVEN: &str = "given by somebody else";
const VICTIM: &str = "victim@example.com";

/// The program, its platform owner, and a tenant with an admin and somebody who manages its people.
struct Scene {
    site: Site,
    owner: Api,
    tenant: String,
    admin: Api,
    manager: Api,
}

impl Scene {
    async fn of(site: Site) -> Result<Self> {
        let owner = site.owner().await?;
        let tenant = owner.post("/api/v1/tenants", json!({ "name": "Harbour" })).await?;
        let tenant = id(&tenant.expect(StatusCode::CREATED))?;
        let admin = json!({ "name": "Admin", "email": "admin@harbour.example", "is_tenant_admin": true });
        invited(&site, &owner, &tenant, admin).await?;
        let manager = json!({ "name": "Manager", "email": "manager@harbour.example" });
        let manager = invited(&site, &owner, &tenant, manager).await?;
        let keys = ["user:list", "user:create", "user:update", "user:invite", "role:list", "role:update"];
        let role = role(&owner, &tenant, "Manages people", &keys).await?;
        owner
            .put(&format!("/api/v1/users/{manager}/roles"), json!({ "role_ids": [role] }))
            .await?
            .expect(StatusCode::OK);
        let admin = signed_in(&site, "admin@harbour.example", CHOSEN).await?;
        let manager = signed_in(&site, "manager@harbour.example", CHOSEN).await?;
        Ok(Self { site, owner, tenant, admin, manager })
    }

    fn anybody(&self) -> Api {
        self.site.anybody()
    }

    /// The status of a sign-in of the victim.
    async fn sign_in_status(&self, password: &str) -> Result<StatusCode> {
        let body = json!({ "email": VICTIM, "password": password });
        Ok(self.anybody().post("/auth/login", body).await?.status)
    }

    async fn promote(&self, user: &str) -> Result<()> {
        let admin = json!({ "is_tenant_admin": true });
        self.admin.put(&format!("/api/v1/users/{user}"), admin).await?.expect(StatusCode::OK);
        Ok(())
    }
}

fn id(answer: &Value) -> Result<String> {
    Ok(answer["id"].as_str().context("an id")?.to_owned())
}

/// Somebody who has come in by an invitation, and their id.
async fn invited(site: &Site, owner: &Api, tenant: &str, mut user: Value) -> Result<String> {
    user["tenant_id"] = json!(tenant);
    site.invited(owner, user, CHOSEN).await
}

/// A role that allows these, and its id.
async fn role(api: &Api, tenant: &str, name: &str, keys: &[&str]) -> Result<String> {
    let role = api.post("/api/v1/roles", json!({ "tenant_id": tenant, "name": name })).await?;
    let role = id(&role.expect(StatusCode::CREATED))?;
    let items: Vec<_> = keys.iter().map(|key| json!({ "key": key, "effect": "allow" })).collect();
    set_permissions(api, &role, items).await?;
    Ok(role)
}

async fn set_permissions(api: &Api, role: &str, items: Vec<Value>) -> Result<()> {
    let path = format!("/api/v1/roles/{role}/permissions");
    api.put(&path, json!({ "items": items })).await?.expect(StatusCode::OK);
    Ok(())
}

/// Signs in, and waits until every service knows who that is.
async fn signed_in(site: &Site, email: &str, password: &str) -> Result<Api> {
    let api = site.anybody().sign_in(email, password).await?;
    eventually("the services know who that is", SOON, async || {
        let reply = api.get("/api/v1/users").await?;
        anyhow::ensure!(reply.status == StatusCode::OK, "{} {}", reply.status, reply.text);
        Ok(())
    })
    .await;
    Ok(api)
}

/// Changes a password that somebody else has set, as its user must.
async fn change_given(scene: &Scene) -> Result<Api> {
    let api = scene.anybody().sign_in(VICTIM, GIVEN).await?;
    let change = json!({ "current_password": GIVEN, "new_password": CHOSEN });
    eventually("the password is changed", SOON, async || {
        let reply = api.post("/api/v1/account/password", change.clone()).await?;
        anyhow::ensure!(reply.status == StatusCode::NO_CONTENT, "{} {}", reply.status, reply.text);
        Ok(())
    })
    .await;
    Ok(api)
}

both_databases! {
    /// A stranger registers an address with a password, and waits until its owner confirms.
    async fn stranger_cannot_take_over_by_registration(kind: Kind) -> Result<()> {
        let site = Site::new(kind).await;
        let _armada = site.run().await;
        let (owner, anybody) = (site.owner().await?, site.anybody());
        let company = json!({
            "company": "PT Stranger", "name": "Stranger", "email": VICTIM, "phone": "0812", "password": GIVEN,
            "accepts_terms": true,
        });
        anybody.post("/auth/register", company).await?.expect(StatusCode::NO_CONTENT);
        let made = eventually("the registration was looked at", SOON, async || {
            let found = owner.get(&format!("/api/v1/users?q={VICTIM}")).await?.expect(StatusCode::OK);
            id(&found["items"][0])
        });
        let token = handed_over(&owner, &made.await, "email_verification").await?;
        let without = anybody.post("/auth/links/use", json!({ "token": token })).await?;
        without.expect(StatusCode::UNPROCESSABLE_ENTITY);
        let used = json!({ "token": token, "new_password": CHOSEN });
        anybody.post("/auth/links/use", used).await?.expect(StatusCode::NO_CONTENT);
        let stranger = json!({ "email": VICTIM, "password": GIVEN });
        anybody.post("/auth/login", stranger).await?.expect(StatusCode::UNAUTHORIZED);
        anybody.sign_in(VICTIM, CHOSEN).await?;
        Ok(())
    }

    /// The link of an invitation is kept until its user has become an admin.
    async fn old_invitation_gives_no_access(kind: Kind) -> Result<()> {
        let site = Site::new(kind).await;
        let _armada = site.run().await;
        let scene = Scene::of(site).await?;
        let user = json!({ "name": "Victim", "email": VICTIM, "invite": true });
        let user = id(&scene.manager.post("/api/v1/users", user).await?.expect(StatusCode::CREATED))?;
        let kept = handed_over(&scene.manager, &user, "invitation").await?;
        scene.promote(&user).await?;
        let used = json!({ "token": kept, "new_password": GIVEN });
        scene.anybody().post("/auth/links/use", used).await?.expect(StatusCode::NOT_FOUND);
        assert_eq!(scene.sign_in_status(GIVEN).await?, StatusCode::UNAUTHORIZED);
        scene.manager.post(&format!("/api/v1/users/{user}/links"), json!({ "purpose": "invitation" })).await?
            .expect(StatusCode::FORBIDDEN);
        Ok(())
    }

    /// A password is set, changed in its user's place, and used after they have become an admin.
    async fn password_set_by_an_admin_gives_no_lasting_access(kind: Kind) -> Result<()> {
        let site = Site::new(kind).await;
        let _armada = site.run().await;
        let scene = Scene::of(site).await?;
        let user = json!({ "name": "Victim", "email": VICTIM, "password": GIVEN });
        let user = id(&scene.manager.post("/api/v1/users", user).await?.expect(StatusCode::CREATED))?;
        let session = scene.anybody().sign_in(VICTIM, GIVEN).await?;
        eventually("nothing but changing the password works", SOON, async || {
            let reply = session.get("/api/v1/account").await?;
            anyhow::ensure!(reply.status == StatusCode::FORBIDDEN, "{} {}", reply.status, reply.text);
            anyhow::ensure!(reply.json()["error"] == "password_change_required", "{}", reply.text);
            Ok(())
        })
        .await;
        let session = change_given(&scene).await?;
        scene.promote(&user).await?;
        for password in [GIVEN, CHOSEN] {
            assert_eq!(scene.sign_in_status(password).await?, StatusCode::UNAUTHORIZED, "{password}");
        }
        eventually("the session has ended", SOON, async || {
            let reply = session.get("/api/v1/auth/me").await?;
            anyhow::ensure!(reply.status == StatusCode::UNAUTHORIZED, "{} {}", reply.status, reply.text);
            Ok(())
        })
        .await;
        Ok(())
    }

    /// A role is narrowed until one may set its holder's password, and repaired by somebody who does not know.
    async fn narrowed_role_gives_no_lasting_access(kind: Kind) -> Result<()> {
        let site = Site::new(kind).await;
        let _armada = site.run().await;
        let scene = Scene::of(site).await?;
        let lead = role(&scene.owner, &scene.tenant, "Leads", &["user:list", "device:delete"]).await?;
        let victim = json!({ "name": "Victim", "email": VICTIM });
        let user = invited(&scene.site, &scene.owner, &scene.tenant, victim).await?;
        let roles = json!({ "role_ids": [lead] });
        scene.owner.put(&format!("/api/v1/users/{user}/roles"), roles).await?.expect(StatusCode::OK);
        let path = format!("/api/v1/users/{user}");
        scene.manager.put(&path, json!({ "password": GIVEN })).await?.expect(StatusCode::FORBIDDEN);
        set_permissions(&scene.manager, &lead, vec![json!({ "key": "device:delete", "effect": "none" })]).await?;
        scene.manager.put(&path, json!({ "password": GIVEN })).await?.expect(StatusCode::OK);
        change_given(&scene).await?;
        assert_eq!(scene.sign_in_status(CHOSEN).await?, StatusCode::OK);
        set_permissions(&scene.admin, &lead, vec![json!({ "key": "device:delete", "effect": "allow" })]).await?;
        for password in [GIVEN, CHOSEN] {
            assert_eq!(scene.sign_in_status(password).await?, StatusCode::UNAUTHORIZED, "{password}");
        }
        // Its user gets in by a link of somebody who may do as much.
        let reset = handed_over(&scene.admin, &user, "password_reset").await?;
        let used = json!({ "token": reset, "new_password": "a third one for good" });
        scene.anybody().post("/auth/links/use", used).await?.expect(StatusCode::NO_CONTENT);
        assert_eq!(scene.sign_in_status("a third one for good").await?, StatusCode::OK);
        Ok(())
    }

    /// The admin of any tenant asks for addresses one by one, to learn who has an account.
    async fn password_reset_reveals_no_addresses(kind: Kind) -> Result<()> {
        let site = Site::new(kind).await;
        let _armada = site.run().await;
        let scene = Scene::of(site).await?;
        let other = scene.owner.post("/api/v1/tenants", json!({ "name": "Elsewhere" })).await?;
        let other = id(&other.expect(StatusCode::CREATED))?;
        let victim = json!({ "name": "Victim", "email": VICTIM });
        invited(&scene.site, &scene.owner, &other, victim).await?;
        let ask = async |email: &str| -> Result<(StatusCode, Value)> {
            let user = json!({ "name": "Somebody", "email": email, "password": GIVEN });
            let reply = scene.admin.post("/api/v1/users", user).await?;
            let mut body = reply.json();
            for own in ["id", "email", "created_at", "updated_at"] {
                body[own] = Value::Null;
            }
            Ok((reply.status, body))
        };
        assert_eq!(ask(VICTIM).await?, ask("nobody@example.com").await?);
        assert_eq!(scene.sign_in_status(GIVEN).await?, StatusCode::UNAUTHORIZED);
        assert_eq!(scene.sign_in_status(CHOSEN).await?, StatusCode::OK);
        Ok(())
    }
}
