//! Which commands a tracker knows, and what each of them needs.

use armada_proto::{
    Violations,
    v1::{CommandInput, CommandKind},
};
use armada_runtime::Result;
use sea_orm::{DatabaseTransaction, EntityTrait};

use crate::entity::{device, master_data};

use CommandKind::{
    AlarmArm, AlarmDisarm, Custom, EngineResume, EngineStop, OutputControl, PositionPeriodic, PositionSingle, Reboot,
    RequestStatus,
};

/// Everything: of a tracker about which nothing is known, its gateway knows better.
const ALL: &[CommandKind] = &[
    EngineStop,
    EngineResume,
    PositionSingle,
    PositionPeriodic,
    AlarmArm,
    AlarmDisarm,
    OutputControl,
    RequestStatus,
    Reboot,
    Custom,
];

/// By the name of the protocol in the platform's master data, as makers document them. Those that are not here are
/// treated as unknown.
const OF_PROTOCOLS: &[(&str, &[CommandKind])] = &[
    (
        "GPS103 (Coban)",
        &[EngineStop, EngineResume, PositionSingle, PositionPeriodic, AlarmArm, AlarmDisarm, RequestStatus, Custom],
    ),
    ("GT02", &[EngineStop, EngineResume, RequestStatus, Custom]),
    ("GT06", &[EngineStop, EngineResume, PositionSingle, PositionPeriodic, RequestStatus, Reboot, Custom]),
    ("H02", &[EngineStop, EngineResume, PositionPeriodic, AlarmArm, AlarmDisarm, Reboot, Custom]),
    ("JT/T 808", &[EngineStop, EngineResume, PositionSingle, PositionPeriodic, Reboot, Custom]),
    ("Meiligao", &[EngineStop, EngineResume, PositionSingle, PositionPeriodic, AlarmArm, AlarmDisarm, Reboot]),
    ("Meitrack", &[EngineStop, EngineResume, PositionSingle, PositionPeriodic, OutputControl, Reboot, Custom]),
    ("GL200 (Queclink)", &[EngineStop, EngineResume, PositionSingle, PositionPeriodic, OutputControl, Reboot, Custom]),
    ("OsmAnd", &[]),
    ("OwnTracks", &[]),
    ("Ruptela", &[EngineStop, EngineResume, PositionSingle, OutputControl, RequestStatus, Reboot, Custom]),
    ("Suntech", &[EngineStop, EngineResume, PositionSingle, AlarmArm, AlarmDisarm, OutputControl, Reboot, Custom]),
    ("T55 (NMEA)", &[]),
    ("Teltonika Codec 8", &[EngineStop, EngineResume, PositionSingle, OutputControl, RequestStatus, Reboot, Custom]),
    (
        "TK103",
        &[
            EngineStop,
            EngineResume,
            PositionSingle,
            PositionPeriodic,
            AlarmArm,
            AlarmDisarm,
            RequestStatus,
            Reboot,
            Custom,
        ],
    ),
    ("Watch", &[PositionSingle, PositionPeriodic, Reboot, Custom]),
    ("Wialon IPS", &[OutputControl, Reboot, Custom]),
    ("Xexun", &[EngineStop, EngineResume, Custom]),
];

/// Those that can be sent to a device.
pub async fn of(tx: &DatabaseTransaction, device: &device::Model) -> Result<&'static [CommandKind]> {
    let protocol = protocol_of(tx, device).await?;
    Ok(OF_PROTOCOLS.iter().find(|(name, _)| *name == protocol).map_or(ALL, |(_, kinds)| kinds))
}

/// The name of a device's protocol; empty when it has none.
pub async fn protocol_of(tx: &DatabaseTransaction, device: &device::Model) -> Result<String> {
    let Some(id) = device.gps_protocol_id else { return Ok(String::new()) };
    Ok(master_data::Entity::find_by_id(id).one(tx).await?.map(|entry| entry.name).unwrap_or_default())
}

/// Demands what a kind needs, and drops what it does not.
pub fn check_arguments(kind: CommandKind, input: &mut CommandInput, violations: &mut Violations) {
    if kind != PositionPeriodic {
        input.interval_seconds = None;
    } else if input.interval_seconds.is_none_or(|seconds| seconds == 0) {
        violations.add("interval_seconds", "required");
    }
    if kind != OutputControl {
        (input.output, input.output_on) = (None, None);
    } else {
        if input.output.is_none_or(|output| output == 0) {
            violations.add("output", "required");
        }
        if input.output_on.is_none() {
            violations.add("output_on", "required");
        }
    }
    if kind != Custom {
        input.text = None;
    } else if input.text.as_deref().is_none_or(|text| text.trim().is_empty()) {
        violations.add("text", "required");
    }
}
