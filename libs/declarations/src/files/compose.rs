//! The containers of `docker-compose.yml`: one for each service, and what the others know of them.

use super::text::{joined, wrapped};
use crate::{
    Declaration, InContainers, Told,
    nats::{Account, User},
    variables::in_variables,
};

/// What follows the name of a variable that `.env` must set.
const ASKED: &str = ":?deploy/make-env writes one into .env";

/// The parts of `docker-compose.yml`.
pub fn parts(services: &[&Declaration]) -> Vec<(&'static str, String)> {
    let passwords = stored(services).map(|service| asked(&database_password(service), 6)).collect();
    let logins = logins(services).iter().map(|user| asked(&user.password(), 6)).collect();
    vec![
        ("database-passwords", passwords),
        ("nats-passwords", logins),
        ("migrate", migrate(services)),
        ("services", services.iter().map(|service| container(service, services)).collect()),
    ]
}

/// Those of `deploy/compose.backup.yaml`: a restore makes streams, as `migrate` does.
pub fn backup_parts(services: &[&Declaration]) -> Vec<(&'static str, String)> {
    let streams = services.iter().flat_map(|service| {
        let told = service.settings_told(Told::Migrate).filter(|setting| !setting.is_secret());
        told.map(|setting| optional(&service.variable(setting), "", 6))
    });
    vec![("service-secrets", secrets(services)), ("streams", streams.collect())]
}

/// The services that have a schema.
pub fn stored<'a>(services: &'a [&'a Declaration]) -> impl Iterator<Item = &'a &'a Declaration> {
    services.iter().filter(|service| service.stores)
}

/// Users of NATS, one for each password.
pub fn logins<'a>(services: &'a [&'a Declaration]) -> Vec<&'a User> {
    let mut logins: Vec<&User> = Vec::new();
    for user in services.iter().flat_map(|service| service.users) {
        if !logins.iter().any(|other| other.login == user.login) {
            logins.push(user);
        }
    }
    logins
}

/// The variable with the password of the service's role in the database.
pub fn database_password(service: &Declaration) -> String {
    format!("ARMADA_{}_PASSWORD", service.in_variables())
}

/// The variable with what the service shares with identity.
pub fn secret(service: &Declaration) -> String {
    format!("{}_SECRET_KEY", service.in_variables())
}

/// The variable with the address and login of one of its users.
pub fn nats_url(user: &User, is_own: bool) -> String {
    match is_own {
        true => "ARMADA_NATS_URL".to_owned(),
        false => format!("ARMADA_NATS_URLS__{}", in_variables(user.name)),
    }
}

fn asked(variable: &str, indent: usize) -> String {
    format!("{}{variable}: ${{{variable}{ASKED}}}\n", " ".repeat(indent))
}

fn optional(variable: &str, otherwise: &str, indent: usize) -> String {
    format!("{}{variable}: ${{{variable}:-{otherwise}}}\n", " ".repeat(indent))
}

/// What services share with identity, for who knows all of it.
fn secrets(services: &[&Declaration]) -> String {
    let others = services.iter().filter(|service| !service.vouches());
    let line = |service: &&Declaration| {
        format!("      ARMADA_SERVICE_SECRETS__{}: ${{{}{ASKED}}}\n", service.in_variables(), secret(service))
    };
    others.map(line).collect()
}

fn migrate(services: &[&Declaration]) -> String {
    let told = services.iter().flat_map(|service| {
        service
            .settings_told(Told::Migrate)
            .map(|setting| optional(&service.variable(setting), setting.in_containers, 6))
    });
    told.chain([secrets(services)]).collect()
}

fn container(service: &Declaration, services: &[&Declaration]) -> String {
    let name = service.name;
    let about = wrapped(service.about.split(' '), "  # ", 118);
    let environment = environment(service, services);
    let volumes = if service.keeps_files { "    volumes:\n      - files:/files\n" } else { "" };
    let browsers = match service.serves_http {
        true => {
            "    ports:\n      - \"${ARMADA_HTTP_LISTEN:-127.0.0.1:8080}:8080\"\n    \
             # Files of people wait there until they are whole and read; it counts as memory.\n    \
             tmpfs: [\"/tmp:size=256m,mode=1777\"]\n"
        }
        false => "",
    };
    let outside = service.outside.map(|outside| format!("    # Outwards, too: to {outside}.\n")).unwrap_or_default();
    let networks =
        [(service.stores, "storage"), (true, "bus"), (service.outside.is_some() || service.serves_http, "edge")];
    let networks = joined(networks.into_iter().filter(|(is, _)| *is).map(|(_, name)| name), ", ");
    let memory = match service.memory_mb {
        mb if mb % 1024 == 0 => format!("{}g", mb / 1024),
        mb => format!("{mb}m"),
    };
    format!(
        "{about}  {name}:\n    <<: *armada\n    command: [\"run\", \"--only\", \"{name}\", \"--wait\", \"60\"]\n    \
         environment:\n      <<: *environment\n{environment}{volumes}{browsers}{outside}    networks: [{networks}]\n    \
         depends_on:{needs}    healthcheck: *health\n    mem_limit: {memory}\n\n",
        needs = needs(service),
    )
}

/// What must be there before it starts.
fn needs(service: &Declaration) -> String {
    if service.stores && !service.keeps_files {
        return " *needs\n".to_owned();
    }
    let healthy = "{ condition: service_healthy }";
    let completed = "{ condition: service_completed_successfully }";
    let needs = [
        (true, "migrate", completed),
        (service.stores, "postgres", healthy),
        (true, "nats", healthy),
        (service.keeps_files, "files-volume", completed),
    ];
    let lines = needs.iter().filter(|(is, ..)| *is).map(|(_, name, condition)| format!("      {name}: {condition}\n"));
    format!("\n{}", lines.collect::<String>())
}

fn environment(service: &Declaration, services: &[&Declaration]) -> String {
    let mut lines = String::new();
    if service.stores {
        let (role, password) = (service.section(), database_password(service));
        lines += &format!("      DATABASE_URL: postgres://armada_{role}:${{{password}{ASKED}}}@postgres:5432/armada\n");
    }
    for (at, user) in service.users.iter().enumerate() {
        let (variable, name, password) = (nats_url(user, at == 0), user.name, user.password());
        lines += &format!("      {variable}: nats://{name}:${{{password}{ASKED}}}@nats:4222\n");
    }
    if service.vouches() {
        lines += "      # It vouches for the keys of every service; each of the others knows its own secret alone.\n";
        lines += &secrets(services);
    } else {
        lines += &format!("      ARMADA_SERVICE_SECRET: ${{{}{ASKED}}}\n", secret(service));
    }
    for peer in service.calls {
        lines += &format!("      ARMADA_PEERS__{}: http://{peer}:8082\n", in_variables(peer));
    }
    for shared in service.shared {
        lines += &match shared.in_containers {
            InContainers::Asked => asked(shared.variable, 6),
            InContainers::Default(otherwise) => optional(shared.variable, otherwise, 6),
            InContainers::Always(value) => format!("      {}: {value}\n", shared.variable),
        };
    }
    for setting in service.settings_told(Told::Service) {
        let variable = service.variable(setting);
        lines += &match is_made(service, setting.key) {
            true => asked(&variable, 6),
            false => optional(&variable, setting.in_containers, 6),
        };
    }
    lines
}

/// Whether `deploy/make-env` makes it: the other half of what the NATS server knows gateways by.
pub fn is_made(service: &Declaration, key: &str) -> bool {
    service.users.iter().any(|user| user.account == Account::System) && key == "gateway_issuer_seed"
}
