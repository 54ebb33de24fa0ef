//! The secret key is changed: what was sealed under the former one is sealed anew, and nobody notices.

use anyhow::{Context as _, Result, ensure};
use armada_testkit::both_databases;
use http::StatusCode;
use nix::sys::signal::Signal;
use serde_json::json;

use crate::support::site::Site;

both_databases! {
    async fn secrets_are_sealed_anew_under_another_key(kind: Kind) -> Result<()> {
        let site = Site::new(kind).await;
        let armada = site.run().await;
        let owner = site.owner().await?;
        let tenant = owner.post("/api/v1/tenants", json!({ "name": "Harbour" })).await?.expect(StatusCode::CREATED);
        let device =
            json!({ "tenant_id": tenant["id"], "imei": "356307042441013", "name": "Truck 1", "password": "123456" });
        owner.post("/api/v1/devices", device).await?.expect(StatusCode::CREATED);
        armada.stop(Signal::SIGTERM).await?;

        let (key, former) = (site.data().join("secret.key"), site.data().join("secret.key.former"));
        std::fs::rename(&key, &former)?;
        let path = former.to_str().context("a path")?.to_owned();
        let with_former = ("ARMADA_SECRET_KEY_FORMER_FILE", path.as_str());
        let reseal = |former: Option<(&str, &str)>| {
            let mut command = site.command(&["reseal"]);
            command.envs(former);
            let output = command.output()?;
            let text = [output.stdout, output.stderr].concat();
            anyhow::Ok((output.status.success(), String::from_utf8_lossy(&text).into_owned()))
        };
        let (is_done, said) = reseal(None)?;
        ensure!(!is_done && said.contains("ARMADA_SECRET_KEY_FORMER is not set"), "{said}");
        let (is_done, said) = reseal(Some(with_former))?;
        // A signing key at least, and the password of the tracker.
        let count: u32 = said.split(' ').next().and_then(|count| count.trim().parse().ok()).context(said.clone())?;
        ensure!(is_done && count >= 2 && said.contains("secrets sealed anew"), "{said}");
        let again = reseal(Some(with_former))?;
        ensure!(again == (true, "0 secrets sealed anew\n".to_owned()), "{again:?}");

        // The former key is nothing any more.
        std::fs::remove_file(&former)?;
        let armada = site.run().await;
        site.owner().await?.get("/api/v1/devices").await?.expect(StatusCode::OK);
        armada.stop(Signal::SIGTERM).await?;

        std::fs::remove_file(&key)?;
        let other = ("ARMADA_SECRET_KEY_FORMER", "another one, of thirty-two characters");
        let (is_done, said) = reseal(Some(other))?;
        ensure!(!is_done && said.contains("secrets are sealed with neither key"), "{said}");
        Ok(())
    }

    /// Until then, services open what the former key has sealed.
    async fn services_run_with_two_keys(kind: Kind) -> Result<()> {
        let mut site = Site::new(kind).await;
        let armada = site.run().await;
        site.owner().await?;
        armada.stop(Signal::SIGTERM).await?;
        let former = site.data().join("secret.key.former");
        std::fs::rename(site.data().join("secret.key"), &former)?;
        site.set("ARMADA_SECRET_KEY_FORMER_FILE", former.to_str().context("a path")?);
        let _armada = site.run().await;
        site.owner().await?.get("/api/v1/tenants").await?.expect(StatusCode::OK);
        Ok(())
    }
}
