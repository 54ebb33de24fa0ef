//! Times and sizes of the codecs on recorded traces: `cargo bench -p armada-track --bench codec`, with the names of
//! traces behind `--` only those. Prints, asserts nothing.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

#[path = "../tests/it/support/recorded.rs"]
mod recorded;

use std::{hint::black_box, time::Instant};

use armada_proto::TenantId;
use armada_track::{
    Day, DeviceState, FrameBuilder, FrameRows, HotBuilder, HotFrame, Outcome, Position, Report, SegmentRules,
    Thresholds, TrackState, VehicleDays, decode_block, decode_columns, decode_message, encode_block, imei_of_name,
    merge, split_by_utc_day,
};
use chrono_tz::Tz;
use uuid::Uuid;

const TENANT: TenantId = TenantId(Uuid::from_u128(0x0190_1234_5678_7abc_8def_0123_4567_89ab));

fn main() {
    let named: Vec<_> = std::env::args().skip(1).filter(|name| !name.starts_with('-')).collect();
    for trace in recorded::TRACES.into_iter().filter(|trace| named.is_empty() || named.iter().any(|name| name == trace))
    {
        let Some(reports) = recorded::reports(trace) else {
            println!("{trace}: not there");
            continue;
        };
        let reports: Vec<_> = reports.into_iter().take(100_000).collect();
        println!("\n{trace}");
        raw_frame(&reports);
        let fleet = recorded::ingest(reports.clone());
        advance(&reports);
        for rows in [1, 20, 1_000, 5_000] {
            hot(&fleet.stored, rows);
        }
        let devices: Vec<_> = fleet.by_device().into_iter().map(|positions| merge([positions]).0).collect();
        for size in [60, 1_000, 20_000] {
            block(&devices, size);
        }
    }
    println!("\nbacklogs: 60 devices, 16 fixes each a frame");
    backlog();
    json();
    days();
}

/// Nanoseconds for each of `n`, the best of a few rounds.
fn time(n: usize, mut work: impl FnMut()) -> f64 {
    let round = |_| {
        let start = Instant::now();
        work();
        start.elapsed().as_nanos() as f64 / n.max(1) as f64
    };
    (0..5).map(round).fold(f64::INFINITY, f64::min)
}

fn raw_frame(reports: &[(String, Report)]) {
    let reports: Vec<_> = reports.iter().take(50_000).map(|(name, report)| (imei_of_name(name), report)).collect();
    let mut frames = Vec::new();
    let build = time(reports.len(), || {
        frames.clear();
        let mut builder = FrameBuilder::default();
        for chunk in reports.chunks(1_000) {
            chunk.iter().for_each(|(imei, report)| builder.push(*imei, report));
            frames.push(builder.take());
        }
    });
    let read = time(reports.len(), || {
        for frame in &frames {
            black_box(FrameRows::new(frame.clone()).unwrap().filter(|row| row.is_ok()).count());
        }
    });
    println!("  frame of RAW: build {build:.0} ns, rows {read:.0} ns");
}

fn advance(reports: &[(String, Report)]) {
    let mut numbers = std::collections::HashMap::new();
    let reports: Vec<_> = reports
        .iter()
        .map(|(name, report)| {
            let next = numbers.len();
            (*numbers.entry(name).or_insert(next), report.clone())
        })
        .collect();
    let thresholds = Thresholds::default();
    let ns = time(reports.len(), || {
        let mut states = vec![DeviceState::default(); numbers.len()];
        for (device, report) in &reports {
            black_box(states[*device].advance(report.clone(), &thresholds));
        }
    });
    println!("  advance {ns:.0} ns");
}

fn hot(stored: &[(armada_proto::DeviceId, Position)], rows: usize) {
    let stored = &stored[..stored.len() - stored.len() % rows];
    if stored.is_empty() {
        return;
    }
    let stored = &stored[..stored.len().min(rows * 20_000)];
    let mut builder = HotBuilder::default();
    let mut frames = Vec::new();
    let encode = time(stored.len(), || {
        frames.clear();
        for chunk in stored.chunks(rows) {
            chunk.iter().for_each(|(device, position)| builder.push(TENANT, *device, position));
            frames.push(builder.finish());
        }
    });
    let decode = time(stored.len(), || {
        for frame in &frames {
            black_box(HotFrame::parse(frame).unwrap().rows().unwrap().filter(|row| row.2.late).count());
        }
    });
    let visit = time(stored.len(), || {
        for frame in &frames {
            let mut late = 0;
            HotFrame::parse(frame).unwrap().rows().unwrap().visit(|_, position| late += usize::from(position.late));
            black_box(late);
        }
    });
    let parse = time(frames.len(), || {
        for frame in &frames {
            black_box(HotFrame::parse(frame).unwrap());
        }
    });
    let bytes = frames.iter().map(Vec::len).sum::<usize>() as f64 / stored.len().max(1) as f64;
    println!(
        "  hot frames of {rows}: {bytes:.1} bytes, encode {encode:.0} ns, decode {decode:.0} ns, visit {visit:.0} ns a position, parse {parse:.0} ns a frame"
    );
}

fn block(devices: &[Vec<Position>], size: usize) {
    let runs: Vec<&[Position]> =
        devices.iter().flat_map(|run| run.chunks(size)).filter(|run| run.len() * 2 > size).collect();
    let n = runs.iter().map(|run| run.len()).sum();
    if n == 0 {
        return;
    }
    let mut blocks = Vec::new();
    let encode = time(n, || blocks = runs.iter().map(|run| encode_block(run)).collect());
    let decode = time(n, || blocks.iter().for_each(|block| drop(black_box(decode_block(block)))));
    let columns = time(n, || blocks.iter().for_each(|block| drop(black_box(decode_columns(block)))));
    let bytes = blocks.iter().map(Vec::len).sum::<usize>() as f64 / n as f64;
    println!(
        "  blocks of {size}: {bytes:.2} bytes, encode {encode:.0} ns, decode {decode:.0} ns, columns {columns:.0} ns a position"
    );
}

fn backlog() {
    let Some(reports) = recorded::reports("capmetro_austin_bus") else { return };
    let fleet = recorded::ingest(reports);
    let devices: Vec<_> = fleet.by_device().into_iter().filter(|run| run.len() >= 320).take(60).collect();
    let mut stored = Vec::new();
    let mut ids = std::collections::BTreeMap::new();
    for (device, _) in &fleet.stored {
        let next = ids.len();
        ids.entry(*device).or_insert(next);
    }
    let ids: Vec<_> = ids.into_keys().collect();
    for round in 0..20 {
        for fix in 0..16 {
            for (device, run) in devices.iter().enumerate() {
                stored.push((ids[device], run[round * 16 + fix].clone()));
            }
        }
    }
    hot(&stored, devices.len() * 16);
}

fn json() {
    let element = r#"{"recorded_at":"2026-09-01T08:15:30+07:00","lat":-6.2,"lng":106.8166667,"speed":42.5,"course":271.3,"ignition":true,"sat":11}"#;
    let many = format!("[{}]", vec![element; 100].join(","));
    let one = time(1_000, || (0..1_000).for_each(|_| drop(black_box(decode_message(element.as_bytes())))));
    let hundred = time(10_000, || (0..100).for_each(|_| drop(black_box(decode_message(many.as_bytes())))));
    println!("\nJSON: {one:.0} ns alone, {hundred:.0} ns in an array");
}

/// A month of one vehicle with a fix every ten seconds, out of its sealed blocks: an hour of driving and an hour of standing, in
/// turns.
fn days() {
    const FIXES: i64 = 260_000;
    let began = 1_790_010_000_000;
    let mut state = DeviceState::default();
    let mut lat = -62_000_000;
    let mut positions = Vec::new();
    for step in 0..FIXES {
        let drives = (step / 360) % 2 == 0;
        lat += if drives { 1_500 } else { 0 };
        let mut report = Report::new(began + step * 10_000, lat % 600_000_000, 1_068_000_000 + (step % 7) as i32 * 20);
        (report.speed, report.ignition, report.sat) = (Some(if drives { 600 } else { 0 }), Some(drives), Some(11));
        if let Outcome::Live(position) = state.advance(report, &Thresholds::default()) {
            positions.push(position);
        }
    }
    let blocks: Vec<_> = split_by_utc_day(&positions).map(|(_, day)| encode_block(day)).collect();
    let month = time(1, || {
        let mut days = VehicleDays::new(Thresholds::default(), SegmentRules::default(), TrackState::default());
        for block in &blocks {
            let (mut day, _) = merge([decode_block(block).unwrap()]);
            drop(black_box(days.run(&mut day, |at| Day::of(at, Tz::Asia__Jakarta))));
        }
        black_box(days.state());
    });
    println!("\na month of {FIXES} fixes, derived anew: {:.1} ms", month / 1e6);
}
