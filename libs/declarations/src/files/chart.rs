//! What the chart knows of services: its templates range over them.

use std::collections::BTreeSet;

use super::{
    compose::{nats_url, secret},
    text::joined,
};
use crate::{Declaration, InContainers, Scales, Told, nats::Consumer};

/// Settings that every process reads.
const COMMON: [&str; 6] = [
    "ARMADA_CLOCK_TRUSTED",
    "ARMADA_DATABASE_MAX_CONNECTIONS",
    "ARMADA_LOG",
    "ARMADA_LOG_FORMAT",
    "ARMADA_SERVICE_KEY_SECONDS",
    "OTEL_EXPORTER_OTLP_ENDPOINT",
];
/// What `armada migrate` reads besides: how many copies of streams it makes.
const OF_MIGRATE: [&str; 1] = ["ARMADA_STREAM_REPLICAS"];
/// Secrets that it reads besides.
const SECRETS_OF_MIGRATE: [&str; 2] = ["ARMADA_SECRET_KEY", "ARMADA_SECRET_KEY_FORMER"];

/// `helm/armada/files/services.yaml`: every service by name.
pub fn services(services: &[&Declaration]) -> String {
    format!(
        "# Made of the declarations of the services (make gen).\ncommon:\n{}migrate:\n{}{}{}",
        list("settings", 2, COMMON.map(str::to_owned)),
        list("settings", 2, of_migrate(services, false, &OF_MIGRATE)),
        list("secrets", 2, of_migrate(services, true, &SECRETS_OF_MIGRATE)),
        services.iter().map(|service| facts(service)).collect::<String>(),
    )
}

/// `helm/armada/values.schema.json` with the settings that somebody may set, in the place of those it names. None when it has
/// no such place.
pub fn schema(before: &str, services: &[&Declaration]) -> Option<String> {
    let (head, rest) = before.split_once("\n    \"settings\": {\n")?;
    let (rules, rest) = rest.split_once("\n      \"properties\": {\n")?;
    let (_, tail) = rest.split_once("\n      }")?;
    let own = services.iter().flat_map(|service| told(service, false));
    let all = own.chain(of_migrate(services, false, &OF_MIGRATE)).chain(COMMON.map(str::to_owned));
    let all: BTreeSet<String> = all.collect();
    let types = "{\n          \"type\": [\n            \"string\",\n            \"number\",\n            \"boolean\"\n          ]\n        }";
    let properties = joined(all.iter().map(|name| format!("        \"{name}\": {types}")), ",\n");
    Some(format!("{head}\n    \"settings\": {{\n{rules}\n      \"properties\": {{\n{properties}\n      }}{tail}"))
}

fn of_migrate(services: &[&Declaration], is_secret: bool, besides: &[&str]) -> Vec<String> {
    let declared = services.iter().flat_map(|service| {
        let told = service.settings_told(Told::Migrate).filter(|setting| setting.is_secret() == is_secret);
        told.map(|setting| service.variable(setting))
    });
    declared.chain(besides.iter().map(|name| (*name).to_owned())).collect()
}

/// What a service is told.
fn told(service: &Declaration, is_secret: bool) -> Vec<String> {
    let own =
        service.settings.iter().filter(|setting| setting.is_secret() == is_secret && setting.told != Told::Migrate);
    let own = own.map(|setting| service.variable(setting));
    let shared = service.shared.iter().filter(|shared| shared.is_secret == is_secret);
    let shared = shared.filter(|shared| !matches!(shared.in_containers, InContainers::Always(_)));
    shared.map(|shared| shared.variable.to_owned()).chain(own).collect()
}

/// Names below a key, in their order.
fn list(key: &str, indent: usize, names: impl IntoIterator<Item = String>) -> String {
    let indent = " ".repeat(indent);
    let names: BTreeSet<String> = names.into_iter().collect();
    if names.is_empty() {
        return format!("{indent}{key}: []\n");
    }
    format!("{indent}{key}:\n{}", joined(names.iter().map(|name| format!("{indent}  - {name}\n")), ""))
}

fn facts(service: &Declaration) -> String {
    let nats = service.users.iter().enumerate().map(|(at, user)| {
        let (variable, password) = (nats_url(user, at == 0), user.password());
        format!("    - {{ variable: {variable}, user: {}, password: {password} }}\n", user.name)
    });
    let consumers = service.users.iter().flat_map(|user| user.streams).filter_map(|stream| match stream.consumer {
        Consumer::Durable { name, .. } => Some(format!("{{ stream: {}, durable: {name} }}", stream.name)),
        Consumer::None | Consumer::Ordered => None,
    });
    let secret = if service.vouches() { String::new() } else { format!("  secret: {}\n", secret(service)) };
    let scales = match service.scales {
        Scales::Cpu => "cpu",
        Scales::Partitions => "partitions",
    };
    let memory = match service.memory_mb {
        mb if mb % 1024 == 0 => format!("{}Gi", mb / 1024),
        mb => format!("{mb}Mi"),
    };
    format!(
        "{name}:\n  about: \"{about}\"\n  stores: {stores}\n  calls: [{calls}]\n  nats:\n{nats}{secret}{settings}{secrets}  \
         outside: {outside}\n  http: {http}\n  files: {files}\n  scales: {scales}\n  consumers: [{consumers}]\n  memory: {memory}\n",
        name = service.name,
        about = service.about,
        stores = service.stores,
        calls = joined(service.calls, ", "),
        nats = nats.collect::<String>(),
        settings = list("settings", 2, told(service, false)),
        secrets = list("secrets", 2, told(service, true)),
        outside = service.outside.is_some(),
        http = service.serves_http,
        files = service.keeps_files,
        consumers = joined(consumers, ", "),
    )
}
