//! What `armada-bench live` prints, and its history in docs/BENCHMARKS.md.

use anyhow::Result;
use armada_proto::Timestamp;

use super::{
    flood::Flood,
    people::Rights,
    quiet::Quiet,
    slow::{OTHERS, Slow},
};
use crate::{
    delays::Delays,
    report::{add_rows, machine},
};

/// How the heads of its tables begin.
const MAPS: &str = "| date | machine | database | devices, positions/s | sockets";
const QUIET: &str = "| date | machine | database | quiet sockets";
const SLOW: &str = "| date | machine | database | readers beside";

/// Everything.
pub struct Measured {
    pub postgres: bool,
    pub devices: usize,
    pub rate: usize,
    pub seconds: u64,
    /// Of each socket of a map, what its user sees.
    pub sockets: Vec<Rights>,
    pub flood: Flood,
    pub quiet: Option<Quiet>,
    pub slow: Slow,
}

impl Measured {
    /// How each line begins.
    fn begin(&self) -> String {
        let database = if self.postgres { "PostgreSQL" } else { "SQLite" };
        format!("| {} | {} | {database}", &Timestamp::now().to_rfc3339()[..10], machine())
    }

    fn maps(&self) -> Result<String> {
        let Self { flood, sockets, .. } = self;
        let of = |rights: Rights| sockets.iter().filter(|socket| **socket == rights).count();
        let micros = |seconds: f64| seconds * 1e6 / flood.positions.max(1) as f64;
        let kilobytes = flood.received.bytes as f64 / 1e3 / sockets.len() as f64 / self.seconds as f64;
        Ok(format!(
            "{} | {}, {} | {}, {}, {} | {} ms, {} ms | {} | {:.1}, {:.1} | {kilobytes:.1} |",
            self.begin(),
            self.devices,
            self.rate,
            of(Rights::Whole),
            of(Rights::Group),
            of(Rights::Single),
            flood.received.all.at(0.5)?,
            flood.received.all.at(0.99)?,
            prompt(&flood.received.prompt),
            micros(flood.used.program_seconds),
            micros(flood.used.broker_seconds + flood.used.database_seconds),
        ))
    }

    fn quiet(&self, quiet: &Quiet) -> String {
        let megabytes = |bytes: u64| bytes as f64 / 1e6;
        format!(
            "{} | {} | {:.0} MB, {:.0} MB | {:.1} kB |",
            self.begin(),
            quiet.sockets,
            megabytes(quiet.before),
            megabytes(quiet.after),
            quiet.each() / 1e3,
        )
    }

    fn slow(&self) -> Result<String> {
        let (without, with) = (self.slow.without.all.at(0.99)?, self.slow.with.all.at(0.99)?);
        Ok(format!(
            "{} | {OTHERS} | {}, {} | {without} ms, {with} ms | {:.2} |",
            self.begin(),
            self.devices,
            self.rate,
            with as f64 / without.max(1) as f64,
        ))
    }
}

/// Of what was not held back; a dash when all was.
fn prompt(delays: &Delays) -> String {
    let at = |share| delays.at(share).map(|millis| format!("{millis} ms"));
    match (at(0.5), at(0.99)) {
        (Ok(median), Ok(most)) => format!("{median}, {most}"),
        _ => "–".to_owned(),
    }
}

/// Prints the lines, and adds them to the history when the program runs where that is.
#[allow(clippy::print_stdout, reason = "the table is what the command is for")]
pub fn print_and_append(measured: &Measured) -> Result<()> {
    let mut lines = vec![(MAPS, measured.maps()?)];
    lines.extend(measured.quiet.as_ref().map(|quiet| (QUIET, measured.quiet(quiet))));
    lines.push((SLOW, measured.slow()?));
    for (table, line) in lines {
        println!("{line}");
        add_rows(table, vec![line])?;
    }
    Ok(())
}
