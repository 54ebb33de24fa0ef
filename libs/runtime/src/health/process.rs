//! Numbers of the process itself, read from `/proc/self` (proc(5)) and from the runtime when somebody asks.

use std::{fs, time::Instant};

use armada_proto::Timestamp;
use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeMetric},
    metrics::{MetricType, counter::ConstCounter},
};
use tokio::runtime::Handle;

use crate::{descriptors, metrics::gauge};

/// Clock ticks a second in `/proc/self/stat`; 100 on every Linux that user space sees.
const TICKS: f64 = 100.0;

/// Build, age and use of the process.
#[derive(Debug)]
pub(super) struct Process {
    started: Instant,
    started_at: f64,
    runtime: Option<Handle>,
}

impl Default for Process {
    fn default() -> Self {
        let started_at = Timestamp::now().millis() as f64 / 1000.0;
        Self { started: Instant::now(), started_at, runtime: Handle::try_current().ok() }
    }
}

impl Collector for Process {
    fn encode(&self, mut encoder: DescriptorEncoder) -> std::fmt::Result {
        let encoder = &mut encoder;
        let version = [("version", env!("CARGO_PKG_VERSION"))];
        let mut info = encoder.encode_descriptor("armada_build", "What runs here", None, MetricType::Info)?;
        info.encode_info(&version)?;
        gauge(encoder, "process_start_time_seconds", "When it started, seconds since 1970", self.started_at)?;
        gauge(encoder, "process_uptime_seconds", "For how long it has run", self.started.elapsed().as_secs_f64())?;
        if let Some(seconds) = cpu_seconds() {
            let help = "CPU time used, user and system";
            let family = encoder.encode_descriptor("process_cpu_seconds", help, None, MetricType::Counter)?;
            ConstCounter::new(seconds).encode(family)?;
        }
        if let Some(bytes) = resident_bytes() {
            gauge(encoder, "process_resident_memory_bytes", "Memory in RAM", bytes)?;
        }
        if let Some(open) = descriptors::open() {
            gauge(encoder, "process_open_fds", "File descriptors that are open", open)?;
        }
        if let Some(max) = descriptors::limit() {
            gauge(encoder, "process_max_fds", "File descriptors that may be open", max)?;
        }
        if let Some(threads) = entries("/proc/self/task") {
            gauge(encoder, "process_threads", "Threads", threads)?;
        }
        let Some(runtime) = &self.runtime else { return Ok(()) };
        let metrics = runtime.metrics();
        gauge(encoder, "tokio_workers", "Worker threads of the runtime", metrics.num_workers() as i64)?;
        gauge(encoder, "tokio_alive_tasks", "Tasks of the runtime", metrics.num_alive_tasks() as i64)?;
        let waiting = metrics.global_queue_depth() as i64;
        gauge(encoder, "tokio_global_queue_depth", "Tasks that wait for a worker", waiting)
    }
}

/// User and system time.
fn cpu_seconds() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The name is in brackets and may hold anything.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
    Some(ticks as f64 / TICKS)
}

fn resident_bytes() -> Option<i64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(kilobytes.trim().trim_end_matches(" kB").trim().parse::<i64>().ok()? * 1024)
}

fn entries(folder: &str) -> Option<i64> {
    i64::try_from(fs::read_dir(folder).ok()?.count()).ok()
}
