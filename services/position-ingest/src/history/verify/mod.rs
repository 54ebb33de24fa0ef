//! Looking through everything that is stored. Reads alone, a page at a time, and may be done beside whoever writes.

mod block;
mod frames;
mod ledger;
mod report;

use std::collections::HashMap;

use armada_proto::{DeviceId, TenantId};
use armada_runtime::{Database, Error, Result, Scope};
use sea_orm::{
    ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::{Expr, ExprTrait},
};

use self::ledger::Ledger;
pub use self::report::{Problem, Totals, Verified, VerifyUpdate};
use crate::entity::{partition, track_block};

/// Blocks read at a time: each is some ten kilobytes.
const PAGE: u64 = 64;

/// Which blocks are looked at: all of them, unless named.
#[derive(Debug, Clone, Copy, Default)]
pub struct Which {
    /// Those of one tenant.
    pub tenant: Option<TenantId>,
    /// Those of one device.
    pub device: Option<DeviceId>,
}

impl Which {
    fn is_all(self) -> bool {
        self.tenant.is_none() && self.device.is_none()
    }
}

/// Looks through the blocks, and through the hot frames as well when all blocks are asked for. `report` is called with
/// every problem at once.
pub async fn verify(db: &Database, which: Which, mut report: impl FnMut(VerifyUpdate)) -> Result<Verified> {
    // Read before the blocks: of whoever is erased meanwhile there may be some.
    let ledger = Ledger::read(db).await?;
    let mut walk = Walk { ledger, verified: Verified::default(), last: None, newest: HashMap::new() };
    walk.blocks(db, which, &mut report).await?;
    walk.progress(db, &mut report).await?;
    let mut verified = walk.verified;
    if which.is_all() {
        verified.hot = Some(frames::verify(db, &mut report).await?);
    }
    Ok(verified)
}

struct Walk {
    ledger: Ledger,
    verified: Verified,
    /// The device of the last block.
    last: Option<(TenantId, DeviceId)>,
    /// Of each partition the block that was sealed last.
    newest: HashMap<i32, Place>,
}

impl Walk {
    /// The next page is read while this one is decoded.
    async fn blocks(&mut self, db: &Database, which: Which, report: &mut impl FnMut(VerifyUpdate)) -> Result<()> {
        let mut page = page(db, which, None).await?;
        let mut checked_blocks = 0;
        while let Some(after) = page.last().map(Place::of) {
            let checks = tokio::task::spawn_blocking(move || page.into_iter().map(checked).collect::<Vec<_>>());
            page = self::page(db, which, Some(after)).await?;
            for (place, size, wrong) in checks.await.map_err(Error::internal)? {
                checked_blocks += 1;
                self.record(place, size, wrong, report);
            }
            report(VerifyUpdate::Progress(checked_blocks));
        }
        Ok(())
    }

    fn record(
        &mut self,
        place: Place,
        (positions, bytes): (u64, u64),
        mut wrong: Vec<String>,
        report: &mut impl FnMut(VerifyUpdate),
    ) {
        let Place { tenant, device, partition, seq, .. } = place;
        wrong.extend(self.ledger.of(tenant, device).map(str::to_owned));
        let totals = self.verified.tenants.entry(tenant).or_default();
        let devices = u64::from(self.last.replace((tenant, device)) != Some((tenant, device)));
        let problems = wrong.len() as u64;
        *totals = totals.and(Totals { devices, rows: 1, positions, bytes, problems });
        for what in wrong {
            report(VerifyUpdate::Problem(place.problem(what)));
        }
        let newest = self.newest.entry(partition).or_insert(place);
        if seq > newest.seq {
            *newest = place;
        }
    }

    /// No block holds frames that its partition has not stored. The progress is read behind the blocks: it only grows.
    async fn progress(&mut self, db: &Database, report: &mut impl FnMut(VerifyUpdate)) -> Result<()> {
        let tx = db.read(&Scope::Platform).await?;
        let rows = partition::Entity::find().all(&tx).await?;
        tx.commit().await?;
        let stored: HashMap<i32, i64> = rows.iter().map(|row| (row.partition, row.frame_seq)).collect();
        for place in self.newest.values() {
            let number = place.partition;
            let what = match stored.get(&number) {
                Some(stored) if place.seq <= *stored => continue,
                Some(stored) => {
                    format!("sealed from frame {} of partition {number}, which has stored {stored} alone", place.seq)
                }
                None => format!("of partition {number}, which there is not"),
            };
            self.verified.tenants.entry(place.tenant).or_default().problems += 1;
            report(VerifyUpdate::Problem(place.problem(what)));
        }
        Ok(())
    }
}

/// Which block it is.
#[derive(Debug, Clone, Copy)]
struct Place {
    tenant: TenantId,
    device: DeviceId,
    day: i32,
    partition: i32,
    seq: i64,
    span: (i64, i64),
}

impl Place {
    fn of(block: &track_block::Model) -> Self {
        Self {
            tenant: block.tenant_id,
            device: block.device_id,
            day: block.day,
            partition: block.partition,
            seq: block.seq,
            span: (block.t_start, block.t_end),
        }
    }

    fn problem(&self, what: String) -> Problem {
        let (tenant, device) = (Some(self.tenant), Some(self.device));
        Problem { table: "track_block", tenant, device, span: Some(self.span), what }
    }
}

/// A block, its positions and bytes, and what is wrong with it by itself.
fn checked(block: track_block::Model) -> (Place, (u64, u64), Vec<String>) {
    let positions = u64::try_from(block.n).unwrap_or_default();
    (Place::of(&block), (positions, block.data.len() as u64), block::wrong(&block))
}

/// The blocks behind one, in the order of their key.
async fn page(db: &Database, which: Which, after: Option<Place>) -> Result<Vec<track_block::Model>> {
    use track_block::Column;
    let key = [Column::TenantId, Column::DeviceId, Column::Day, Column::Partition, Column::Seq];
    let mut rows = track_block::Entity::find().limit(PAGE);
    for column in key {
        rows = rows.order_by_asc(column);
    }
    if let Some(tenant) = which.tenant {
        rows = rows.filter(Column::TenantId.eq(tenant));
    }
    if let Some(device) = which.device {
        rows = rows.filter(Column::DeviceId.eq(device));
    }
    if let Some(Place { tenant, device, day, partition, seq, .. }) = after {
        let values = [Expr::val(tenant), Expr::val(device), Expr::val(day), Expr::val(partition), Expr::val(seq)];
        rows = rows.filter(Expr::tuple(key.map(Expr::col)).gt(Expr::tuple(values)));
    }
    let tx = db.read(&Scope::Platform).await?;
    let blocks = rows.all(&tx).await?;
    tx.commit().await?;
    Ok(blocks)
}
