//! What becomes of each element of a message: decoded, checked against what can be, and against who has the device.

use std::collections::{BTreeMap, HashMap};

use armada_proto::{
    TenantId, Timestamp,
    v1::{RefusedFor, RefusedMessage},
};
use armada_runtime::clock::Clock;
use armada_track::{
    FrameBuilder, FrameRows, Place, RefusedFields, Reject, Report, TrackerId, decode_message, read_frame, read_part,
    validate,
};
use prost::Message;

use super::{
    answer::Refusal,
    draft::{Draft, Unresolved},
    odd::ClockOff,
};
use crate::{
    directory::{bindings::Binding, gateways::Gateways, registry::Registry, tenants::TenantSettings},
    live::{clock_watch::OFF_MS, last_positions::LastPositions},
    streams::limits::REFUSED_BYTES,
};

/// How much further ahead a fix may be than the clock of this host can be behind, milliseconds: beyond it is of the future by any
/// clock.
const UNSURE_MS: i64 = 24 * 3_600_000;
/// What a frame's subject has in place of an IMEI.
pub(super) const FRAME: &str = "frame";

/// Decides. Cheap to clone.
#[derive(Clone)]
pub(super) struct Checker {
    pub(super) registry: Registry,
    pub(super) gateways: Gateways,
    pub(super) settings: TenantSettings,
    pub(super) last: LastPositions,
    pub(super) clock: Clock,
    pub(super) partitions: u32,
}

/// What is to be written of a message of one device, and what will be answered.
#[derive(Default)]
pub(super) struct CheckedDevice {
    pub(super) rows: Vec<(TrackerId, Report)>,
    pub(super) refused: Vec<RefusedMessage>,
    pub(super) draft: Draft,
}

/// What is to be written of a frame, by partition, and what will be answered.
#[derive(Default)]
pub(super) struct CheckedFrame {
    pub(super) rows: BTreeMap<u32, FrameBuilder>,
    pub(super) refused: Vec<RefusedMessage>,
    pub(super) draft: Draft,
}

impl Checker {
    /// A message of one device, as it came to `partition` at `now`, milliseconds since 1970.
    pub(super) fn device(&self, partition: u32, gateway: &str, device: &str, body: &[u8], now: i64) -> CheckedDevice {
        let mut checked = CheckedDevice::default();
        let whole = |mut checked: CheckedDevice, reason| {
            checked.draft.reject(0, reason, None);
            checked.refused.push(refused(gateway, device, reason, 1, body));
            checked
        };
        let Ok(imei) = device.parse::<TrackerId>() else { return whole(checked, Reject::InvalidImei) };
        if imei.partition(self.partitions) != partition {
            return whole(checked, Reject::WrongPartition);
        }
        let reports = match decode_message(body) {
            Ok(reports) => reports,
            Err(reason) => {
                let mut checked = whole(checked, reason);
                let field = RefusedFields::of(body).of_element(0, reason);
                checked.draft.answer.rejected[0].field = field.map(str::to_owned);
                return checked;
            }
        };
        let own = self.gateways.tenant_of(gateway);
        let binding = told_to(own, self.registry.get(imei));
        let mut wrong = Vec::new();
        let mut places = HashMap::new();
        for (index, report) in reports.into_iter().enumerate() {
            let judged = report.map_err(|reason| (reason, now)).and_then(|mut report| {
                let lost = report.correct_clock(now);
                let judged = self.judge(binding.as_ref(), &report, now);
                judged.map_err(|reason| (reason, report.recorded_at)).map(|()| (report, lost))
            });
            match judged {
                Ok((report, lost)) => {
                    add_accepted(&mut checked.draft, (own, binding.as_ref()), imei, index as u32, &report);
                    if let Some(off) = self.clock_off(binding.as_ref(), &report, lost, now) {
                        checked.draft.clock_off(gateway, index as u32, off);
                    }
                    if !report.left_out.is_empty() {
                        checked.draft.leave_out(gateway, index as u32, report.left_out);
                    }
                    if report.valid
                        && *places.entry(report.recorded_at).or_insert_with(|| report.place()) != report.place()
                    {
                        checked.draft.second_place(gateway, index as u32);
                    }
                    checked.rows.push((imei, report));
                }
                Err((reason, recorded_at)) => match self.must_come_again(reason, recorded_at, now) {
                    Some(refusal) => checked.draft.again = Some(refusal),
                    None => wrong.push((index, reason)),
                },
            }
        }
        if checked.draft.again.is_some() {
            // All of it comes again: what is wrong is kept when it does for the last time.
            return checked;
        }
        self.refuse_elements(&mut checked, gateway, device, &wrong, body);
        checked
    }

    /// Refused elements are kept with their whole message: once, however many reasons there are.
    fn refuse_elements(
        &self,
        checked: &mut CheckedDevice,
        gateway: &str,
        device: &str,
        wrong: &[(usize, Reject)],
        body: &[u8],
    ) {
        if wrong.is_empty() {
            return;
        }
        let fields = RefusedFields::of(body);
        let mut counts = BTreeMap::<Reject, u32>::new();
        for &(index, reason) in wrong {
            checked.draft.reject(index as u32, reason, fields.of_element(index, reason));
            *counts.entry(reason).or_default() += 1;
        }
        let mut counts = counts.into_iter();
        if let Some((reason, count)) = counts.next() {
            let others = counts.map(|(reason, count)| RefusedFor { reason: reason.as_str().to_owned(), count });
            let others = others.collect();
            checked.refused.push(RefusedMessage { others, ..refused(gateway, device, reason, count, body) });
        }
    }

    /// A frame of any mix of devices; `holds` says whether one that nobody has is held.
    pub(super) fn frame(
        &self,
        gateway: &str,
        body: &[u8],
        now: i64,
        holds: impl FnMut(TrackerId) -> bool,
    ) -> CheckedFrame {
        self.rows(gateway, (body, read_frame(body)), now, holds, Report::correct_clock)
    }

    /// A part of a frame, or what was held or refused before: its clocks were corrected by when it was received first, or before
    /// it was sent here. It may be larger than what a gateway sends.
    pub(super) fn part(&self, gateway: &str, body: &[u8], now: i64) -> CheckedFrame {
        self.rows(gateway, (body, read_part(body)), now, |_| true, |_, _| None)
    }

    fn rows(
        &self,
        gateway: &str,
        (body, rows): (&[u8], Result<FrameRows, Reject>),
        now: i64,
        mut holds: impl FnMut(TrackerId) -> bool,
        correct_clock: impl Fn(&mut Report, i64) -> Option<i64>,
    ) -> CheckedFrame {
        let mut checked = CheckedFrame::default();
        let mut rows = match rows {
            Ok(rows) => rows,
            Err(reason) => {
                checked.draft.reject(0, reason, None);
                checked.refused.push(refused(gateway, FRAME, reason, 1, body));
                return checked;
            }
        };
        let mut wrong = BTreeMap::<Reject, (u32, FrameBuilder)>::new();
        let own = self.gateways.tenant_of(gateway);
        // A quarter more than each partition has on average.
        let room = rows.len() * 5 / 4 / self.partitions.max(1) as usize;
        self.registry.with(|binding_of| {
            let mut report = Report::new(0, 0, 0);
            // The fix before, if it had a place: those of a device come one after the other.
            let mut before: Option<(TrackerId, i64, Place)> = None;
            for index in 0.. {
                let imei = match rows.read_into(&mut report) {
                    None => break,
                    Some(Ok(imei)) => imei,
                    // A device that is not named by an IMEI leaves nothing to play back, only to count.
                    Some(Err((_, reason))) => {
                        wrong.entry(reason).or_default().0 += 1;
                        checked.draft.reject(index, reason, None);
                        continue;
                    }
                };
                let binding = told_to(own, binding_of(imei));
                let lost = correct_clock(&mut report, now);
                match self.judge(binding.as_ref(), &report, now) {
                    // Only counted: there may be very many of them.
                    Ok(()) if binding.is_none() && !holds(imei) => {
                        wrong.entry(Reject::UnknownDevice).or_default().0 += 1;
                        checked.draft.reject(index, Reject::UnknownDevice, None);
                    }
                    Ok(()) => {
                        add_accepted(&mut checked.draft, (own, binding.as_ref()), imei, index, &report);
                        if let Some(off) = self.clock_off(binding.as_ref(), &report, lost, now) {
                            checked.draft.clock_off(gateway, index, off);
                        }
                        if !report.left_out.is_empty() {
                            checked.draft.leave_out(gateway, index, report.left_out);
                        }
                        let here = report.valid.then(|| (imei, report.recorded_at, report.place()));
                        if let (Some(before), Some(here)) = (before, here)
                            && (before.0, before.1) == (here.0, here.1)
                            && before.2 != here.2
                        {
                            checked.draft.second_place(gateway, index);
                        }
                        before = here.or(before);
                        let hash = binding.map_or_else(|| imei.partition_hash(), |binding| binding.partition_hash);
                        let part = checked.rows.entry(hash.partition(self.partitions));
                        part.or_insert_with(|| FrameBuilder::with_capacity(room)).push(imei, &report);
                    }
                    Err(reason) if let Some(refusal) = self.must_come_again(reason, report.recorded_at, now) => {
                        checked.draft.again = Some(refusal)
                    }
                    Err(reason) => {
                        let (count, frame) = wrong.entry(reason).or_default();
                        *count += 1;
                        frame.push(imei, &report);
                        checked.draft.reject(index, reason, RefusedFields::of(&[]).of_element(0, reason));
                    }
                }
            }
        });
        if checked.draft.again.is_some() {
            // All of it comes again: what is wrong is kept when it does for the last time.
            return checked;
        }
        for (reason, (count, mut frame)) in wrong {
            checked.refused.push(refused(gateway, FRAME, reason, count, &frame.take().encode_to_vec()));
        }
        checked
    }

    /// What is refused by a clock that may be wrong is not refused for good, unless no error of that clock explains it: its
    /// gateway would send it again for ever, and what stands behind it would wait.
    fn must_come_again(&self, reason: Reject, recorded_at: i64, now: i64) -> Option<Refusal> {
        if reason != Reject::FutureFix || self.clock.is_known_right() {
            return None;
        }
        let latest = now.saturating_add(self.clock.may_be_behind_ms() + UNSURE_MS);
        (recorded_at <= latest).then_some(Refusal::ClockUnsure)
    }

    fn judge(&self, binding: Option<&Binding>, report: &Report, now: i64) -> Result<(), Reject> {
        validate(report, now)?;
        let Some(binding) = binding else { return Ok(()) };
        if report.recorded_at < binding.bound_from {
            return Err(Reject::BeforeBinding);
        }
        if self.settings.is_too_old(binding.tenant, report.recorded_at, now) {
            return Err(Reject::ExpiredFix);
        }
        // Without coordinates it stands where the device was last, if that is known.
        let nowhere = !report.valid && report.lat == 0 && report.lng == 0;
        // Who calls for help is heard, wherever they are; and the place of a fix a moment ago, which says where the ignition was
        // turned, is known to the owner of the partition alone.
        let says_more = report.alarm.is_some() || report.ignition.is_some();
        if nowhere && !says_more && self.last.partition_of(binding.tenant, binding.device).is_none() {
            return Err(Reject::NullIsland);
        }
        Ok(())
    }

    /// By how much the clock of a device is wrong, as far as a fix shows it. One that was buffered comes late without that.
    fn clock_off(&self, binding: Option<&Binding>, report: &Report, lost: Option<i64>, now: i64) -> Option<ClockOff> {
        let seconds = |millis: i64| u32::try_from(millis / 1000).unwrap_or(u32::MAX);
        if let Some(lost) = lost {
            return Some(ClockOff::Corrected(seconds(lost)));
        }
        let ahead = report.recorded_at - now;
        if ahead.abs() <= OFF_MS {
            return None;
        }
        if ahead > 0 {
            return Some(ClockOff::Ahead(seconds(ahead)));
        }
        let binding = binding?;
        let behind = self.last.clock_of(binding.tenant, binding.device)?;
        behind.explains(-ahead).then_some(ClockOff::Behind(seconds(-ahead)))
    }

    /// What is said of devices of which no binding was known: asked of the bucket, since a device may have been made a
    /// moment ago.
    pub(super) async fn resolve(&self, draft: &mut Draft) {
        if draft.unresolved.is_empty() {
            return;
        }
        let imeis: std::collections::BTreeSet<TrackerId> = draft.unresolved.iter().map(|fix| fix.imei).collect();
        if let Err(error) = self.registry.look_up(imeis).await {
            tracing::debug!(%error, "cannot ask who has a device: what it sent is held");
        }
        let now = Timestamp::now().millis();
        for Unresolved { imei, index, recorded_at, own } in std::mem::take(&mut draft.unresolved) {
            match told_to(own, self.registry.get(imei)) {
                None => {
                    draft.answer.held += 1;
                    if let Some(seen) = &mut draft.seen {
                        seen.unknown(imei);
                    }
                }
                Some(binding) if recorded_at < binding.bound_from => {
                    draft.reject(index, Reject::BeforeBinding, Some("recorded_at"));
                }
                Some(binding) if self.settings.is_too_old(binding.tenant, recorded_at, now) => {
                    draft.reject(index, Reject::ExpiredFix, Some("recorded_at"));
                }
                Some(_) => draft.answer.accepted += 1,
            }
        }
        draft.answer.rejected.sort_by_key(|rejected| rejected.index);
    }
}

/// Who has a device, as far as its gateway may know, if it speaks for the devices of `own` alone: of another tenant's it hears
/// what it hears of one that nobody has. It is refused when it is stored.
fn told_to(own: Option<TenantId>, binding: Option<Binding>) -> Option<Binding> {
    binding.filter(|binding| binding.is_known_to(own))
}

/// Adds to the answer what becomes of an element that is taken in.
fn add_accepted(
    draft: &mut Draft,
    (own, binding): (Option<TenantId>, Option<&Binding>),
    imei: TrackerId,
    index: u32,
    report: &Report,
) {
    match binding {
        Some(_) => draft.answer.accepted += 1,
        None => draft.unresolved.push(Unresolved { imei, index, recorded_at: report.recorded_at, own }),
    }
}

fn refused(gateway: &str, device: &str, reason: Reject, count: u32, body: &[u8]) -> RefusedMessage {
    RefusedMessage {
        gateway: gateway.to_owned(),
        device: device.to_owned(),
        reason: reason.as_str().to_owned(),
        count,
        body: body[..body.len().min(REFUSED_BYTES)].to_vec(),
        size: body.len() as u32,
        others: Vec::new(),
    }
}
