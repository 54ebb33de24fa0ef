//! One block: its bytes, and what the row says of them.

use armada_track::{BlockSummary, decode_block};

use crate::entity::track_block;

const DAY_MS: i64 = 24 * 3600 * 1000;

/// What is wrong with a block, in words.
pub fn wrong(block: &track_block::Model) -> Vec<String> {
    let positions = match decode_block(&block.data) {
        Ok(positions) => positions,
        Err(error) => return vec![format!("the bytes cannot be read: {error}")],
    };
    let Some(summary) = BlockSummary::of(&positions) else { return vec!["there is no position in it".to_owned()] };
    let times = || positions.windows(2).map(|two| (two[0].recorded_at(), two[1].recorded_at()));
    let twice = times().filter(|(earlier, later)| earlier == later).count();
    let back = times().filter(|(earlier, later)| earlier > later).count();
    let other_day = positions.iter().filter(|fix| fix.recorded_at().div_euclid(DAY_MS) != i64::from(block.day)).count();
    let mut wrong = Vec::new();
    let mut check = |is_wrong: bool, what: String| {
        if is_wrong {
            wrong.push(what);
        }
    };
    check(back > 0, format!("{back} positions are earlier than the one before"));
    check(twice > 0, format!("{twice} positions are there twice"));
    check(other_day > 0, format!("{other_day} positions are of another day"));
    check(
        i64::from(block.n) != i64::from(summary.n),
        format!("the row says {} positions, there are {}", block.n, summary.n),
    );
    let times_of_row = (block.t_start, block.t_end) == (summary.t_start, summary.t_end);
    check(!times_of_row, "first or last time are others than the row says".to_owned());
    match BlockSummary::decode(&block.summary) {
        Ok(stored) => check(stored != summary, "the summary says something else".to_owned()),
        Err(error) => check(true, format!("the summary cannot be read: {error}")),
    }
    wrong
}
