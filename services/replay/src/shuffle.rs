//! A permutation of all rows that a number decides, the same on every machine.

use anyhow::Result;
use armada_track::Reject;

use super::trace::{Row, Trace};

/// All rows of a trace in another order.
pub(super) fn all(trace: &mut Trace, seed: u64) -> Result<std::vec::IntoIter<Result<Row, Reject>>> {
    let mut rows = Vec::new();
    while let Some(row) = trace.next_row()? {
        rows.push(row);
    }
    permute(&mut rows, seed);
    Ok(rows.into_iter())
}

/// Fisher and Yates, with numbers from SplitMix64.
fn permute<T>(items: &mut [T], seed: u64) {
    let mut state = seed;
    for last in (1..items.len()).rev() {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        // The high half of the product is below `last + 1`, and as evenly spread as 64 bits allow.
        let other = (u128::from(mixed) * (last as u128 + 1)) >> 64;
        items.swap(last, other as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::permute;

    #[test]
    fn is_a_permutation_and_stays_the_same() {
        let sorted: Vec<u32> = (0..1_000).collect();
        let shuffled = |seed| {
            let mut items = sorted.clone();
            permute(&mut items, seed);
            items
        };
        assert_eq!(shuffled(7), shuffled(7));
        assert_ne!(shuffled(7), shuffled(8));
        assert_ne!(shuffled(7), sorted);
        let mut again = shuffled(7);
        again.sort_unstable();
        assert_eq!(again, sorted);
    }
}
