//! How fast a trace is played.

use std::{
    str::FromStr,
    time::{Duration, Instant},
};

use anyhow::bail;

/// Times faster than recorded, or as fast as acknowledgements come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Speed {
    Times(f64),
    Max,
}

impl FromStr for Speed {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match (text, text.parse::<f64>()) {
            ("max", _) => Ok(Self::Max),
            (_, Ok(times)) if times.is_finite() && times > 0.0 => Ok(Self::Times(times)),
            _ => bail!("a number above 0, or max"),
        }
    }
}

/// Says when each row is due.
pub(super) struct Pace {
    speed: Speed,
    linger: Duration,
    began: Option<(Instant, i64)>,
}

impl Pace {
    /// Rows that are due within `linger` of each other go out together.
    pub(super) fn new(speed: Speed, linger: Duration) -> Self {
        Self { speed, linger, began: None }
    }

    /// Whether a fix is not due yet. The first one always is.
    pub(super) fn is_early(&mut self, recorded_at: i64) -> bool {
        self.left(recorded_at).is_some_and(|left| left > self.linger)
    }

    /// Waits until it is.
    pub(super) async fn wait(&mut self, recorded_at: i64) {
        if let Some(left) = self.left(recorded_at) {
            tokio::time::sleep(left).await;
        }
    }

    fn left(&mut self, recorded_at: i64) -> Option<Duration> {
        let Speed::Times(times) = self.speed else { return None };
        let (began, first) = *self.began.get_or_insert_with(|| (Instant::now(), recorded_at));
        let after = u64::try_from(recorded_at.saturating_sub(first)).ok()?;
        // Years at a small fraction of the recorded speed are more than a Duration holds; a century does as well.
        let after = Duration::try_from_secs_f64(after as f64 / 1000.0 / times).unwrap_or(Duration::MAX / 4);
        Some(after.saturating_sub(began.elapsed())).filter(|left| !left.is_zero())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_replay_speeds() {
        assert_eq!("max".parse::<Speed>().ok(), Some(Speed::Max));
        assert_eq!("2.5".parse::<Speed>().ok(), Some(Speed::Times(2.5)));
        for wrong in ["0", "-1", "fast", "inf", "NaN", ""] {
            assert!(wrong.parse::<Speed>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn paces_rows_by_time() {
        let mut pace = Pace::new(Speed::Times(2.0), Duration::from_millis(20));
        assert!(!pace.is_early(1_000_000));
        assert!(pace.is_early(1_010_000));
        let left = pace.left(1_010_000).expect("it is early");
        assert!(left > Duration::from_secs(4) && left <= Duration::from_secs(5), "{left:?}");
        assert!(!pace.is_early(900_000));
        assert!(!Pace::new(Speed::Max, Duration::ZERO).is_early(i64::MAX));
    }
}
