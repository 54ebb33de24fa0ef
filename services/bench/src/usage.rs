//! What processes have used, from `/proc` (proc(5)): CPU time and memory of the load, the program, its nats-server, and
//! PostgreSQL when it stores.

use std::fs;

use anyhow::{Context as _, Result};

use crate::site::Site;

/// Clock ticks a second in `/proc/<pid>/stat`; 100 on every Linux that user space sees.
const TICKS: f64 = 100.0;

/// CPU time so far, and memory now.
#[derive(Debug, Clone, Copy, Default)]
pub struct Usage {
    /// User and system, all processes.
    pub cpu_seconds: f64,
    /// Of it the load's own,
    pub load_seconds: f64,
    /// the NATS server's,
    pub broker_seconds: f64,
    /// the program's,
    pub program_seconds: f64,
    /// and PostgreSQL's; of SQLite it is part of the program.
    pub database_seconds: f64,
    /// Resident, all processes but the load.
    pub rss_bytes: u64,
    /// Of it the program's own.
    pub program_rss_bytes: u64,
}

struct Process {
    pid: i32,
    parent: i32,
    name: String,
    ticks: u64,
}

impl Usage {
    /// Of everything that takes part.
    pub fn of(site: &Site) -> Result<Self> {
        let own = std::process::id() as i32;
        let postgres = site.is_postgres();
        let mut usage = Self::default();
        for process in processes()? {
            let served = process.pid == site.pid() || process.parent == site.pid();
            let stores = postgres && process.name == "postgres";
            if served || stores || process.pid == own {
                let seconds = process.ticks as f64 / TICKS;
                usage.cpu_seconds += seconds;
                *match () {
                    () if process.pid == own => &mut usage.load_seconds,
                    () if process.pid == site.pid() => &mut usage.program_seconds,
                    () if served => &mut usage.broker_seconds,
                    () => &mut usage.database_seconds,
                } += seconds;
            }
            if served || stores {
                let rss = resident(process.pid).unwrap_or_default();
                usage.rss_bytes += rss;
                if process.pid == site.pid() {
                    usage.program_rss_bytes = rss;
                }
            }
        }
        Ok(usage)
    }

    /// The CPU time since `before`, and the memory now.
    pub fn since(self, before: &Self) -> Self {
        Self {
            cpu_seconds: self.cpu_seconds - before.cpu_seconds,
            load_seconds: self.load_seconds - before.load_seconds,
            broker_seconds: self.broker_seconds - before.broker_seconds,
            program_seconds: self.program_seconds - before.program_seconds,
            database_seconds: self.database_seconds - before.database_seconds,
            ..self
        }
    }
}

/// The first child of a process.
pub fn child_of(parent: i32) -> Option<i32> {
    processes().ok()?.into_iter().find(|process| process.parent == parent).map(|process| process.pid)
}

fn processes() -> Result<Vec<Process>> {
    let entries = fs::read_dir("/proc").context("/proc")?;
    let pids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    // A process may end between the listing and the reading.
    Ok(pids.filter_map(process).collect())
}

fn process(pid: i32) -> Option<Process> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name is in brackets and may hold anything.
    let (head, rest) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    Some(Process {
        pid,
        parent: fields.get(1)?.parse().ok()?,
        name: head.split_once('(')?.1.to_owned(),
        ticks: fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?,
    })
}

fn resident(pid: i32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(kilobytes.trim().trim_end_matches(" kB").trim().parse::<u64>().ok()? * 1024)
}
