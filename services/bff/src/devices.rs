//! Devices.

use armada_proto::access::permission;
use armada_proto::v1::{
    DeleteRequest, Device, DeviceIconType, DeviceInput, DeviceList, DeviceStatus, GetRequest, ImeiStatus,
    ListDevicesRequest,
};
use armada_runtime::{Caller, Error, Scope};
use axum::{
    Json,
    extract::{Path, State},
    response::Response,
};
use futures::TryStreamExt;
use http::StatusCode;
use tonic::Status;

use crate::{
    caller::By,
    edge::Edge,
    export::{self, Column, Export, ExportParams},
    failure::{Answer, Refused},
    input::Input,
    language::Language,
    query::{Listing, Query},
    version::{IfMatch, Versioned},
};

/// Lists the devices that the caller sees. Sorted by `name`, `vehicle_code`, `imei`, `primary_driver`, `icon_type`,
/// `status`, `created_at` or `updated_at`; `q` finds a part of name, vehicle code, IMEI, SIM number or primary driver.
#[utoipa::path(
    get,
    path = "/api/v1/devices",
    operation_id = "list_devices",
    tag = "devices",
    params(
        Listing,
        ("status" = Option<DeviceStatus>, Query, description = "Only these."),
        ("icon_type" = Option<Vec<DeviceIconType>>, Query, description = "Only these."),
        ("imei_status" = Option<ImeiStatus>, Query, description = "Only those whose IMEI is so far."),
        ("userIds" = Option<Vec<String>>, Query, description = "Only what these users own or are linked to."),
        ("tenant_id" = Option<String>, Query, description = "Only of this tenant, for platform owners."),
    ),
    responses((status = 200, description = "A page.", body = DeviceList), Refused),
)]
pub(crate) async fn list(State(edge): State<Edge>, By(caller): By, mut query: Query) -> Answer<Json<DeviceList>> {
    let request = wanted(&mut query);
    query.check()?;
    Ok(Json(edge.devices().list(caller.sign(request)).await?.into_inner()))
}

/// What a query says of which devices, and in which order.
fn wanted(query: &mut Query) -> ListDevicesRequest {
    let Listing { page, page_size, sort, q } = query.listing();
    ListDevicesRequest {
        page,
        page_size,
        sort,
        q,
        user_ids: query.ids("userIds"),
        tenant_id: query.text("tenant_id"),
        status: query.choice::<DeviceStatus>("status").map(Into::into),
        imei_status: query.choice::<ImeiStatus>("imei_status").map(Into::into),
        icon_types: query.choices::<DeviceIconType>("icon_type").into_iter().map(Into::into).collect(),
    }
}

/// A device in a file, with the names of those whom it belongs to, as far as they were asked for.
#[derive(Default)]
struct Entry {
    device: Device,
    owner: String,
    tenant: String,
}

/// The columns of a file of devices.
const COLUMNS: &[Column<Entry>] = &[
    Column::text("name", 28.0, |entry| &entry.device.name),
    Column::text("vehicle_code", 18.0, |entry| &entry.device.vehicle_code),
    Column::choice("icon_type", 18.0, |entry| export::choice(entry.device.icon_type())),
    Column::text("vehicle_type", 24.0, |entry| &entry.device.vehicle_type),
    Column::text("primary_driver", 24.0, |entry| &entry.device.primary_driver),
    Column::text("imei", 18.0, |entry| &entry.device.imei),
    Column::text("sim_number", 18.0, |entry| &entry.device.sim_number),
    Column::choice("status", 12.0, |entry| export::choice(entry.device.status())),
    Column::number("max_parking_time", 16.0, |entry| entry.device.max_parking_time.into()),
    Column::time("created_at", |entry| entry.device.created_at),
    Column::time("updated_at", |entry| entry.device.updated_at),
    Column::unusual(Column::text(OWNER, 28.0, |entry| &entry.owner)),
    Column::unusual(Column::text(TENANT, 28.0, |entry| &entry.tenant)),
    Column::unusual(Column::choice("imei_status", 18.0, |entry| export::choice(entry.device.imei_status()))),
    Column::unusual(Column::text("id", 38.0, |entry| &entry.device.id)),
    Column::unusual(Column::text("tenant_id", 38.0, |entry| &entry.device.tenant_id)),
    Column::unusual(Column::text("user_id", 38.0, |entry| entry.device.user_id())),
];

/// Columns of names, which another service knows.
const OWNER: &str = "owner";
const TENANT: &str = "tenant";

/// The devices with the names that are asked for. Who is not known any more stays an id.
async fn named(
    edge: &Edge,
    caller: &Caller,
    (owners, tenants): (bool, bool),
    devices: Vec<Device>,
) -> Result<Vec<Entry>, Status> {
    let mut entries: Vec<_> = devices.into_iter().map(|device| Entry { device, ..Entry::default() }).collect();
    if owners {
        let names = edge.user_names(caller, entries.iter().map(|entry| entry.device.user_id())).await?;
        for entry in &mut entries {
            entry.owner = names.of(entry.device.user_id());
        }
    }
    if tenants {
        let names = edge.tenant_names(caller, entries.iter().map(|entry| entry.device.tenant_id.as_str())).await?;
        for entry in &mut entries {
            entry.tenant = names.of(&entry.device.tenant_id);
        }
    }
    Ok(entries)
}

/// All devices of a list as a file, whatever the page. Columns are `name`, `vehicle_code`, `icon_type`, `vehicle_type`,
/// `primary_driver`, `imei`, `sim_number`, `status`, `max_parking_time`, `created_at`, `updated_at`, and when asked for
/// `owner` for admins, `tenant` for platform owners, `imei_status`, `id`, `tenant_id`, `user_id`. A file that was cut off
/// ends with a broken connection.
#[utoipa::path(
    get,
    path = "/api/v1/devices/export",
    operation_id = "export_devices",
    tag = "devices",
    params(
        ExportParams,
        ("sort" = Option<String>, Query, description = "A field, `-` before it for descending."),
        ("q" = Option<String>, Query, description = "Text to search for."),
        ("status" = Option<DeviceStatus>, Query, description = "Only these."),
        ("icon_type" = Option<Vec<DeviceIconType>>, Query, description = "Only these."),
        ("imei_status" = Option<ImeiStatus>, Query, description = "Only those whose IMEI is so far."),
        ("userIds" = Option<Vec<String>>, Query, description = "Only what these users own or are linked to."),
        ("tenant_id" = Option<String>, Query, description = "Only of this tenant, for platform owners."),
    ),
    responses(
        (status = 200, description = "The file, streamed.", content(
            (String = "text/csv"),
            (Vec<u8> = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        )),
        Refused,
    ),
)]
pub(crate) async fn export(
    State(edge): State<Edge>,
    By(caller): By,
    language: Language,
    mut query: Query,
) -> Answer<Response> {
    let request = wanted(&mut query);
    let export = Export::asked(&mut query, "devices", COLUMNS, language);
    query.check()?;
    let names = (export.has(OWNER), export.has(TENANT));
    if (names.0 && !caller.can(permission::USER_LIST)) || (names.1 && caller.scope() != Scope::Platform) {
        return Err(Error::forbidden().into());
    }
    let pieces = edge.devices().export(caller.sign(request)).await?.into_inner();
    let entries = pieces.and_then(move |piece| {
        let (edge, caller) = (edge.clone(), caller.clone());
        async move { named(&edge, &caller, names, piece.items).await }
    });
    Ok(export.respond(entries))
}

/// Makes a device. An IMEI that somebody else has, or that was heard elsewhere, is `pending` until a platform owner has
/// decided: the device takes no positions before. One that a device of one's own tenant names is refused.
#[utoipa::path(
    post,
    path = "/api/v1/devices",
    operation_id = "create_device",
    tag = "devices",
    request_body = DeviceInput,
    responses(
        (status = 201, description = "The new device.", body = Device, headers(("ETag", description = "Its version."))),
        Refused,
    ),
)]
pub(crate) async fn create(
    State(edge): State<Edge>,
    By(caller): By,
    Input(device): Input<DeviceInput>,
) -> Answer<Versioned<Device>> {
    let device = edge.devices().create(caller.sign(device)).await?.into_inner();
    Ok(Versioned::created(device.row_version, device))
}

/// Reads a device.
#[utoipa::path(
    get,
    path = "/api/v1/devices/{id}",
    operation_id = "get_device",
    tag = "devices",
    params(("id" = String, Path)),
    responses(
        (status = 200, description = "The device.", body = Device, headers(("ETag", description = "Its version."))),
        Refused,
    ),
)]
pub(crate) async fn get(State(edge): State<Edge>, By(caller): By, Path(id): Path<String>) -> Answer<Versioned<Device>> {
    let device = edge.devices().get(caller.sign(GetRequest { id })).await?.into_inner();
    Ok(Versioned::new(device.row_version, device))
}

/// Changes the fields of a device that are present.
#[utoipa::path(
    put,
    path = "/api/v1/devices/{id}",
    operation_id = "update_device",
    tag = "devices",
    params(
        ("id" = String, Path),
        IfMatch,
    ),
    request_body = DeviceInput,
    responses(
        (status = 200, description = "The device now.", body = Device, headers(("ETag", description = "Its version."))),
        Refused,
    ),
)]
pub(crate) async fn update(
    State(edge): State<Edge>,
    By(caller): By,
    Path(id): Path<String>,
    IfMatch { row_version }: IfMatch,
    Input(device): Input<DeviceInput>,
) -> Answer<Versioned<Device>> {
    let device = DeviceInput { id, row_version, ..device };
    let device = edge.devices().update(caller.sign(device)).await?.into_inner();
    Ok(Versioned::new(device.row_version, device))
}

/// Removes a device.
#[utoipa::path(
    delete,
    path = "/api/v1/devices/{id}",
    operation_id = "delete_device",
    tag = "devices",
    params(
        ("id" = String, Path),
        IfMatch,
    ),
    responses((status = 204, description = "It is gone."), Refused),
)]
pub(crate) async fn delete(
    State(edge): State<Edge>,
    By(caller): By,
    Path(id): Path<String>,
    IfMatch { row_version }: IfMatch,
) -> Answer<StatusCode> {
    edge.devices().delete(caller.sign(DeleteRequest { id, row_version })).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[cfg(test)]
mod tests {
    use armada_proto::Timestamp;

    use super::*;

    #[test]
    fn a_file_has_words_in_every_language() {
        let status = DeviceStatus::Active.into();
        let entries = [1, 2, 3, 4, 5, 6, 7].map(|icon_type| Entry {
            device: Device {
                icon_type,
                status,
                imei_status: (icon_type + 2) / 3,
                created_at: Some(Timestamp::from_millis(0)),
                ..Device::default()
            },
            ..Entry::default()
        });
        export::assert_words("devices", COLUMNS, &entries);
    }
}
