//! What the templates of the chart know of services.

use super::{
    compose::{nats_url, secret},
    text::joined,
};
use crate::{Declaration, InContainers, Scales, Told, nats::Consumer};

/// Settings that every process reads.
const COMMON: [&str; 6] = [
    "ARMADA_LOG",
    "ARMADA_LOG_FORMAT",
    "ARMADA_SERVICE_KEY_SECONDS",
    "ARMADA_DATABASE_MAX_CONNECTIONS",
    "ARMADA_CLOCK_TRUSTED",
    "OTEL_EXPORTER_OTLP_ENDPOINT",
];

/// `helm/armada/files/services.yaml`: every service by name.
pub fn services(services: &[&Declaration]) -> String {
    let mut text = "# Made of the declarations of the services (make gen).\ncommon:\n".to_owned();
    text += &format!("  settings: [{}]\n", joined(COMMON, ", "));
    let migrate = |is_secret: bool| {
        let settings = services.iter().flat_map(|service| {
            let told = service.settings_told(Told::Migrate).filter(move |setting| setting.is_secret() == is_secret);
            told.map(|setting| service.variable(setting))
        });
        joined(settings, ", ")
    };
    text += &format!("migrate:\n  settings: [{}]\n  secrets: [{}]\nservices:\n", migrate(false), migrate(true));
    text + &services.iter().map(|service| facts(service)).collect::<String>()
}

fn facts(service: &Declaration) -> String {
    let told = |is_secret: bool| {
        let own = service.settings.iter().filter(move |setting| setting.is_secret() == is_secret);
        let own = own.filter(|setting| setting.told != Told::Migrate).map(|setting| service.variable(setting));
        let shared = service.shared.iter().filter(move |shared| shared.is_secret == is_secret);
        let shared = shared.filter(|shared| !matches!(shared.in_containers, InContainers::Always(_)));
        shared.map(|shared| shared.variable.to_owned()).chain(own).collect::<Vec<_>>()
    };
    let nats = service.users.iter().enumerate().map(|(at, user)| {
        let (variable, password) = (nats_url(user, at == 0), user.password());
        format!("      - {{ variable: {variable}, user: {}, password: {password} }}\n", user.name)
    });
    let consumers = service.users.iter().flat_map(|user| user.streams).filter_map(|stream| match stream.consumer {
        Consumer::Durable { name, .. } => Some(format!("{{ stream: {}, durable: {name} }}", stream.name)),
        _ => None,
    });
    let secret = if service.vouches() { String::new() } else { secret(service) };
    let scales = match service.scales {
        Scales::Cpu => "cpu",
        Scales::Partitions => "partitions",
    };
    let memory = match service.memory_mb {
        mb if mb % 1024 == 0 => format!("{}Gi", mb / 1024),
        mb => format!("{mb}Mi"),
    };
    format!(
        "  {name}:\n    about: \"{about}\"\n    stores: {stores}\n    calls: [{calls}]\n    nats:\n{nats}    \
         secret: \"{secret}\"\n    settings: [{settings}]\n    secrets: [{secrets}]\n    outside: {outside}\n    \
         http: {http}\n    files: {files}\n    scales: {scales}\n    consumers: [{consumers}]\n    memory: {memory}\n",
        name = service.name,
        about = service.about,
        stores = service.stores,
        calls = joined(service.calls, ", "),
        nats = nats.collect::<String>(),
        settings = joined(told(false), ", "),
        secrets = joined(told(true), ", "),
        outside = service.outside.is_some(),
        http = service.serves_http,
        files = service.keeps_files,
        consumers = joined(consumers, ", "),
    )
}
