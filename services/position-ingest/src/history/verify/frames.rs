//! Hot frames: their bytes, and that none is missing.

use armada_runtime::{Database, Result, Scope};
use armada_track::HotFrame;
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use super::report::{Problem, Totals, VerifyUpdate};
use crate::entity::{hot_frame, partition};

/// Frames read at a time.
const PAGE: u64 = 32;

/// Looks through the hot frames of all partitions.
pub async fn verify(db: &Database, report: &mut impl FnMut(VerifyUpdate)) -> Result<Totals> {
    let tx = db.read(&Scope::Platform).await?;
    let partitions = partition::Entity::find().order_by_asc(partition::Column::Partition).all(&tx).await?;
    tx.commit().await?;
    let mut totals = Totals::default();
    for partition in partitions {
        let check = check_partition(db, partition.partition).await?;
        totals = totals.and(check.totals());
        check.problems.into_iter().for_each(|problem| report(VerifyUpdate::Problem(problem)));
    }
    Ok(totals)
}

#[derive(Default)]
struct FrameCheck {
    rows: u64,
    positions: u64,
    bytes: u64,
    problems: Vec<Problem>,
}

impl FrameCheck {
    fn totals(&self) -> Totals {
        let Self { rows, positions, bytes, .. } = *self;
        Totals { devices: 0, rows, positions, bytes, problems: self.problems.len() as u64 }
    }

    fn problem(&mut self, span: Option<(i64, i64)>, what: String) {
        self.problems.push(Problem { table: "hot_frame", tenant: None, device: None, span, what });
    }

    fn frame(&mut self, frame: &hot_frame::Model) {
        self.rows += 1;
        self.positions += u64::try_from(frame.n).unwrap_or_default();
        self.bytes += frame.data.len() as u64;
        if let Err(what) = read(frame) {
            let span = Some((frame.t_min, frame.t_max));
            self.problem(span, format!("frame {} of partition {}: {what}", frame.seq, frame.partition));
        }
    }
}

/// A partition as of one moment. All frames behind its checkpoint are there, up to the last one that it has stored; what
/// is before that may be sealed.
async fn check_partition(db: &Database, number: i32) -> Result<FrameCheck> {
    let tx = db.read_whole(&Scope::Platform, hot_frame::TABLE).await?;
    let Some(row) = partition::Entity::find_by_id(number).one(&tx).await? else { return Ok(FrameCheck::default()) };
    let mut check = FrameCheck::default();
    let mut last = None;
    loop {
        let page = page(&tx, number, last).await?;
        if page.is_empty() {
            break;
        }
        for frame in page {
            let begins = frame.seq <= row.checkpoint_seq + 1;
            if !last.map_or(begins, |last| frame.seq == last + 1) {
                let missing = last.unwrap_or(row.checkpoint_seq) + 1;
                check.problem(None, missing_frames(number, missing, frame.seq - 1));
            }
            last = Some(frame.seq);
            check.frame(&frame);
        }
    }
    tx.commit().await?;
    let last = last.unwrap_or(row.checkpoint_seq);
    if last < row.frame_seq {
        check.problem(None, missing_frames(number, last + 1, row.frame_seq));
    } else if last > row.frame_seq {
        let stored = row.frame_seq;
        check.problem(None, format!("partition {number} has frame {last} and knows of {stored} alone"));
    }
    Ok(check)
}

fn missing_frames(partition: i32, from: i64, to: i64) -> String {
    format!("partition {partition} lacks the frames {from} to {to}")
}

async fn page(tx: &DatabaseTransaction, partition: i32, after: Option<i64>) -> Result<Vec<hot_frame::Model>> {
    use hot_frame::Column;
    let of_partition = hot_frame::Entity::find().filter(Column::Partition.eq(partition));
    let following = of_partition.filter(Column::Seq.gt(after.unwrap_or(i64::MIN)));
    Ok(following.order_by_asc(Column::Seq).limit(PAGE).all(tx).await?)
}

/// Reads a frame whole; an error says what is wrong with it.
fn read(frame: &hot_frame::Model) -> std::result::Result<(), String> {
    let unreadable = |error| format!("the bytes cannot be read: {error}");
    let hot = HotFrame::parse(&frame.data).map_err(unreadable)?;
    let rows = hot.rows().map_err(unreadable)?.count();
    if i64::from(frame.n) != rows as i64 {
        return Err(format!("the row says {} positions, there are {rows}", frame.n));
    }
    if hot.time_range() != (frame.t_min, frame.t_max) {
        return Err("first or last time are others than the row says".to_owned());
    }
    Ok(())
}
