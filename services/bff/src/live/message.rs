//! The JSON messages of the live socket.

use std::time::Duration;

use armada_proto::{
    Timestamp, alarm,
    v1::{
        Command, CommandInput, DayActivity, DeviceIds, DeviceLocation, LastPosition, LiveAck, LiveDevice, LiveStatus,
        LiveView, MapSourceList, Motion, ParkInfo, SharedPositions, SharedVehicles, StandingAlarm,
    },
};
use axum::extract::ws::Utf8Bytes;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

use crate::http::{
    failure::ApiError,
    language::{self, Language},
};

/// Satellites in use that count as a full signal.
const SATELLITES_FULL: f64 = 12.0;

/// What a client says.
#[derive(Debug, PartialEq)]
pub enum ClientMessage {
    /// Tell everything about these devices.
    Subscribe(Vec<String>),
    /// That no more.
    Unsubscribe(Vec<String>),
    /// Send it to the device that it names.
    SendCommand(Box<CommandInput>),
    /// With columns: what the client shows.
    View(LiveView),
    /// With columns: tell everything anew.
    Resync,
    /// With columns: all messages up to the one of this sequence were read.
    Ack(u32),
    /// Is anybody there?
    Ping,
    /// The answer to that.
    Pong,
}

/// Codes of the message `error`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorCode {
    /// No JSON object with a `type`, or the payload does not fit it.
    Invalid,
    /// Not a message of this version.
    UnknownType,
    /// A service that is needed is away.
    Unavailable,
}

impl ClientMessage {
    /// Reads a message.
    pub fn read(text: &str) -> Result<Self, ErrorCode> {
        #[derive(Deserialize)]
        struct Envelope {
            r#type: String,
            #[serde(default)]
            payload: Value,
        }
        // A list would be taken for the fields in their order.
        if !text.trim_start().starts_with('{') {
            return Err(ErrorCode::Invalid);
        }
        let envelope: Envelope = serde_json::from_str(text).map_err(|_| ErrorCode::Invalid)?;
        let devices = |payload| Ok(read_payload::<DeviceIds>(payload)?.device_ids);
        match envelope.r#type.as_str() {
            "subscribe_devices" => devices(envelope.payload).map(Self::Subscribe),
            "unsubscribe_devices" => devices(envelope.payload).map(Self::Unsubscribe),
            "send_command" => read_command(envelope.payload),
            "view" => {
                let view = read_payload::<LiveView>(envelope.payload)?;
                if matches!(view.r#box.len(), 0 | 4) { Ok(Self::View(view)) } else { Err(ErrorCode::Invalid) }
            }
            "resync" => Ok(Self::Resync),
            "ack" => Ok(Self::Ack(read_payload::<LiveAck>(envelope.payload)?.sequence)),
            "ping" => Ok(Self::Ping),
            "pong" => Ok(Self::Pong),
            _ => Err(ErrorCode::UnknownType),
        }
    }
}

/// A text is the name of a kind that needs nothing else.
fn read_command(payload: Value) -> Result<ClientMessage, ErrorCode> {
    #[derive(Deserialize)]
    struct Payload {
        device_id: String,
        command: Value,
    }
    let Payload { device_id, command } = read_payload(payload)?;
    let command = if command.is_string() { json!({ "kind": command }) } else { command };
    let command: CommandInput = read_payload(command)?;
    Ok(ClientMessage::SendCommand(Box::new(CommandInput { device_id, ..command })))
}

fn read_payload<T: DeserializeOwned>(payload: Value) -> Result<T, ErrorCode> {
    if !payload.is_object() {
        return Err(ErrorCode::Invalid);
    }
    serde_json::from_value(payload).map_err(|_| ErrorCode::Invalid)
}

/// What the server says.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum ServerMessage<'a> {
    Position {
        position: &'a LastPosition,
    },
    DeviceUpdate {
        payload: &'a LiveDevice,
    },
    DeviceLocation {
        payload: DeviceLocation,
    },
    Error {
        payload: ErrorPayload,
    },
    /// To visitors of a share link.
    Vehicles {
        payload: SharedVehicles,
    },
    /// The same.
    Positions {
        payload: SharedPositions,
    },
    /// The same.
    MapSources {
        payload: MapSourceList,
    },
    CommandResponse {
        payload: &'a CommandResponse<'a>,
    },
    EventsChanged,
    Ping,
    Pong,
}

/// Payload of `command_response`.
#[derive(Serialize)]
pub(super) struct CommandResponse<'a> {
    /// To which device.
    pub(super) device_id: &'a str,
    /// As in the `send_command` that this answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) request_id: Option<&'a str>,
    /// How it stands now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) command: Option<&'a Command>,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<ApiError>,
}

/// Payload of `error`.
#[derive(Serialize)]
pub(super) struct ErrorPayload {
    error: &'static str,
    message: String,
}

impl ServerMessage<'_> {
    /// As it goes over the wire.
    pub(super) fn text(&self) -> Utf8Bytes {
        // Nothing in these messages can fail to be written.
        serde_json::to_string(self).unwrap_or_default().into()
    }
}

impl ErrorCode {
    /// The message, in a language.
    pub(super) fn text(self, language: Language) -> Utf8Bytes {
        let error = match self {
            Self::Invalid => "invalid_message",
            Self::UnknownType => "unknown_type",
            Self::Unavailable => "unavailable",
        };
        let message = language::plain_message(language, error);
        ServerMessage::Error { payload: ErrorPayload { error, message } }.text()
    }
}

/// The message `device_update`, with the alarm that stands, if one does, as it is said `now`.
pub fn device_update(
    position: &LastPosition,
    name: &str,
    standing: Option<&StandingAlarm>,
    now: Timestamp,
) -> Utf8Bytes {
    let motion = position.motion();
    let today = position.today.map(|today| today_at(today, now));
    let hours = |seconds: f64| seconds / 3600.0;
    let time = |of: fn(&DayActivity) -> Option<Timestamp>| today.as_ref().and_then(of).map(|at| at.to_rfc3339());
    let payload = LiveDevice {
        id: position.device_id.clone(),
        name: name.to_owned(),
        latitude: position.lat,
        longitude: position.lng,
        speed: position.speed.unwrap_or_default(),
        heading: position.course,
        device_time: position.recorded_at.unwrap_or_default().to_rfc3339(),
        odo: position.odometer,
        park_info: park_info(position),
        status: Some(LiveStatus {
            charging: position.charge,
            battery_percent: position.batt_percent,
            satellite_signal: position.sat.map(|count| (f64::from(count) / SATELLITES_FULL * 100.0).round().min(100.0)),
            satellite_count: position.sat,
            gsm_signal: position.gsm_signal,
            movement: motion.into(),
            parking: motion == Motion::Parked,
            alarm: standing.map(|standing| alarm::name_of(&standing.kind).to_owned()),
            alarm_since: standing.map(|standing| Timestamp::from_millis(standing.since).to_rfc3339()),
        }),
        ignition: position.ignition,
        alt: position.alt,
        valid: position.valid,
        fuel_liter: position.fuel_liter,
        fuel_percent: position.fuel_percent,
        attrs: position.attrs.clone(),
        hours: position.engine_seconds.map(hours),
        mileage: today.map(|today| today.distance),
        hours_today: today.and_then(|today| today.engine_seconds).map(hours),
        moves_today: today.map(|today| today.moving_seconds),
        idles_today: today.map(|today| today.idle_seconds),
        parks_today: today.map(|today| today.parked_seconds),
        today_from: time(|today| today.from),
        today_until: time(|today| today.until),
    };
    ServerMessage::DeviceUpdate { payload: &payload }.text()
}

/// What is known of the day that it is now: nothing has happened on it yet when it is a later one than that of the fix.
fn today_at(today: DayActivity, now: Timestamp) -> DayActivity {
    if today.until.is_some_and(|until| now < until) {
        return today;
    }
    DayActivity { engine_seconds: today.engine_seconds.map(|_| 0.0), ..DayActivity::default() }
}

/// The message `device_location`.
pub(super) fn device_location(position: &LastPosition) -> Utf8Bytes {
    let payload = DeviceLocation {
        device_id: position.device_id.clone(),
        latitude: position.lat,
        longitude: position.lng,
        speed: position.speed.unwrap_or_default(),
        heading: position.course,
        device_time: position.recorded_at.unwrap_or_default().to_rfc3339(),
    };
    ServerMessage::DeviceLocation { payload }.text()
}

fn park_info(position: &LastPosition) -> Option<ParkInfo> {
    let since = position.motion_since.filter(|_| position.motion() == Motion::Parked)?;
    let millis = position.recorded_at.unwrap_or_default().millis() - since.millis();
    let parked = Duration::from_millis(millis.max(0).unsigned_abs());
    Some(ParkInfo { since: since.to_rfc3339(), seconds: u32::try_from(parked.as_secs()).unwrap_or(u32::MAX) })
}

/// Whether two positions of a device differ in nothing but where and when: odometer, height and the time parked go
/// with those.
pub fn only_moved(before: &LastPosition, now: &LastPosition) -> bool {
    let condition = |p: &LastPosition| {
        (
            (p.valid, p.mark, p.ignition, p.charge, p.motion, p.motion_since),
            (p.sat, p.gsm_signal, p.batt_percent, p.fuel_liter, p.fuel_percent),
        )
    };
    let is_same_fix = before.recorded_at == now.recorded_at;
    !is_same_fix && condition(before) == condition(now) && before.alarm == now.alarm && before.attrs == now.attrs
}
