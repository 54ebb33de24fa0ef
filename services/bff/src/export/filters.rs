//! What a list was narrowed to, in words, for who reads the file on paper.

use armada_proto::{
    Timestamp,
    access::permission,
    v1::{Empty, GetRequest},
};
use armada_runtime::{Caller, Scope};
use chrono::DateTime;
use tonic::Status;

use super::{
    names::{Names, NamesOf},
    table::{Export, Exported},
};
use crate::{
    clients::Clients,
    http::{
        language::{self, Language},
        query::{Given, Kind},
    },
};

/// What pages and orders a list, and what the tenant's own line says.
pub const NO_FILTERS: [&str; 5] = ["page", "page_size", "sort", "after", "tenant_id"];
/// Filters by ids of users.
const BY_USER: [&str; 3] = ["userIds", "actor_id", "ids"];

/// The filter by ids of roles.
const BY_ROLE: &str = "role_id";

/// Whose data it is, behind the word for it; nobody's where tenants themselves are listed. Nobody of a tenant calls theirs so.
pub(super) async fn tenant<T: Exported>(
    export: &Export<T>,
    clients: &Clients,
    caller: &Caller,
) -> Result<Option<(&'static str, String)>, Status> {
    if caller.scope() != Scope::Platform {
        let me = clients.sessions().me(caller.sign(Empty {})).await?.into_inner();
        return Ok(me.tenant_name.map(|name| ("company", name)));
    }
    let asked = export.given.iter().find(|given| given.name == "tenant_id").and_then(|given| given.values.first());
    match asked {
        Some(id) => {
            let mut names = Names::default();
            names.add(NamesOf::Tenants, [id.as_str()].into_iter(), clients, caller).await?;
            Ok(Some(("tenant", names.of(id).to_owned())))
        }
        None if T::SUBJECT == "tenants" => Ok(None),
        None => Ok(Some(("tenant", language::word(export.language, T::SUBJECT, "all_tenants")))),
    }
}

/// Each filter with its values, e.g. `Status: Active`.
pub(super) async fn words<T: Exported>(
    export: &Export<T>,
    clients: &Clients,
    caller: &Caller,
) -> Result<Vec<String>, Status> {
    let mut words = Vec::new();
    for given in export.given.iter().filter(|given| !NO_FILTERS.contains(&given.name)) {
        let by_user = BY_USER.contains(&given.name) && (given.name != "ids" || T::SUBJECT == "users");
        let ids = || given.values.iter().map(String::as_str);
        let values: Vec<_> = if by_user && NamesOf::Users.are_for(caller) {
            let mut names = Names::default();
            names.add(NamesOf::Users, ids(), clients, caller).await?;
            ids().map(|id| names.of(id).to_owned()).collect()
        } else if given.name == BY_ROLE && caller.can(permission::ROLE_LIST) {
            role_names(clients, caller, ids()).await
        } else {
            ids().map(|value| self::value(export, given, value)).collect()
        };
        words.push(format!("{}: {}", name(export.language, T::SUBJECT, given.name), values.join(", ")));
    }
    Ok(words)
}

/// What roles are called; one that is not there any more stays an id.
async fn role_names(clients: &Clients, caller: &Caller, ids: impl Iterator<Item = &str>) -> Vec<String> {
    let mut names = Vec::new();
    for id in ids {
        let role = clients.roles().get(caller.sign(GetRequest { id: id.to_owned() })).await;
        names.push(role.map_or_else(|_| id.to_owned(), |role| role.into_inner().name));
    }
    names
}

/// What a filter is called: as it is said of filters, or else like its column.
fn name(language: Language, subject: &str, name: &str) -> String {
    let special = language::known_word(language, "filter", name);
    special.map_or_else(|| language::word(language, subject, name), str::to_owned)
}

fn value<T: Exported>(export: &Export<T>, given: &Given, value: &str) -> String {
    match given.kind {
        Kind::Choice(_) | Kind::Choices(_) => language::choice(export.language, T::SUBJECT, given.name, value),
        Kind::Text | Kind::Texts { .. } => {
            language::known_code(export.language, T::SUBJECT, given.name, value).unwrap_or(value).to_owned()
        }
        Kind::Flag => language::word(export.language, T::SUBJECT, if value == "true" { "yes" } else { "no" }),
        Kind::Time => {
            let millis = Timestamp::parse_rfc3339(&value.replace(' ', "+")).map(Timestamp::millis);
            let time = millis.and_then(DateTime::from_timestamp_millis).map(|time| time.with_timezone(&export.zone));
            time.map_or_else(|| value.to_owned(), |time| time.format("%Y-%m-%d %H:%M:%S").to_string())
        }
        Kind::Number { .. } => value.to_owned(),
    }
}
