//! What `armada-bench single` prints, and its history in docs/BENCHMARKS.md.

use std::{fmt, time::Duration};

use anyhow::{Context as _, Result};
use armada_proto::Timestamp;

use crate::{connections::Connections, latency::Latency, report, usage::Usage};

/// How the head of its table begins.
const TABLE: &str = "| date | machine | database | in flight | acknowledged/s";

/// One run with so many fixes in flight.
pub struct Flood {
    pub in_flight: usize,
    pub fixes: u64,
    pub acknowledged: Duration,
    pub stored: Duration,
    pub used: Usage,
    /// Time in which the receiver's tasks ran.
    pub receiver_seconds: f64,
}

impl Flood {
    fn acknowledged_rate(&self) -> f64 {
        self.fixes as f64 / self.acknowledged.as_secs_f64()
    }

    fn stored_rate(&self) -> f64 {
        self.fixes as f64 / self.stored.as_secs_f64()
    }

    fn micros(&self, seconds: f64) -> f64 {
        seconds * 1e6 / self.fixes as f64
    }
}

impl fmt::Display for Flood {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let used = &self.used;
        write!(
            f,
            "{:.0} acknowledged/s, {:.0} stored/s; µs of CPU a fix: broker {:.1}, program {:.1} (of it the receiver's tasks \
             {:.1}), database {:.1}, load {:.1}",
            self.acknowledged_rate(),
            self.stored_rate(),
            self.micros(used.broker_seconds),
            self.micros(used.program_seconds),
            self.micros(self.receiver_seconds),
            self.micros(used.database_seconds),
            self.micros(used.load_seconds),
        )
    }
}

/// Everything.
pub struct Measured {
    pub machine: String,
    pub postgres: bool,
    pub devices: usize,
    pub floods: Vec<Flood>,
    /// Seconds of synced writes, and of fixes that were sent one after the other.
    pub synced: Vec<f64>,
    pub one: Vec<f64>,
    /// Seconds to the answer at 5,000 fixes a second.
    pub to_answer: Vec<f64>,
    pub to_socket: Latency,
    pub connections: Option<Connections>,
}

impl Measured {
    /// The run with the median rate of those with so many fixes in flight.
    fn median(&self, in_flight: usize) -> Option<&Flood> {
        let mut runs: Vec<&Flood> = self.floods.iter().filter(|flood| flood.in_flight == in_flight).collect();
        runs.sort_by(|a, b| a.acknowledged_rate().total_cmp(&b.acknowledged_rate()));
        runs.get(runs.len() / 2).copied()
    }

    fn latencies(&self) -> Result<String> {
        let ms = |values: &[f64], share| anyhow::Ok(percentile(values, share)? * 1e3);
        Ok(format!(
            "{:.2} ms, {:.2} ms | {:.1} ms, {:.1} ms | {} ms, {} ms",
            ms(&self.synced, 0.5)?,
            ms(&self.one, 0.5)?,
            ms(&self.to_answer, 0.5)?,
            ms(&self.to_answer, 0.99)?,
            self.to_socket.p50,
            self.to_socket.p99
        ))
    }

    fn memory(&self) -> String {
        let Some(connections) = &self.connections else { return "–".to_owned() };
        let more = connections.rss.saturating_sub(connections.rss_before) as f64 / 1e6;
        format!("{}: {more:.0} MB", connections.count)
    }

    fn lines(&self) -> Result<Vec<String>> {
        let database = if self.postgres { "PostgreSQL" } else { "SQLite" };
        let date = &Timestamp::now().to_rfc3339()[..10];
        let lines = [1_000, 10_000].into_iter().filter_map(|in_flight| self.median(in_flight)).map(|flood| {
            let used = &flood.used;
            Ok(format!(
                "| {date} | {} | {database} | {} | {:.0} | {:.0} | {:.1}, {:.1} ({:.1}), {:.1}, {:.1} | {} | {} |",
                self.machine,
                flood.in_flight,
                flood.acknowledged_rate(),
                flood.stored_rate(),
                flood.micros(used.broker_seconds),
                flood.micros(used.program_seconds),
                flood.micros(flood.receiver_seconds),
                flood.micros(used.database_seconds),
                flood.micros(used.load_seconds),
                self.latencies()?,
                self.memory(),
            ))
        });
        lines.collect()
    }
}

/// Prints what was measured.
#[allow(clippy::print_stdout, reason = "the table is what the command is for")]
pub fn print(measured: &Measured) {
    println!("{}, {} devices, one fix a message", measured.machine, measured.devices);
    for in_flight in [1_000, 10_000] {
        if let Some(flood) = measured.median(in_flight) {
            println!("{in_flight:>6} in flight: {flood}");
        }
    }
    let latencies = measured.latencies().unwrap_or_default();
    println!(
        "p50 of a synced write, of one fix in flight | p50, p99 to the answer at 5,000/s | to a socket: {latencies}"
    );
    println!("connections: {}", measured.memory());
}

/// Adds the lines to the history, when the program runs where the history is.
pub fn append(measured: &Measured) -> Result<()> {
    report::add_rows(TABLE, measured.lines()?)
}

/// The value at a share of the sorted values.
fn percentile(values: &[f64], share: f64) -> Result<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let place = (sorted.len() as f64 * share) as usize;
    sorted.get(place.min(sorted.len().saturating_sub(1))).copied().context("nothing was measured")
}
