//! What a request says of a device.

use armada_proto::v1::{self, DeviceIconType, DeviceInput, DeviceStatus};
use armada_runtime::{Code, Error, Fields, Result};
use armada_track::Imei;

use crate::{
    digits,
    entity::device::{IconType, ImeiStatus, Model, Status},
};

const NAME_MAX: usize = 200;
const SIM_NUMBER_MAX: usize = 40;
const VEHICLE_CODE_MAX: usize = 32;
const VEHICLE_TYPE_MAX: usize = 64;
const PRIMARY_DRIVER_MAX: usize = 100;
/// A year.
const PARKING_MAX_SECONDS: u32 = 365 * 24 * 3600;

/// Brings the input into the form in which it is stored, or says what is wrong with it.
pub(super) fn check(input: &mut DeviceInput, creating: bool) -> Result<()> {
    let mut fields = Fields::default();
    fields.require("imei", input.imei.as_deref(), creating);
    fields.require("name", input.name.as_deref(), creating);
    fields.check().map_err(|error| Error {
        fields: error.fields,
        ..Error::new(Code::Invalid, "device_imei_and_name_required", "IMEI and device name are required.")
    })?;
    let mut fields = Fields::default();
    if let Some(imei) = &mut input.imei {
        *imei = digits::of(imei);
        if imei.parse::<Imei>().is_err() {
            fields.wrong("imei", "invalid_imei");
        }
    }
    fields.line("name", &mut input.name, NAME_MAX);
    fields.line("sim_number", &mut input.sim_number, SIM_NUMBER_MAX);
    fields.line("vehicle_code", &mut input.vehicle_code, VEHICLE_CODE_MAX);
    fields.line("vehicle_type", &mut input.vehicle_type, VEHICLE_TYPE_MAX);
    fields.line("primary_driver", &mut input.primary_driver, PRIMARY_DRIVER_MAX);
    if input.max_parking_time.is_some_and(|seconds| seconds > PARKING_MAX_SECONDS) {
        fields.wrong("max_parking_time", "too_large");
    }
    if status_of(input.status).is_err() {
        fields.wrong("status", "invalid");
    }
    if icon_of(input.icon_type).is_err() {
        fields.wrong("icon_type", "invalid");
    }
    fields.check()
}

/// The status that a request names, if any.
pub(super) fn status_of(number: Option<i32>) -> Result<Option<Status>> {
    match DeviceStatus::try_from(number.unwrap_or_default()) {
        Ok(DeviceStatus::Unspecified) => Ok(None),
        Ok(DeviceStatus::Active) => Ok(Some(Status::Active)),
        Ok(DeviceStatus::Inactive) => Ok(Some(Status::Inactive)),
        Err(_) => Err(Error::field("status", "invalid")),
    }
}

/// The state of IMEIs that a list is narrowed to, if any.
pub(super) fn imei_status_of(number: Option<i32>) -> Result<Option<ImeiStatus>> {
    Ok(match v1::ImeiStatus::try_from(number.unwrap_or_default()) {
        Ok(v1::ImeiStatus::Unspecified) => None,
        Ok(v1::ImeiStatus::Bound) => Some(ImeiStatus::Bound),
        Ok(v1::ImeiStatus::Pending) => Some(ImeiStatus::Pending),
        Ok(v1::ImeiStatus::Rejected) => Some(ImeiStatus::Rejected),
        Err(_) => return Err(Error::field("imei_status", "invalid")),
    })
}

/// The icon that a request names, if any.
pub(super) fn icon_of(number: Option<i32>) -> Result<Option<IconType>> {
    Ok(match DeviceIconType::try_from(number.unwrap_or_default()) {
        Ok(DeviceIconType::Unspecified) => None,
        Ok(DeviceIconType::Car) => Some(IconType::Car),
        Ok(DeviceIconType::Van) => Some(IconType::Van),
        Ok(DeviceIconType::Pickup) => Some(IconType::Pickup),
        Ok(DeviceIconType::Truck) => Some(IconType::Truck),
        Ok(DeviceIconType::Bus) => Some(IconType::Bus),
        Ok(DeviceIconType::Motorcycle) => Some(IconType::Motorcycle),
        Ok(DeviceIconType::HeavyEquipment) => Some(IconType::HeavyEquipment),
        Err(_) => return Err(Error::field("icon_type", "invalid")),
    })
}

/// Takes over what is present, but for the owner and the tenant.
pub(super) fn apply(input: DeviceInput, device: &mut Model) -> Result<()> {
    if let Some(status) = status_of(input.status)? {
        device.status = status;
    }
    if let Some(icon) = icon_of(input.icon_type)? {
        device.icon_type = icon;
    }
    if let Some(seconds) = input.max_parking_time {
        device.max_parking_time = seconds.into();
    }
    let texts = [
        (input.imei, &mut device.imei),
        (input.name, &mut device.name),
        (input.sim_number, &mut device.sim_number),
        (input.vehicle_code, &mut device.vehicle_code),
        (input.vehicle_type, &mut device.vehicle_type),
        (input.primary_driver, &mut device.primary_driver),
    ];
    for (text, column) in texts {
        if let Some(text) = text {
            *column = text;
        }
    }
    device.search = device.searched();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(imei: &str, name: &str) -> DeviceInput {
        DeviceInput { imei: Some(imei.to_owned()), name: Some(name.to_owned()), ..DeviceInput::default() }
    }

    #[test]
    fn imei_and_name_are_required() {
        for (mut input, wrong) in [
            (DeviceInput::default(), 2),
            (input("", "  "), 2),
            (input("490154203237518", ""), 1),
            (input(" ", "B 1234 XY"), 1),
        ] {
            let error = check(&mut input, true).unwrap_err();
            assert_eq!(error.code, "device_imei_and_name_required");
            assert_eq!(error.fields.len(), wrong, "{:?}", error.fields);
        }
        assert!(check(&mut DeviceInput::default(), false).is_ok());
        assert!(check(&mut input("490154203237518", ""), false).is_err());
    }

    #[test]
    fn imeis_have_fifteen_digits() {
        for imei in ["49015420323751", "4901542032375180", "49015420323751x", "४90154203237518", "490154203237 18"] {
            assert_eq!(check(&mut input(imei, "x"), true).unwrap_err().fields["imei"], "invalid_imei", "{imei}");
        }
        let mut good = input(" 490154203237518 ", "x");
        check(&mut good, true).unwrap();
        assert_eq!(good.imei.as_deref(), Some("490154203237518"));
        let mut written = input("49-015420-323751-8", "x");
        check(&mut written, true).unwrap();
        assert_eq!(written.imei, good.imei);
    }

    #[test]
    fn other_fields_are_bounded() {
        let mut wrong = DeviceInput {
            sim_number: Some("1".repeat(41)),
            max_parking_time: Some(u32::MAX),
            status: Some(9),
            ..input("490154203237518", "a\u{202e}b")
        };
        let fields = check(&mut wrong, true).unwrap_err().fields;
        let codes = ["name", "sim_number", "max_parking_time", "status"].map(|name| fields[name].as_str());
        assert_eq!(codes, ["invalid_characters", "too_long", "too_large", "invalid"]);
    }
}
