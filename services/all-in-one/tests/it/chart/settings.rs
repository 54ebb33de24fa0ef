//! What is documented can be set by values, and what the chart says the program knows.

use std::{collections::BTreeSet, fs, process::Command};

use anyhow::{Context as _, Result, ensure};
use armada_testkit::free_port;
use serde_json::Value;

use super::declared::Declared;
use crate::{
    compose::{settings, variables},
    support::{
        chart::{Chart, RENDERED},
        compose::repository,
    },
};

/// Settings that no pod is told, and why.
const NOT_SET: [(&str, &str); 4] = [
    ("ARMADA_CONFIG", "pods are configured by variables"),
    ("ARMADA_NATS_PORT", "of the managed server"),
    ("ARMADA_NATS_SERVER", "of the managed server"),
    ("SSL_CERT_DIR", "a bundle is one file: `ca.configMap` or `ca.secret`"),
];

#[test]
fn what_is_documented_can_be_set_or_is_left_out_for_a_reason() -> Result<()> {
    let can_be = variables_of_the_chart()?;
    for name in settings::documented()? {
        let is_there = can_be.iter().any(|variable| settings::is(variable, &name));
        let why = NOT_SET.iter().find(|(left_out, _)| *left_out == name);
        ensure!(is_there != why.is_some(), "{name} can be set: {is_there}, and is said not to be because of {why:?}");
    }
    Ok(())
}

#[test]
fn values_take_the_declared_settings_and_no_others() -> Result<()> {
    assert_eq!(settings_of_values()?, Declared::read()?.settings());
    Ok(())
}

/// A variable `ARMADA_…` that means nothing is refused by the program, and nothing else would say so before it runs.
#[test]
fn the_program_knows_every_variable() -> Result<()> {
    let admin = format!("127.0.0.1:{}", free_port());
    for variable in variables_of_the_chart()? {
        let mut command = Command::new(env!("CARGO_BIN_EXE_armada"));
        command.arg("healthcheck").env_clear().env("ARMADA_ADMIN_ADDR", &admin).env(&variable, "1");
        let said = String::from_utf8(command.output()?.stderr)?;
        ensure!(!said.contains("unknown"), "{variable}: {said}");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_armada"));
    let refused = command.arg("healthcheck").env_clear().env("ARMADA_SPEED", "1").output()?;
    ensure!(String::from_utf8(refused.stderr)?.contains("ARMADA_SPEED: unknown setting"));
    Ok(())
}

/// Whatever pods are told or may be: what renderings have, and what values and Secrets may add.
fn variables_of_the_chart() -> Result<BTreeSet<String>> {
    let mut all = settings_of_values()?;
    let mut secret = variables("https://fleet.example")?;
    secret.insert("NATS_ROUTE_PASSWORD".to_owned(), "p".to_owned());
    secret.insert("password".to_owned(), "p".to_owned());
    for name in RENDERED {
        for container in Chart::read(name)?.containers()?.iter().filter(|container| container.component != "nats") {
            all.extend(container.environment(&secret)?.into_keys());
            all.extend(container.secrets()?.into_iter().map(|(variable, ..)| variable));
        }
    }
    Ok(all)
}

/// The names below `settings` that the schema of values allows.
fn settings_of_values() -> Result<BTreeSet<String>> {
    let schema = fs::read_to_string(repository().join("helm/armada/values.schema.json"))?;
    let schema: Value = serde_json::from_str(&schema)?;
    let settings = schema["properties"]["settings"]["properties"].as_object().context("settings")?;
    Ok(settings.keys().cloned().collect())
}
