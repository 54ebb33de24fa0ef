//! Removing what is older than its tenant keeps it. A block is of one day of UTC, and goes when all of that day is too old;
//! until then nobody sees it (`directory/tenants.rs`). The owner of a partition does it after each sealing, some blocks at a
//! time.

use std::collections::HashMap;

use armada_proto::TenantId;
use armada_runtime::{Database, Result, Scope};
use sea_orm::{ConnectionTrait, Statement, Value};

use crate::{
    directory::tenants::TenantSettings, entity::track_block, erasure::delete::remove_day,
    storage::write_gate::WriteGate,
};

const DAY_MS: i64 = 24 * 3600 * 1000;
/// Blocks removed after one sealing: what is left waits for the next one, which must not wait for it.
const BLOCKS_AT_ONCE: u64 = 20_000;

/// What is known of one partition.
#[derive(Default)]
pub struct Retention {
    /// Before which day, since 1970, a tenant has nothing left.
    done: HashMap<TenantId, i32>,
}

impl Retention {
    /// Blocks are about to be stored: there is something again of days that were done with.
    pub fn blocks_come(&mut self, blocks: &[track_block::Model]) {
        for block in blocks {
            if let Some(done) = self.done.get_mut(&block.tenant_id) {
                *done = block.day.min(*done);
            }
        }
    }

    /// Removes what is too old at `now`, in milliseconds since 1970; how many blocks there were. Each day is looked for once,
    /// by an index that begins with it.
    pub async fn run(
        &mut self,
        db: &Database,
        gate: &WriteGate,
        settings: &TenantSettings,
        partition: u32,
        now: i64,
    ) -> Result<u64> {
        let limits = settings.limits(now);
        self.done.retain(|tenant, _| limits.iter().any(|(limited, _)| limited == tenant));
        let mut first = None;
        let mut removed = 0;
        for (tenant, kept_from) in limits {
            let until = kept_from.div_euclid(DAY_MS) as i32;
            let from = match (self.done.get(&tenant), first) {
                (Some(done), _) => *done,
                (None, Some(first)) => first,
                (None, None) => *first.insert(first_day(db, partition).await?),
            };
            for day in days_with_blocks(db, partition, tenant, from..until).await? {
                removed += remove_day(db, gate, (tenant, partition, day), BLOCKS_AT_ONCE - removed).await?;
                if removed >= BLOCKS_AT_ONCE {
                    self.done.insert(tenant, day);
                    return Ok(removed);
                }
            }
            // One that keeps more than it did begins where it was.
            let done = self.done.entry(tenant).or_insert(until);
            *done = until.max(*done);
        }
        Ok(removed)
    }
}

/// The first day of which a partition has anything; the last one there can be when it has nothing.
async fn first_day(db: &Database, partition: u32) -> Result<i32> {
    let sql = "SELECT min(day) AS day FROM track_block WHERE partition = $1";
    let statement = Statement::from_sql_and_values(db.backend(), sql, [(partition as i32).into()]);
    let tx = db.read(&Scope::Platform).await?;
    let row = tx.query_one_raw(statement).await?;
    tx.commit().await?;
    let day = row.map(|row| row.try_get::<Option<i32>>("", "day")).transpose()?;
    Ok(day.flatten().unwrap_or(i32::MAX))
}

/// Those of the days of which a tenant has blocks in a partition: one look into the index for each.
async fn days_with_blocks(
    db: &Database,
    partition: u32,
    tenant: TenantId,
    days: std::ops::Range<i32>,
) -> Result<Vec<i32>> {
    if days.is_empty() {
        return Ok(Vec::new());
    }
    let sql = "WITH RECURSIVE days (day) AS ( \
                 SELECT CAST($1 AS integer) UNION ALL SELECT day + 1 FROM days WHERE day + 1 < $2 \
               ) \
               SELECT day FROM days WHERE EXISTS ( \
                 SELECT 1 FROM track_block b WHERE b.partition = $3 AND b.day = days.day AND b.tenant_id = $4 \
               ) ORDER BY day";
    let values: [Value; 4] = [days.start.into(), days.end.into(), (partition as i32).into(), tenant.0.into()];
    let tx = db.read(&Scope::Platform).await?;
    let rows = tx.query_all_raw(Statement::from_sql_and_values(db.backend(), sql, values)).await?;
    tx.commit().await?;
    rows.iter().map(|row| Ok(row.try_get("", "day")?)).collect()
}
