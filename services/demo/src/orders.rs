//! What commands have made of a vehicle and its tracker. It is kept for as long as the process runs.

use armada_proto::command::GatewayCommand;

use super::schedule::State;

/// Seconds between two fixes of a tracker that was told its interval, at least and at most.
const INTERVALS: (i64, i64) = (1, 3600);
/// Outputs that a tracker has.
const OUTPUTS: std::ops::RangeInclusive<u64> = 1..=4;

/// Why a tracker does not carry out a command.
pub(super) const UNSUPPORTED: &str = "unsupported";
pub(super) const INVALID_ARGUMENTS: &str = "invalid_arguments";

/// What the tracker of one vehicle was told.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Orders {
    /// Milliseconds between two fixes.
    interval: Option<i64>,
    /// Since when the engine must not run, milliseconds since 1970.
    stopped: Option<i64>,
    /// For how long it must not before, in milliseconds: by so much the vehicle is late.
    late_by: i64,
}

impl Orders {
    /// Milliseconds between two fixes, of a tracker that usually has `usual`.
    pub(super) fn interval(&self, usual: i64) -> i64 {
        self.interval.unwrap_or(usual)
    }

    /// The instant of its schedule at which the vehicle is.
    pub(super) fn schedule_time(&self, time: i64) -> i64 {
        self.stopped.map_or(time, |since| time.min(since)) - self.late_by
    }

    /// What the vehicle does at an instant, of what its schedule says for [`Self::schedule_time`].
    pub(super) fn state(&self, time: i64, planned: State) -> State {
        let stopped = planned.stopped.map(|since| since + self.late_by);
        match self.stopped.filter(|since| *since <= time) {
            None => State { stopped, ..planned },
            Some(since) => State { engine: false, speed: 0.0, stopped: stopped.or(Some(since)), ..planned },
        }
    }

    /// Takes a command. What the tracker says then, but for what it reports of itself, or why it does nothing.
    pub(super) fn take(&mut self, command: &GatewayCommand, now: i64) -> Result<String, &'static str> {
        Ok(match command.kind.as_str() {
            "engine_stop" => {
                self.stopped.get_or_insert(now);
                "RELAY:1 OK".to_owned()
            }
            "engine_resume" => {
                self.late_by += self.stopped.take().map_or(0, |since| now - since);
                "RELAY:0 OK".to_owned()
            }
            "position_periodic" => {
                let seconds = command.arguments.get("interval_seconds").and_then(serde_json::Value::as_i64);
                let seconds = seconds.ok_or(INVALID_ARGUMENTS)?.clamp(INTERVALS.0, INTERVALS.1);
                self.interval = Some(seconds * 1000);
                format!("TIMER:{seconds} OK")
            }
            "output_control" => {
                let output = command.arguments.get("output").and_then(serde_json::Value::as_u64);
                let output = output.filter(|output| OUTPUTS.contains(output)).ok_or(INVALID_ARGUMENTS)?;
                let on = command.arguments.get("on").and_then(serde_json::Value::as_bool).ok_or(INVALID_ARGUMENTS)?;
                format!("OUT{output}:{} OK", if on { "ON" } else { "OFF" })
            }
            "alarm_arm" => "ARM OK".to_owned(),
            "alarm_disarm" => "DISARM OK".to_owned(),
            "reboot" => "REBOOT OK".to_owned(),
            "position_single" | "request_status" => String::new(),
            "custom" => format!("{} OK", command.text),
            _ => return Err(UNSUPPORTED),
        })
    }
}
