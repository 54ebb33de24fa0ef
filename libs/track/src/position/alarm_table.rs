//! The names of alarms that are known, as trackers, their protocols and gateways write them, with the event that each is and how
//! much it asks. docs/GATEWAYS.md has the same table, which a test compares with this one.

use std::{collections::HashMap, sync::LazyLock};

use armada_proto::v1::AlarmSeverity;

/// An alarm that is known.
#[derive(Debug, PartialEq, Eq)]
pub struct KnownAlarm {
    /// The kind of its event.
    pub kind: &'static str,
    /// How much the alarm asks that it raises; none when its event raises none.
    pub severity: Option<AlarmSeverity>,
    /// What it is called, one of them with the name of its kind: see [`known_alarm`] for which others are the same.
    pub names: &'static [&'static str],
}

const fn known(kind: &'static str, severity: Option<AlarmSeverity>, names: &'static [&'static str]) -> KnownAlarm {
    KnownAlarm { kind, severity, names }
}

const CRITICAL: Option<AlarmSeverity> = Some(AlarmSeverity::Critical);
const WARNING: Option<AlarmSeverity> = Some(AlarmSeverity::Warning);

/// Names that say that there is no alarm.
pub const NO_ALARM: &[&str] = &["0", "false", "normal", "none", "no", "noAlarm", "ok", "null"];

/// All of them; those that ask somebody to act at once in front, in the order in which one is shown.
#[rustfmt::skip]
pub static KNOWN_ALARMS: &[KnownAlarm] = &[
    known("alarm.sos", CRITICAL, &["sos", "sosButton", "panic", "panicButton", "emergency", "emergencyButton", "emergencyCall", "eCall", "duress", "help", "helpMe"]),
    known("alarm.accident", CRITICAL, &["accident", "crash", "crashDetected", "collision", "impact", "rollover", "overturn"]),
    known("device.power_cut", CRITICAL, &["powerCut", "powerCutOff", "cutPower", "powerOff", "powerLost", "powerFailure", "powerDisconnected", "powerSupplyCut", "noPower", "unplugged", "mainPowerCut", "mainPowerOff", "mainPowerLost", "externalPowerCut", "externalPowerOff", "externalPowerLost", "externalPowerDisconnected", "ac"]),
    known("vehicle.towing", CRITICAL, &["towing", "tow", "towed", "towAway", "towDetected", "illegalTow"]),
    known("alarm.theft", CRITICAL, &["theft", "stolen", "vehicleStolen", "burglar", "antiTheft", "illegalIgnition", "unauthorizedIgnition", "hijack", "robbery"]),
    known("alarm.fire", CRITICAL, &["fire", "smoke"]),
    known("alarm.jamming", CRITICAL, &["jamming", "jammer", "jammingDetected", "gsmJamming", "gpsJamming", "gnssJamming", "signalJamming"]),
    known("alarm.tampering", WARNING, &["tampering", "tamper", "tamperDetected", "caseOpen", "coverOpen", "dismantle", "disassembly", "light"]),
    known("alarm.removing", WARNING, &["removing", "remove", "removed", "removal", "deviceRemoved", "detached", "unplug", "plugOut"]),
    known("alarm.door", WARNING, &["door", "doorOpen", "doorOpened", "openDoor"]),
    known("alarm.bonnet", WARNING, &["bonnet", "hood", "hoodOpen", "trunk", "trunkOpen", "boot"]),
    known("alarm.vibration", WARNING, &["vibration", "vibrate", "shock", "shake", "bump"]),
    known("alarm.movement", WARNING, &["movement", "move", "moved", "motion", "displacement", "illegalMovement", "illegalDisplacement"]),
    known("alarm.fall_down", WARNING, &["fallDown", "fall", "fallDetected", "drop", "manDown"]),
    known("alarm.low_power", WARNING, &["lowPower", "powerLow", "lowVoltage", "underVoltage", "externalPowerLow", "lowExternalPower", "lowExternalVoltage", "lowMainPower", "mainPowerLow", "vehicleBatteryLow", "lowVehicleBattery"]),
    known("alarm.fault", WARNING, &["fault", "malfunction", "engineFault", "obdFault", "dtc", "checkEngine", "mil"]),
    known("alarm.gps_antenna", WARNING, &["gpsAntenna", "gpsAntennaCut", "gpsAntennaOpen", "gpsAntennaShort", "gpsAntennaDisconnected", "gnssAntennaCut", "gnssAntennaOpen", "gnssAntennaShort", "antennaCut", "antennaDisconnected"]),
    known("alarm.gps_lost", WARNING, &["gpsLost", "gpsLoss", "gpsSignalLost", "gnssLost", "noGps", "blindArea"]),
    known("alarm.sim_change", WARNING, &["simChange", "simChanged", "simCardChange", "simCardChanged"]),
    known("alarm.geofence", WARNING, &["geofence", "fence", "zone"]),
    known("alarm.geofence_enter", WARNING, &["geofenceEnter", "geofenceEntered", "geofenceIn", "enterGeofence", "enterFence", "fenceIn", "inFence", "enterZone"]),
    known("alarm.geofence_exit", WARNING, &["geofenceExit", "geofenceExited", "geofenceOut", "exitGeofence", "exitFence", "leaveFence", "fenceOut", "outFence", "exitZone"]),
    known("alarm.fuel_drain", WARNING, &["fuelDrain", "fuelLeak", "fuelLeakage", "fuelTheft", "fuelDrop", "fuelStolen", "oilLeak", "oil"]),
    known("alarm.low_fuel", WARNING, &["lowFuel", "fuelLow"]),
    known("alarm.temperature", WARNING, &["temperature", "temperatureHigh", "temperatureLow", "highTemperature", "lowTemperature", "overTemperature"]),
    known("alarm.overheating", WARNING, &["overheating", "overheat", "engineOverheat", "coolantTemperature", "highCoolantTemperature"]),
    known("alarm.high_rpm", WARNING, &["highRpm", "overRpm", "overRev", "rpm"]),
    known("alarm.tire_pressure", WARNING, &["tirePressure", "tyrePressure", "lowTirePressure", "lowTyrePressure", "tpms"]),
    known("alarm.fatigue_driving", WARNING, &["fatigueDriving", "fatigue", "driverFatigue", "drowsiness", "drowsy", "yawning"]),
    known("alarm.distraction", WARNING, &["distraction", "distracted", "distractedDriving", "phoneCall", "phoneCalling", "phoneUse", "smoking"]),
    known("alarm.forward_collision", WARNING, &["forwardCollision", "forwardCollisionWarning", "fcw", "headway"]),
    known("alarm.lane_change", WARNING, &["laneChange", "laneDeparture", "laneDepartureWarning", "ldw"]),
    known("alarm.seat_belt", WARNING, &["seatBelt", "seatBeltOff", "safetyBelt"]),
    known("alarm.general", WARNING, &["general", "alarm", "alert", "custom"]),
    known("alarm.unknown", WARNING, &["unknown"]),
    known("device.low_battery", None, &["lowBattery", "batteryLow", "lowBatt", "lowBat", "internalBatteryLow", "lowInternalBattery", "backupBatteryLow", "lowBackupBattery", "trackerBatteryLow", "deviceBatteryLow"]),
    known("vehicle.overspeed", None, &["overspeed", "overspeeding", "speeding", "speed", "speedLimit", "speedExceeded", "maxSpeed", "exceedSpeed"]),
    known("vehicle.harsh_acceleration", None, &["harshAcceleration", "hardAcceleration", "rapidAcceleration", "suddenAcceleration", "sharpAcceleration", "fastAcceleration", "harshAccelerate", "acceleration"]),
    known("vehicle.harsh_braking", None, &["harshBraking", "hardBraking", "rapidBraking", "suddenBraking", "sharpBraking", "emergencyBraking", "harshBrake", "hardBrake", "harshDeceleration", "rapidDeceleration", "suddenDeceleration", "deceleration", "braking"]),
    known("vehicle.harsh_cornering", None, &["harshCornering", "hardCornering", "sharpCornering", "rapidCornering", "harshTurn", "hardTurn", "sharpTurn", "suddenTurn", "rapidTurn", "cornering"]),
    known("vehicle.idling", None, &["idling", "idle", "engineIdle", "engineIdling", "longIdle", "excessiveIdle", "excessiveIdling", "overIdle"]),
    known("alarm.power_restored", None, &["powerRestored", "powerOn", "powerConnected", "powerReconnected", "mainPowerOn", "mainPowerRestored", "externalPowerOn", "externalPowerRestored", "externalPowerConnected"]),
    known("alarm.door_closed", None, &["doorClosed", "doorClose", "closeDoor"]),
    known("alarm.lock", None, &["lock", "locked"]),
    known("alarm.unlock", None, &["unlock", "unlocked"]),
    known("alarm.low_speed", None, &["lowSpeed"]),
    known("alarm.parking", None, &["parking", "parked"]),
    known("alarm.foot_brake", None, &["footBrake"]),
];

/// What may stand behind a name, and says nothing more.
const SUFFIXES: [&str; 3] = ["alarm", "alert", "warning"];

static BY_NAME: LazyLock<HashMap<String, usize>> = LazyLock::new(|| {
    let named = KNOWN_ALARMS.iter().enumerate();
    named.flat_map(|(place, alarm)| alarm.names.iter().map(move |name| (squeezed(name), place))).collect()
});
static NONE: LazyLock<Vec<String>> = LazyLock::new(|| NO_ALARM.iter().map(|name| squeezed(name)).collect());

/// The alarm that a name stands for. Only letters and digits count, of whatever case: `powerCut` is `power_cut` and `POWER CUT`;
/// so is a name with `alarm`, `alert` or `warning` behind it.
pub fn known_alarm(name: &str) -> Option<&'static KnownAlarm> {
    place(name).and_then(|place| KNOWN_ALARMS.get(place))
}

/// How much the alarm asks that an event of a kind raises; none when it raises no alarm. Trackers name their alarms as they
/// like: those that nobody knows are warnings.
pub fn alarm_severity(kind: &str) -> Option<AlarmSeverity> {
    match KNOWN_ALARMS.iter().find(|alarm| alarm.kind == kind) {
        Some(alarm) => alarm.severity,
        None => kind.starts_with("alarm.").then_some(AlarmSeverity::Warning),
    }
}

/// Its place among those that ask somebody to act at once; none for others.
pub(crate) fn urgency(name: &str) -> Option<usize> {
    place(name).filter(|place| KNOWN_ALARMS.get(*place).is_some_and(|alarm| alarm.severity == CRITICAL))
}

/// Whether it is what some send where there is no alarm.
pub(crate) fn says_none(name: &str) -> bool {
    let name = squeezed(name);
    NONE.contains(&name)
}

fn place(name: &str) -> Option<usize> {
    let name = squeezed(name);
    let known = |name: &str| BY_NAME.get(name).copied();
    known(&name).or_else(|| SUFFIXES.iter().find_map(|suffix| known(name.strip_suffix(suffix)?)))
}

/// Its letters and digits, the former small.
fn squeezed(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
