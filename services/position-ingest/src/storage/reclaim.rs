//! Giving back the room that is not needed any more: hot frames come and go, and what they leave behind would otherwise stay
//! as large as the largest burst was. On SQLite free pages go back to the file system, on PostgreSQL the slots of hot frames
//! (`migrations/m0008_room.rs`) that nothing is in are emptied.

use armada_runtime::{Database, Result, Scope, db::Pages};
use sea_orm::{ConnectionTrait, DbBackend, Statement};

use super::{size, write_gate::WriteGate};
use crate::migrations::HOT_SLOTS;

/// Pages given back in one transaction, about a megabyte: commit batches come in between.
const PAGES_AT_ONCE: u64 = 256;
/// Transactions of one sealing.
const STEPS: u32 = 32;
/// Free pages that stay: what a quiet minute needs.
const PAGES_KEPT: u64 = 64;

/// Gives back what is not needed, as far as nobody has to wait for it.
pub async fn reclaim(db: &Database, gate: &WriteGate) -> Result<()> {
    match db.backend() {
        DbBackend::Postgres => empty_slots(db).await,
        _ => give_pages_back(db, gate).await,
    }
}

/// Frames that are hot now will be free soon, and their pages be used for the next ones: as many stay, and as many again.
/// While there are none, the write-ahead log is written into the file as well, which is shorter only then.
async fn give_pages_back(db: &Database, gate: &WriteGate) -> Result<()> {
    let Some(pages) = db.pages().await?.filter(|pages| pages.free > PAGES_KEPT) else { return Ok(()) };
    let hot = u64::try_from(size::hot(db).await?.bytes).unwrap_or_default();
    let kept = PAGES_KEPT + 2 * hot.div_ceil(pages.bytes.max(1));
    let mut free = pages.free;
    for _ in 0..STEPS {
        let surplus = free.saturating_sub(kept);
        if surplus == 0 {
            break;
        }
        let turn = gate.enter().await;
        db.give_pages_back(surplus.min(PAGES_AT_ONCE)).await?;
        drop(turn);
        let Some(Pages { free: left, .. }) = db.pages().await? else { break };
        // A file that was made before pages could be given back.
        if left >= free {
            break;
        }
        free = left;
    }
    if hot == 0 && free < pages.free {
        let _turn = gate.enter().await;
        db.shorten_log().await?;
    }
    Ok(())
}

/// Empties each slot that nothing is in. One that somebody works with just now is left for the next time.
async fn empty_slots(db: &Database) -> Result<()> {
    for slot in 0..HOT_SLOTS {
        let sql = "SELECT hot_frame_give_back($1)";
        let tx = db.write(&Scope::Platform).await?;
        tx.query_one_raw(Statement::from_sql_and_values(db.backend(), sql, [slot.into()])).await?;
        tx.commit().await?;
    }
    Ok(())
}
