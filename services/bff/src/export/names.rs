//! What users and tenants are called, for files: who reads one on paper cannot follow an id.

use std::collections::{BTreeSet, HashMap};

use armada_proto::{
    access::permission,
    v1::{ListTenantsRequest, ListUsersRequest},
};
use armada_runtime::{Caller, Scope};
use tonic::Status;

use crate::clients::Clients;

/// How many are asked for at once; identity takes no more.
const AT_ONCE: u32 = 500;

/// Whose names stand for ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NamesOf {
    /// For those who may list users.
    Users,
    /// For platform owners.
    Tenants,
}

impl NamesOf {
    /// Whether a caller may know them.
    pub(crate) fn are_for(self, caller: &Caller) -> bool {
        match self {
            Self::Users => caller.can(permission::USER_LIST),
            Self::Tenants => caller.scope() == Scope::Platform,
        }
    }
}

/// Names by id.
#[derive(Debug, Default)]
pub struct Names(HashMap<String, String>);

impl Names {
    /// The name that belongs to an id, or else the id itself.
    pub(crate) fn of<'a>(&'a self, id: &'a str) -> &'a str {
        self.0.get(id).map_or(id, String::as_str)
    }

    /// Asks for the names of these.
    pub(crate) async fn add<'a>(
        &mut self,
        names_of: NamesOf,
        ids: impl Iterator<Item = &'a str>,
        clients: &Clients,
        caller: &Caller,
    ) -> Result<(), Status> {
        for ids in portions(ids) {
            match names_of {
                NamesOf::Users => {
                    let request = ListUsersRequest { page_size: AT_ONCE, ids, ..ListUsersRequest::default() };
                    let users = clients.users().list(caller.sign(request)).await?.into_inner().items;
                    self.0.extend(users.into_iter().map(|user| (user.id, user.name)));
                }
                NamesOf::Tenants => {
                    let request = ListTenantsRequest { page_size: AT_ONCE, ids, ..ListTenantsRequest::default() };
                    let tenants = clients.tenants().list(caller.sign(request)).await?.into_inner().items;
                    self.0.extend(tenants.into_iter().map(|tenant| (tenant.id, tenant.name)));
                }
            }
        }
        Ok(())
    }
}

/// Each id once, as many together as one request may name.
fn portions<'a>(ids: impl Iterator<Item = &'a str>) -> Vec<Vec<String>> {
    let ids: Vec<_> = ids.filter(|id| !id.is_empty()).collect::<BTreeSet<_>>().into_iter().collect();
    ids.chunks(AT_ONCE as usize).map(|ids| ids.iter().map(|id| (*id).to_owned()).collect()).collect()
}
