//! What users and tenants are called, for files: who reads one on paper cannot follow an id.

use std::collections::{BTreeSet, HashMap};

use armada_proto::v1::{ListTenantsRequest, ListUsersRequest};
use armada_runtime::Caller;
use tonic::Status;

use crate::edge::Clients;

/// How many are asked for at once; identity takes no more.
const AT_ONCE: u32 = 500;

/// Names by id.
#[derive(Default)]
pub(crate) struct Names(HashMap<String, String>);

impl Names {
    /// The name that belongs to an id, or else the id itself.
    pub(crate) fn of(&self, id: &str) -> String {
        self.0.get(id).map_or(id, String::as_str).to_owned()
    }
}

impl Clients {
    /// The names of users, for admins.
    pub(crate) async fn user_names(&self, caller: &Caller, ids: impl Iterator<Item = &str>) -> Result<Names, Status> {
        let mut names = Names::default();
        for ids in portions(ids) {
            let request = ListUsersRequest { page_size: AT_ONCE, ids, ..ListUsersRequest::default() };
            let users = self.users().list(caller.sign(request)).await?.into_inner().items;
            names.0.extend(users.into_iter().map(|user| (user.id, user.name)));
        }
        Ok(names)
    }

    /// The names of tenants, for platform owners.
    pub(crate) async fn tenant_names(&self, caller: &Caller, ids: impl Iterator<Item = &str>) -> Result<Names, Status> {
        let mut names = Names::default();
        for ids in portions(ids) {
            let request = ListTenantsRequest { page_size: AT_ONCE, ids, ..ListTenantsRequest::default() };
            let tenants = self.tenants().list(caller.sign(request)).await?.into_inner().items;
            names.0.extend(tenants.into_iter().map(|tenant| (tenant.id, tenant.name)));
        }
        Ok(names)
    }
}

/// Each id once, as many together as one request may name.
fn portions<'a>(ids: impl Iterator<Item = &'a str>) -> Vec<Vec<String>> {
    let ids: Vec<_> = ids.filter(|id| !id.is_empty()).collect::<BTreeSet<_>>().into_iter().collect();
    ids.chunks(AT_ONCE as usize).map(|ids| ids.iter().map(|id| (*id).to_owned()).collect()).collect()
}
