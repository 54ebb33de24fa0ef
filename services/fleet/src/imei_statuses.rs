//! Whether a tenant that names an IMEI gets its fixes at once, or has to wait until a platform owner has decided.

use std::collections::{HashMap, HashSet};

use armada_proto::{
    TenantId,
    v1::{ImeiClaimStatus, ImeiStatus, Tenant},
};
use armada_runtime::{Caller, Result, Scope};
use armada_track::Imei;
use futures::{StreamExt, stream};
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use crate::{
    devices::{Devices, NamedImei},
    entity::{device, imei_assignment, imei_binding, imei_claim},
};

/// Questions to NATS at a time.
const ASK_AT_ONCE: usize = 32;

impl Devices {
    /// What becomes of IMEIs that `caller` gives to devices of a tenant. That somebody else has one and that it was heard
    /// elsewhere come to the same, so that the answer tells nobody which trackers there are.
    pub(crate) async fn imei_statuses(
        &self,
        caller: &Caller,
        tenant: &Tenant,
        imeis: Vec<String>,
    ) -> Result<HashMap<String, NamedImei>> {
        // Whoever decides on claims need not make one. What somebody else has is refused to them as such.
        if caller.is_platform_owner() {
            return Ok(imeis.into_iter().map(|imei| (imei, ImeiStatus::Bound.into())).collect());
        }
        let tx = self.db.read(&Scope::Platform).await?;
        let (imei_statuses, had) = statuses_of_tables(&tx, tenant.id.parse()?, tenant.confirmed, &imeis).await?;
        tx.commit().await?;
        // Nobody has or had the others, or the tenant itself had them. That leaves where they were heard.
        let free: Vec<_> = imeis.into_iter().filter(|imei| !imei_statuses.contains_key(imei)).collect();
        let had = &had;
        let answers = stream::iter(free).map(|imei| async move {
            let is_guessable = is_guessable(&imei);
            // As it was bound before. A tenant's own gateways say whatever the tenant wants.
            let own_gateways = is_guessable && had.get(&imei).copied().unwrap_or(true);
            let bound = NamedImei { status: ImeiStatus::Bound, own_gateways };
            let named = match self.heard(tenant, &imei).await {
                Ok(Heard::Never) if !is_guessable || had.contains_key(&imei) => bound,
                Ok(Heard::ByOwn) => bound,
                Ok(Heard::Never | Heard::Elsewhere) => ImeiStatus::Pending.into(),
                Err(error) => {
                    tracing::warn!(%error, "cannot ask where an IMEI was heard; a platform owner has to decide");
                    ImeiStatus::Pending.into()
                }
            };
            (imei, named)
        });
        let mut imei_statuses: HashMap<_, NamedImei> =
            imei_statuses.into_iter().map(|(imei, status)| (imei, status.into())).collect();
        imei_statuses.extend(answers.buffer_unordered(ASK_AT_ONCE).collect::<Vec<_>>().await);
        Ok(imei_statuses)
    }

    /// Through which gateways an IMEI was heard.
    async fn heard(&self, tenant: &Tenant, imei: &str) -> Result<Heard> {
        let Some(heard) = self.heard_imeis.of(imei).await? else { return Ok(Heard::Never) };
        let is_complete = !heard.more_gateways && !heard.gateways.is_empty();
        let is_own = is_complete && self.gateways.are_all_of(tenant.id.parse()?, &heard).await?;
        Ok(if is_own { Heard::ByOwn } else { Heard::Elsewhere })
    }
}

/// Where an IMEI was heard while nobody had it.
enum Heard {
    Never,
    /// Through gateways alone that speak for this tenant alone.
    ByOwn,
    /// Through another one, too.
    Elsewhere,
}

/// Whether an identifier is none of a kind that is given to one device in the world, and hard to hit upon.
fn is_guessable(id: &str) -> bool {
    id.parse::<Imei>().map_or(true, Imei::is_of_one_digit)
}

/// What the tables say of IMEIs that a tenant names, what weighs more later; nothing of those that nobody has or had, and of
/// the guessable ones that the tenant had last only that it did, and whether for its own gateways alone.
async fn statuses_of_tables(
    tx: &DatabaseTransaction,
    tenant: TenantId,
    confirmed: bool,
    imeis: &[String],
) -> Result<(HashMap<String, ImeiStatus>, HashMap<String, bool>)> {
    let own = |own: bool| if own { ImeiStatus::Bound } else { ImeiStatus::Pending };
    let mut statuses = HashMap::with_capacity(imeis.len());
    let mut had = HashMap::new();
    // Nobody is trusted with what can be guessed.
    let (doubted, trusted): (Vec<_>, Vec<_>) = imeis.iter().partition(|imei| !confirmed || is_guessable(imei));
    statuses.extend(trusted.into_iter().map(|imei| (imei.clone(), ImeiStatus::Bound)));
    if !doubted.is_empty() {
        // Whoever had it last may have it back, however often it has spoken since, unless it can be guessed.
        let bindings = imei_binding::Entity::find().filter(imei_binding::Column::Imei.is_in(doubted.iter().copied()));
        let last = bindings.order_by_asc(imei_binding::Column::BoundUntil).all(tx).await?;
        had.extend(last.iter().map(|last| (last.imei.clone(), last.own_gateways)));
        statuses.extend(last.into_iter().map(|last| (last.imei, own(last.tenant_id == tenant))));
        let guessable = |imei: &str, status: &mut ImeiStatus| *status == ImeiStatus::Bound && is_guessable(imei);
        let again: HashSet<_> =
            statuses.extract_if(|imei, status| guessable(imei, status)).map(|(imei, _)| imei).collect();
        had.retain(|imei, _| again.contains(imei));
        let claimed = imei_claim::Entity::within(Scope::Platform)
            .select_only()
            .column(imei_claim::Column::Imei)
            .filter(imei_claim::Column::Imei.is_in(doubted))
            .filter(imei_claim::Column::Status.eq(ImeiClaimStatus::Waiting))
            .filter(imei_claim::Column::TenantId.ne(tenant))
            .filter(imei_claim::Column::DeviceId.not_in_subquery(device::Entity::hidden()));
        let claimed: Vec<String> = claimed.into_tuple().all(tx).await?;
        statuses.extend(claimed.into_iter().map(|imei| (imei, ImeiStatus::Pending)));
    }
    let promised = imei_assignment::Entity::find().filter(imei_assignment::Column::Imei.is_in(imeis)).all(tx).await?;
    statuses.extend(promised.into_iter().map(|promised| (promised.imei, own(promised.tenant_id == tenant))));
    let held = device::Entity::bound().select_only().column(device::Column::Imei);
    let held: Vec<String> = held.filter(device::Column::Imei.is_in(imeis)).into_tuple().all(tx).await?;
    statuses.extend(held.into_iter().map(|imei| (imei, ImeiStatus::Pending)));
    Ok((statuses, had))
}
