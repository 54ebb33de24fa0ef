//! What a bulk act is done to, looked up in the list of its resource.

use std::collections::HashSet;

use armada_proto::ResourceMessage;
use sea_orm::{ColumnTrait, QueryFilter};
use uuid::Uuid;

use crate::{
    auth::Caller,
    error::{Error, Result},
    list::ListQuery,
    resource::{self, Resource, Row},
};

/// What one job is done to at most.
pub const ITEMS_MAX: usize = 100_000;

/// Ids of one query.
const CHUNK: usize = 500;

/// A thing that an act is done to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Target {
    /// Its id, as the methods of its resource are asked.
    pub(super) id: String,
    /// Its name now.
    pub(super) name: String,
    /// Whose it is; none for what belongs to no tenant.
    pub(super) tenant: Option<armada_proto::TenantId>,
    /// What is done to it, where that is not the same for all.
    pub(super) own: Option<Own>,
    /// What was wrong with it before it became an item, as it is stored: it has failed, unless it is tried to find out what
    /// else is.
    pub(super) wrong: Option<Vec<u8>>,
}

/// What is done to one thing alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Own {
    /// The path of the method.
    pub(super) method: &'static str,
    /// Its whole request.
    pub(super) request: Vec<u8>,
}

impl Target {
    fn of<R: Resource>(row: R::Row) -> Self {
        let (id, tenant) = (row.id().to_string(), row.tenant());
        let message: R::Message = row.into();
        Self { id, name: message.name().to_owned(), tenant, own: None, wrong: None }
    }
}

/// All that a request for a list shows, in its order, whatever its page: each once, also when it moves in the order
/// meanwhile.
pub(super) async fn listed<R: Resource>(resource: &R, caller: &Caller, mut request: R::Request) -> Result<Vec<Target>> {
    let (scope, rows) = resource::requested(resource, caller, &mut request).await?;
    let mut all = R::LIST.export(resource.db(), scope, rows, ListQuery::of(&request)).await?;
    let (mut found, mut ids) = (Vec::new(), HashSet::new());
    while let Some(rows) = all.next().await? {
        found.extend(rows.into_iter().filter(|row| ids.insert(row.id())).map(Target::of::<R>));
        if found.len() > ITEMS_MAX {
            return Err(Error::field("filter", "too_many"));
        }
    }
    Ok(found)
}

/// What a caller can name of these.
pub(super) async fn named<R: Resource>(resource: &R, caller: &Caller, ids: &[String]) -> Result<Vec<Target>> {
    let tx = resource.db().read(&caller.scope()).await?;
    let mut found = Vec::with_capacity(ids.len());
    for ids in ids.chunks(CHUNK) {
        let ids = ids.iter().filter_map(|id| Uuid::try_parse(id).ok());
        let rows = R::reachable(caller).filter(R::LIST.id.is_in(ids)).all(&tx).await?;
        found.extend(rows.into_iter().map(Target::of::<R>));
    }
    Ok(found)
}
