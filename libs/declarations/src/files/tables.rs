//! Lines of scripts and of what watches services, and the tables of documents.

use super::{compose::stored, text::joined};
use crate::{
    Declaration,
    nats::{Access, Account, Consumer, Reads, User},
};

/// The line of `deploy/postgres/roles.sh` with the roles that it makes.
pub fn roles_in_shell(services: &[&Declaration]) -> String {
    format!("services=\"{}\"\n", joined(stored(services).map(|service| service.section()), " "))
}

/// The admin ports that Prometheus asks.
pub fn scrape_targets(services: &[&Declaration]) -> String {
    let targets = joined(services.iter().map(|service| format!("\"{}:8081\"", service.name)), ", ");
    format!("      - targets: [{targets}]\n")
}

/// The tables of `docs/SECURITY.md`: who may write what in NATS, and in the database.
pub fn security(services: &[&Declaration]) -> Vec<(&'static str, String)> {
    let users = services.iter().flat_map(|service| service.users).map(rights);
    let nats =
        "| user | writes | reads | answers come to |\n|---|---|---|---|\n".to_owned() + &users.collect::<String>();
    vec![("nats-users", nats), ("database-roles", database_roles(services))]
}

/// The tables of `docs/OPERATIONS.md`: containers, and logins of the database.
pub fn operations(services: &[&Declaration]) -> Vec<(&'static str, String)> {
    let head = "| container | runs | reaches |\n|---|---|---|\n".to_owned();
    let rows = services.iter().map(|service| {
        let networks = [(service.stores, "storage"), (true, "bus"), (service.serves_http, "edge")];
        let mut reaches = joined(networks.into_iter().filter(|(is, _)| *is).map(|(_, name)| name), ", ");
        if let Some(outside) = service.outside {
            reaches += &format!("; edge for {outside}");
        }
        let port = if service.serves_http { ", on port 8080" } else { "" };
        format!("| `{name}` | `armada run --only {name}`{port} | {reaches} |\n", name = service.name)
    });
    let roles = joined(roles(services), ", ");
    let made = joined(stored(services).map(|service| format!("CREATE ROLE armada_{};", service.section())), " ");
    vec![
        ("containers", head + &rows.collect::<String>()),
        ("grant", format!("    GRANT {roles} TO <login>;\n")),
        ("make-roles", format!("    {made}\n    GRANT {roles} TO <login>;\n")),
        ("stop", format!("    docker compose stop {}\n", joined(services.iter().map(|service| service.name), " "))),
    ]
}

fn roles<'a>(services: &'a [&'a Declaration]) -> impl Iterator<Item = String> {
    stored(services).map(|service| format!("armada_{}", service.section()))
}

fn rights(user: &User) -> String {
    let place = match user.account {
        Account::Services => "",
        Account::Gateways => ", in the account of gateways",
        Account::System => ", in the server's own account",
    };
    let writes = match user.never_publishes {
        [] => code(user.publishes.iter().copied()),
        never => format!("everything but {}", code(never.iter().copied())),
    };
    let owned = user.buckets.iter().filter(|bucket| bucket.writes.is_some()).map(|bucket| bucket.name);
    let purged = user.streams.iter().filter(|stream| stream.more.contains(&Access::Purge)).map(|stream| stream.name);
    let writes = cell(&[("", writes), ("the buckets ", code(owned)), ("removes from ", joined(purged, ", "))]);
    let read = user.buckets.iter().filter(|bucket| bucket.reads != Reads::Nothing).map(|bucket| bucket.name);
    let streams = user.streams.iter().map(|stream| match stream.consumer {
        Consumer::Durable { name, .. } => format!("{} (as `{name}`)", stream.name),
        _ => stream.name.to_owned(),
    });
    let reads = cell(&[
        ("", code(user.hears.iter().copied())),
        ("the streams ", joined(streams, ", ")),
        ("the buckets ", code(read)),
    ]);
    format!("| `{}`{place} | {writes} | {reads} | `{}` |\n", user.name, user.inbox())
}

fn cell(parts: &[(&str, String)]) -> String {
    let parts = parts.iter().filter(|(_, what)| !what.is_empty()).map(|(begin, what)| format!("{begin}{what}"));
    Some(joined(parts, "; ")).filter(|text| !text.is_empty()).unwrap_or_else(|| "nothing".to_owned())
}

fn code<'a>(names: impl Iterator<Item = &'a str>) -> String {
    joined(names.map(|name| format!("`{name}`")), ", ")
}

fn database_roles(services: &[&Declaration]) -> String {
    let schemas = joined(stored(services).map(|service| format!(" schema `{}` |", service.name)), "");
    let every = |cell: &dyn Fn(&Declaration) -> String| {
        joined(stored(services).map(|service| format!(" {} |", cell(service))), "")
    };
    let mut table = format!("| role |{schemas}\n|---|{}\n", every(&|_| "---".to_owned()).replace(' ', ""));
    table += &format!("| `armada_owner` (`armada migrate` alone) |{}\n", every(&|_| "owns".to_owned()));
    for role in stored(services) {
        let rows = every(&|schema| if schema.name == role.name { "rows" } else { "–" }.to_owned());
        table += &format!("| `armada_{}` |{rows}\n", role.section());
    }
    let tools = every(&|schema| format!("as `armada_{}`", schema.section()));
    table + &format!("| `armada_app` (tools, one process for all) |{tools}\n")
}
