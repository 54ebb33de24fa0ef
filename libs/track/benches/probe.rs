#![allow(clippy::print_stdout, clippy::unwrap_used)]
#[path = "../tests/common/mod.rs"]
mod common;
use std::{hint::black_box, time::Instant};
use armada_proto::TenantId;
use armada_track::*;
use uuid::Uuid;
fn main() {
    let what = std::env::args().nth(1).unwrap_or_default();
    let trace = std::env::args().nth(2).unwrap_or("capmetro_austin_bus".into());
    let size: usize = std::env::args().nth(3).and_then(|s| s.parse().ok()).unwrap_or(1000);
    let reports: Vec<_> = common::reports(&trace).unwrap().into_iter().take(100_000).collect();
    let fleet = common::ingest(reports);
    let mut b = HotBuilder::default();
    let mut frames = vec![];
    let encode = |b: &mut HotBuilder, frames: &mut Vec<Vec<u8>>| {
        frames.clear();
        for c in fleet.stored.chunks(size) {
            for (d, p) in c { b.push(TenantId(Uuid::nil()), *d, p); }
            frames.push(b.finish());
        }
    };
    encode(&mut b, &mut frames);
    let start = Instant::now();
    let mut n = 0;
    while start.elapsed().as_secs() < 4 {
        match what.as_str() {
            "decode" => for f in &frames { black_box(HotFrame::parse(f).unwrap().rows().unwrap().filter(|r| r.2.late).count()); },
            "visit" => for f in &frames { let mut late = 0; HotFrame::parse(f).unwrap().rows().unwrap().visit(|_, p| late += usize::from(p.late)); black_box(late); },
            "rows" => for f in &frames { black_box(HotFrame::parse(f).unwrap().rows().unwrap()); },
            _ => encode(&mut b, &mut frames),
        }
        n += fleet.stored.len();
    }
    println!("{what}: {:.1} ns", start.elapsed().as_nanos() as f64 / n as f64);
}
