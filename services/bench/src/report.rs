//! The table, and the history of it in docs/BENCHMARKS.md.

use std::{fs, time::Duration};

use anyhow::{Context as _, Result};
use armada_position_ingest::admin::Stored;
use armada_proto::Timestamp;

use crate::latency::Latency;

const HISTORY: &str = "docs/BENCHMARKS.md";
/// How the head of its table begins.
const TABLE: &str = "| date | machine | database | devices, frame | positions/s";

/// One run.
pub struct Row {
    pub positions: u64,
    pub elapsed: Duration,
    pub cpu_seconds: f64,
    pub rss_bytes: u64,
    pub hot: Stored,
    pub sealed: Stored,
}

impl Row {
    /// Positions a second.
    pub fn rate(&self) -> f64 {
        self.positions as f64 / self.elapsed.as_secs_f64()
    }

    /// Microseconds of CPU for one position.
    pub fn cpu_micros(&self) -> f64 {
        self.cpu_seconds * 1e6 / self.positions as f64
    }
}

/// All runs.
pub struct Summary {
    pub rows: Vec<Row>,
    pub latency: Latency,
    pub devices: usize,
    pub frame: usize,
    pub postgres: bool,
}

impl Summary {
    fn median(&self, of: impl Fn(&Row) -> f64) -> f64 {
        let mut values: Vec<f64> = self.rows.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    }

    fn database(&self) -> &'static str {
        if self.postgres { "PostgreSQL" } else { "SQLite" }
    }

    fn line(&self) -> String {
        let rates = || self.rows.iter().map(Row::rate);
        format!(
            "| {} | {} | {} | {}, {} | {:.0} ({:.0}–{:.0}) | {:.2} | {:.0} | {:.1}, {:.1} | {} ms, {} ms |",
            &Timestamp::now().to_rfc3339()[..10],
            machine(),
            self.database(),
            self.devices,
            self.frame,
            self.median(Row::rate),
            rates().fold(f64::INFINITY, f64::min),
            rates().fold(0.0, f64::max),
            self.median(Row::cpu_micros),
            self.median(|row| row.rss_bytes as f64 / 1e6),
            self.median(|row| row.hot.bytes_per_position()),
            self.median(|row| row.sealed.bytes_per_position()),
            self.latency.p50,
            self.latency.p99,
        )
    }
}

/// Prints what was measured.
#[allow(clippy::print_stdout, reason = "the table is what the command is for")]
pub fn print(summary: &Summary) {
    println!("{} on {}, {} devices, frames of {}", machine(), summary.database(), summary.devices, summary.frame);
    println!(
        "{:>4} {:>12} {:>16} {:>8} {:>10} {:>13}",
        "run", "positions/s", "CPU µs/position", "RSS MB", "hot B/pos", "sealed B/pos"
    );
    for (number, row) in summary.rows.iter().enumerate() {
        println!(
            "{:>4} {:>12.0} {:>16.2} {:>8.0} {:>10.1} {:>13.1}",
            number + 1,
            row.rate(),
            row.cpu_micros(),
            row.rss_bytes as f64 / 1e6,
            row.hot.bytes_per_position(),
            row.sealed.bytes_per_position(),
        );
    }
    println!("median {:.0} positions/s, {:.2} µs", summary.median(Row::rate), summary.median(Row::cpu_micros));
    let latency = &summary.latency;
    println!(
        "publication to socket at 5,000/s: p50 {} ms, p99 {} ms, {} updates",
        latency.p50, latency.p99, latency.updates
    );
}

/// Adds the line to the history, when the program runs where the history is.
pub fn append(summary: &Summary) -> Result<()> {
    add_rows(TABLE, vec![summary.line()])
}

/// Adds lines to the end of the table of the history whose head begins so.
pub fn add_rows(table: &str, rows: Vec<String>) -> Result<()> {
    let Ok(history) = fs::read_to_string(HISTORY) else { return Ok(()) };
    let mut lines: Vec<String> = history.lines().map(str::to_owned).collect();
    let head = lines.iter().position(|line| line.starts_with(table));
    let head = head.with_context(|| format!("{HISTORY} has no table {table}"))?;
    let end = head + lines[head..].iter().take_while(|line| line.starts_with('|')).count();
    lines.splice(end..end, rows);
    fs::write(HISTORY, lines.join("\n") + "\n").context(HISTORY)
}

/// The processor and how many of them.
pub fn machine() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(':'))
        .map_or("CPU", |(_, name)| name.trim());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{model}, {cores} cores")
}
