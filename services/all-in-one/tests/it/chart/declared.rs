//! What `helm/armada/files` says of services is what the containers of `docker-compose.yml` are.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use anyhow::{Context as _, Result};
use serde::Deserialize;

use crate::{
    compose::variables,
    support::compose::{self, Compose, repository},
};

/// `files/services.yaml`.
#[derive(Deserialize)]
pub(super) struct Declared {
    common: Told,
    migrate: Told,
    #[serde(flatten)]
    services: BTreeMap<String, Facts>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Told {
    settings: BTreeSet<String>,
    #[serde(default)]
    secrets: BTreeSet<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Facts {
    #[serde(rename = "about")]
    _about: String,
    stores: bool,
    calls: BTreeSet<String>,
    nats: Vec<Login>,
    secret: Option<String>,
    settings: BTreeSet<String>,
    secrets: BTreeSet<String>,
    outside: bool,
    http: bool,
    files: bool,
    scales: String,
    consumers: Vec<Consumer>,
    memory: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Login {
    variable: String,
    user: String,
    password: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Consumer {
    #[serde(rename = "stream")]
    _stream: String,
    durable: String,
}

impl Declared {
    pub(super) fn read() -> Result<Self> {
        let text = fs::read_to_string(repository().join("helm/armada/files/services.yaml"))?;
        Ok(serde_yaml_ng::from_str(&text)?)
    }

    /// The settings of all services, and those that `migrate` alone knows.
    pub(super) fn settings(&self) -> BTreeSet<String> {
        let of_services = self.services.values().flat_map(|facts| &facts.settings);
        of_services.chain(&self.common.settings).chain(&self.migrate.settings).cloned().collect()
    }
}

#[test]
fn services_are_those_of_the_containers() -> Result<()> {
    let (declared, variables) = (Declared::read()?, variables("https://fleet.example")?);
    let (compose, settings) = (Compose::read(&variables)?, compose::settings()?);
    let names: Vec<_> = compose.roles().map(|(name, _)| name.as_str()).collect();
    assert_eq!(declared.services.keys().collect::<Vec<_>>(), names);
    for (name, service) in compose.roles() {
        let (facts, told) = (&declared.services[name], &service.environment);
        assert_eq!(facts.stores, told.contains_key("DATABASE_URL"), "{name}");
        assert_eq!(facts.http, told.contains_key("ARMADA_HTTP_ADDR"), "{name}");
        assert_eq!(facts.files, service.volumes.contains(&"files:/files".to_owned()), "{name}");
        assert!(!facts.outside || service.networks.contains(&"edge".to_owned()), "{name}");
        let calls = facts.calls.iter().map(|peer| format!("ARMADA_PEERS__{}", peer.to_uppercase().replace('-', "_")));
        let peers = told.keys().filter(|variable| variable.starts_with("ARMADA_PEERS__")).cloned();
        assert_eq!(calls.collect::<BTreeSet<_>>(), peers.collect(), "{name}");
        for login in &facts.nats {
            let password = &variables[&login.password];
            assert_eq!(told[&login.variable], format!("nats://{}:{password}@nats:4222", login.user), "{name}");
        }
        let secret = facts.secret.as_ref().map(|key| &variables[key]);
        assert_eq!(told.get("ARMADA_SERVICE_SECRET"), secret, "{name}");
        let logins = told.keys().filter(|variable| variable.starts_with("ARMADA_NATS_URL")).count();
        assert_eq!(logins, facts.nats.len(), "{name}");
        let memory = facts.memory.to_lowercase();
        assert_eq!(memory.strip_suffix('i').context("binary units")?, service.mem_limit, "{name}");
        assert!(["cpu", "partitions", "no"].contains(&facts.scales.as_str()), "{name}");
        assert!(facts.consumers.iter().all(|consumer| consumer.durable == *name), "{name}");
        let chosen = told.keys().filter(|variable| settings.contains(*variable));
        let known = |variable: &&String| {
            [&facts.settings, &facts.secrets, &declared.common.settings].iter().any(|names| names.contains(*variable))
        };
        let unknown: Vec<_> = chosen.filter(|variable| !known(variable)).collect();
        assert!(unknown.is_empty(), "{name}: {unknown:?}");
    }
    Ok(())
}

#[test]
fn who_migrates_is_told_the_same_as_its_container() -> Result<()> {
    let (declared, compose) = (Declared::read()?, Compose::read(&variables("https://fleet.example")?)?);
    let settings = compose::settings()?;
    let told = compose.services["migrate"].environment.keys().filter(|variable| settings.contains(*variable));
    let told: BTreeSet<_> = told.filter(|variable| !declared.common.settings.contains(*variable)).cloned().collect();
    assert_eq!(told, declared.migrate.settings.union(&declared.migrate.secrets).cloned().collect());
    Ok(())
}

/// The chart puts its own number of partitions into it, and has what comes before from values.
#[test]
fn accounts_of_nats_are_those_of_the_containers() -> Result<()> {
    let own = fs::read_to_string(repository().join("helm/armada/files/nats-accounts.conf"))?;
    let server = fs::read_to_string(repository().join("deploy/nats.conf"))?;
    let accounts = server.find("\nauthorization {").context("authorization")? + 1;
    assert_eq!(without_comments(&own), without_comments(&server[accounts..]));
    Ok(())
}

fn without_comments(text: &str) -> Vec<&str> {
    let lines = text.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
}
