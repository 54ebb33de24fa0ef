//! What is documented can be set: Compose passes it on, or it is said here why not.

use std::{collections::BTreeSet, fs};

use anyhow::{Context as _, Result, ensure};

use super::variables;
use crate::support::compose::{self, Compose};

/// Settings that no container is told, and why.
const NOT_PASSED: [(&str, &str); 7] = [
    ("ARMADA_CONFIG", "containers are configured by variables"),
    ("ARMADA_DATA_DIR", "containers keep nothing there"),
    ("ARMADA_NATS_PORT", "of the managed server"),
    ("ARMADA_NATS_SERVER", "of the managed server"),
    ("ARMADA_POSITION_INGEST__GEOCODER__KEY", "the geocoder beside it asks for none"),
    ("ARMADA_POSITION_INGEST__GEOCODER__USER_AGENT", "the geocoder beside it belongs to nobody else"),
    ("SSL_CERT_FILE", "a mounted folder shows files that were replaced, a mounted file does not"),
];
/// Files that are added to `docker-compose.yml` where somebody wants what they bring, and whom they tell of it.
const ADDED: [(&str, &str); 3] = [
    ("compose.maps.yaml", "bff"),
    ("compose.geocoder.yaml", "position-ingest"),
    ("compose.certificates.yaml", "identity"),
];

#[test]
fn what_is_documented_is_passed_on_or_left_out_for_a_reason() -> Result<()> {
    let compose = Compose::read(&variables("https://fleet.example")?)?;
    let (documented, passed) = (documented()?, passed(&compose)?);
    for name in &documented {
        let to: BTreeSet<&str> = passed.iter().filter(|(_, variable)| is(variable, name)).map(|(to, _)| *to).collect();
        let why = NOT_PASSED.iter().find(|(left_out, _)| left_out == name);
        ensure!(to.is_empty() == why.is_some(), "{name} is told {to:?} and said not to be because of {why:?}");
        // What is of a service its own container must know, or the one that makes its streams.
        let section = name.strip_prefix("ARMADA_").and_then(|name| name.split_once("__"));
        let service = section.map(|(service, _)| service.to_lowercase().replace('_', "-")).unwrap_or_default();
        if why.is_none() && compose.services.contains_key(&service) {
            ensure!(to.contains(service.as_str()) || to.contains("migrate"), "{name} is told {to:?} alone");
        }
    }
    for (name, _) in NOT_PASSED {
        ensure!(documented.iter().any(|known| known == name), "{name} is no setting that is documented");
    }
    Ok(())
}

/// A restore makes streams, and would change those of `migrate` if it were told another number or size.
#[test]
fn who_makes_streams_is_told_the_same() -> Result<()> {
    let compose = Compose::read(&variables("https://fleet.example")?)?;
    let backup = compose::added_by("compose.backup.yaml", "backup")?;
    let of_streams = |name: &&String| name.starts_with("ARMADA_POSITION_INGEST__") || *name == "ARMADA_STREAM_REPLICAS";
    let told: Vec<_> = compose.services["migrate"].environment.keys().filter(of_streams).collect();
    assert!(told.len() > 1, "{told:?}");
    assert_eq!(backup.keys().filter(of_streams).collect::<Vec<_>>(), told);
    Ok(())
}

/// What `.env` may leave out comes from the variable of the same name there.
#[test]
fn settings_have_the_same_name_in_env() -> Result<()> {
    let deploy = compose::repository().join("deploy");
    let added = fs::read_dir(deploy)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    let added = added.into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "yaml"));
    let mut settings = 0;
    for file in added.chain([compose::repository().join("docker-compose.yml")]) {
        let text = fs::read_to_string(&file)?;
        let lines = text.lines().filter_map(|line| line.trim().split_once(": ${"));
        for (name, value) in lines.filter(|(name, _)| name.starts_with("ARMADA_")) {
            let Some((variable, _)) = value.split_once(":-") else { continue };
            ensure!(name == variable, "{}: {name} comes from {variable}", file.display());
            settings += 1;
        }
    }
    ensure!(settings > 50, "{settings} were found");
    Ok(())
}

/// Container and variable, of all files.
fn passed(compose: &Compose) -> Result<Vec<(&str, String)>> {
    let mut passed = Vec::new();
    for (container, service) in &compose.services {
        passed.extend(service.environment.keys().map(|variable| (container.as_str(), variable.clone())));
    }
    for (file, container) in ADDED {
        passed.extend(compose::added_by(file, container)?.into_keys().map(|variable| (container, variable)));
    }
    Ok(passed)
}

/// Whether a variable is the one that is documented under this name, or one of several: `ARMADA_PEERS__<SERVICE>`.
pub(crate) fn is(variable: &str, name: &str) -> bool {
    name.split_once('<').map_or(variable == name, |(several, _)| variable.starts_with(several))
}

/// The variables of all settings that are documented.
pub(crate) fn documented() -> Result<Vec<String>> {
    let mut documented = names("README.md", "\n## Configuration\n", "__")?;
    ensure!(documented.len() > 50, "README.md: {documented:?}");
    let rare = names("docs/OPERATIONS.md", "\n### Other settings\n", ".")?;
    ensure!(rare.len() > 15, "docs/OPERATIONS.md: {rare:?}");
    documented.extend(rare.iter().map(|setting| variable(setting)));
    let limits = serde_json::to_value(armada_bff::Limits::default())?;
    let limits = limits.as_object().context("limits")?;
    documented.extend(limits.keys().map(|limit| variable(&format!("bff.limits.{limit}"))));
    Ok(documented)
}

/// The variable of a setting of the configuration file.
fn variable(setting: &str) -> String {
    format!("ARMADA_{}", setting.replace('.', "__").to_uppercase())
}

/// The settings in the first cells of the tables of a section that begins with this heading.
fn names(page: &str, heading: &str, separator: &str) -> Result<Vec<String>> {
    let text = fs::read_to_string(compose::repository().join(page))?;
    let (_, section) = text.split_once(heading).with_context(|| heading.to_owned())?;
    let section = section.split("\n##").next().unwrap_or_default();
    let cells = section.lines().filter_map(|line| Some(line.strip_prefix("| `")?.split_once(" |")?.0));
    Ok(cells.flat_map(|cell| names_of(cell, separator)).collect())
}

/// The names of a cell in full: those after the first one may lack the section that they share with it.
fn names_of(cell: &str, separator: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in cell.split(',').map(|name| name.trim().trim_matches('`')) {
        let short = name.strip_prefix("…__").or((!name.contains(separator)).then_some(name));
        let section = names.last().and_then(|before| Some(before.rsplit_once(separator)?.0));
        let full = short.zip(section).map(|(short, section)| format!("{section}{separator}{short}"));
        names.push(full.unwrap_or_else(|| name.to_owned()));
    }
    names
}
