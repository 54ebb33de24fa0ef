//! The renderings of the chart in `helm/golden`, read as Kubernetes reads them.

use std::{collections::BTreeMap, fs};

use anyhow::{Context as _, Result, ensure};
use serde::Deserialize as _;
use serde_yaml_ng::{Deserializer, Value};

use super::compose::repository;

/// All renderings.
pub const RENDERED: [&str; 4] = ["default", "ha", "small", "everything"];
/// The label that names the part a pod belongs to.
const COMPONENT: &str = "app.kubernetes.io/component";

/// The resources of one rendering.
pub struct Chart(Vec<Value>);

/// A container of a Deployment, StatefulSet, Job or CronJob. Each pod has one.
pub struct Container<'a> {
    chart: &'a Chart,
    /// The service, `migrate` or `nats`.
    pub component: String,
    /// Deployment and so on.
    pub kind: String,
    pub pod: &'a Value,
    pub spec: &'a Value,
}

impl Chart {
    /// Reads a file of `helm/golden`.
    pub fn read(name: &str) -> Result<Self> {
        let text = fs::read_to_string(repository().join(format!("helm/golden/{name}.yaml")))?;
        let documents = Deserializer::from_str(&text).map(Value::deserialize).collect::<Result<Vec<_>, _>>()?;
        Ok(Self(documents.into_iter().filter(|document| !document.is_null()).collect()))
    }

    pub fn resources(&self, kind: &str) -> impl Iterator<Item = &Value> {
        self.0.iter().filter(move |resource| resource["kind"] == kind)
    }

    /// What a ConfigMap holds.
    pub fn config_map(&self, name: &str) -> Result<BTreeMap<String, String>> {
        let found = self.resources("ConfigMap").find(|resource| resource["metadata"]["name"] == name);
        let found = found.with_context(|| format!("the ConfigMap {name}"))?;
        Ok(serde_yaml_ng::from_value(found["data"].clone())?)
    }

    /// The configuration of the NATS server.
    pub fn nats_conf(&self) -> Result<String> {
        self.config_map("armada-nats")?.remove("nats.conf").context("nats.conf")
    }

    pub fn containers(&self) -> Result<Vec<Container<'_>>> {
        let mut containers = Vec::new();
        for resource in &self.0 {
            let kind = text(&resource["kind"])?;
            let template = match kind.as_str() {
                "Deployment" | "StatefulSet" | "Job" => &resource["spec"]["template"],
                "CronJob" => &resource["spec"]["jobTemplate"]["spec"]["template"],
                _ => continue,
            };
            let of_pod = template["spec"]["containers"].as_sequence().context("containers")?;
            ensure!(of_pod.len() == 1 && template["spec"]["initContainers"].is_null(), "{kind}: {of_pod:?}");
            let component = text(&template["metadata"]["labels"][COMPONENT])?;
            containers.push(Container { chart: self, component, kind, pod: &template["spec"], spec: &of_pod[0] });
        }
        Ok(containers)
    }

    /// The container of a service, or of another part.
    pub fn container(&self, component: &str) -> Result<Container<'_>> {
        let mut containers = self.containers()?.into_iter();
        containers.find(|container| container.component == component).with_context(|| component.to_owned())
    }
}

impl Container<'_> {
    pub fn arguments(&self) -> Result<Vec<String>> {
        Ok(serde_yaml_ng::from_value(self.spec["args"].clone())?)
    }

    /// The keys of Secrets that it is given: the variable, the key, and whether it may be missing.
    pub fn secrets(&self) -> Result<Vec<(String, String, bool)>> {
        let mut secrets = Vec::new();
        for entry in self.spec["env"].as_sequence().into_iter().flatten() {
            let secret = &entry["valueFrom"]["secretKeyRef"];
            if !secret.is_null() {
                let optional = secret["optional"].as_bool().unwrap_or(false);
                secrets.push((text(&entry["name"])?, text(&secret["key"])?, optional));
            }
        }
        Ok(secrets)
    }

    /// Its variables, with a Secret that has these keys: those of the ConfigMap, then its own, in which `$(NAME)` stands for one
    /// before. What is empty in the Secret is not there.
    pub fn environment(&self, secret: &BTreeMap<String, String>) -> Result<BTreeMap<String, String>> {
        let mut environment = BTreeMap::new();
        for source in self.spec["envFrom"].as_sequence().into_iter().flatten() {
            environment.extend(self.chart.config_map(&text(&source["configMapRef"]["name"])?)?);
        }
        let secrets = self.secrets()?;
        for entry in self.spec["env"].as_sequence().into_iter().flatten() {
            let name = text(&entry["name"])?;
            if let Some((_, key, optional)) = secrets.iter().find(|(variable, ..)| *variable == name) {
                match secret.get(key).filter(|value| !value.is_empty()) {
                    Some(value) => drop(environment.insert(name, value.clone())),
                    None => ensure!(optional, "{}: the Secret lacks {key}", self.component),
                }
            } else if entry["valueFrom"]["fieldRef"]["fieldPath"] == "metadata.name" {
                environment.insert(name, format!("armada-{}-0", self.component));
            } else {
                let value = expanded(&text(&entry["value"])?, &environment);
                ensure!(!value.contains("$("), "{name} of {}: {value}", self.component);
                environment.insert(name, value);
            }
        }
        Ok(environment)
    }

    /// Its ports, by name.
    pub fn ports(&self) -> Result<BTreeMap<String, u16>> {
        let ports = self.spec["ports"].as_sequence().into_iter().flatten();
        ports
            .map(|port| Ok((text(&port["name"])?, u16::try_from(port["containerPort"].as_u64().context("a port")?)?)))
            .collect()
    }

    /// What kubelet asks: path and port.
    pub fn probes(&self) -> Result<Vec<(String, u16)>> {
        let ports = self.ports()?;
        let probes = ["startupProbe", "livenessProbe", "readinessProbe"].map(|kind| &self.spec[kind]["httpGet"]);
        let probes = probes.into_iter().filter(|probe| !probe.is_null());
        probes
            .map(|probe| Ok((text(&probe["path"])?, *ports.get(&text(&probe["port"])?).context("a port of it")?)))
            .collect()
    }
}

/// A text of a resource.
pub fn text(value: &Value) -> Result<String> {
    Ok(value.as_str().with_context(|| format!("a text, not {value:?}"))?.to_owned())
}

fn expanded(text: &str, environment: &BTreeMap<String, String>) -> String {
    environment.iter().fold(text.to_owned(), |text, (name, value)| text.replace(&format!("$({name})"), value))
}
