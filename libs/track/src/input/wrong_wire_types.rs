//! Reports of protobuf in which a field has another type than its own, as one gateway writes a speed as an integer: parsers read
//! nothing of such a message. Here that field costs itself. Done only once a message could not be read.

use armada_proto::v1::PositionReport;
use prost::encoding::{DecodeContext, WireType, decode_key, decode_varint, skip_field};

use crate::{
    input::{
        element::UNKNOWN_ALARM,
        utf8::{mended_report, read},
    },
    position::{
        left_out::{Field, Flaw, LeftOut},
        report::MAX_POSITIONS_PER_MESSAGE,
    },
};

/// The fields of a `PositionReport` that may be left out, with the type of each.
const TYPES: [(u32, Field, WireType); 16] = [
    (2, Field::Lat, WireType::SixtyFourBit),
    (3, Field::Lng, WireType::SixtyFourBit),
    (4, Field::Speed, WireType::SixtyFourBit),
    (5, Field::Course, WireType::SixtyFourBit),
    (6, Field::Alt, WireType::SixtyFourBit),
    (7, Field::Sat, WireType::Varint),
    (8, Field::Valid, WireType::Varint),
    (9, Field::Ignition, WireType::Varint),
    (10, Field::Odometer, WireType::SixtyFourBit),
    (11, Field::FuelLiter, WireType::SixtyFourBit),
    (12, Field::FuelPercent, WireType::SixtyFourBit),
    (13, Field::BattPercent, WireType::SixtyFourBit),
    (14, Field::Charge, WireType::Varint),
    (15, Field::GsmSignal, WireType::SixtyFourBit),
    (16, Field::Alarm, WireType::LengthDelimited),
    (17, Field::Attrs, WireType::LengthDelimited),
];

/// One field of a message.
struct WireField<'a> {
    number: u32,
    wire_type: WireType,
    /// Behind its key, with the length that stands before it where it has one.
    value: &'a [u8],
    /// With its key.
    whole: &'a [u8],
}

/// The fields of a message in order; the last one is none when the bytes are no protobuf.
fn fields(mut rest: &[u8]) -> impl Iterator<Item = Option<WireField<'_>>> {
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let field = next_field(&mut rest);
        if field.is_none() {
            rest = &[];
        }
        Some(field)
    })
}

fn next_field<'a>(rest: &mut &'a [u8]) -> Option<WireField<'a>> {
    let whole = *rest;
    let (number, wire_type) = decode_key(rest).ok()?;
    let value = *rest;
    skip_field(wire_type, number, rest, DecodeContext::default()).ok()?;
    let without_rest = |bytes: &'a [u8]| &bytes[..bytes.len() - rest.len()];
    Some(WireField { number, wire_type, value: without_rest(value), whole: without_rest(whole) })
}

/// A `PositionReport` and what was left out of it; none when it is none, or tells no time.
pub(crate) fn report_of(body: &[u8]) -> Option<(PositionReport, LeftOut)> {
    let (mut kept, mut left_out, mut alarms) = (Vec::with_capacity(body.len()), LeftOut::NOTHING, Vec::new());
    for field in fields(body) {
        let field = field?;
        let expected = TYPES.iter().find(|(number, ..)| *number == field.number);
        match expected {
            Some((_, Field::Alarm, wire_type)) if *wire_type != field.wire_type => {
                alarms.extend(odd_alarm(&field, &mut left_out));
            }
            Some((_, name, wire_type)) if *wire_type != field.wire_type => left_out.add(*name, Flaw::WrongType),
            _ => kept.extend_from_slice(field.whole),
        }
    }
    let mut report: PositionReport = read(&kept, mended_report)?;
    alarms.extend(report.alarm.take());
    report.alarm = (!alarms.is_empty()).then(|| alarms.join(","));
    // JSON that happens to look like protobuf never has it.
    (report.recorded_at != 0).then_some((report, left_out))
}

/// The reports of a `PositionReports`, and one more than a message may have if it has more.
pub(crate) fn reports_of(body: &[u8]) -> Option<Vec<(PositionReport, LeftOut)>> {
    let mut reports = Vec::new();
    for field in fields(body) {
        let WireField { number, wire_type, mut value, .. } = field?;
        if (number, wire_type) == (1, WireType::LengthDelimited) {
            decode_varint(&mut value).ok()?;
            reports.push(report_of(value)?);
        }
        if reports.len() > MAX_POSITIONS_PER_MESSAGE {
            break;
        }
    }
    Some(reports)
}

/// An alarm that is no text: a number is one by its digits, as in JSON, and 0 is none.
fn odd_alarm(field: &WireField<'_>, left_out: &mut LeftOut) -> Option<String> {
    let mut value = field.value;
    if field.wire_type == WireType::Varint {
        let number = decode_varint(&mut value).ok()?;
        return (number != 0).then(|| number.to_string());
    }
    left_out.add(Field::Alarm, Flaw::WrongType);
    Some(UNKNOWN_ALARM.to_owned())
}
