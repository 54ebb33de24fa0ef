//! What pods are told, and what they are kept from.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result, ensure};

use crate::{
    compose::{is_made, variables},
    support::chart::{Chart, Container, RENDERED, text},
};

/// The password of the routes between several NATS servers, which Compose has no use for.
const ROUTE_PASSWORD: &str = "NATS_ROUTE_PASSWORD";
/// Seconds that the program takes at most to end, after its delay.
const DRAIN: u64 = 20;

#[test]
fn secrets_are_those_that_make_env_writes_and_settings_that_hold_one() -> Result<()> {
    let written = variables("https://fleet.example")?;
    for name in RENDERED {
        for container in Chart::read(name)?.containers()? {
            for (variable, key, optional) in container.secrets()? {
                let of = &container.component;
                if optional {
                    ensure!(variable == key, "{name}: {of}: {variable} comes from {key}");
                } else {
                    let is_written = written.get(&key).is_some_and(|value| !value.is_empty());
                    let is_elsewhere = key == ROUTE_PASSWORD || (name == "everything" && key == "password");
                    ensure!(is_written || is_elsewhere, "{name}: {of}: nobody makes {key}");
                }
            }
        }
    }
    Ok(())
}

/// Whoever gets into a pod finds no login and no secret there but those of its service.
#[test]
fn pods_are_told_no_more_than_they_need() -> Result<()> {
    for name in ["default", "ha", "everything"] {
        for container in Chart::read(name)?.containers()? {
            let (of, keys) = (container.component.as_str(), keys(&container)?);
            let migrates = of == "migrate";
            assert_eq!(keys.contains("ARMADA_OWNER_PASSWORD"), migrates, "{name}: {of} and the owner of the tables");
            assert_eq!(keys.contains("NATS_OPERATOR_PASSWORD"), migrates || of == "nats", "{name}: {of} and NATS");
            assert_eq!(keys.contains("ARMADA_APP_PASSWORD"), migrates, "{name}: {of} and the login of tools");
            let others = keys.iter().filter(|key| is_of_other_service(key, of)).collect::<Vec<_>>();
            assert!(others.is_empty() || migrates || ["identity", "nats"].contains(&of), "{name}: {of}: {others:?}");
            let stored = keys
                .iter()
                .any(|key| key.starts_with("ARMADA_") && key.ends_with("_PASSWORD") && key != "ARMADA_ADMIN_PASSWORD");
            assert!(!stored || (of != "bff" && of != "nats"), "{name}: {of} and the database");
        }
    }
    Ok(())
}

fn keys(container: &Container<'_>) -> Result<BTreeSet<String>> {
    Ok(container.secrets()?.into_iter().map(|(_, key, _)| key).collect())
}

/// Whether a key is the password or secret of another service.
fn is_of_other_service(key: &str, service: &str) -> bool {
    let services = ["identity", "fleet", "notification", "position-ingest", "bff"];
    let named = |service: &str| service.to_uppercase().replace('-', "_");
    let short = key.strip_prefix("ARMADA_").or_else(|| key.strip_prefix("NATS_")).unwrap_or(key);
    is_made(key) && services.into_iter().filter(|other| *other != service).any(|other| short.starts_with(&named(other)))
}

#[test]
fn pods_may_do_no_more_than_they_need() -> Result<()> {
    for name in RENDERED {
        for container in Chart::read(name)?.containers()? {
            let (of, pod, security) = (&container.component, container.pod, &container.spec["securityContext"]);
            assert_eq!(pod["automountServiceAccountToken"], false, "{name}: {of}");
            // Kubernetes would tell of every Service by variables that begin with its name, and the program refuses ARMADA_….
            assert_eq!(pod["enableServiceLinks"], false, "{name}: {of}");
            assert_eq!(pod["securityContext"]["runAsNonRoot"], true, "{name}: {of}");
            assert_eq!(pod["securityContext"]["seccompProfile"]["type"], "RuntimeDefault", "{name}: {of}");
            assert_eq!(security["readOnlyRootFilesystem"], true, "{name}: {of}");
            assert_eq!(security["allowPrivilegeEscalation"], false, "{name}: {of}");
            assert_eq!(security["capabilities"]["drop"][0], "ALL", "{name}: {of}");
            assert!(!container.spec["resources"]["limits"]["memory"].is_null(), "{name}: {of}");
            assert!(!container.spec["resources"]["requests"]["memory"].is_null(), "{name}: {of}");
        }
    }
    Ok(())
}

/// Kubelet kills nobody who is still finishing.
#[test]
fn grace_covers_what_stopping_takes() -> Result<()> {
    for name in RENDERED {
        for container in Chart::read(name)?.containers()?.iter().filter(|container| container.kind == "Deployment") {
            let environment = environment(container)?;
            let delay = environment.get("ARMADA_SHUTDOWN_DELAY_SECONDS").map_or(Ok(0), |delay| delay.parse())?;
            let before = container.spec["lifecycle"]["preStop"]["sleep"]["seconds"].as_u64().context("a pause")?;
            let grace = container.pod["terminationGracePeriodSeconds"].as_u64().context("grace")?;
            ensure!(grace > before + delay + DRAIN, "{name}: {}: {grace} s", container.component);
        }
    }
    Ok(())
}

/// A service is called where it listens, and gRPC by names that lead to each pod.
#[test]
fn services_are_found_where_they_listen() -> Result<()> {
    for name in RENDERED {
        let chart = Chart::read(name)?;
        for container in chart.containers()?.iter().filter(|container| container.kind == "Deployment") {
            let environment = environment(container)?;
            for (port, number) in container.ports()? {
                let listens = &environment[&format!("ARMADA_{}_ADDR", port.to_uppercase())];
                assert_eq!(*listens, format!("0.0.0.0:{number}"), "{name}: {}", container.component);
            }
            for (variable, url) in environment.iter().filter(|(variable, _)| variable.starts_with("ARMADA_PEERS__")) {
                let host = url.strip_prefix("http://").and_then(|rest| rest.strip_suffix(":8082"));
                let service = chart.resources("Service").find(|service| service["metadata"]["name"].as_str() == host);
                let service = service.with_context(|| format!("{name}: {variable}={url}"))?;
                assert_eq!(service["spec"]["clusterIP"], "None", "{name}: {url}");
                let called = text(&service["spec"]["selector"]["app.kubernetes.io/component"])?;
                assert_eq!(chart.container(&called)?.ports()?["grpc"], 8082, "{name}: {url}");
            }
        }
    }
    Ok(())
}

fn environment(container: &Container<'_>) -> Result<std::collections::BTreeMap<String, String>> {
    let mut secret = variables("https://fleet.example")?;
    secret.insert("password".to_owned(), "p".to_owned());
    container.environment(&secret)
}
