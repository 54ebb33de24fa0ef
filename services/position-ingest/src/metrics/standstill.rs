//! Whether the partitions of an instance move. What waits and does not move is given up, so that another instance takes it, or
//! this one anew: nobody else would notice a step that waits for what never comes.

use std::{
    sync::{
        Arc, LazyLock, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

/// After so long without a move a step stands still.
pub const STANDS_AFTER: Duration = Duration::from_secs(30);

/// What a partition has to do; each is one task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// Writes what gateways send to RAW.
    Receiver,
    /// Takes in what RAW has, and has it stored.
    Owner,
    /// Puts what is stored into POSITIONS.
    Publisher,
    /// Makes blocks of what is stored.
    Sealer,
}

impl Step {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Receiver, Self::Owner, Self::Publisher, Self::Sealer];

    /// As it stands in `/readyz` and metrics.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Receiver => "receiver",
            Self::Owner => "owner",
            Self::Publisher => "publisher",
            Self::Sealer => "sealer",
        }
    }
}

/// Nothing waits.
const IDLE: u64 = u64::MAX;

/// When the steps of one partition moved last, under one owner. Cheap to clone.
#[derive(Clone)]
pub struct Steps {
    partition: u32,
    moved: Arc<[AtomicU64; Step::ALL.len()]>,
    held: HeldSteps,
}

impl Steps {
    /// Nothing waits yet.
    pub fn new(partition: u32, held: HeldSteps) -> Self {
        Self { partition, moved: Arc::new([const { AtomicU64::new(IDLE) }; Step::ALL.len()]), held }
    }

    /// A step moves, and more waits.
    pub fn moved(&self, step: Step) {
        self.of(step).store(now_ms(), Ordering::Relaxed);
    }

    /// Nothing waits for a step.
    pub fn idle(&self, step: Step) {
        self.of(step).store(IDLE, Ordering::Relaxed);
    }

    /// Nothing could move so far, for a reason that is known.
    pub fn begin_anew(&self) {
        let now = now_ms();
        for moved in &*self.moved {
            let _ = moved.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |at| (at != IDLE).then_some(now));
        }
    }

    /// The step that has stood still for longest, if one does.
    pub fn standing(&self) -> Option<(Step, Duration)> {
        let now = now_ms();
        let since = |step: Step| Duration::from_millis(now.saturating_sub(self.of(step).load(Ordering::Relaxed)));
        let longest = Step::ALL.into_iter().map(|step| (step, since(step))).max_by_key(|(_, since)| *since)?;
        Some(longest).filter(|(_, since)| *since >= STANDS_AFTER)
    }

    /// Where a step can be held by a test.
    pub async fn pass(&self, step: Step) {
        if cfg!(debug_assertions) && self.held.takes(self.partition, step) {
            std::future::pending().await
        }
    }

    fn of(&self, step: Step) -> &AtomicU64 {
        &self.moved[step as usize]
    }
}

/// Milliseconds since this was first asked.
fn now_ms() -> u64 {
    static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGUN.elapsed().as_millis() as u64
}

/// Steps that tests hold, each once: what stands still cannot be had otherwise. Of no effect but in debug builds.
#[derive(Debug, Clone, Default)]
pub struct HeldSteps(Arc<Mutex<Vec<(u32, Step)>>>);

impl HeldSteps {
    /// Holds the step of a partition the next time that it moves.
    pub fn hold(&self, partition: u32, step: Step) {
        self.0.lock().expect("no panic while held").push((partition, step));
    }

    fn takes(&self, partition: u32, step: Step) -> bool {
        let mut held = self.0.lock().expect("no panic while held");
        let place = held.iter().position(|found| *found == (partition, step));
        place.map(|place| held.swap_remove(place)).is_some()
    }
}
