//! Names that stand in the places of ids.

use std::collections::{BTreeSet, HashMap};

use armada_runtime::{Caller, Code, Error, Result, text::fold};
use serde_json::Value;
use uuid::Uuid;

use super::columns::CLEAR_MARK;
use crate::{clients::Clients, resources::imports::look_up};

/// The ids of names that were looked up, by the service that lists what has them.
#[derive(Debug, Default)]
pub struct Names(HashMap<(&'static str, String), LookupResult>);

/// What has a name.
type LookupResult = Result<String, &'static str>;

impl Names {
    /// The id of what has a name, or the code of why there is none.
    pub(super) fn id_of(&self, service: &'static str, name: &str) -> Result<String, &'static str> {
        self.0.get(&(service, name.to_owned())).cloned().unwrap_or(Err("unknown"))
    }

    /// Looks up all of these, each once. Names of what the caller may not list are unknown.
    pub(super) async fn find(
        &mut self,
        asked: Vec<(&'static str, &str)>,
        clients: &Clients,
        caller: &Caller,
        tenant: Option<&str>,
    ) -> Result<()> {
        let asked: BTreeSet<_> = asked.into_iter().filter(|(_, name)| is_name(name)).collect();
        for (service, name) in asked {
            let listed = look_up(service, clients, caller, name.to_owned(), tenant.map(str::to_owned)).await;
            let found = match listed.map_err(Error::from) {
                Ok(listed) => find_by_name(&listed, name),
                Err(error) if matches!(error.class, Code::Unavailable | Code::Internal) => return Err(error),
                Err(_) => Err("unknown"),
            };
            self.0.insert((service, name.to_owned()), found);
        }
        Ok(())
    }
}

fn is_name(cell: &str) -> bool {
    !cell.is_empty() && cell != CLEAR_MARK && Uuid::try_parse(cell).is_err()
}

/// What is called so, or else has a text that is so: an address, a number.
pub fn find_by_name(listed: &[Value], name: &str) -> LookupResult {
    let wanted = fold(name);
    let is_it = |value: &Value| value.as_str().is_some_and(|text| fold(text) == wanted);
    let called: Vec<_> = listed.iter().filter(|one| is_it(&one["name"])).collect();
    let known = |one: &&Value| one.as_object().is_some_and(|fields| fields.values().any(is_it));
    let found = if called.is_empty() { listed.iter().filter(known).collect() } else { called };
    match *found {
        [one] => one["id"].as_str().map(str::to_owned).ok_or("unknown"),
        [] => Err("unknown"),
        _ => Err("ambiguous"),
    }
}
