//! The whole path over recorded traces, when they are there: ingest, enriched frames, blocks. Sizes are printed, not
//! judged.
#![allow(clippy::print_stdout, reason = "sizes are read by people")]

use armada_proto::TenantId;
use armada_track::{
    BlockSummary, DeviceState, HotBuilder, HotFrame, Position, Thresholds, decode_block, encode_block, fill_late, merge,
};
use uuid::Uuid;

use crate::support::recorded;

const TENANT: TenantId = TenantId(Uuid::from_u128(7));

/// Enough to be telling without an optimiser.
const LIMIT: usize = 60_000;

#[test]
fn traces_survive_frames_and_blocks() {
    for trace in recorded::TRACES {
        let Some(reports) = recorded::reports(trace) else {
            println!("{trace} is not there, skipped");
            continue;
        };
        let reports: Vec<_> = reports.into_iter().take(LIMIT).collect();
        let total = reports.len();
        let fleet = recorded::ingest(reports);
        println!("{trace}: {total} rows, {} stored, {:?}, {} refused", fleet.stored.len(), fleet.counts, fleet.refused);
        let dropped = fleet.counts.repeats;
        assert_eq!(total, fleet.stored.len() + dropped as usize + fleet.refused);
        frames(&fleet);
        blocks(&fleet);
        parked_nights(&fleet);
    }
}

/// Parked for six hours or longer: slower than moving, and within 150 m of the first fix.
fn parked_nights(fleet: &recorded::Fleet) {
    const NIGHT_MS: i64 = 6 * 3_600_000;
    let stands = |position: &Position| position.report.speed.is_none_or(|speed| speed < 30);
    let mut nights = 0;
    for mut positions in fleet.by_device() {
        positions.retain(|position| !position.late);
        let mut rest = positions.as_slice();
        while let [first, behind @ ..] = rest {
            let near = |other: &&Position| {
                let away = armada_track::distance_m(first.report.place(), other.report.place());
                stands(first) && stands(other) && away < 150.0
            };
            let parked = 1 + behind.iter().take_while(near).count();
            let last = &rest[parked - 1];
            if last.recorded_at() - first.recorded_at() >= NIGHT_MS {
                nights += 1;
                let travelled_dm = last.derived.distance_dm - first.derived.distance_dm;
                assert!(travelled_dm <= 1_000, "{travelled_dm} dm in a night of {parked} fixes");
                rest = &rest[parked..];
            } else {
                rest = behind;
            }
        }
    }
    println!("  {nights} parked nights");
}

fn frames(fleet: &recorded::Fleet) {
    let mut builder = HotBuilder::default();
    let mut bytes = 0;
    for chunk in fleet.stored.chunks(1_000) {
        chunk.iter().for_each(|(device, position)| builder.push(TENANT, *device, position));
        let frame = builder.finish();
        bytes += frame.len();
        let rows = HotFrame::parse(&frame).unwrap().rows().unwrap();
        assert!(rows.map(|(_, device, position)| (device, position)).eq(chunk.iter().cloned()));
    }
    println!("  frames of 1,000: {:.2} bytes a position", bytes as f64 / fleet.stored.len() as f64);
}

fn blocks(fleet: &recorded::Fleet) {
    for size in [60, 1_000] {
        let (mut bytes, mut n) = (0, 0);
        for positions in fleet.by_device() {
            let (mut positions, counts) = merge([positions]);
            assert!(counts.repeats == 0 && counts.united * 100 <= positions.len() as u64, "{counts:?}");
            fill_late(&mut positions, &Thresholds::default());
            for run in positions.chunks(size) {
                let block = encode_block(run);
                assert_eq!(decode_block(&block).unwrap(), run);
                let summary = BlockSummary::of(run).unwrap();
                assert!(
                    run.iter().all(|position| summary.bbox.contains(position.report.place()) || !position.is_placed())
                );
                if run.len() * 2 > size {
                    bytes += block.len();
                    n += run.len();
                }
            }
        }
        if n > 0 {
            println!("  blocks of {size}: {:.2} bytes a position", bytes as f64 / n as f64);
        }
    }
}

/// Odometers that the sources give themselves, as far as they do.
#[test]
fn distance_is_plausible() {
    let Some(reports) = recorded::reports("nds_blackbox_obd") else {
        println!("nds_blackbox_obd is not there, skipped");
        return;
    };
    let straight: f64 = reports
        .windows(2)
        .map(|pair| armada_track::distance_m(pair[0].1.place(), pair[1].1.place()))
        .filter(|step| *step < 200.0)
        .sum();
    let fleet = recorded::ingest(reports);
    let travelled = fleet.stored.last().map_or(0.0, |(_, Position { derived, .. })| derived.distance_dm as f64 / 10.0);
    println!("{:.1} km between fixes, {:.1} km counted", straight / 1_000.0, travelled / 1_000.0);
    assert!((travelled / straight - 1.0).abs() < 0.1);
}

#[test]
fn fleet_states_round_trip() {
    let Some(reports) = recorded::reports("jerseycity_garbage") else {
        println!("jerseycity_garbage is not there, skipped");
        return;
    };
    let mut bytes = 0;
    let devices = recorded::ingest(reports).by_device();
    for positions in &devices {
        let mut state = DeviceState::default();
        positions.iter().for_each(|position| state.restore(position, &Thresholds::default()));
        let encoded = state.encode();
        bytes += encoded.len();
        assert_eq!(DeviceState::decode(&encoded), Ok(state));
    }
    println!("{} bytes a state", bytes / devices.len());
}
