//! Who may share what now: a link shows no more than what its maker may see and share at that moment.

use std::collections::HashSet;

use armada_proto::{TenantId, UserId, access::permission as p};
use armada_runtime::{Caller, auth::Rights};

use crate::members;

/// What the maker of a link must be allowed, for it to show anything.
const NEEDED: [&str; 3] = [p::DEVICE_LIST, p::POSITION_LIVE, p::SHARE_LINK_CREATE];

/// Whose devices a link may show.
#[derive(Debug, Clone, Copy)]
pub(super) enum Sharer {
    /// Somebody who may share all of the tenant.
    Admin,
    /// Somebody who may share what they own.
    Owner(UserId),
}

/// Those who have made links, as far as they may share now.
#[derive(Debug, Default)]
pub(crate) struct Sharers {
    /// All of their tenant.
    pub(super) admins: HashSet<UserId>,
    /// What they own.
    pub(super) owners: HashSet<UserId>,
    /// All of every active tenant.
    pub(super) platform: HashSet<UserId>,
    /// Tenants that are active, of those of the links that [`Sharers::platform`] has made.
    pub(super) active: HashSet<TenantId>,
}

impl Sharer {
    pub(super) fn of(caller: &Caller) -> Self {
        members::limited_user(caller).map_or(Self::Admin, Self::Owner)
    }
}

/// Whether a link of somebody with these rights shows anything.
pub(super) fn may_share(rights: &Rights) -> bool {
    NEEDED.iter().all(|key| rights.allow(key))
}
