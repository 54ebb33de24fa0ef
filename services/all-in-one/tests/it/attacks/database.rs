//! Somebody who has the database login of one service, or a way to run statements in it, wants what another one keeps.

use anyhow::{Context as _, Result};
use armada_runtime::db::{Owner, role};
use armada_testkit::{Kind, free_port};
use sea_orm::{ConnectOptions, ConnectionTrait, Database};

use crate::support::{services_that_store, site::Site};

/// Where a service of the site signs in, as the database's URLs have it.
fn login(site: &Site, service: &str) -> Result<String> {
    let Owner::Url(owner) = site.logins.as_ref().context("PostgreSQL")?.owner.clone() else {
        anyhow::bail!("the owner is another login")
    };
    let (_, database) = owner.rsplit_once('/').context("a database")?;
    Ok(site.postgres.as_ref().context("PostgreSQL")?.url(&role(service), database))
}

/// Fleet's login worked on every schema: it could read the keys that sign sessions and make anybody an owner.
#[tokio::test(flavor = "multi_thread")]
async fn fleet_login_cannot_create_owners() -> Result<()> {
    let site = Site::new(Kind::Postgres).await;
    let _armada = site.run().await;
    let owner = site.owner().await?;
    for service in services_that_store().filter(|service| *service != "identity") {
        let mut options = ConnectOptions::new(login(&site, service)?);
        options.max_connections(1).sqlx_logging(false);
        let stolen = Database::connect(options).await?;
        for sql in [
            "SELECT seed FROM identity.signing_key",
            "SELECT password_hash FROM identity.\"user\"",
            "UPDATE identity.\"user\" SET is_platform_owner = true",
            "DELETE FROM identity.audit_entry",
            "SELECT identity.user_matching('%')",
            "SET ROLE armada_identity",
            "SET SESSION AUTHORIZATION armada_identity",
            "CREATE TABLE identity.mine (id int)",
        ] {
            let whole = format!("SELECT set_config('app.platform', 'on', false); {sql}");
            let error = stolen.execute_unprepared(&whole).await.err().with_context(|| format!("{service}: {sql}"))?;
            assert!(error.to_string().contains("permission denied"), "{service}: {sql}: {error}");
        }
    }
    owner.get("/api/v1/users").await?.expect(http::StatusCode::OK);
    Ok(())
}

/// In one process the services share a login, but none works with the rights of another.
#[tokio::test(flavor = "multi_thread")]
async fn in_one_process_each_service_has_its_own_rights() -> Result<()> {
    let site = Site::new(Kind::Postgres).await;
    let _armada = site.run().await;
    let api = site.owner().await?;
    let Owner::Url(url) = site.logins.as_ref().context("PostgreSQL")?.owner.clone() else {
        anyhow::bail!("the owner is another login")
    };
    let owner = Database::connect(url).await?;
    let take = format!("REVOKE ALL ON ALL TABLES IN SCHEMA fleet FROM {}", role("fleet"));
    owner.execute_unprepared(&take).await?;
    api.get("/api/v1/users").await?.expect(http::StatusCode::OK);
    let devices = api.get("/api/v1/devices").await?;
    assert!(!devices.status.is_success(), "fleet works with the rights of {}", devices.text);
    Ok(())
}

/// A container that is given the login for all services by mistake does not serve with it.
#[tokio::test(flavor = "multi_thread")]
async fn a_service_alone_refuses_the_login_for_all() -> Result<()> {
    let site = Site::new(Kind::Postgres).await;
    let _armada = site.run().await;
    let url = site.logins.as_ref().context("PostgreSQL")?.services.clone();
    let start = |url: &str| {
        let mut command = site.command(&["run", "--only", "fleet", "--wait", "1"]);
        command.env("DATABASE_URL", url).env_remove("DATABASE_OWNER_URL");
        command.env("ARMADA_ADMIN_ADDR", format!("127.0.0.1:{}", free_port()));
        command.env("ARMADA_GRPC_ADDR", format!("127.0.0.1:{}", free_port()));
        command.output()
    };
    let refused = String::from_utf8_lossy(&start(&url)?.stderr).into_owned();
    assert!(refused.contains("armada_app could read the schema of identity"), "{refused}");
    Ok(())
}
