//! Trackers that speak while nobody has them: platform owners see all of them, a tenant those that came through its own
//! gateways alone, which it would know from these as well, whether another tenant has them or not.

mod cache;

use std::{cmp::Ordering, collections::HashMap};

use armada_proto::{
    TenantId, Timestamp,
    access::permission::DEVICE_LIST,
    v1::{HeardImei, HeardImeiList, ImeiHolder, ListHeardImeisRequest, heard_imeis_server},
};
use armada_runtime::{Caller, Database, Result, Scope, Validate, list::ListQuery};
use armada_track::{Imei, TrackerId, imei_digits};
use sea_orm::{ColumnTrait, Order, QueryFilter, QueryOrder};
use tonic::{Request, Response, Status};

pub use self::cache::HeardImeiCache;
use self::cache::{CachedImei, CachedImeis};
use crate::{
    entity::device,
    gateways::{Gateways, are_all_in},
};

/// The RPCs.
pub struct HeardImeis {
    pub(crate) db: Database,
    pub(crate) cache: HeardImeiCache,
    pub(crate) gateways: Gateways,
}

impl heard_imeis_server::HeardImeis for HeardImeis {
    async fn list(&self, request: Request<ListHeardImeisRequest>) -> Result<Response<HeardImeiList>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.page(&caller, request.into_inner()).await?))
    }
}

/// By what is sorted.
type Key = fn(&CachedImei) -> u64;

/// The names that may be sorted by.
const SORTABLE: &[(&str, Key)] = &[
    ("last_heard", |cached| cached.last.unsigned_abs()),
    ("first_heard", |cached| cached.first.unsigned_abs()),
    // Those that are alike in all else are in the order of their identifiers.
    ("imei", |_| 0),
    ("fixes", |cached| u64::from(cached.fixes)),
];

/// What is asked for.
struct Query<'a> {
    request: &'a ListHeardImeisRequest,
    /// What must be a part of the identifier.
    part: Part,
    key: Key,
    order: Order,
    /// The gateways of the tenant whose users look, with since when they are its; none for the whole platform.
    own: Option<HashMap<String, i64>>,
    /// That tenant.
    tenant: Option<TenantId>,
}

impl HeardImeis {
    async fn page(&self, caller: &Caller, mut request: ListHeardImeisRequest) -> Result<HeardImeiList> {
        request.validate().check()?;
        let ((_, key), order) = ListQuery::of(&request).sorted_by(SORTABLE)?;
        let scope = caller.narrow(request.tenant_id.as_deref())?;
        let own = match scope.tenant() {
            Some(tenant) => {
                let names = self.cache.read(CachedImeis::gateways).await?;
                Some(self.gateways.of(tenant, names.into_iter()).await?)
            }
            None => None,
        };
        let query =
            Query { request: &request, part: Part::of(&request.q), key: *key, order, own, tenant: scope.tenant() };
        let (items, total) = self.cache.read(|imeis| query.page(imeis)).await?;
        Ok(HeardImeiList { items: self.with_claimants(caller, scope, items).await?, total })
    }

    /// Adds which devices that the caller sees name them.
    async fn with_claimants(&self, caller: &Caller, scope: Scope, mut items: Vec<HeardImei>) -> Result<Vec<HeardImei>> {
        if items.is_empty() || !caller.can(DEVICE_LIST) {
            return Ok(items);
        }
        let tx = self.db.read(&scope).await?;
        let named = items.iter().map(|item| item.imei.as_str());
        let rows = device::Entity::visible_to(caller, scope).filter(device::Column::Imei.is_in(named));
        // Of several tenants that claim one, the first is named.
        let rows = rows.order_by_desc(device::Column::Id).all(&tx).await?;
        tx.commit().await?;
        let mut claimants: HashMap<String, ImeiHolder> =
            rows.into_iter().map(|row| (row.imei.clone(), holder(row))).collect();
        for item in &mut items {
            item.claimant = claimants.remove(&item.imei);
        }
        Ok(items)
    }
}

fn holder(row: device::Model) -> ImeiHolder {
    ImeiHolder { device_id: row.id.to_string(), device_name: row.name, tenant_id: row.tenant_id.to_string() }
}

/// A part of an identifier, as it was typed.
struct Part {
    /// Without separators, for IMEIs.
    digits: String,
    /// In small letters, for the others.
    folded: String,
}

impl Part {
    fn of(typed: &str) -> Self {
        Self { digits: imei_digits(typed), folded: typed.trim().to_ascii_lowercase() }
    }

    fn is_in(&self, id: TrackerId) -> bool {
        match id.as_imei() {
            Some(imei) => str::from_utf8(&imei.digits()).is_ok_and(|digits| digits.contains(&self.digits)),
            None => id.to_string().to_ascii_lowercase().contains(&self.folded),
        }
    }
}

impl Query<'_> {
    /// One page, and how many there are in all. Of many only those up to the end of the page are put in order.
    fn page(&self, imeis: &CachedImeis) -> (Vec<HeardImei>, u32) {
        let mut found: Vec<_> =
            imeis.listed_for(self.tenant).filter(|(imei, cached)| self.wants(*imei, cached)).collect();
        let total = u32::try_from(found.len()).unwrap_or(u32::MAX);
        let (offset, size) = ListQuery::of(self.request).window();
        let place = |place: u64| usize::try_from(place).unwrap_or(usize::MAX).min(found.len());
        let (from, to) = (place(offset), place(offset.saturating_add(size)));
        if to < found.len() {
            found.select_nth_unstable_by(to, |a, b| self.compare(*a, *b));
            found.truncate(to);
        }
        found.sort_unstable_by(|a, b| self.compare(*a, *b));
        (found.drain(from..).map(|(imei, cached)| message(imei, cached)).collect(), total)
    }

    fn wants(&self, imei: TrackerId, cached: &CachedImei) -> bool {
        let through = self.request.gateway.as_deref().filter(|name| !name.is_empty());
        self.part.is_in(imei)
            && through.is_none_or(|name| cached.gateways.iter().any(|gateway| **gateway == *name))
            && self.own.as_ref().is_none_or(|own| is_own(own, cached))
    }

    fn compare(&self, (a, cached_a): (TrackerId, &CachedImei), (b, cached_b): (TrackerId, &CachedImei)) -> Ordering {
        let (left, right) = (((self.key)(cached_a), a), ((self.key)(cached_b), b));
        if self.order == Order::Desc { right.cmp(&left) } else { left.cmp(&right) }
    }
}

/// Whether an IMEI came through these gateways alone, and they were the tenant's when it was heard first.
fn is_own(own: &HashMap<String, i64>, cached: &CachedImei) -> bool {
    let names = cached.gateways.iter().map(AsRef::as_ref);
    !cached.more_gateways && !cached.gateways.is_empty() && are_all_in(own, names, cached.first)
}

fn message(imei: TrackerId, cached: &CachedImei) -> HeardImei {
    HeardImei {
        imei: imei.to_string(),
        gateways: cached.gateways.iter().map(ToString::to_string).collect(),
        more_gateways: cached.more_gateways,
        first_heard: Some(Timestamp::from_millis(cached.first)),
        last_heard: Some(Timestamp::from_millis(cached.last)),
        fixes: cached.fixes,
        check_digit_ok: imei.as_imei().is_none_or(Imei::check_digit_ok),
        claimant: None,
    }
}
