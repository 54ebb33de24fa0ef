//! How sure it is that a change of the level is what it looks like: a number out of 100, made of three parts.

/// Of how large the change is against the noise of the sensor: all of them from eight times the noise on.
const SIZE: i64 = 50;
const NOISES: i64 = 8;
/// Of how steady the level is afterwards: all of them where it does not waver, none where it wavers by as much as has changed.
const STEADINESS: i64 = 30;
/// Of standing before, and of standing afterwards.
const STATIONARY_BONUS: i64 = 10;

/// `amount` is what has changed, `noise` the noise before, and `spread` how far readings lay apart afterwards, all in
/// millilitres.
pub(super) fn confidence(amount: i64, noise: i64, spread: i64, stood: bool, stands: bool) -> u8 {
    let size = part(SIZE, amount, NOISES * noise);
    let steadiness = STEADINESS - part(STEADINESS, spread, amount);
    let standing = STATIONARY_BONUS * (i64::from(stood) + i64::from(stood && stands));
    u8::try_from(size + steadiness + standing).unwrap_or(100)
}

fn part(most: i64, of: i64, whole: i64) -> i64 {
    (most.saturating_mul(of) / whole.max(1)).clamp(0, most)
}
