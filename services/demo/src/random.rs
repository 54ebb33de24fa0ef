//! Numbers that look like chance and are the same at every asking, so that a restart changes nothing.

/// SplitMix64 of several numbers.
pub fn hash(parts: &[u64]) -> u64 {
    parts.iter().fold(0x5851_f42d_4c95_7f2d, |state, part| mix(state ^ mix(*part)))
}

fn mix(value: u64) -> u64 {
    let mut mixed = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// From 0 to below 1.
pub(super) fn unit(parts: &[u64]) -> f64 {
    (hash(parts) >> 11) as f64 / (1_u64 << 53) as f64
}

/// From `low` to below `high`.
pub(super) fn between(low: f64, high: f64, parts: &[u64]) -> f64 {
    low + (high - low) * unit(parts)
}

/// A value from -1 to 1 that changes smoothly with `x`, by about one every unit.
pub(super) fn smooth_noise(x: f64, seed: u64) -> f64 {
    let step = x.floor();
    let at = |step: f64| 2.0 * unit(&[seed, step as i64 as u64]) - 1.0;
    let part = x - step;
    let smooth = part * part * (3.0 - 2.0 * part);
    at(step) * (1.0 - smooth) + at(step + 1.0) * smooth
}
