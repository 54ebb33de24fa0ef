//! Names that stand in the places of ids.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use armada_runtime::{
    Caller, Code, Error, Result,
    text::{fold, look_alike},
};
use serde_json::Value;
use uuid::Uuid;

use super::columns::CLEAR_MARK;
use crate::{clients::Clients, resources::imports::look_up};

/// Names of one request.
const NAMES_MAX: usize = 500;
/// Pages of a list in which names are looked for that look alike: what is behind them is not found so.
const PAGES_MAX: u32 = 20;
/// Nothing has a longer name: so long ones are unknown without being asked for.
const NAME_BYTES_MAX: usize = 2_000;
/// What something is known by besides its name.
const KNOWN_BY: [&str; 7] = ["label", "vehicle_code", "imei", "sim_number", "email", "phone", "identification"];

/// The ids of names that were looked up, by the service that lists what has them and by the folded name.
#[derive(Debug, Default)]
pub struct Names {
    known: HashMap<(&'static str, String), LookupResult>,
    /// The ids of what was made, by names that look alike.
    made: HashMap<(&'static str, String), String>,
    /// What the caller may not list: nobody knows what is there.
    unlisted: HashSet<&'static str>,
}

/// What has a name.
type LookupResult = Result<String, &'static str>;

impl Names {
    /// The id of what has a name, or the code of why there is none.
    pub(super) fn id_of(&self, service: &'static str, name: &str) -> Result<String, &'static str> {
        match self.known.get(&(service, fold(name))) {
            Some(found) if *found != Err("unknown") => found.clone(),
            _ => self.made.get(&(service, look_alike(name))).cloned().ok_or("unknown"),
        }
    }

    /// Whether it can be told that there is nothing of a name.
    pub(super) fn is_listed(&self, service: &'static str) -> bool {
        !self.unlisted.contains(service)
    }

    /// What has a name by now, and names that look alike.
    pub(super) fn learn(&mut self, service: &'static str, name: &str, id: &str) {
        self.made.insert((service, look_alike(name)), id.to_owned());
    }

    /// Looks up all of these, many at a time. Names of what the caller may not list are unknown.
    pub(super) async fn find(
        &mut self,
        asked: Vec<(&'static str, String)>,
        clients: &Clients,
        caller: &Caller,
        tenant: Option<&str>,
    ) -> Result<()> {
        let mut by_service = BTreeMap::<_, BTreeSet<_>>::new();
        for (service, name) in asked.iter().filter(|(_, name)| is_name(name)) {
            by_service.entry(*service).or_default().insert(name.as_str());
        }
        for (service, names) in by_service {
            let names: Vec<_> = names.into_iter().collect();
            let mut rest: Vec<_> = names.chunks(NAMES_MAX).collect();
            while let Some(names) = rest.pop() {
                let wanted = names.iter().map(|name| (*name).to_owned()).collect();
                let listed = look_up(service, clients, caller, wanted, 1, tenant.map(str::to_owned)).await;
                let known = match listed.map_err(Error::from) {
                    // So many things have these names that one page does not have them all.
                    Ok((listed, total)) if listed.len() < total as usize && names.len() > 1 => {
                        rest.extend(<[_; 2]>::from(names.split_at(names.len() / 2)));
                        continue;
                    }
                    Ok((listed, _)) => Known::new(&listed),
                    Err(error) if error.class == Code::Forbidden => {
                        self.unlisted.insert(service);
                        break;
                    }
                    Err(error) => return Err(error),
                };
                self.known.extend(names.iter().map(|name| ((service, fold(name)), known.find(name))));
            }
        }
        Ok(())
    }

    /// Looks in all that a service lists for what looks like these names, of which nothing is called exactly.
    pub(super) async fn find_alike(
        &mut self,
        service: &'static str,
        asked: &BTreeSet<&str>,
        clients: &Clients,
        caller: &Caller,
        tenant: Option<&str>,
    ) -> Result<()> {
        let is_unknown =
            |name: &&&str| is_name(name) && self.known.get(&(service, fold(name))) == Some(&Err("unknown"));
        let unknown: Vec<_> = asked.iter().filter(is_unknown).collect();
        if unknown.is_empty() || !self.is_listed(service) {
            return Ok(());
        }
        let mut all = Vec::new();
        for page in 1..=PAGES_MAX {
            let listed = look_up(service, clients, caller, Vec::new(), page, tenant.map(str::to_owned)).await;
            let (listed, total) = listed.map_err(Error::from)?;
            let is_last = listed.is_empty();
            all.extend(listed);
            if is_last || all.len() >= total as usize {
                break;
            }
        }
        let known = Known::new(&all);
        self.known.extend(unknown.into_iter().map(|name| ((service, fold(name)), known.find_alike(name))));
        Ok(())
    }
}

fn is_name(cell: &str) -> bool {
    !cell.is_empty() && cell.len() <= NAME_BYTES_MAX && cell != CLEAR_MARK && Uuid::try_parse(cell).is_err()
}

/// What was listed, by its name and by what else it is known by, folded.
#[derive(Debug, Default)]
pub struct Known {
    by_name: HashMap<String, LookupResult>,
    by_other: HashMap<String, LookupResult>,
    /// By names and labels that look alike.
    alike: HashMap<String, LookupResult>,
}

impl Known {
    /// Of what was listed, as JSON.
    pub fn new(listed: &[Value]) -> Self {
        let mut known = Self::default();
        for one in listed {
            let id = one["id"].as_str().unwrap_or_default();
            let of = |field: &&str| one[*field].as_str().filter(|text| !text.is_empty()).map(fold);
            one_more(&mut known.by_name, of(&"name"), id);
            let others: BTreeSet<_> = KNOWN_BY.iter().filter_map(of).collect();
            others.into_iter().for_each(|other| one_more(&mut known.by_other, Some(other), id));
            let names: BTreeSet<_> = ["name", "label"].iter().filter_map(of).map(|name| look_alike(&name)).collect();
            names.into_iter().for_each(|name| one_more(&mut known.alike, Some(name), id));
        }
        known
    }

    /// The id of what is called so, or else is known by that; the code of why there is none.
    pub fn find(&self, name: &str) -> LookupResult {
        let name = fold(name);
        self.by_name.get(&name).or_else(|| self.by_other.get(&name)).cloned().unwrap_or(Err("unknown"))
    }

    /// The id of the only one whose name looks like this; the code of why there is none.
    pub fn find_alike(&self, name: &str) -> LookupResult {
        self.alike.get(&look_alike(name)).cloned().unwrap_or(Err("unknown"))
    }
}

fn one_more(known: &mut HashMap<String, LookupResult>, name: Option<String>, id: &str) {
    let Some(name) = name else { return };
    known.entry(name).and_modify(|found| *found = Err("ambiguous")).or_insert_with(|| Ok(id.to_owned()));
}
