//! The last messages of each gateway with what became of them, for whoever connects one. They are kept in memory, by the
//! process that received them; of a gateway that publishes much not all are.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex},
};

use armada_proto::{
    Timestamp,
    gateway::Answer,
    v1::{GatewayMessage, GatewayMessageList, RejectedElement},
};
use armada_track::{Preview, TrackerId, preview};
use foldhash::fast::RandomState;

use super::{odd::Odd, per_gateway::of_gateway};

/// Messages of a gateway that are kept, and as many of those that were refused or held in part.
const MESSAGES_MAX: usize = 50;
/// Messages of a gateway that are noted in a second by the owner of one partition, and as many of the others.
const NOTED_A_SECOND: u32 = 5;
/// Bytes of a body that are kept.
const BODY_BYTES: usize = 600;
/// Refused elements, and unknown IMEIs, that are kept of a message.
const ELEMENTS: usize = 20;
/// Gateways that are remembered.
const GATEWAYS: usize = 10_000;

/// A message that is noted, before it is known what becomes of it.
#[derive(Debug)]
pub(super) struct Seen {
    gateway: String,
    message: GatewayMessage,
}

impl Seen {
    pub(super) fn new(gateway: &str, device: &str, body: &[u8], now: i64, was_answered: bool) -> Self {
        let Preview { text, is_text, is_cut } = preview(body, BODY_BYTES);
        let message = GatewayMessage {
            received_at: Some(Timestamp::from_millis(now)),
            device: device.chars().take(64).collect(),
            size: u32::try_from(body.len()).unwrap_or(u32::MAX),
            body: text,
            is_text,
            is_cut,
            was_answered,
            ..GatewayMessage::default()
        };
        Self { gateway: gateway.to_owned(), message }
    }

    /// What is odd about what was taken in of it.
    pub(super) fn odd(&mut self, odd: &Odd) {
        self.message.clock_ahead_seconds = odd.clock_ahead;
        self.message.clock_behind_seconds = odd.clock_behind;
        self.message.clock_corrected = odd.clock_corrected;
        self.message.second_places = odd.second_places;
        self.message.left_out = odd.shown_left_out();
    }

    /// Nobody has this device.
    pub(super) fn unknown(&mut self, imei: TrackerId) {
        let imei = imei.to_string();
        let known = &mut self.message.unknown_imeis;
        if known.len() < ELEMENTS && !known.contains(&imei) {
            known.push(imei);
        }
    }
}

/// Keeps one owner from noting more than somebody can read.
#[derive(Default)]
pub(super) struct Budget(HashMap<String, Noted, RandomState>);

#[derive(Default)]
struct Noted {
    second: i64,
    plain: u32,
    odd: u32,
}

impl Budget {
    /// Whether a message is noted; `is_plain` says that everything in it was taken in.
    pub(super) fn takes(&mut self, gateway: &str, is_plain: bool, now: i64) -> bool {
        if self.0.len() >= GATEWAYS && !self.0.contains_key(gateway) {
            self.0.clear();
        }
        let noted = of_gateway(&mut self.0, gateway);
        let second = now.div_euclid(1000);
        if noted.second != second {
            *noted = Noted { second, ..Noted::default() };
        }
        let count = if is_plain { &mut noted.plain } else { &mut noted.odd };
        *count += 1;
        *count <= NOTED_A_SECOND
    }
}

#[derive(Default)]
struct Kept {
    plain: VecDeque<GatewayMessage>,
    odd: VecDeque<GatewayMessage>,
}

/// What this process has noted. Cheap to clone.
#[derive(Clone, Default)]
pub struct RecentMessages(Arc<Mutex<HashMap<String, Kept>>>);

impl RecentMessages {
    /// What became of a message.
    pub(super) fn add(&self, seen: Seen, answer: &Answer) {
        let Seen { gateway, message } = seen;
        let elements = answer.rejected.iter().take(ELEMENTS).map(|rejected| RejectedElement {
            index: rejected.index,
            reason: rejected.reason.clone(),
            field: rejected.field.clone(),
        });
        let message = GatewayMessage {
            accepted: answer.accepted,
            held: answer.held,
            rejected: elements.collect(),
            rejected_count: answer.rejected.len() as u32,
            ..message
        };
        let mut all = self.0.lock().expect("no panic while held");
        if all.len() >= GATEWAYS && !all.contains_key(&gateway) {
            return;
        }
        let kept = all.entry(gateway).or_default();
        let ring = if answer.is_plain() { &mut kept.plain } else { &mut kept.odd };
        if ring.len() >= MESSAGES_MAX {
            ring.pop_front();
        }
        ring.push_back(message);
    }

    /// Those of a gateway, the newest first.
    pub fn of(&self, gateway: &str) -> GatewayMessageList {
        let all = self.0.lock().expect("no panic while held");
        let items = all.get(gateway).map(|kept| kept.plain.iter().chain(&kept.odd).cloned().collect());
        merged(items)
    }
}

/// As many as are shown, the newest first.
pub fn merged(lists: impl IntoIterator<Item = Vec<GatewayMessage>>) -> GatewayMessageList {
    let is_plain = |message: &GatewayMessage| {
        let is_clock_off = message.clock_ahead_seconds > 0 || message.clock_behind_seconds > 0;
        let is_odd = is_clock_off || message.second_places > 0 || !message.left_out.is_empty();
        message.held == 0 && message.rejected_count == 0 && !is_odd
    };
    let (mut plain, mut odd): (Vec<_>, Vec<_>) = lists.into_iter().flatten().partition(is_plain);
    let newest_first = |message: &GatewayMessage| std::cmp::Reverse(message.received_at.map(Timestamp::millis));
    for list in [&mut plain, &mut odd] {
        list.sort_by_key(newest_first);
        list.truncate(MESSAGES_MAX);
    }
    plain.append(&mut odd);
    plain.sort_by_key(newest_first);
    GatewayMessageList { total: plain.len() as u32, items: plain }
}
