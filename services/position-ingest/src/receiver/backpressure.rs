//! How much may wait: messages of this process in bytes, and frames of each gateway that are under way.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use super::per_gateway::of_gateway;
use crate::streams::limits::{GATEWAY_FRAMES_BYTES, OVERHEAD_BYTES};

/// How many bytes of messages may wait in this process. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct MemoryBudget(Arc<AtomicUsize>);

/// What all partitions of a process may keep together.
const MEMORY_BYTES: usize = 64 << 20;

impl Default for MemoryBudget {
    fn default() -> Self {
        Self(Arc::new(AtomicUsize::new(0)))
    }
}

impl MemoryBudget {
    /// Room for a message of so many bytes, if there is.
    pub(super) fn reserve(&self, bytes: usize) -> Option<Reserved> {
        let bytes = bytes + OVERHEAD_BYTES;
        let before = self.0.fetch_add(bytes, Ordering::Relaxed);
        let reserved = Reserved { bytes, memory: self.clone() };
        (before + bytes <= MEMORY_BYTES).then_some(reserved)
    }

    /// Bytes that wait.
    pub(super) fn waiting(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

/// Room that is taken until this is dropped.
pub(super) struct Reserved {
    pub(super) bytes: usize,
    memory: MemoryBudget,
}

impl Drop for Reserved {
    fn drop(&mut self) {
        self.memory.0.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// Bytes of frames that were taken apart and are not written yet, by gateway. Cheap to clone.
#[derive(Clone, Default)]
pub(super) struct FramesUnderWay(Arc<Mutex<HashMap<String, usize>>>);

impl FramesUnderWay {
    /// Room for a frame of a gateway, if it has any left.
    pub(super) fn reserve(&self, gateway: &str, bytes: usize) -> Option<UnderWay> {
        let mut all = self.0.lock().expect("no panic while held");
        let there = of_gateway(&mut all, gateway);
        if *there > 0 && *there + bytes > GATEWAY_FRAMES_BYTES {
            return None;
        }
        *there += bytes;
        Some(UnderWay { gateway: gateway.to_owned(), bytes, frames: self.clone() })
    }
}

/// A frame that is under way until this is dropped.
pub(super) struct UnderWay {
    gateway: String,
    bytes: usize,
    frames: FramesUnderWay,
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        let mut all = self.frames.0.lock().expect("no panic while held");
        if let Some(bytes) = all.get_mut(&self.gateway) {
            *bytes = bytes.saturating_sub(self.bytes);
            if *bytes == 0 {
                all.remove(&self.gateway);
            }
        }
    }
}
