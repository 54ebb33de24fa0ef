//! How many devices that nobody has are kept from each gateway. What is held is written for each of them by itself, and waits
//! for the disk each time: whoever makes IMEIs up must not hold up what others send.

use std::collections::{HashMap, HashSet};

use armada_track::TrackerId;
use foldhash::fast::RandomState;

use super::per_gateway::of_gateway;

/// Messages of unknown devices that the owner of a partition takes from one gateway in a second.
const MESSAGES_A_SECOND: u32 = 100;
/// And from all of them together; beyond, each gateway has an equal part of it.
const ALL_MESSAGES_A_SECOND: u32 = 400;
/// Unknown devices in the frames of one gateway in a second.
const IN_FRAMES_A_SECOND: u32 = 800;

/// What was taken in the second that passes.
#[derive(Default)]
pub(super) struct UnknownBudget {
    second: i64,
    all: u32,
    messages: HashMap<String, u32, RandomState>,
    in_frames: HashMap<String, u32, RandomState>,
}

impl UnknownBudget {
    fn at(&mut self, now: i64) -> &mut Self {
        let second = now.div_euclid(1000);
        if self.second != second {
            *self = Self { second, ..Self::default() };
        }
        self
    }

    /// Whether a message of an unknown device is taken in at `now`, milliseconds since 1970.
    pub(super) fn takes_message(&mut self, gateway: &str, now: i64) -> bool {
        let this = self.at(now);
        let taken = of_gateway(&mut this.messages, gateway);
        let own = *taken;
        let share = ALL_MESSAGES_A_SECOND / this.messages.len() as u32;
        let takes = own < MESSAGES_A_SECOND && (this.all < ALL_MESSAGES_A_SECOND || own < share.max(1));
        if takes {
            this.all += 1;
            *of_gateway(&mut this.messages, gateway) += 1;
        }
        takes
    }

    /// The same of each unknown device of a frame, which may be in it many times.
    pub(super) fn frame<'a>(&'a mut self, gateway: &'a str, now: i64) -> impl FnMut(TrackerId) -> bool + 'a {
        let this = self.at(now);
        let mut taken = HashSet::<TrackerId>::new();
        move |imei| {
            let takes = taken.contains(&imei) || count(&mut this.in_frames, gateway) <= IN_FRAMES_A_SECOND;
            if takes {
                taken.insert(imei);
            }
            takes
        }
    }
}

fn count(counts: &mut HashMap<String, u32, RandomState>, gateway: &str) -> u32 {
    let count = of_gateway(counts, gateway);
    *count += 1;
    *count
}
