//! What was refused of a device that somebody has, kept for whoever sees the device: the last messages of each, with the
//! reason. The dead letters have everything, but know devices only by what stood in the message.

use std::collections::{BTreeMap, HashMap, HashSet};

use armada_proto::{
    DeviceId, TenantId, Timestamp,
    v1::{DeviceMessage, MessageOutcome, MessageRefusal, RefusedMessage},
};
use armada_runtime::{Bus, Error, Result, bus::Publication};
use armada_track::{Position, Preview, RefusedFields, Reject, Report, TrackerId, decode_message, preview, read_frame};
use async_nats::{HeaderMap, jetstream::stream::DirectGetErrorKind};
use prost::Message;

use super::{dead_letters::FRAME, set_aside::SetAside};
use crate::{
    directory::bindings::Binding,
    streams::{self, REFUSED, raw_message::RawMessage},
};

/// Those of a commit batch that are kept. Each waits for the disk, and who sends nothing but nonsense must not hold up
/// others.
const OF_A_BATCH: usize = 100;
/// Bytes of a body that are kept.
const BODY_BYTES: usize = 4096;
const HEADER_ID: &str = "Nats-Msg-Id";

/// What a commit batch refused of devices that somebody has.
#[derive(Default)]
pub struct DeviceRejections(Vec<DeviceRejection>);

struct DeviceRejection {
    subject: String,
    /// The same message refused again after a crash has the same id, and is shown once.
    id: String,
    message: DeviceMessage,
}

impl DeviceRejections {
    /// Records what was refused of `message`; `number` tells it from what else was. `own` is for whose devices alone its
    /// gateway speaks: what it says of others is not theirs to see.
    pub fn record(
        &mut self,
        message: &RawMessage,
        number: &str,
        refused: &RefusedMessage,
        own: Option<TenantId>,
        binding_of: impl Fn(TrackerId) -> Option<Binding>,
    ) {
        for (place, (reason, count)) in refused.reasons().enumerate() {
            let Ok(reason) = reason.parse::<Reject>() else { continue };
            // Its body stands with the first.
            let (id, has_body) = (format!("{number}-{place}"), place == 0);
            self.record_one(message, &id, refused, (reason, count, has_body), own, &binding_of);
        }
    }

    fn record_one(
        &mut self,
        message: &RawMessage,
        number: &str,
        refused: &RefusedMessage,
        (reason, count, has_body): (Reject, u32, bool),
        own: Option<TenantId>,
        binding_of: impl Fn(TrackerId) -> Option<Binding>,
    ) {
        // Older fixes of a tracker were somebody else's, what a stranger's gateway says is the stranger's, and what is too old
        // for history is shown nowhere.
        if matches!(reason, Reject::BeforeBinding | Reject::ForeignDevice | Reject::UnknownDevice | Reject::ExpiredFix)
        {
            return;
        }
        let binding_of = |imei| binding_of(imei).filter(|binding| binding.is_known_to(own));
        let mut record = |imei: TrackerId, binding: &Binding, fix, refusal| {
            if self.0.len() < OF_A_BATCH {
                self.0.push(DeviceRejection {
                    subject: streams::refused_subject(binding.tenant, binding.device),
                    id: format!("{}-{}-{number}-{imei}", message.stream_ts, message.stream_seq),
                    message: DeviceMessage {
                        outcome: MessageOutcome::Refused.into(),
                        at: Some(Timestamp::from_millis(message.stream_ts)),
                        fix,
                        refusal: Some(refusal),
                    },
                });
            }
        };
        if refused.device == FRAME {
            for (imei, (report, count)) in newest_rows(refused) {
                let Some(binding) = binding_of(imei) else { continue };
                if report.recorded_at >= binding.bound_from {
                    let fix = Position::late(report).to_track_point();
                    record(imei, &binding, Some(fix), refusal_of(refused, reason, count));
                }
            }
        } else if let Ok(imei) = refused.device.parse::<TrackerId>()
            && let Some(binding) = binding_of(imei)
        {
            let mut refusal = refusal_of(refused, reason, count);
            refusal.field = wrong_field(&refused.body, reason).map(str::to_owned);
            if has_body && is_of_present_owner(&refused.body, &binding) {
                let Preview { text, is_text, is_cut } = preview(&refused.body, BODY_BYTES);
                (refusal.body, refusal.is_text, refusal.is_cut) = (Some(text), is_text, is_cut);
            }
            record(imei, &binding, None, refusal);
        }
    }

    /// Stores them; returns when all are on disk, or set aside. Called before the progress that passes them is committed.
    pub async fn store(&self, aside: &SetAside) {
        let publications = self.0.iter().map(|DeviceRejection { subject, id, message }| {
            let mut headers = HeaderMap::new();
            headers.insert(HEADER_ID, id.as_str());
            Publication { subject: subject.clone(), headers, body: message.encode_to_vec().into() }
        });
        aside.publish(REFUSED, publications.collect()).await;
    }
}

fn refusal_of(refused: &RefusedMessage, reason: Reject, count: u32) -> MessageRefusal {
    MessageRefusal {
        reason: reason.as_str().to_owned(),
        gateway: refused.gateway.clone(),
        count,
        size: refused.size,
        ..MessageRefusal::default()
    }
}

/// The newest row of each device in a frame, and how many it has; none of a frame that was cut off.
fn newest_rows(refused: &RefusedMessage) -> BTreeMap<TrackerId, (Report, u32)> {
    let mut newest = BTreeMap::<TrackerId, (Report, u32)>::new();
    let rows = read_frame(&refused.body).ok().filter(|_| refused.body.len() == refused.size as usize);
    for (imei, report) in rows.into_iter().flatten().flatten() {
        match newest.get_mut(&imei) {
            None => drop(newest.insert(imei, (report, 1))),
            Some((known, count)) => {
                *count += 1;
                if report.recorded_at > known.recorded_at {
                    *known = report;
                }
            }
        }
    }
    newest
}

/// The field because of which the first refused element was.
fn wrong_field(body: &[u8], reason: Reject) -> Option<&'static str> {
    let reports = decode_message(body).unwrap_or_default();
    let index = reports.iter().position(|report| report.as_ref().err() == Some(&reason)).unwrap_or_default();
    RefusedFields::of(body).of_element(index, reason)
}

/// Whether nothing in a message can be from when the tracker was somebody else's.
fn is_of_present_owner(body: &[u8], binding: &Binding) -> bool {
    let is_theirs =
        |report: &Result<Report, Reject>| report.as_ref().is_ok_and(|report| report.recorded_at >= binding.bound_from);
    binding.bound_from <= 0 || decode_message(body).is_ok_and(|reports| reports.iter().all(is_theirs))
}

/// What is kept of a device, each with its place in the stream, from 1.
pub async fn of_device(bus: &Bus, tenant: TenantId, device: DeviceId) -> Result<Vec<(u64, DeviceMessage)>> {
    let stream = bus.stream(REFUSED, &HashMap::new()).await?;
    let (mut known, mut found) = (HashSet::new(), Vec::new());
    if stream.cached_info().state.messages == 0 {
        return Ok(found);
    }
    let (subject, mut seq) = (streams::refused_subject(tenant, device), 1);
    loop {
        let kept = match stream.direct_get_next_for_subject(subject.clone(), Some(seq)).await {
            Ok(kept) => kept,
            Err(error) if error.kind() == DirectGetErrorKind::NotFound => return Ok(found),
            Err(error) => return Err(Error::unavailable(error)),
        };
        seq = kept.sequence + 1;
        let id = kept.headers.get(HEADER_ID).map(ToString::to_string).unwrap_or_default();
        if known.insert(id) {
            found.push((kept.sequence, DeviceMessage::decode(kept.payload).map_err(Error::internal)?));
        }
    }
}

/// Removes what is kept of a tenant.
pub async fn erase(bus: &Bus, tenant: TenantId) -> Result<()> {
    purge(bus, streams::refused_of_tenant(tenant)).await
}

/// Removes what is kept of a device.
pub async fn erase_device(bus: &Bus, tenant: TenantId, device: DeviceId) -> Result<()> {
    purge(bus, streams::refused_subject(tenant, device)).await
}

async fn purge(bus: &Bus, subjects: String) -> Result<()> {
    let stream = bus.stream(REFUSED, &HashMap::new()).await?;
    stream.purge().filter(subjects).await.map_err(Error::unavailable)?;
    Ok(())
}
