//! A service that is declared is in every file: it costs its crate and a line.

use std::{fs, path::Path, process::Command};

use armada_declarations::{
    Acts, Declaration, InContainers, SERVICES, Scales, Setting, Shared, files,
    nats::{Account, Bucket, Consumer, Stream, User},
};
use serde_yaml_ng::Value;

use super::fresh::repository;

const SERVICE: User = User {
    name: "geofence-engine",
    about: "Tells which vehicles are in which zones.",
    account: Account::Services,
    login: "geofence-engine",
    publishes: &["audit.geofence-engine", "event.*.zone.>"],
    never_publishes: &[],
    hears: &["zones.*"],
    buckets: &[Bucket::owns("zones", "*"), Bucket::follows("keys"), Bucket::follows("policies")],
    streams: &[Stream { name: "POSITIONS", consumer: Consumer::durable("geofence-engine", "positions."), more: &[] }],
};

const MADE_UP: Declaration = Declaration {
    name: "geofence-engine",
    about: "Zones, and who crosses them.",
    stores: true,
    calls: &["fleet"],
    users: &[SERVICE],
    settings: &[Setting::value("linger_ms"), Setting::secret("map_key")],
    shared: &[Shared::new("ARMADA_PUBLIC_URL", InContainers::Asked)],
    outside: Some("the maps"),
    serves_http: false,
    keeps_files: false,
    scales: Scales::Partitions,
    memory_mb: 512,
    acts: Acts { modules: &["zone"], parts: &[] },
};

/// The text of a file with the service beside the others.
fn text(path: &str) -> String {
    let services: Vec<_> = SERVICES.iter().copied().chain([&MADE_UP]).collect();
    let made = files::made(&repository(), &services).unwrap();
    made.into_iter().find(|made| made.path == Path::new(path)).unwrap().text
}

#[test]
fn it_is_in_every_file() {
    let services: Vec<_> = SERVICES.iter().copied().chain([&MADE_UP]).collect();
    for made in files::made(&repository(), &services).unwrap() {
        let names = ["geofence-engine", "geofence_engine", "GEOFENCE_ENGINE"];
        assert!(names.iter().any(|name| made.text.contains(name)), "{}", made.path.display());
    }
}

#[test]
fn compose_starts_it() {
    let compose: Value = serde_yaml_ng::from_str(&text("docker-compose.yml")).unwrap();
    let container = &compose["services"]["geofence-engine"];
    let environment = &container["environment"];
    let told = |variable: &str| environment[variable].as_str().unwrap_or_default();
    assert!(told("DATABASE_URL").starts_with("postgres://armada_geofence_engine:${ARMADA_GEOFENCE_ENGINE_PASSWORD"));
    assert!(told("ARMADA_NATS_URL").starts_with("nats://geofence-engine:${NATS_GEOFENCE_ENGINE_PASSWORD"));
    assert!(told("ARMADA_SERVICE_SECRET").starts_with("${GEOFENCE_ENGINE_SECRET_KEY:?"));
    assert_eq!(told("ARMADA_PEERS__FLEET"), "http://fleet:8082");
    assert_eq!(told("ARMADA_GEOFENCE_ENGINE__LINGER_MS"), "${ARMADA_GEOFENCE_ENGINE__LINGER_MS:-}");
    let networks = container["networks"].as_sequence().unwrap();
    assert_eq!(networks, &["storage", "bus", "edge"].map(Value::from), "it reaches the maps");
    let identity = &compose["services"]["identity"]["environment"];
    assert!(identity["ARMADA_SERVICE_SECRETS__GEOFENCE_ENGINE"].is_string(), "whose keys identity vouches for");
    let database = &compose["services"]["postgres"]["environment"];
    assert!(database["ARMADA_GEOFENCE_ENGINE_PASSWORD"].is_string());
    let example = text(".env.example");
    for asked in ["ARMADA_GEOFENCE_ENGINE_PASSWORD=", "NATS_GEOFENCE_ENGINE_PASSWORD=", "GEOFENCE_ENGINE_SECRET_KEY="] {
        assert!(example.lines().any(|line| line == asked), "{asked}");
    }
}

#[test]
fn the_nats_server_lets_it_in() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("nats.conf");
    let text = text("deploy/nats.conf");
    fs::write(&config, &text).unwrap();
    let variables = text.split('$').skip(1).filter_map(|rest| {
        let name = rest.split(|c: char| !c.is_ascii_uppercase() && c != '_').next()?;
        name.starts_with("NATS_").then_some((name, "p"))
    });
    let server =
        std::env::var_os("ARMADA_NATS_SERVER").map_or_else(|| repository().join(".tools/nats-server"), Into::into);
    let issuer = ("NATS_CALLOUT_ISSUER", "ABJHLOVMPA4CI6R5KLNGOB4GSLNIY7IOUPAJC4YFNDLQVIOBYQGUWVLA");
    let variables: Vec<_> = variables.filter(|(name, _)| *name != issuer.0).chain([issuer]).collect();
    assert!(variables.contains(&("NATS_GEOFENCE_ENGINE_PASSWORD", "p")));
    let checked = Command::new(server).arg("-t").arg("-c").arg(&config).envs(variables).output().unwrap();
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
}
