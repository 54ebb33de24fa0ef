//! `docker-compose.yml`, read as Compose reads it: anchors merged, variables put in, unknown keys refused.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, bail, ensure};
use serde::Deserialize;
use serde_yaml_ng::Value;

/// The whole file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compose {
    #[serde(rename = "name")]
    _name: String,
    pub services: BTreeMap<String, Service>,
    pub networks: BTreeMap<String, Network>,
    #[serde(rename = "volumes")]
    _volumes: BTreeMap<String, Value>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Network {
    #[serde(default)]
    pub internal: bool,
    #[serde(default)]
    pub ipam: Option<Value>,
}

/// One container. What is `Value` means something to an engine alone.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Service {
    pub image: String,
    #[serde(rename = "build")]
    _build: Option<Value>,
    #[serde(default)]
    pub command: Vec<String>,
    #[serde(rename = "entrypoint")]
    _entrypoint: Option<Vec<String>>,
    #[serde(default)]
    pub environment: BTreeMap<String, String>,
    #[serde(default)]
    pub depends_on: BTreeMap<String, Condition>,
    pub healthcheck: Option<Value>,
    #[serde(default)]
    pub networks: Vec<String>,
    #[serde(default)]
    pub ports: Vec<String>,
    #[serde(default, rename = "profiles")]
    _profiles: Vec<String>,
    #[serde(default)]
    pub volumes: Vec<String>,
    pub mem_limit: String,
    pub read_only: bool,
    pub cap_drop: Vec<String>,
    pub restart: String,
    #[serde(rename = "cap_add")]
    _cap_add: Option<Value>,
    #[serde(rename = "logging")]
    _logging: Option<Value>,
    #[serde(rename = "network_mode")]
    _network_mode: Option<Value>,
    #[serde(rename = "pids_limit")]
    _pids_limit: Option<Value>,
    #[serde(rename = "security_opt")]
    _security_opt: Option<Value>,
    #[serde(rename = "shm_size")]
    _shm_size: Option<Value>,
    #[serde(rename = "stop_grace_period")]
    _stop_grace_period: Option<Value>,
    #[serde(default)]
    pub tmpfs: Vec<String>,
    #[serde(rename = "user")]
    _user: Option<Value>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    pub condition: String,
}

/// The folder of the repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

impl Compose {
    /// Reads the file with these variables.
    pub fn read(variables: &BTreeMap<String, String>) -> Result<Self> {
        let text = fs::read_to_string(repository().join("docker-compose.yml"))?;
        let mut value: Value = serde_yaml_ng::from_str(&text)?;
        merge(&mut value);
        let top = value.as_mapping_mut().context("a mapping")?;
        top.retain(|key, _| !key.as_str().is_some_and(|key| key.starts_with("x-")));
        interpolate(&mut value, variables)?;
        Ok(serde_yaml_ng::from_value(value)?)
    }

    /// The services that run the program, without the one that migrates.
    pub fn roles(&self) -> impl Iterator<Item = (&String, &Service)> {
        self.services.iter().filter(|(_, service)| service.command.first().is_some_and(|first| first == "run"))
    }
}

impl Service {
    /// Files of the repository that are mounted: source and place in the container.
    pub fn mounts(&self) -> Vec<(PathBuf, String)> {
        let mounts = self.volumes.iter().filter_map(|volume| {
            let mut parts = volume.split(':');
            let source = parts.next()?.strip_prefix("./")?;
            Some((repository().join(source), parts.next()?.to_owned()))
        });
        mounts.collect()
    }
}

/// Variables of `.env.example`, with what they are set to there.
pub fn example() -> Result<BTreeMap<String, String>> {
    let text = fs::read_to_string(repository().join(".env.example"))?;
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split_once('=').map(|(k, v)| (k.into(), v.into())).context(line.to_owned())).collect()
}

/// Which variables a file that is added to it gives to a container, as they stand there.
pub fn added_by(file: &str, container: &str) -> Result<BTreeMap<String, String>> {
    let text = fs::read_to_string(repository().join("deploy").join(file))?;
    let value: Value = serde_yaml_ng::from_str(&text)?;
    let environment = &value["services"][container]["environment"];
    serde_yaml_ng::from_value(environment.clone()).with_context(|| format!("{container} of {file}"))
}

/// Variables without which Compose refuses to start anything.
pub fn required() -> Result<BTreeSet<String>> {
    let text = fs::read_to_string(repository().join("docker-compose.yml"))?;
    Ok(text
        .split("${")
        .skip(1)
        .filter_map(|rest| Some(rest.split_once(":?")?.0))
        .filter(is_name)
        .map(Into::into)
        .collect())
}

/// The settings that containers have out of variables of the same name.
pub fn settings() -> Result<BTreeSet<String>> {
    let text = fs::read_to_string(repository().join("docker-compose.yml"))?;
    let lines = text.lines().filter_map(|line| line.trim().split_once(": ${"));
    Ok(lines.filter(|(name, value)| value.starts_with(&format!("{name}:"))).map(|(name, _)| name.to_owned()).collect())
}

fn is_name(text: &&str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
}

/// Puts what `<<` names into each mapping, where a key is not there already. An anchor may have one itself.
fn merge(value: &mut Value) {
    match value {
        Value::Sequence(items) => items.iter_mut().for_each(merge),
        Value::Mapping(entries) => {
            let bases = match entries.remove("<<") {
                Some(Value::Sequence(bases)) => bases,
                base => base.into_iter().collect(),
            };
            entries.values_mut().for_each(merge);
            for mut base in bases {
                merge(&mut base);
                for (key, value) in base.as_mapping().into_iter().flatten() {
                    entries.entry(key.clone()).or_insert_with(|| value.clone());
                }
            }
        }
        _ => {}
    }
}

fn interpolate(value: &mut Value, variables: &BTreeMap<String, String>) -> Result<()> {
    match value {
        Value::String(text) if text.contains('$') => *text = interpolated(text, variables)?,
        Value::Sequence(items) => items.iter_mut().try_for_each(|item| interpolate(item, variables))?,
        Value::Mapping(entries) => entries.values_mut().try_for_each(|entry| interpolate(entry, variables))?,
        _ => {}
    }
    Ok(())
}

/// `${NAME:-default}` and `${NAME:?message}`: the two forms there are in the file.
fn interpolated(text: &str, variables: &BTreeMap<String, String>) -> Result<String> {
    let mut pieces = text.split("${");
    let mut result = pieces.next().unwrap_or_default().to_owned();
    ensure!(!result.contains('$'), "{text}");
    for piece in pieces {
        let (expression, rest) = piece.split_once('}').with_context(|| text.to_owned())?;
        let (name, otherwise) = expression.split_once(':').with_context(|| text.to_owned())?;
        match (variables.get(name).filter(|value| !value.is_empty()), otherwise.split_at(1)) {
            (Some(value), _) => result += value,
            (None, ("-", default)) => result += default,
            (None, ("?", message)) => bail!("{name}: {message}"),
            _ => bail!("{text}"),
        }
        result += rest;
    }
    Ok(result)
}
