//! Files of devices.

use armada_proto::{
    access::permission,
    v1::{Device, ListDevicesRequest},
};
use armada_runtime::{Caller, Error, Scope};
use axum::{extract::State, response::Response};
use futures::TryStreamExt;
use tonic::Status;

use crate::{
    caller::By,
    edge::Edge,
    export::{self, Column, Export},
    failure::Answer,
    language::Language,
    query::Query,
};

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

/// All entries of a list as a file, whatever the page.
pub(crate) async fn export(
    State(edge): State<Edge>,
    By(caller): By,
    language: Language,
    mut query: Query,
) -> Answer<Response> {
    let request: ListDevicesRequest = query.message();
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

#[cfg(test)]
mod tests {
    use armada_proto::{Timestamp, v1::DeviceStatus};

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
