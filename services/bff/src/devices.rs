//! Devices.

use armada_proto::v1::{DeleteRequest, Device, DeviceInput, DeviceList, DeviceStatus, GetRequest, ListDevicesRequest};
use axum::{
    Json,
    extract::{Path, State},
};
use http::StatusCode;

use crate::{
    caller::By,
    edge::Edge,
    failure::{Answer, Refused},
    input::Input,
    query::{Listing, Query},
    version::{IfMatch, Versioned},
};

/// Users that a list may be narrowed to.
const USERS_MAX: usize = 500;

/// Lists the devices that the caller sees. Sorted by `name`, `imei`, `status`, `created_at` or `updated_at`; `q` finds
/// a part of name, IMEI or SIM number.
#[utoipa::path(
    get,
    path = "/api/v1/devices",
    operation_id = "list_devices",
    tag = "devices",
    params(
        Listing,
        ("status" = Option<DeviceStatus>, Query, description = "Only these."),
        ("userIds" = Option<Vec<String>>, Query, description = "Only what these users own or are linked to."),
        ("tenant_id" = Option<String>, Query, description = "Only of this tenant, for platform owners."),
    ),
    responses((status = 200, description = "A page.", body = DeviceList), Refused),
)]
pub(crate) async fn list(State(edge): State<Edge>, By(caller): By, mut query: Query) -> Answer<Json<DeviceList>> {
    let Listing { page, page_size, sort, q } = query.listing();
    let user_ids = query.all("userIds");
    if user_ids.len() > USERS_MAX {
        query.wrong("userIds", "too_many");
    }
    let request = ListDevicesRequest {
        page,
        page_size,
        sort,
        q,
        user_ids,
        tenant_id: query.text("tenant_id"),
        status: query.choice::<DeviceStatus>("status").map(Into::into),
    };
    query.check()?;
    Ok(Json(edge.devices().list(caller.sign(request)).await?.into_inner()))
}

/// Makes a device.
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
