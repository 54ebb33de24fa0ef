//! What the file itself and the script that writes `.env` must be like.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    process::Command,
};

use anyhow::{Context as _, Result};
use armada_runtime::nkey::AccountKey;
use armada_testkit::temp_dir;

use super::{is_made, made, variables};
use crate::support::{
    compose::{self, Compose, Service},
    services, services_that_store,
};

/// Which container has which login of the database, the owner's apart.
fn logins() -> impl Iterator<Item = (&'static str, String)> {
    let own =
        services_that_store().map(|name| (name, format!("ARMADA_{}_PASSWORD", name.to_uppercase().replace('-', "_"))));
    [("migrate", "ARMADA_APP_PASSWORD".to_owned())].into_iter().chain(own)
}

/// Whether a container is told the password that [`variables`] has under this name.
fn knows(service: &Service, variable: &str) -> bool {
    service.environment.values().any(|value| value.contains(&made(variable)))
}

#[test]
fn secrets_have_no_defaults() -> Result<()> {
    let example = compose::example()?;
    let required = compose::required()?;
    for name in example.keys().filter(|name| is_made(name)) {
        assert_eq!(example[name], "", "{name} of .env.example");
        // The first platform owner's is made when it is missing, and shown once.
        assert!(required.contains(name) || name == "ARMADA_ADMIN_PASSWORD", "{name} must be asked for");
    }
    let complete = variables("https://fleet.example")?;
    Compose::read(&complete)?;
    for name in &required {
        assert!(example.contains_key(name), "{name} is not in .env.example");
        let mut without = complete.clone();
        without.insert(name.clone(), String::new());
        let refused = Compose::read(&without).err().context(name.clone())?.to_string();
        assert_eq!(refused, format!("{name}: deploy/make-env writes one into .env"));
    }
    Ok(())
}

#[test]
fn containers_have_no_more_than_they_need() -> Result<()> {
    let compose = Compose::read(&variables("https://fleet.example")?)?;
    for (name, service) in &compose.services {
        assert!(service.read_only && service.cap_drop == ["ALL"] && !service.mem_limit.is_empty(), "{name}");
        assert!(service.image.contains(':') && !service.image.ends_with(":latest"), "{name}: {}", service.image);
        let host = |port: &String| port.starts_with("127.0.0.1:");
        assert!(service.ports.iter().all(host), "{name} listens beyond this machine: {:?}", service.ports);
        assert_eq!(
            service.restart == "no",
            ["migrate", "nats-volume", "files-volume"].contains(&name.as_str()),
            "{name}"
        );
        for needed in service.depends_on.keys() {
            assert!(compose.services.contains_key(needed), "{name} needs {needed}");
        }
        for (file, _) in service.mounts() {
            assert!(file.exists(), "{name} mounts {}", file.display());
        }
        for network in &service.networks {
            assert!(compose.networks.contains_key(network), "{name}: network {network}");
        }
        let owner = service.environment.values().any(|value| value.contains("armada_owner:"));
        assert_eq!(owner, name == "migrate", "{name} and the owner of the tables");
        // Whoever gets into a container finds no login to NATS and no secret there but that of its service.
        let login = match name.as_str() {
            "migrate" => Some("armada"),
            name => services().find(|service| *service == name),
        };
        let url = service.environment.get("ARMADA_NATS_URL").map(String::as_str).unwrap_or_default();
        let user = url.strip_prefix("nats://").and_then(|rest| rest.split_once(':')).map(|(user, _)| user);
        assert_eq!(user, login, "{name} and its login to NATS");
        let secrets = service.environment.keys().filter(|name| name.starts_with("ARMADA_SERVICE_SECRETS__")).count();
        assert_eq!(secrets > 0, ["identity", "migrate"].contains(&name.as_str()), "{name} and others' secrets");
        let known: Vec<_> = logins().filter(|(_, login)| knows(service, login)).map(|(name, _)| name).collect();
        if name != "postgres" {
            let own: Vec<_> = logins().map(|(of, _)| of).filter(|of| of == name).collect();
            assert_eq!(known, own, "{name} and the logins of the database");
        }
    }
    assert!(compose.networks["storage"].internal && compose.networks["bus"].internal);
    let bff = &compose.services["bff"];
    assert!(
        bff.tmpfs.iter().any(|place| place.starts_with("/tmp:")),
        "Excel files wait in a file until they are whole"
    );
    // Whoever comes through the published port comes from this network, a proxy on this machine, too.
    let edge = compose.networks["edge"].ipam.as_ref().context("a known network")?;
    let subnet = edge["config"][0]["subnet"].as_str().context("a subnet")?;
    assert_eq!(bff.environment["ARMADA_BFF__TRUSTED_PROXIES"], format!("[\"{subnet}\"]"));
    assert!(!compose.services["bff"].networks.contains(&"storage".to_owned()), "the edge reaches no database");
    for (name, service) in compose.roles() {
        assert_eq!(service.depends_on["migrate"].condition, "service_completed_successfully", "{name}");
    }
    Ok(())
}

#[test]
fn make_env_writes_what_is_missing_once() -> Result<()> {
    let folder = temp_dir("make-env-");
    fs::create_dir(folder.path().join("deploy"))?;
    for file in ["deploy/make-env", ".env.example"] {
        fs::copy(compose::repository().join(file), folder.path().join(file))?;
    }
    let run = |script: &Path| Command::new("bash").arg(script).output();
    let script = folder.path().join("deploy/make-env");
    assert!(run(&script)?.status.success());
    let text = fs::read_to_string(folder.path().join(".env"))?;
    let made: BTreeMap<String, String> =
        text.lines().filter_map(|line| line.split_once('=')).map(|(k, v)| (k.to_owned(), v.to_owned())).collect();
    Compose::read(&made)?;
    let issuer = AccountKey::from_seed(&made["ARMADA_IDENTITY__GATEWAY_ISSUER_SEED"])?;
    assert_eq!(issuer.public(), made["NATS_CALLOUT_ISSUER"]);
    let passwords: BTreeSet<&String> = made.iter().filter(|(k, _)| is_made(k)).map(|(_, v)| v).collect();
    assert_eq!(passwords.len(), compose::example()?.keys().filter(|name| is_made(name)).count());
    assert!(!run(&script)?.status.success(), "it never writes over passwords in use");
    assert_eq!(fs::read_to_string(folder.path().join(".env"))?, text);

    // One that an older version wrote gets what is new, and keeps what it has.
    let is_new = |line: &&str| {
        line.starts_with("NATS_FLEET_PASSWORD=")
            || line.starts_with("FLEET_SECRET_KEY=")
            || line.starts_with("ARMADA_FLEET_PASSWORD=")
    };
    let older: String = text.lines().filter(|line| !is_new(line)).map(|line| format!("{line}\n")).collect();
    fs::write(folder.path().join(".env"), &older)?;
    assert!(run(&script)?.status.success());
    let newer = fs::read_to_string(folder.path().join(".env"))?;
    let added = newer.strip_prefix(&older).context("what was there stays")?;
    assert_eq!(added.lines().filter(is_new).count(), added.lines().count(), "{added}");
    assert_eq!(added.lines().count(), 3, "{added}");
    Ok(())
}
